import type { Span } from './span.ts';

/** The body of a POST to /v1/traces: JSON with ids in hexadecimal digits and 64-bit numbers as text [OTLP 1.0, JSON Protobuf Encoding]. */
export function writeSpans(resource: Readonly<Record<string, string>>, spans: readonly Span[]): string {
  const scopeSpans = [{ scope: { name: 'latchkey' }, spans: spans.map(writeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: writeAttributes(resource) }, scopeSpans }] });
}

/** Numbers of the enumerations SpanKind and StatusCode. */
const kinds = { server: 2, client: 3 };
const statusOfError = 2;

function writeSpan({ trace_id, span_id, parent_span_id, name, kind, start, end, attributes, isFailed }: Span) {
  return {
    traceId: trace_id,
    spanId: span_id,
    ...(parent_span_id !== undefined && { parentSpanId: parent_span_id }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    attributes: writeAttributes(attributes),
    status: isFailed ? { code: statusOfError } : {},
  };
}

function writeAttributes(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
  }));
}

/** Since 1970, exact to a microsecond: a double cannot hold more digits. */
function nanoseconds(sinceStart: number): string {
  return `${Math.round((performance.timeOrigin + sinceStart) * 1000)}000`;
}
