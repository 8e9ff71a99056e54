import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { authorizationQuery, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';

const { origin, database, url } = await startWithPrinter();
const other = await startLatchkey({ ISSUER: origin }, url);
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };
const [first, second] = [createClientKey('first'), createClientKey('second')];
await registerKeyClient(database, { keys: [first] });

const assertion = async (key = first) => withAssertion(await sign(key, origin));

/** The client exchanges a code at both instances, which then have kept it. */
async function exchangeEverywhere() {
  const tokens = [];
  for (const at of [origin, other.origin, origin, other.origin]) {
    const code = await obtainCode(browser, { client_id: 'bank' });
    tokens.push(await redeem(at, code, await assertion(), noHeader));
  }
  assert.deepEqual(
    tokens.map(({ status }) => status),
    [200, 200, 200, 200],
  );
  return tokens;
}

const change = (columns: string, ...values: unknown[]) =>
  database.query(`update clients set ${columns} where client_id = 'bank'`, values);

const keys = (...list: { jwk: object }[]) => JSON.stringify({ keys: list.map(({ jwk }) => jwk) });

beforeEach(async () => {
  await change("jwks = $1, disabled_at = null, token_endpoint_auth_method = 'private_key_jwt'", keys(first));
  await exchangeEverywhere();
});

/** What each endpoint answers to the client, at both instances. */
async function answers(key = first): Promise<number[]> {
  const statuses: number[] = [];
  for (const at of [origin, other.origin]) {
    const code = await obtainCode(browser, { client_id: 'bank' });
    const { status } = await redeem(at, code, await assertion(key), noHeader);
    const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
    const pushed = await post(`${at}/par`, { ...request, ...(await assertion(key)) }, noHeader);
    const told = await post(`${at}/introspect`, { token: 'x', ...(await assertion(key)) }, noHeader);
    const revoked = await post(`${at}/revoke`, { token: 'x', ...(await assertion(key)) }, noHeader);
    statuses.push(status, pushed.status, told.status, revoked.status);
  }
  return statuses;
}

const refused = [401, 401, 401, 401, 401, 401, 401, 401];
const accepted = [200, 201, 200, 200, 200, 201, 200, 200];

test('a key that is removed opens nothing from then on, at any instance, and its successor opens at once', async () => {
  await change('jwks = $1', keys(second));
  assert.deepEqual(await answers(first), refused);
  assert.deepEqual(await answers(second), accepted);
});

test('a key that is added opens at once, and the first one still does', async () => {
  await change('jwks = $1', keys(first, second));
  assert.deepEqual(await answers(second), accepted);
  assert.deepEqual(await answers(first), accepted);
});

test('a client that is disabled, or registered for a secret, is refused at once', async () => {
  await change('disabled_at = now()');
  assert.deepEqual((await post(`${origin}/par`, { ...(await assertion()) }, noHeader)).status, 401);
  await change(
    "disabled_at = null, jwks = null, token_endpoint_auth_method = null, secrets_sha256 = array[sha256('x')], secrets_since = array[now()]",
  );
  assert.deepEqual((await post(`${origin}/par`, { ...(await assertion()) }, noHeader)).status, 401);
  await change("secrets_sha256 = '{}', secrets_since = '{}'");
});

test('what is registered since counts at once: a redirection URI that is pushed, and a scope of a refresh', async () => {
  const redirect_uri = 'https://photo-printer.example/new';
  await change('redirect_uris = array_append(redirect_uris, $1)', redirect_uri);
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank', redirect_uri })));
  const pushed = await post(`${origin}/par`, { ...request, ...(await assertion()) }, noHeader);
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));

  const [tokens] = await exchangeEverywhere();
  const { rows } = await database.query("select scopes from clients where client_id = 'bank'");
  const scope = String(tokens?.body['scope']);
  await change("scopes = '{repo}'");
  const ask = async () => refresh(origin, tokens?.body['refresh_token'], { scope, ...(await assertion()) }, noHeader);
  assert.equal((await ask()).body['error'], 'invalid_scope');
  await change('scopes = $1', rows[0].scopes);
  assert.equal((await ask()).status, 200);
});

