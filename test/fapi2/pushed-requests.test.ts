import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digestOf } from '../../src/lib/secrets.ts';
import { isOpenRequest } from '../../src/oauth/rules.sql.ts';
import { createDpopKey } from '../support/dpop.ts';
import { allow, startFapi2 } from '../support/fapi2.ts';
import { codeIn } from '../support/flow.ts';
import { printer } from '../support/latchkey.ts';

// The profile fapi2 at /par; what holds for pushed requests of every client is in flows/pushed-requests.test.ts.

const { latchkey, bank, other, browser } = await startFapi2();
const { origin, database } = latchkey;

test('a pushed request is answered with 201, JSON, a request_uri and a lifetime of 60 to 90 seconds, well below ten minutes [9126 §2.2] [FAPI2 5.3.2.2-12]', async () => {
  const { status, headers, body } = await bank.push();
  assert.equal(status, 201);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.deepEqual(Object.keys(body), ['request_uri', 'expires_in']);
  assert.ok(Number(body['expires_in']) >= 60 && Number(body['expires_in']) <= 90);
});

for (const [what, changes] of [
  ['no code_challenge', { code_challenge: undefined, code_challenge_method: undefined }],
  ['no code_challenge_method, which means plain', { code_challenge_method: undefined }],
  ['the code_challenge_method plain', { code_challenge_method: 'plain' }],
] as const) {
  test(`a pushed request with ${what} gets 400 invalid_request [FAPI2 5.3.2.2-5]`, () => assertRefused(changes));
}

for (const [what, changes] of [
  ['no redirect_uri, although only one is registered', { redirect_uri: undefined }],
  ['another redirect_uri', { redirect_uri: 'https://printer.example/other' }],
  ['a query added to the redirect_uri', { redirect_uri: `${printer.redirect_uri}?a=1` }],
  ['the host of the redirect_uri in upper case', { redirect_uri: 'https://PRINTER.example/callback' }],
] as const) {
  test(`a pushed request with ${what} gets 400 invalid_request [FAPI2 5.3.2.2-6]`, () => assertRefused(changes));
}

test('a pushed request with a request_uri gets 400 invalid_request [9126 §2.1]', () =>
  assertRefused({ request_uri: 'urn:ietf:params:oauth:request_uri:x' }));

for (const response_type of ['token', 'id_token', 'code id_token', 'none']) {
  test(`a pushed request with the response_type ${response_type} gets 400 unsupported_response_type [FAPI2 5.3.2.2-1]`, () =>
    assertRefused({ response_type }, 'unsupported_response_type'));
}

async function assertRefused(changes: Record<string, string | undefined>, error = 'invalid_request'): Promise<void> {
  const { status, headers, body } = await bank.push(changes);
  assert.deepEqual([status, body['error']], [400, error]);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  assert.equal((await bank.push()).status, 201);
}

test('a request is pushed without client_id in the body, or with the one of the assertion, and no other [9126 §2.1] [7521 §4.2]', async () => {
  assert.equal((await bank.push({ client_id: undefined })).status, 201);
  assert.equal((await bank.push({ client_id: 'bank' })).status, 201);
  const { status, body } = await bank.push({ client_id: 'other' });
  assert.deepEqual([status, body['error']], [400, 'invalid_request']);
});

test('a request is pushed without a DPoP proof; its code is then bound by the exchange [FAPI2 5.3.2.1-12]', async () => {
  const { body } = await bank.exchange(await bank.code(browser));
  assert.equal((await bank.user(body['access_token'])).status, 200);
});

test('a DPoP proof at /par, or dpop_jkt, binds the code to its key; two that differ are refused [9449 §10, §10.1] [FAPI2 5.3.2.1-12]', async () => {
  const { thumbprint } = bank.dpop;
  const stranger = await createDpopKey();
  for (const [changes, withProof] of [
    [{}, true],
    [{ dpop_jkt: thumbprint }, false],
    [{ dpop_jkt: thumbprint }, true],
  ] as const) {
    const dpop = withProof ? await bank.proof('/par') : '';
    const code = await bank.code(browser, changes, { dpop });
    const refused = await bank.exchange(code, { dpop: await bank.proof('/token', {}, stranger) });
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
    assert.equal((await bank.exchange(code)).status, 200);
  }
  const { status, body } = await bank.push({ dpop_jkt: stranger.thumbprint }, { dpop: await bank.proof('/par') });
  assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
});

