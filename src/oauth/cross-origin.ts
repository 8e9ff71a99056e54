import type { RequestHandler, Response } from 'express';
import { isSiteOfClient } from '../clients/clients.sql.ts';
import type { Deps } from '../deps.ts';
import { commonHeaders } from '../web/request-log.ts';
import { presentationHeaders } from './resource/challenges.ts';

/**
 * Allows scripts on the site domains of clients that an administrator vouches for, and no others, to read the answers of an
 * endpoint. Credentials (cookies) are not allowed: these endpoints use none.
 */
export const crossOrigin =
  ({ database }: Deps): RequestHandler =>
  (req, res, next) => {
    const { origin } = req.headers;
    // no Origin header: not a script in a browser, so no query is needed
    return origin === undefined ? next() : allow(database, res, origin).then(() => next());
  };

/** The metadata documents are public [8414 §3.1]. */
export const anyOrigin: RequestHandler = (_req, res, next) => {
  res.setHeader('Access-Control-Allow-Origin', '*');
  next();
};

async function allow(database: Deps['database'], res: Response, origin: string): Promise<void> {
  if (!(await isRegistered(database, origin))) return;
  res.setHeader('Access-Control-Allow-Origin', origin);
  res.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, DPoP-Nonce, X-Request-Id, Retry-After');
}

async function isRegistered(database: Deps['database'], origin: string): Promise<boolean> {
  const [, scheme, host = ''] = /^(https?):\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec(origin) ?? [];
  const isLocal = host === 'localhost' || host === '127.0.0.1';
  return (scheme === 'https' || isLocal) && isSiteOfClient(database, isLocal ? 'localhost' : host);
}

/** Answers the preflight request that a browser sends before a request that is not a simple one. */
export const preflight =
  (methods: string): RequestHandler =>
  (_req, res) => {
    res.setHeader('Access-Control-Allow-Methods', methods);
    res.setHeader('Access-Control-Allow-Headers', [...presentationHeaders, 'Content-Type'].join(', '));
    res.setHeader('Access-Control-Max-Age', '600');
    res.writeHead(204, { ...commonHeaders(res), Vary: 'Origin' }).end();
  };
