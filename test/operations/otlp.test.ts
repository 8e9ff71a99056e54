import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeSpans } from '../../src/telemetry/otlp.ts';
import { skipWithout, startPython } from '../libraries/python.ts';

const skip = skipWithout('opentelemetry.proto');

const context = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' };
const start = performance.now();
const request = {
  ...context,
  parent_span_id: undefined,
  name: 'POST /token',
  kind: 'server',
  start,
  end: start + 2.5,
  attributes: { 'http.route': '/token', 'http.response.status_code': 503 },
  isFailed: true,
} as const;
const statement = {
  ...context,
  span_id: 'b7ad6b7169203331',
  parent_span_id: context.span_id,
  name: 'redeem_authorization_code',
  kind: 'client',
  start,
  end: start + 1,
  attributes: {},
  isFailed: false,
} as const;

test('the classes that the OpenTelemetry project generates read the spans as they were meant', { skip }, async () => {
  const reader = startPython('opentelemetry_reader.py');
  reader.type(writeSpans({ 'service.name': 'latchkey' }, [request, statement]));
  const [line] = await reader.said(/\{.*\}(?=\n)/);
  const [{ resource, scopeSpans }] = JSON.parse(line).resourceSpans;
  assert.deepEqual(resource.attributes, [{ key: 'service.name', value: { stringValue: 'latchkey' } }]);
  const [one, other] = scopeSpans[0].spans;
  assert.deepEqual([one.traceId, one.spanId, one.parentSpanId], [context.trace_id, context.span_id, undefined]);
  assert.deepEqual(
    [one.name, one.kind, one.status],
    ['POST /token', 'SPAN_KIND_SERVER', { code: 'STATUS_CODE_ERROR' }],
  );
  assert.deepEqual(one.attributes, [
    { key: 'http.route', value: { stringValue: '/token' } },
    { key: 'http.response.status_code', value: { intValue: '503' } },
  ]);
  const nanoseconds = Number(BigInt(one.endTimeUnixNano) - BigInt(one.startTimeUnixNano));
  assert.ok(Math.abs(nanoseconds - 2_500_000) <= 1000, 'exact to a microsecond');
  assert.deepEqual([other.parentSpanId, other.kind, other.status], [context.span_id, 'SPAN_KIND_CLIENT', {}]);
});
