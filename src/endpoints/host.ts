import type { RequestHandler } from 'express';
import { OAuthError } from '../protocol/errors.ts';

/** Two Host headers mean that somebody on the way may have read the other one [9112 §3.2]. */
export const refuseAmbiguousHost: RequestHandler = (req, _res, next) => {
  let hosts = 0;
  // names and values in turn
  for (let index = 0; index < req.rawHeaders.length; index += 2) {
    if (req.rawHeaders[index]?.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) throw new OAuthError('invalid_request', 'there is more than one Host header');
  next();
};
