import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';

/**
 * An issuer may have a path. Some proxies remove it from the requests that they pass on and some do not, so every route
 * answers with and without it.
 */
export function stripIssuerPath({ config: { base } }: Deps): RequestHandler[] {
  if (base === '') return [];
  return [
    (req, _res, next) => {
      if (req.url.startsWith(`${base}/`)) req.url = req.url.slice(base.length);
      next();
    },
  ];
}
