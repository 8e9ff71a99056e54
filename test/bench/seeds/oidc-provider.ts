import { randomBytes } from 'node:crypto';
import { registration, thumbprint } from '../fapi-client.ts';
import { challenge, client, clientMetadata, scopes } from '../servers/terms.ts';
import { literal, people, type Seed, usersTable } from './seed.ts';

const text = (value: string) => `${literal(value)}::text`;
const plain = scopes.join(' ');
const withOpenid = `openid ${plain}`;

const table = (name: string) => `
  create table ${name} (
    id text primary key,
    payload json not null,
    grant_id text,
    expires_at timestamptz not null,
    consumed_at timestamptz
  ) with (fillfactor = 80);
  create index on ${name} (grant_id);`;

/** What the library itself would have written, as found in its table after a real run. */
const payload = (kind: string, more: string) => `json_build_object(
  'iat', extract(epoch from now())::integer, 'exp', extract(epoch from now())::integer + 3600,
  'jti', value, 'kind', ${text(kind)}, 'clientId', ${text(client.client_id)},
  'accountId', (1 + n % ${people})::text, ${more})`;

const insert = (name: string, kind: string, more: string) => `
  insert into ${name} (id, payload, grant_id, expires_at)
  select value, ${payload(kind, `'grantId', 'grant-' || (1 + n % ${people}), ${more}`)},
    'grant-' || (1 + n % ${people}), now() + interval '1 hour'
  from unnest($1::text[]) with ordinality as given (value, n)`;

/** With openid an ID token is signed at every exchange and refresh, without it is left out. */
const oidcProviderSeed = (scope: string, metadata: object = clientMetadata, ofAccessToken = ''): Seed => ({
  secret: () => randomBytes(32).toString('base64url'),
  schema: `${usersTable}
    ${['authorization_code', 'access_token', 'refresh_token', 'pushed_request', 'used_jti', 'oidc_grant', 'oidc_client'].map(table).join('')}
    insert into oidc_client (id, payload, expires_at)
    values (${literal(client.client_id)}, ${literal(JSON.stringify(metadata))}, 'infinity');
    insert into oidc_grant (id, payload, expires_at)
    select value, ${payload('Grant', `'openid', json_build_object('scope', ${text(withOpenid)})`)},
      now() + interval '30 days'
    from (select 'grant-' || n as value, n - 1 as n from generate_series(1, ${people}) n);`,
  insert: {
    exchange: insert(
      'authorization_code',
      'AuthorizationCode',
      `'scope', ${text(scope)}, 'redirectUri', ${text(client.redirect_uri)}, 'expiresWithSession', false,
       'codeChallenge', ${text(challenge)}, 'codeChallengeMethod', 'S256', 'authTime', extract(epoch from now())::integer`,
    ),
    refresh: insert(
      'refresh_token',
      'RefreshToken',
      `'scope', ${text(scope)}, 'expiresWithSession', false, 'gty', 'authorization_code', 'rotations', 0,
       'authTime', extract(epoch from now())::integer, 'iiat', extract(epoch from now())::integer`,
    ),
    // its userinfo endpoint, which is what it has for the purpose, wants openid
    resource: insert(
      'access_token',
      'AccessToken',
      `'scope', ${text(withOpenid)}, 'expiresWithSession', false, 'gty', 'authorization_code'${ofAccessToken}`,
    ),
  },
});

export const plainOAuth = oidcProviderSeed(plain);
export const openidConnect = oidcProviderSeed(withOpenid);

const bound = `, 'jkt', ${text(thumbprint)}`;
export const plainFapi = oidcProviderSeed(plain, registration, bound);
export const openidFapi = oidcProviderSeed(withOpenid, registration, bound);
