import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../src/lib/secrets.ts';
import { freshTokens } from '../../support/attack.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database, logged } = await startLatchkey();
await registerPeople(database, ['alice', 'bob', 'carol']);
await registerPrinter(database);
await registerPrinter(database, { client_id: 'other', resource_server: true });
await registerPrinter(database, { client_id: 'public', client_secret: null });
const alice = await signedInBrowser(origin);

const json = { 'content-type': 'application/json' };
type Headers = Record<string, string>;

/** Asks as the photo printer about a token, with changes; a header set to '' is left out. */
async function call(operation: string, access_token: unknown, headers: Headers = {}, init: RequestInit = {}) {
  const [method = '', what = ''] = operation.split(' ');
  const path = what.startsWith('/') ? what : `/applications/${printer.client_id}/${what}`;
  const sent = Object.entries({ ...json, authorization: basic(), ...headers }).filter(([, value]) => value !== '');
  const body = JSON.stringify({ access_token });
  return fetch(origin + path, { method, body, headers: Object.fromEntries(sent), ...init });
}

const operations = ['POST token', 'DELETE token', 'DELETE grant'];
const isAlive = async (token: unknown) => (await getUser(origin, token)).status === 200;

for (const operation of operations) {
  test(`${operation.replace(' ', ' …/')} needs HTTP Basic of the confidential client in the path, and a live access token of its own [A364]`, async () => {
    const { access_token, refresh_token } = await freshTokens(origin, alice, {});
    const code = await obtainCode(alice);
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic() };
    const elsewhere = (client_id: string) => operation.replace(' ', ` /applications/${client_id}/`);
    const secret = { client_id: printer.client_id, client_secret: printer.client_secret };
    const inBody = { body: JSON.stringify({ ...secret, access_token }) };
    const inQuery = `${elsewhere(printer.client_id)}?client_secret=${printer.client_secret}`;
    const answers: [what: string, status: number, answer: Promise<Response>][] = [
      ['no credentials', 401, call(operation, access_token, { authorization: '' })],
      ['a wrong secret', 401, call(operation, access_token, { authorization: basic(printer.client_id, 'wrong') })],
      ['the access token as bearer', 401, call(operation, access_token, { authorization: `Bearer ${access_token}` })],
      ['the secret in the body', 401, call(operation, access_token, { authorization: '' }, inBody)],
      ['the secret in the query', 400, call(inQuery, access_token, { authorization: '' })],
      ['another client', 404, call(operation, access_token, { authorization: basic('other') })],
      ['the path of another client', 404, call(elsewhere('other'), access_token)],
      [
        'another client at its own path',
        404,
        call(elsewhere('other'), access_token, { authorization: basic('other') }),
      ],
      ['a public client', 404, call(elsewhere('public'), access_token, { authorization: basic('public', '') })],
      ['the refresh token', 404, call(operation, refresh_token)],
      ['a code', 404, call(operation, code)],
      ['a list', 400, call(operation, [access_token])],
      ['no token', 400, call(operation, undefined)],
      ['an empty form', 400, call(operation, '', form, { body: '' })],
    ];
    for (const [what, status, answer] of answers) assert.equal((await answer).status, status, what);
    assert.ok(await isAlive(access_token));
    assert.equal((await redeem(origin, code)).status, 200);
  });
}

test('other methods are refused with those that exist, and a token in the path is not found and not logged [A364]', async () => {
  const { access_token } = await freshTokens(origin, alice, {});
  for (const method of ['GET', 'PUT', 'PATCH']) {
    const init = method === 'GET' ? { body: null } : {};
    const answer = await call(`${method} token`, access_token, {}, init);
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST, DELETE']);
  }
  for (const method of ['GET', 'DELETE', 'POST']) {
    const answer = await call(`${method} tokens/${access_token}`, '', {}, method === 'GET' ? { body: null } : {});
    assert.equal(answer.status, 404);
  }
  assert.ok(await isAlive(access_token));
  assert.ok(logged.length > 0 && !logged.join('').includes(access_token));
});

