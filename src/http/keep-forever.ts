import type { RequestHandler } from 'express';
import { commonHeaders } from './request-log.ts';

/** Style sheets and pictures: their addresses change with what they contain, so a browser never needs to ask again. */
export const keepForEver: RequestHandler = (_req, res, next) => {
  res.set({
    ...commonHeaders(res),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};
