import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { before, describe, test } from 'node:test';
import { networkOf } from '../../src/lib/network.ts';
import { createCredential, createSecret } from '../../src/lib/secrets.ts';
import { freshTokens, madeUpRefreshToken } from '../support/attack.ts';
import { lengthenWaits } from '../support/attempts.ts';
import { basic, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { invite, metadata, register } from '../support/self-registration.ts';

const { origin, database } = await startWithPrinter({ TRUST_PROXY: '1', REGISTRATION_ENDPOINT: 'token' });
const alice = await signedInBrowser(origin);
// two clients for which nobody vouches: one is public, one authenticates
const open = (await register(origin, {}, await invite(database))).body;
const secretive = (
  await register(origin, { token_endpoint_auth_method: 'client_secret_basic' }, await invite(database))
).body;

interface Credential {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
  json?: object;
}

async function send({ path, method = 'POST', headers = {}, form, json }: Credential, address: string): Promise<number> {
  const body = form ? new URLSearchParams(form).toString() : json && JSON.stringify(json);
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json';
  const all = { ...headers, 'x-forwarded-for': address, ...(body !== undefined && { 'content-type': type }) };
  const response = await fetch(origin + path, { method, headers: all, ...(body !== undefined && { body }) });
  if (response.status === 429) assert.ok(Number(response.headers.get('retry-after')) > 0);
  return response.status;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ofSecretive = { authorization: basic(secretive.client_id, secretive.client_secret ?? '') };
const ofPrinter = (secret = printer.client_secret) => ({ authorization: basic(printer.client_id, secret) });
const made = { access_token: createCredential('access_token'), refresh_token: madeUpRefreshToken() };
const refreshOf = (refresh_token: string) => ({ grant_type: 'refresh_token', refresh_token });

/** Made-up credentials, and how they are refused. */
const wrong: [what: string, status: number, credential: () => Credential][] = [
  ['a secret at /token', 401, () => ({ path: '/token', headers: ofPrinter('wrong'), form: refreshOf('x') })],
  ['a secret at /introspect', 401, () => ({ path: '/introspect', headers: ofPrinter('wrong'), form: { token: 'x' } })],
  ['an access token at /user', 401, () => ({ path: '/user', method: 'GET', headers: bearer(made.access_token) })],
  ['an access token in a form', 401, () => ({ path: '/user', form: { access_token: made.access_token } })],
  [
    'an access token at /api/v3/user',
    401,
    () => ({ path: '/api/v3/user', method: 'GET', headers: bearer(made.access_token) }),
  ],
  [
    'a refresh token of a public client',
    400,
    () => ({ path: '/token', form: { ...refreshOf(made.refresh_token), client_id: open.client_id } }),
  ],
  [
    'a refresh token of a client that anybody can register',
    400,
    () => ({ path: '/token', headers: ofSecretive, form: refreshOf(made.refresh_token) }),
  ],
  [
    'a code of a public client',
    400,
    () => ({
      path: '/token',
      form: {
        grant_type: 'authorization_code',
        code: createCredential('authorization_code'),
        redirect_uri: 'https://app.example/cb',
        code_verifier: 'v'.repeat(43),
        client_id: open.client_id,
      },
    }),
  ],
  [
    'a token at /revoke',
    200,
    () => ({ path: '/revoke', form: { token: made.access_token, client_id: open.client_id } }),
  ],
  [
    'a token at /applications',
    404,
    () => ({
      path: `/applications/${secretive.client_id}/token`,
      headers: ofSecretive,
      json: { access_token: made.access_token },
    }),
  ],
  [
    'an invitation',
    401,
    () => ({ path: '/register', headers: bearer(createSecret('initial_access_token')), json: metadata }),
  ],
  [
    'a registration access token',
    401,
    () => ({
      path: `/register/${open.client_id}`,
      method: 'GET',
      headers: bearer(createSecret('registration_access_token')),
    }),
  ],
];

const [one, neighbour, stranger] = ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:2:1::1'];

/** From now on the next wrong credential is the last one that is free. */
const useUp = () => database.query('update attempts set attempts = 100000');

describe('made-up credentials are limited by network, and more widely by the networks beside it', () => {
  before(() => lengthenWaits(database));
  for (const [what, status, credential] of wrong) {
    test(what, async () => {
      await database.query('delete from attempts');
      assert.equal(await send(credential(), one), status);
      await useUp();
      assert.equal(await send(credential(), one), status);
      assert.equal(await send(credential(), one), 429);
      assert.equal(await send(credential(), neighbour), 429, 'another /64 of the same /48');
      assert.equal(await send(credential(), stranger), status, 'another /48');
    });
  }
});

test('correct credentials are never refused because of wrong ones from the same network', async () => {
  const tokens = await freshTokens(origin, alice, {});
  const code = await obtainCode(alice);
  await database.query('delete from attempts');
  for (const [, , credential] of wrong) await send(credential(), one);
  await useUp();
  for (const [, , credential] of wrong) await send(credential(), one);
  for (const [, , credential] of wrong) assert.equal(await send(credential(), one), 429);
  const from = { 'x-forwarded-for': one };
  assert.equal(await send({ path: '/user', method: 'GET', headers: bearer(tokens.access_token) }, one), 200);
  assert.equal((await refresh(origin, tokens.refresh_token, {}, from)).status, 200);
  assert.equal((await redeem(origin, code, {}, from)).status, 200);
  const own = { path: `/register/${open.client_id}`, method: 'GET', headers: bearer(open.registration_access_token) };
  assert.equal(await send(own, one), 200);
  assert.equal(await send({ path: '/register', headers: bearer(await invite(database)), json: metadata }, one), 201);
  assert.equal(await send({ path: '/introspect', headers: ofPrinter(), form: { token: 'x' } }, one), 200);
});

test('two hundred wrong credentials are free, also if they come at once, and the next one has to wait', async () => {
  await database.query('delete from attempts');
  const [, , credential] = wrong[0] ?? assert.fail();
  const statuses = await Promise.all(Array.from({ length: 230 }, () => send(credential(), one)));
  assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.includes(429)], [200, true]);
});

