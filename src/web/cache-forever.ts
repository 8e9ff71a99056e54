import type { RequestHandler } from 'express';
import { commonHeaders } from './request-log.ts';

/** The URLs of style sheets and images change with their contents, so browsers need not revalidate. */
export const cacheForever: RequestHandler = (_req, res, next) => {
  res.set({
    ...commonHeaders(res),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
  });
  next();
};
