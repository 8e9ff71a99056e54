import { randomBytes } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Deps } from '../deps.ts';

const processId = randomBytes(6).toString('hex');
let requests = 0;

/** Names every request and logs it once it is answered: the path without its query, for that may carry a code or a token. */
export const requestLog =
  ({ log }: Deps): RequestHandler =>
  (req, res, next) => {
    requests += 1;
    const request_id = `${processId}-${requests.toString(36)}`;
    res.setHeader('X-Request-Id', request_id);
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

export function requestIdOf(res: Response): string {
  return String(res.getHeader('X-Request-Id'));
}
