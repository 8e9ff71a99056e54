import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';

/** The paths served where clients present certificates: what programs call, and no page [8705 §5]. */
const paths: ReadonlySet<string> = new Set([
  '/token',
  '/par',
  '/revoke',
  '/introspect',
  '/user',
  '/login/oauth/access_token',
  '/api/v3/user',
  '/api/v3/user/emails',
  '/healthz',
  '/readyz',
]);

/** Returns the public address that was called: one of the two that the operator chose, whatever else the header Host says. */
export function calledUrl(config: Config, req: Request): string {
  const { issuer, mtls_url } = config;
  return mtls_url !== undefined && isAlias(config, req) ? mtls_url : issuer;
}

function isAlias({ mtls_port, mtls_url }: Config, { headers, socket }: Request): boolean {
  return socket.localPort === mtls_port || (mtls_url !== undefined && headers.host === new URL(mtls_url).host);
}

/** Refuses pages where clients present certificates: a person who comes there was prompted for one and has to be told nothing. */
export function refusePagesAtAlias({ config }: Deps): RequestHandler[] {
  if (config.mtls_url === undefined) return [];
  return [
    (req, _res, next) => {
      if (isAlias(config, req) && !paths.has(req.path))
        throw new OAuthError('not_found', 'there is no page at this address');
      next();
    },
  ];
}

/** Returns the members of the metadata whose addresses are the same here with another beginning. */
export function aliases<Member extends string>(config: Config, endpoints: Record<Member, string>) {
  const { issuer, mtls_url } = config;
  if (mtls_url === undefined) return {};
  const moved = Object.entries<string>(endpoints).map(([name, url]) => [name, mtls_url + url.slice(issuer.length)]);
  return { mtls_endpoint_aliases: Object.fromEntries(moved) };
}