for (const [what, claims] of [
  ['another address', { htu: `${origin}/token` }],
  ['another method', { htm: 'GET' }],
  ['the past', { iat: 1 }],
] as const) {
  test(`a DPoP proof at /par that is for ${what} is refused [9449 §4.3]`, async () => {
    const { status, body } = await bank.push({}, { dpop: await bank.proof('/par', { claims }) });
    assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
    assert.equal((await bank.push({}, { dpop: await bank.proof('/par') })).status, 201);
  });
}

for (const state of ['x'.repeat(1024), '~ !"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}é'.repeat(30), '🔑'.repeat(256)]) {
  test(`a state of ${state.length} characters comes back whole: ${state.slice(0, 34)} [FAPI2 5.3.2.2 Note 4]`, async () => {
    const { location = '' } = await allow(browser, await bank.pushed({ state }));
    assert.equal(new URL(location).searchParams.get('state'), state);
  });
}

test('unknown parameters of a pushed request are ignored [6749 §3.1]', async () => {
  assert.ok(codeIn(await allow(browser, await bank.pushed({ foo: 'bar', acr_values: 'x 1', nonce: 'y' }))));
});

test('errors are JSON with a description of printable ASCII without quotation marks and backslashes, whatever was sent [6749 §5.2]', async () => {
  const junk = 'ä"\\\r\n\u2028<b>';
  for (const name of [
    ...['response_type', 'redirect_uri', 'scope', 'code_challenge', 'code_challenge_method', 'prompt'],
    ...['response_mode', 'resource', 'dpop_jkt', 'request', 'request_uri', 'client_id'],
  ]) {
    const { status, headers, body } = await bank.push({ [name]: junk });
    assert.deepEqual([status, headers.get('content-type')], [400, 'application/json;charset=UTF-8'], name);
    assert.match(String(body['error']), /^[a-z_]+$/);
    assert.match(String(body['error_description']), /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/, name);
  }
});

for (const method of ['GET', 'PUT', 'DELETE']) {
  test(`${method} /par is answered with 405, as JSON [9126 §2.3]`, async () => {
    const { status, headers } = await fetch(`${origin}/par`, { method });
    assert.deepEqual([status, headers.get('content-type')], [405, 'application/json;charset=UTF-8']);
  });
}

test('at exactly expires_in seconds a request_uri is dead, and a moment before it is alive [FAPI2 5.3.2.2-12]', async () => {
  const { body } = await bank.push();
  const request_sha256 = digestOf(String(body['request_uri']));
  // within one statement, the clock of the database stands still
  const isOpenAfter = async (seconds: number) => {
    const { rows } = await database.query(
      `select (${isOpenRequest('pushed')}) is true as is_open
       from (select null::timestamptz as completed_at, null::timestamptz as opened_at,
               now() + make_interval(secs => $1) as expires_at) pushed`,
      [Number(body['expires_in']) - seconds],
    );
    return rows[0].is_open;
  };
  assert.deepEqual(
    [await isOpenAfter(Number(body['expires_in'])), await isOpenAfter(Number(body['expires_in']) - 0.1)],
    [false, true],
  );

  const change = 'update pushed_requests set expires_at = now() + make_interval(secs => $1) where request_sha256 = $2';
  await database.query(change, [0, request_sha256]);
  const address = `/authorize?client_id=bank&request_uri=${body['request_uri']}`;
  const dead = await browser.open(address);
  assert.equal(dead.status, 400);
  assert.match(dead.text, /id="error"><code>invalid_request_uri</);
  await database.query(change, [60, request_sha256]);
  assert.match((await browser.open(address)).text, /id="allow"/);
});

test('a request_uri is for the client that pushed it [9126 §2.2]', async () => {
  const query = await bank.pushed();
  const page = await browser.open(`/authorize?${query.replace('=bank', `=${other.client_id}`)}`);
  assert.equal(page.status, 400);
  assert.match(page.text, /id="error"><code>invalid_request_uri</);
  assert.ok(codeIn(await allow(browser, query)));
});