test('a change of the client counts as no failure of whoever sends its next request', async () => {
  await database.query('delete from attempts');
  for (let time = 0; time < 3; time += 1) {
    await change('name = $1', `Bank ${time}`);
    assert.deepEqual(await answers(), accepted);
  }
  const { rows } = await database.query('select key from attempts');
  assert.deepEqual(rows, []);
});

/** As if nobody had used the client for longer than the pause between two notes of its use. */
const idle = () =>
  database.query(
    "with clients_too as (update clients set last_used_at = now() - interval '6 minutes') update grants set last_used_at = now() - interval '6 minutes'",
  );

const failures = async () => (await database.query('select key from attempts')).rows;

test('of the requests of one moment after a pause, the note that the client was used refuses none', async () => {
  await database.query('delete from attempts');
  for (let round = 0; round < 5; round += 1) {
    const code = await obtainCode(browser, { client_id: 'bank' });
    await redeem(origin, await obtainCode(browser, { client_id: 'bank' }), await assertion(), noHeader);
    await idle();
    const assertions = await Promise.all(Array.from({ length: 40 }, () => assertion()));
    const redeemed = await Promise.all(assertions.map((one) => redeem(origin, code, one, noHeader)));
    const outcomes = redeemed.map(({ status, body }) => `${status} ${body['error'] ?? ''}`);
    assert.deepEqual(new Set(outcomes), new Set(['200 ', '400 invalid_grant']), 'a code that is sent forty times');
    const [tokens] = await exchangeEverywhere();
    await idle();
    const fresh = await Promise.all(assertions.map(() => assertion()));
    const refreshed = await Promise.all(
      fresh.map((one) => refresh(origin, tokens?.body['refresh_token'], one, noHeader)),
    );
    const answered = new Set(refreshed.map(({ status, body }) => `${status} ${body['refresh_token']}`));
    assert.equal(answered.size, 1, [...answered].join());
    assert.match([...answered].join(), /^200 lk_rt_/);
  }
  assert.deepEqual(await failures(), []);
});

test('a request whose proofs are used up is not answered again, also if its client changes at this moment', async () => {
  await database.query('delete from attempts');
  const code = await obtainCode(browser, { client_id: 'bank' });
  const { body } = await redeem(origin, code, await assertion(), noHeader);
  const object = { request: await signRequest(first, origin, { client_id: 'bank' }) };
  const push = async () => post(`${origin}/par`, { ...object, ...(await assertion()) }, noHeader);
  assert.equal((await push()).status, 201);
  const ask = async () => refresh(origin, body['refresh_token'], await assertion(), noHeader);
  const { status, body: successor } = await ask();
  assert.equal(status, 200);

  await database.query(`create function change_bank() returns trigger language plpgsql as $$
    begin update clients set name = name || '.' where client_id = 'bank'; return null; end $$`);
  await database.query('create trigger change after insert on used_proofs for each row execute function change_bank()');
  assert.equal((await ask()).body['refresh_token'], successor['refresh_token'], 'the answer is repeated');
  assert.equal((await push()).body['error'], 'invalid_request_object', 'an object counts once');
  assert.equal((await redeem(origin, code, await assertion(), noHeader)).body['error'], 'invalid_grant');
  await database.query('drop trigger change on used_proofs');
  assert.deepEqual(await failures(), []);
});

test('a client that changes again and again is answered all the same', async () => {
  await database.query('delete from attempts');
  const changes = new AbortController();
  const changing = (async () => {
    for (let time = 0; !changes.signal.aborted; time += 1) await change('name = $1', `Bank ${time}`);
  })();
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
  const statuses = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const { status } = await post(`${origin}/par`, { ...request, ...(await assertion()) }, noHeader);
      const revoked = await post(`${origin}/revoke`, { token: 'x', ...(await assertion()) }, noHeader);
      return [status, revoked.status];
    }),
  );
  changes.abort();
  await changing;
  assert.deepEqual(new Set(statuses.map(String)), new Set(['201,200']));
  assert.deepEqual(await failures(), []);
});
