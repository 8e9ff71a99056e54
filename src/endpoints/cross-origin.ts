import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { isSiteOfClient } from '../store/clients.ts';
import { commonHeaders } from './request-log.ts';

/**
 * Pages of a registered application may read the answers of the endpoints that are behind this, and nobody else's: data
 * is released only to the domains that were registered. No cookies are involved, so none are allowed.
 */
export const crossOrigin =
  ({ database }: Deps): RequestHandler =>
  async (req, res, next) => {
    const { origin } = req.headers;
    if (origin !== undefined && (await isRegistered(database, origin))) {
      res.setHeader('Access-Control-Allow-Origin', origin);
      res.setHeader('Access-Control-Expose-Headers', 'WWW-Authenticate, X-Request-Id, Retry-After');
    }
    next();
  };

async function isRegistered(database: Deps['database'], origin: string): Promise<boolean> {
  const [, scheme, host = ''] = /^(https?):\/\/([a-z0-9.-]{1,253})(?::\d{1,5})?$/.exec(origin) ?? [];
  const isLocal = host === 'localhost' || host === '127.0.0.1';
  return (scheme === 'https' || isLocal) && isSiteOfClient(database, isLocal ? 'localhost' : host);
}

/** What a browser asks before it sends a request that a form could not have sent. */
export const preflight =
  (methods: string): RequestHandler =>
  (_req, res) => {
    res.setHeader('Access-Control-Allow-Methods', methods);
    res.setHeader('Access-Control-Allow-Headers', 'Authorization, Content-Type');
    res.setHeader('Access-Control-Max-Age', '600');
    res.writeHead(204, { ...commonHeaders(res), Vary: 'Origin' }).end();
  };