test('every token that is dead, foreign or unknown is answered alike, and ends nothing [A365]', async () => {
  const living = await freshTokens(origin, alice, {});
  const revoked = (await freshTokens(origin, alice, {})).access_token;
  await post(`${origin}/revoke`, { token: revoked });
  const expired = (await freshTokens(origin, alice, { scope: 'user:name' })).access_token;
  await database.query(
    `update access_tokens set expires_at = now() - interval '1 second'
     where code_id = (select max(code_id) from authorization_codes)`,
  );
  const carol = await signedInBrowser(origin, 'carol');
  const disabled = (await freshTokens(origin, carol, {})).access_token;
  await database.query("update users set disabled_at = now() where username = 'carol'");
  const foreign = await redeem(
    origin,
    await obtainCode(alice, { client_id: 'other' }),
    {},
    { authorization: basic('other') },
  );
  const altered = living.access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  const tokens = [revoked, expired, disabled, foreign.body['access_token'], altered, createCredential('access_token')];
  for (const operation of operations) {
    const bodies = new Set<string>();
    for (const token of tokens) {
      const answer = await call(operation, token);
      const { request_id: _, ...body } = await answer.json();
      bodies.add(JSON.stringify({ status: answer.status, body }));
    }
    assert.equal(bodies.size, 1, operation);
    assert.match([...bodies].join(), /"status":404/);
  }
  assert.ok(await isAlive(living.access_token));
  assert.ok(await isAlive(foreign.body['access_token']));
});

test('the answer to a check has what the scopes allow, no other secret, and is not stored [A365]', async () => {
  const { access_token } = await freshTokens(origin, alice, { scope: 'repo', prompt: 'consent' });
  const answer = await call('POST token', access_token);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const body = await answer.json();
  assert.deepEqual(Object.keys(body), ['token', 'app', 'scopes', 'user', 'created_at', 'expires_at']);
  assert.deepEqual(body.user, { id: 1, login: null });
  assert.doesNotMatch(JSON.stringify(body), /alice|secret|lk_rt_/);
});

test('guessing the secret here is counted together with the other addresses [A365]', async () => {
  const server = await startLatchkey();
  await registerPrinter(server.database);
  await lengthenWaits(server.database);
  const path = `${server.origin}/applications/${printer.client_id}/token`;
  const headers = { ...json, authorization: basic(printer.client_id, 'wrong') };
  const guess = () => fetch(path, { method: 'POST', headers, body: '{"access_token":"x"}' });
  const statuses = new Set<number>();
  for (let round = 0; round < 21; round += 1) {
    for (const { status } of await Promise.all(Array.from({ length: 10 }, guess))) statuses.add(status);
  }
  assert.deepEqual(statuses, new Set([401, 429]));
  const elsewhere = { token: 'x' };
  const answer = await post(`${server.origin}/introspect`, elsewhere, { authorization: headers.authorization });
  assert.equal(answer.status, 429, 'one limit for all addresses');
});

test('deleting a grant ends all that this person allowed this application, and nothing else [A365]', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  const ofBob = await freshTokens(origin, bob, {});
  const ofOther = await redeem(
    origin,
    await obtainCode(alice, { client_id: 'other', prompt: 'consent' }),
    {},
    { authorization: basic('other') },
  );
  const [one, two] = [await freshTokens(origin, alice, {}), await freshTokens(origin, alice, {})];
  assert.equal((await call('DELETE grant', one.access_token)).status, 204);
  for (const { access_token, refresh_token } of [one, two]) {
    assert.equal(await isAlive(access_token), false);
    assert.equal((await refresh(origin, refresh_token)).status, 400);
  }
  assert.ok(await isAlive(ofBob.access_token));
  assert.ok(await isAlive(ofOther.body['access_token']));
  const page = await alice.open(`/authorize?${authorizationQuery()}`);
  assert.match(page.text, /id="allow"/, 'the person is asked again');
});

test('of refreshes and redemptions at the moment of such a deletion, nothing survives [A365]', async () => {
  await obtainCode(alice);
  const codes = await Promise.all(Array.from({ length: 10 }, () => obtainCode(alice)));
  const families = await Promise.all(Array.from({ length: 10 }, () => freshTokens(origin, alice, {})));
  const [first] = families;
  const answers = await Promise.all([
    ...families.map(({ refresh_token }) => refresh(origin, refresh_token)),
    ...Array.from({ length: 10 }, () => call('DELETE grant', first?.access_token).then(() => undefined)),
    ...codes.map((code) => redeem(origin, code)),
  ]);
  const issued = answers.flatMap((answer) => answer?.body['access_token'] ?? []);
  for (const token of [...issued, ...families.map(({ access_token }) => access_token)]) {
    assert.equal(await isAlive(token), false);
  }
});
