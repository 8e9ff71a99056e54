import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { afterIssuerPath } from '../lib/issuer-path.ts';

const wellKnown = /^\/\.well-known\/[^/?]+/;

/**
 * Removes the path that an issuer may have. Some proxies remove it from the requests that they pass on and some do not, so every route
 * answers with and without it. A well-known address has it at the end [8414 §3.1; 9728 §3.1]. It is compared as a text: in the pattern
 * of a route, its characters could mean something.
 */
export function stripIssuerPath({ config: { base } }: Deps): RequestHandler[] {
  if (base === '') return [];
  return [
    (req, _res, next) => {
      const rest = afterIssuerPath(base, req.url);
      if (rest?.startsWith('/')) req.url = rest;
      const [name] = wellKnown.exec(req.url) ?? [];
      const suffix = name && afterIssuerPath(base, req.url.slice(name.length));
      if (suffix !== undefined) req.url = name + suffix;
      next();
    },
  ];
}

/** Shows the home page at the address that ISSUER spells, without a slash at the end. */
export function openIssuer({ config: { base } }: Deps): RequestHandler[] {
  if (base === '') return [];
  return [
    (req, _res, next) => {
      const rest = afterIssuerPath(base, req.url);
      if (rest !== undefined && !rest.startsWith('/')) req.url = `/${rest}`;
      next();
    },
  ];
}
