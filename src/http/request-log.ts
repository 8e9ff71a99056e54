import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { withoutPort } from '../protocol/network.ts';
import { withoutSecrets } from '../protocol/secrets.ts';
import type { Trace } from '../store/audit.ts';

const processId = randomBytes(6).toString('hex');
let requests = 0;

/**
 * Names every request and logs it once it is answered, a refused one with the reason: one line, whatever happens. The path
 * stands in it without its query, and without tokens that strayed into it.
 */
export const requestLog =
  ({ config, log }: Deps): RequestHandler =>
  (req, res, next) => {
    const request_id = nameRequest(config, res);
    const { method } = req;
    const path = withoutSecrets(req.path);
    const start = performance.now();
    res.on('close', () => {
      const ms = Math.round(performance.now() - start);
      const aborted = !res.writableFinished || undefined;
      const refusal = (res as NamedResponse)[refused];
      const line = { request_id, method, path, status: res.statusCode, ms, aborted, ...refusal };
      log[levelOf(refusal, res)](line, 'request');
    });
    next();
  };

/** What its log line, its answer and its audit events have in common. */
export function nameRequest({ secure }: Config, res: ServerResponse): string {
  requests += 1;
  const request_id = `${processId}-${requests.toString(36)}`;
  (res as NamedResponse)[common] = secure
    ? { 'X-Request-Id': request_id, ...strictTransport }
    : { 'X-Request-Id': request_id };
  return request_id;
}

const strictTransport = { 'Strict-Transport-Security': 'max-age=31536000' };

/** Kept until the answer is written as a whole: a header that is set before the others makes Node merge them one by one. */
const common = Symbol('common headers');
const refused = Symbol('refusal');
type NamedResponse = ServerResponse & { [common]?: Record<string, string>; [refused]?: LoggedRefusal };

/** What the line of a refused request says besides. */
export interface LoggedRefusal {
  error: string;
  /** the exact one */
  reason: string;
  client_id: string | undefined;
  /** what this server, or its database, did wrong */
  err?: unknown;
}

export function noteRefusal(res: Response, refusal: LoggedRefusal): void {
  (res as NamedResponse)[refused] = refusal;
}

/** A fault of ours, or what we turned away because it was too much, or what somebody else did wrong. */
function levelOf(refusal: LoggedRefusal | undefined, { statusCode }: Response): 'error' | 'warn' | 'info' {
  if (refusal?.err !== undefined) return 'error';
  return refusal && statusCode >= 500 ? 'warn' : 'info';
}

/** What every answer carries. */
export function commonHeaders(res: ServerResponse): Record<string, string> {
  return (res as NamedResponse)[common] ?? {};
}

/** What connects an audit event with this request. */
export function traceOf(req: Request, res: Response): Trace {
  return { request_id: requestIdOf(res), address: addressOf(req) };
}

/** Express takes an address with a port for none, and so the proxy for the client. For servers that trust a proxy. */
export const forwardedAddresses: RequestHandler = (req, _res, next) => {
  const { 'x-forwarded-for': header } = req.headers;
  if (header !== undefined) {
    const addresses = String(header).split(',');
    req.headers['x-forwarded-for'] = addresses.map((address) => withoutPort(address.trim())).join(', ');
  }
  next();
};

/** Behind a proxy that is trusted too far the client itself says what its address is: then it may say only an address. */
export function addressOf({ ip = '', socket }: Request): string {
  return isIP(ip) > 0 ? ip : (socket.remoteAddress ?? '');
}

export function requestIdOf(res: Response): string {
  return commonHeaders(res)['X-Request-Id'] ?? '';
}
