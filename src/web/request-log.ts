import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Express, Request, RequestHandler, Response } from 'express';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { withoutPort } from '../lib/network.ts';
import { withoutSecrets } from '../lib/secrets.ts';
import { endSpan, onBehalfOf, startRequestSpan } from '../telemetry/span.ts';
import { countAnswer, requestStep } from './request-metrics.ts';

const processId = randomBytes(6).toString('hex');
let requests = 0;

/**
 * Gives each request an id and logs one line when its connection has the answer, or is closed; for a refusal with the exact
 * reason. Of the path, the beginning is logged, without the query and without secrets that it contains by mistake.
 */
export const requestLog =
  ({ config, log }: Deps): RequestHandler =>
  (req, res, next) => {
    const request_id = assignRequestId(config, res);
    const { method } = req;
    const path = withoutSecrets(req.path);
    const start = performance.now();
    (res as IdentifiedResponse)[arrived] = start;
    const { trace_id, span } = startRequestSpan(req.headers['traceparent']);
    res.on('close', () => {
      const end = performance.now();
      const aborted = !res.writableFinished || undefined;
      const refusal = (res as IdentifiedResponse)[refused];
      const status = res.statusCode;
      const line = { request_id, trace_id, method, path, status, ms: Math.round(end - start), aborted, ...refusal };
      log[levelOf(refusal, res)](line, 'request');
      const outcome = { request_id, status, isAborted: aborted === true, error: refusal?.error, start, end };
      countAnswer(req, outcome);
      if (span) endSpan(span, requestStep(req, outcome));
    });
    // done even where nothing is traced: the request may have waited for the answer before it, and would run on
    // behalf of that one
    onBehalfOf(span ? [span] : [], next);
  };

/** The id is in the log line, the answer and the audit events of the request. */
export function assignRequestId({ secure }: Config, res: ServerResponse): string {
  requests += 1;
  const request_id = `${processId}-${requests.toString(36)}`;
  (res as IdentifiedResponse)[common] = secure
    ? { 'X-Request-Id': request_id, ...strictTransport }
    : { 'X-Request-Id': request_id };
  return request_id;
}

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** The member for common headers until `writeHead`: after a single `setHeader`, Node merges the headers of `writeHead` one by one. */
const common = Symbol('common headers');
const refused = Symbol('refusal');
const arrived = Symbol('arrival');
type IdentifiedResponse = ServerResponse & {
  [common]?: Record<string, string>;
  [refused]?: LoggedRefusal;
  [arrived]?: number;
};

/** Returns when the request arrived, by performance.now(). */
export const arrivalOf = (res: ServerResponse): number => (res as IdentifiedResponse)[arrived] ?? 0;

/** What the log line of a refused request says in addition. */
export interface LoggedRefusal {
  error: string;
  /** the exact reason, which the answer may not tell */
  reason: string;
  client_id: string | undefined;
  /** an error of this server or its database */
  err?: unknown;
}

export function recordRefusal(res: Response, refusal: LoggedRefusal): void {
  (res as IdentifiedResponse)[refused] = refusal;
}

/** `error` for an unexpected error, `warn` where the server was overloaded or the database unavailable, otherwise `info`. */
function levelOf(refusal: LoggedRefusal | undefined, { statusCode }: Response): 'error' | 'warn' | 'info' {
  if (refusal?.err !== undefined) return 'error';
  return refusal && statusCode >= 500 ? 'warn' : 'info';
}

/** Returns the headers of every answer. */
export function commonHeaders(res: ServerResponse): Record<string, string> {
  return (res as IdentifiedResponse)[common] ?? {};
}

/** Returns what connects an audit event with this request. */
export function traceOf(req: Request, res: Response): { request_id: string; address: string } {
  return { request_id: requestIdOf(res), address: clientAddress(req) };
}

/** The client's address of a request that has not reached Express yet, by the same settings. */
export const addressesIn =
  (app: Express) =>
  (req: IncomingMessage): string => {
    if (app.get('trust proxy')) removePorts(req);
    return clientAddress(Object.setPrototypeOf(req, app.request));
  };

/**
 * Removes ports from X-Forwarded-For. Express does not recognise an address with a port, and would take the proxy for the
 * client. For servers that trust a proxy; there are never as many proxies in a row as addresses are read.
 */
export const forwardedAddresses: RequestHandler = (req, _res, next) => {
  removePorts(req);
  next();
};

const maxForwarded = 32;

function removePorts({ headers }: IncomingMessage): void {
  const { 'x-forwarded-for': header } = headers;
  if (header === undefined) return;
  const addresses = String(header).split(',').slice(-maxForwarded);
  headers['x-forwarded-for'] = addresses.map((address) => withoutPort(address.trim())).join(', ');
}

/** Returns the client's IP address. If TRUST_PROXY trusts too many hops, the client can forge it; then it is an IP address at least. */
export function clientAddress({ ip = '', socket }: Request): string {
  return isIP(ip) > 0 ? ip : (socket.remoteAddress ?? '');
}

export function requestIdOf(res: Response): string {
  return commonHeaders(res)['X-Request-Id'] ?? '';
}