test('what a network was told to wait is not told to its neighbours', async () => {
  await database.query('delete from attempts');
  const [, status, credential] = wrong[0] ?? assert.fail();
  await send(credential(), one);
  await database.query('update attempts set attempts = 199');
  const both = () => Promise.all([one, one, one, neighbour, neighbour].map((address) => send(credential(), address)));
  assert.deepEqual(await both(), [status, 429, 429, status, status]);
});

test('without an answer of the database, those that wait to be counted are refused together', async () => {
  await database.query('delete from attempts');
  const [, , credential] = wrong[0] ?? assert.fail();
  const key = createHash('sha256')
    .update(`wrong credential ${networkOf(one)}`)
    .digest('base64url');
  const locker = await database.connect();
  await locker.query('select pg_advisory_lock(hashtextextended($1, 0))', [key]);
  const start = performance.now();
  const answer = async () => ({ status: await send(credential(), one), ms: performance.now() - start });
  const answers = await Promise.all(Array.from({ length: 8 }, answer));
  await locker.query('select pg_advisory_unlock_all()');
  locker.release();
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [503]);
  const times = answers.map(({ ms }) => ms);
  assert.ok(Math.max(...times) < 3 * Math.min(...times), `${times.map(Math.round)} ms`);
});

test('an access token that has ended is an ordinary event, and is not counted', async () => {
  const tokens = await freshTokens(origin, alice, {});
  await database.query('update access_tokens set expires_at = now()');
  await database.query('delete from attempts');
  assert.equal(await send({ path: '/user', method: 'GET', headers: bearer(tokens.access_token) }, one), 401);
  assert.equal((await database.query('select from attempts')).rowCount, 0);
});
