import type { RequestHandler } from 'express';
import { OAuthError } from '../protocol/errors.ts';

/** Two Host headers mean that somebody on the way may have read the other one [9112 §3.2]. */
export const refuseAmbiguousHost: RequestHandler = (req, _res, next) => {
  const names = req.rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'host').length > 1) {
    throw new OAuthError('invalid_request', 'there is more than one Host header');
  }
  next();
};
