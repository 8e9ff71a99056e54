import { randomBytes } from 'node:crypto';
import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../deps.ts';
import type { Trace } from '../store/audit-events.ts';

const processId = randomBytes(6).toString('hex');
let requests = 0;

/** Names every request and logs it once it is answered: the path without its query, for that may carry a code or a token. */
export const requestLog =
  ({ config, log }: Deps): RequestHandler =>
  (req, res, next) => {
    requests += 1;
    const request_id = `${processId}-${requests.toString(36)}`;
    res.setHeader('X-Request-Id', request_id);
    if (config.secure) res.setHeader('Strict-Transport-Security', 'max-age=31536000');
    const { method, path } = req;
    const start = performance.now();
    res.once('close', () => {
      const ms = Math.round(performance.now() - start);
      log.info(
        { request_id, method, path, status: res.statusCode, ms, aborted: !res.writableFinished || undefined },
        'request',
      );
    });
    next();
  };

/** What connects an audit event with this request. */
export function traceOf(req: Request, res: Response): Trace {
  return { request_id: requestIdOf(res), address: req.ip ?? null };
}

export function requestIdOf(res: Response): string {
  return String(res.getHeader('X-Request-Id'));
}
