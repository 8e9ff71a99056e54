import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';

const token = ['token endpoint', '/token'] as const;
const authorize = ['authorization endpoint', '/authorize'] as const;
const user = ['user endpoint', '/user'] as const;
const metadata = ['server metadata', '/.well-known/oauth-authorization-server'] as const;

/** Endpoints of this server under the names that other servers give them, by the last segment of a path. */
const endpoints = new Map<string, readonly [name: string, path: string]>([
  ['token', token],
  ['access_token', token],
  ['authorize', authorize],
  ['authorization', authorize],
  ['auth', authorize],
  ['user', user],
  ['userinfo', user],
  ['revoke', ['revocation endpoint', '/revoke']],
  ['introspect', ['introspection endpoint', '/introspect']],
  ['openid-configuration', metadata],
  ['oauth-authorization-server', metadata],
]);

/** Names the endpoint that was probably meant, without a redirect, which could carry a code or a secret along. */
export const refuseUnknownPath =
  ({ config: { issuer } }: Deps): RequestHandler =>
  (req) => {
    const segment = req.path
      .toLowerCase()
      .split('/')
      .findLast((one) => one !== '');
    const [name, path] = endpoints.get(segment ?? '') ?? [];
    const hint = name === undefined ? '' : `; the ${name} is ${issuer}${path}`;
    throw new OAuthError('not_found', `there is no page at this address${hint}`);
  };
