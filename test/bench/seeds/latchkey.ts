import { createRefreshToken } from '../../../src/lib/refresh-token.ts';
import { createCredential, credentialKey } from '../../../src/lib/secrets.ts';
import { jwks, thumbprint } from '../fapi-client.ts';
import { challenge, client, scopes } from '../servers/terms.ts';
import { array, type Kind, literal, people, type Seed } from './seed.ts';

/** Everybody has this password, and the hash of it that register_user made, at its own cost. */
export const password = 'wonderland';

/** What credentialKey makes of it. */
const digest = "convert_to(substr(value, 7, 6), 'UTF8') || sha256(convert_to(value, 'UTF8'))";
const family = "convert_to(substr(value, 7, 6), 'UTF8') || sha256(convert_to('family of ' || value, 'UTF8'))";

/** Each value with a family of one of the client's grants, chosen at random. */
const given = (digest: string, redeemed: string, refreshDigest = 'null::bytea') => `
  given as (
    select value, n
    from unnest($1::text[]) with ordinality as given (value, n)
  ), chosen as (
    select grant_id, row_number() over () as n
    from (
      select grant_id
      from grants
      where client_id = ${literal(client.client_id)}
        and revoked_at is null
      order by random()
      limit cardinality($1)
    ) at_random
  ), family as (
    insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge,
      scopes, expires_at, redeemed_at, refresh_token_sha256, refresh_issued_at, refresh_expires_at)
    select ${digest}, grant_id, ${literal(client.client_id)}, ${literal(client.redirect_uri)}, true,
      ${literal(challenge)}, ${array(scopes)}, now() + interval '1 hour', ${redeemed}, ${refreshDigest}, now(),
      now() + interval '1 hour'
    from given
    join chosen on chosen.n = 1 + given.n % (select count(*) from chosen)
    returning code_id, code_sha256
  )`;

/** A family with the refresh token of each value, whose text has the key of the family: see lib/refresh-token.ts. */
const bytes = "decode(translate(substr(value, 7, 126), '-_', '+/') || '==', 'base64')";
const withRefreshToken = `
  with ${given(`substring(${bytes} for 38)`, 'now()', `sha256(substring(${bytes} for 78))`)}
  select count(*) from family`;

const withAccessToken = (more: Record<string, string> = {}) => `
  with ${given(family, 'now()')}
  insert into access_tokens (${['access_token_sha256', 'code_id', 'scopes', 'expires_at', ...Object.keys(more)]})
  select ${[digest, 'code_id', array(scopes), "now() + interval '1 hour'", ...Object.values(more).map(literal)]}
  from given
  join family on family.code_sha256 = ${family}`;

const secrets: Record<Kind, () => string> = {
  exchange: () => createCredential('authorization_code'),
  refresh() {
    const family_key = credentialKey(createCredential('authorization_code'));
    return createRefreshToken('a secret', { family_key, generation: 0 }).refresh_token;
  },
  resource: () => createCredential('access_token'),
};

const seedFor = (credentials: string, ofAccessToken: Record<string, string> = {}): Seed => ({
  secret: (kind) => secrets[kind](),
  schema: `
    select register_client(
      client_id => ${literal(client.client_id)}, ${credentials},
      name => 'Photo Printer', site_domain => 'printer.example', redirect_uris => ${array([client.redirect_uri])},
      scopes => array['user', 'repo']);
    select register_user(username => 'person-1', password => ${literal(password)}, email => 'person-1@example.com',
      name => 'Person 1');
    insert into users (username, password_bcrypt, email, name)
    select 'person-' || n, (select password_bcrypt from users), 'person-' || n || '@example.com', 'Person ' || n
    from generate_series(2, ${people}) n;
    insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
    select user_id, ${literal(client.client_id)}, ${array(scopes)}, ${array(scopes)}, ${array([client.redirect_uri])}, 'always'
    from users;`,
  insert: {
    exchange: `with ${given(digest, 'null::timestamptz')} select count(*) from family`,
    refresh: withRefreshToken,
    resource: withAccessToken(ofAccessToken),
  },
});

export const latchkeySeed = seedFor(`client_secret => ${literal(client.client_secret)}`);
export const latchkeyFapiSeed = seedFor(
  `token_endpoint_auth_method => 'private_key_jwt', profile => 'fapi2', jwks => ${literal(JSON.stringify(jwks))}`,
  { binding: `dpop ${thumbprint}` },
);
