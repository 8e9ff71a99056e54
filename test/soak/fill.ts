import type pg from 'pg';
import { array, people } from '../bench/seeds/seed.ts';
import { client, scopes } from '../bench/servers/terms.ts';
import type { Options } from './options.ts';

/** Rows of one statement: a fill that is killed has no long transaction to undo. */
const slice = 500_000;

/**
 * Access tokens as the server would have issued them, four to a family. They expire one after the other, from the fill to
 * four fifths of the traffic, and their families with them.
 */
export async function fillExpired(database: pg.Pool, { expired, seconds, life, kept }: Options): Promise<void> {
  const families = Math.ceil(expired / 4);
  const span = Math.max(1, seconds * 0.8 - kept);
  const expiry = (share: string) => `now() + make_interval(secs => ${share} * ${span})`;
  await database.query(`
    insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge,
      scopes, issued_at, expires_at, redeemed_at, family_ends_at)
    select ${key('n')}, 1 + n % ${people}, '${client.client_id}', '${client.redirect_uri}', true,
      encode(sha256(int8send(n)), 'base64'), ${array(scopes)}, now() - interval '1 hour', now() - interval '1 hour',
      now() - interval '1 hour', ${expiry(`(n / ${families}::float8)`)} + interval '${life} seconds'
    from generate_series(1::bigint, ${families}) n`);
  for (let first = 1; first <= expired; first += slice) {
    await database.query(`
      insert into access_tokens (access_token_sha256, code_id, scopes, issued_at, expires_at)
      select ${key('n')}, (select min(code_id) from authorization_codes) + (n - 1) / 4, ${array(scopes)},
        now() - interval '1 hour', ${expiry(`(n / ${expired}::float8)`)}
      from generate_series(${first}::bigint, ${Math.min(expired, first + slice - 1)}) n`);
  }
  await database.query('vacuum (analyze)');
  await database.query('checkpoint');
}

/** As credentialKey makes them, four hundred in a second, all of them before the ones that are made today. */
const key = (n: string) => `convert_to('s' || lpad(to_hex(${n} / 400), 5, '0'), 'UTF8') || sha256(int8send(${n}))`;
