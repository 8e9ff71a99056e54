import type { Request } from 'express';
import { counter, histogram } from '../telemetry/metric.ts';
import type { Span, SpanContext } from '../telemetry/span.ts';

const answers = counter('latchkey_http_requests_total', 'Requests by their answer; aborted: the client went away.', {
  route: [],
  method: [],
  status: [],
});
const durations = histogram(
  'latchkey_http_request_duration_seconds',
  'From the arrival of a request to the end of its answer.',
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5],
  'route',
  'method',
);
const refusals = counter('latchkey_refusals_total', 'Refused requests by OAuth error and exact reason.', {
  error: [],
  reason: [],
});

/** The outcome of a request. */
export interface Outcome {
  readonly request_id: string;
  readonly status: number;
  readonly isAborted: boolean;
  /** the code of the error, if it was refused */
  readonly error: string | undefined;
  /** milliseconds, as of performance.now() */
  readonly start: number;
  readonly end: number;
}

/** Returns the address as a route writes it, so that nothing in a request becomes a label or a name. */
function routeOf({ route, baseUrl }: Request): string {
  return route?.path ?? (baseUrl === '/assets' ? baseUrl : 'unknown');
}

export function countAnswer(req: Request, { status, isAborted, start, end }: Outcome): void {
  const route = routeOf(req);
  // an address answers a few methods; all others are one
  const method = status === 405 || route === 'unknown' ? 'other' : req.method;
  answers.add(route, method, isAborted ? 'aborted' : String(status));
  durations.observe((end - start) / 1000, route, method);
}

/** Counts a request that was refused before its address was looked up. */
export function countEarlyRefusal(error: string, status: number, reason: string): void {
  answers.add('none', 'other', String(status));
  countRefusal(error, reason);
}

/** The counted reason of a refusal whose answer says the reason. */
export const saidInAnswer = 'in the answer';

/** Counts a refusal; `reason` is one of a fixed set; without it, the answer itself gives the reason. */
export function countRefusal(error: string, reason = saidInAnswer): void {
  refusals.add(error, reason);
}

/** Leaves out the path, the query and the headers, which may contain secrets. */
export function requestStep(req: Request, outcome: Outcome): Omit<Span, keyof SpanContext> {
  const { request_id, status, error, start, end } = outcome;
  const route = routeOf(req);
  const attributes = {
    'http.request.method': req.method,
    'http.route': route,
    'http.response.status_code': status,
    'latchkey.request_id': request_id,
    ...(error !== undefined && { 'error.type': error }),
  };
  return { name: `${req.method} ${route}`, kind: 'server', start, end, attributes, isFailed: status >= 500 };
}
