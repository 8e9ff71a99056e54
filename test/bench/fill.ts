import type pg from 'pg';
import { array, literal, people } from './seeds/seed.ts';
import { client, scopes } from './servers/terms.ts';

export interface Sizes {
  /** access tokens that are live, and as many that have expired; half as many families with a refresh token */
  tokens: number;
  users: number;
  clients: number;
}

/** What a few years leave behind when nothing is ever swept. */
export async function fill(database: pg.Pool, { tokens, users, clients }: Sizes, say: (sentence: string) => void) {
  const families = Math.ceil(tokens / 2);
  const steps: [string, string][] = [
    [`${clients} clients`, fillClients(clients)],
    [`${users} users`, fillUsers(users)],
    [`${2 * users} grants`, fillGrants(clients)],
    [`${families} families`, fillFamilies(families, users)],
    [`${2 * tokens} access tokens`, fillTokens(tokens, families)],
    ['vacuum, analyze', 'vacuum (analyze)'],
    ['checkpoint', 'checkpoint'],
  ];
  for (const [what, text] of steps) {
    const begin = performance.now();
    await database.query(text);
    say(`${what}: ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  }
}

/** As credentialKey makes them, four hundred in a second, all of them before the ones that are made today. */
const key = (n: string) => `convert_to('s' || lpad(to_hex(${n} / 400), 5, '0'), 'UTF8') || sha256(int8send(${n}))`;

const fillClients = (count: number) => `
  select count(register_client(
    client_id => 'client-' || n, client_secret => ${literal(client.client_secret)}, name => 'Client ' || n,
    site_domain => 'printer.example', redirect_uris => ${array([client.redirect_uri])}, scopes => array['user']))
  from generate_series(1, ${count}) n`;

const fillUsers = (count: number) => `
  insert into users (username, password_bcrypt, email, name)
  select 'somebody-' || n, password_bcrypt, 'somebody-' || n || '@example.com', 'Somebody ' || n
  from users, generate_series(1, ${count}) n
  where username = 'person-1'`;

/** Everybody uses the client that asks in the benchmark, and one of the others. */
const fillGrants = (clients: number) => `
  insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
  select user_id, client_id, ${array(scopes)}, ${array(scopes)}, ${array([client.redirect_uri])}, 'always'
  from users
  cross join lateral (values (${literal(client.client_id)}), ('client-' || 1 + user_id % ${clients})) chosen (client_id)
  where username like 'somebody-%'`;

/** The grants of the fill are numbered without gaps after those of the first people. */
const fillFamilies = (count: number, users: number) => `
  insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, code_challenge,
    scopes, issued_at, expires_at, redeemed_at, refresh_token_sha256, refresh_issued_at, refresh_expires_at)
  select ${key('n')}, grant_id, client_id, ${literal(client.redirect_uri)}, true, encode(sha256(int8send(n)), 'base64'),
    ${array(scopes)}, now() - interval '2 hours', now() - interval '1 hour', now() - interval '2 hours',
    sha256(int8send(-n)), now() - interval '2 hours', now() + interval '1 day'
  from generate_series(1::bigint, ${count}) n
  join grants on grant_id = ${people} + 1 + (n * 7919) % ${2 * users}`;

/** Four to a family: two live, two expired. */
const fillTokens = (count: number, families: number) => `
  insert into access_tokens (access_token_sha256, code_id, scopes, issued_at, expires_at)
  select ${key('n')}, (select min(code_id) from authorization_codes) + n % ${families}, ${array(scopes)},
    now() - interval '2 hours', case when n % 2 = 0 then now() - interval '1 hour' else now() + interval '1 day' end
  from generate_series(1::bigint, ${2 * count}) n`;
