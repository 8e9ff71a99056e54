import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';

/** An issuer may have a path; a proxy in front may take it away or not, so what stands below it stands at the root, too. */
export function withoutBase({ config: { base } }: Deps): RequestHandler[] {
  if (base === '') return [];
  return [
    (req, _res, next) => {
      if (req.url.startsWith(`${base}/`)) req.url = req.url.slice(base.length);
      next();
    },
  ];
}
