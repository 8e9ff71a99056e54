import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../src/lib/secrets.ts';
import { madeUpRefreshToken } from '../../support/attack.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
  verifier,
} from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'other' });
await registerPrinter(database, { client_id: 'public', client_secret: null });
let browser = await signedInBrowser(origin);
const token = `${origin}/token`;
const freshCode = () => obtainCode(browser, { scope: 'user' });

function assertError(answer: TokenAnswer, status: number, error: string): void {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body['error'], error);
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.match(String(answer.body['error_description']), /^[\x20\x21\x23-\x5B\x5D-\x7E]+$/);
  assert.equal(answer.body['error_uri'], `${origin}/errors/${error}`);
  assert.equal(answer.body['request_id'], answer.headers.get('x-request-id'));
}

type Change = Parameters<typeof redeem>[2];
type Headers = Record<string, string>;

/** One thing is wrong with the request, and the rightful client still gets its tokens afterwards. */
const spoilt: [title: string, status: number, error: string, change: Change, headers?: Headers][] = [
  ['without a grant_type', 400, 'invalid_request', { grant_type: undefined }],
  ['with two grant_types', 400, 'invalid_request', { grant_type: ['authorization_code', 'authorization_code'] }],
  ['with an unknown grant_type [6749 §5.2]', 400, 'unsupported_grant_type', { grant_type: 'password' }],
  [
    'with grant_type constructor, a property of every object',
    400,
    'unsupported_grant_type',
    { grant_type: 'constructor' },
  ],
  ['without a code [A200]', 400, 'invalid_request', { code: undefined }],
  ['with an empty code, which counts as omitted [6749 §3.1] [A200]', 400, 'invalid_request', { code: '' }],
  ['with two codes [A200]', 400, 'invalid_request', { code: ['a', 'b'] }],
  ['with a code that was never issued [A200]', 400, 'invalid_grant', { code: createCredential('authorization_code') }],
  ['with a malformed code [A200]', 400, 'invalid_grant', { code: 'lk_ac_x' }],
  ['with two client_ids', 400, 'invalid_request', { client_id: ['photo-printer', 'photo-printer'] }],
  ['with two redirect_uris', 400, 'invalid_request', { redirect_uri: [printer.redirect_uri, printer.redirect_uri] }],
  [
    'without the redirect_uri that the authorization request carried [6749 §4.1.3]',
    400,
    'invalid_request',
    { redirect_uri: undefined },
  ],
  ['with another redirect_uri [6749 §4.1.3]', 400, 'invalid_grant', { redirect_uri: `${printer.redirect_uri}/` }],
  ['without the code_verifier [7636 §4.6] [A205]', 400, 'invalid_grant', { code_verifier: undefined }],
  [
    'with a code_verifier that is too short [7636 §4.1] [A208]',
    400,
    'invalid_request',
    { code_verifier: verifier.slice(0, 42) },
  ],
  [
    'with a code_verifier that is too long [7636 §4.1] [A208]',
    400,
    'invalid_request',
    { code_verifier: 'x'.repeat(129) },
  ],
  [
    'with a wrong secret by Basic [6749 §5.2] [A175]',
    401,
    'invalid_client',
    {},
    { authorization: basic(printer.client_id, 'wrong') },
  ],
  ['with an unknown client by Basic', 401, 'invalid_client', {}, { authorization: basic('nobody') }],
  [
    'with a wrong secret in the body [A176]',
    401,
    'invalid_client',
    { client_id: printer.client_id, client_secret: 'wrong' },
    { authorization: '' },
  ],
  [
    'without a secret from a confidential client',
    401,
    'invalid_client',
    { client_id: printer.client_id },
    { authorization: '' },
  ],
  ['without a client', 401, 'invalid_client', {}, { authorization: '' }],
  ['with a malformed Basic header [A182]', 401, 'invalid_client', {}, { authorization: 'Basic !!!' }],
  [
    'with a Basic header without a colon [A182]',
    401,
    'invalid_client',
    {},
    { authorization: `Basic ${btoa('photo-printer')}` },
  ],
  [
    'with a Basic header that is not percent-encoded [A182]',
    401,
    'invalid_client',
    {},
    { authorization: `Basic ${btoa('photo-printer:%zz')}` },
  ],
  ['with a client_id in the body other than the header’s [A179]', 400, 'invalid_request', { client_id: 'other' }],
  ['with a secret in the body other than the header’s [A178]', 400, 'invalid_request', { client_secret: 'x' }],
  [
    'by another client, with that client’s right secret [6749 §4.1.3] [A202]',
    400,
    'invalid_grant',
    {},
    { authorization: basic('other') },
  ],
  ['as text/plain [A19]', 400, 'invalid_request', {}, { 'content-type': 'text/plain' }],
  [
    'in a charset other than UTF-8 [A20]',
    400,
    'invalid_request',
    {},
    { 'content-type': 'application/x-www-form-urlencoded; charset=iso-8859-1' },
  ],
  ['with a body of more than 16 KiB', 413, 'invalid_request', { filler: 'x'.repeat(20_000) }],
  [
    'with hundreds of parameters [A4]',
    400,
    'invalid_request',
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`p${i}`, 'x'])),
  ],
];

for (const [title, status, error, change, headers] of spoilt) {
  test(`a code exchange ${title} gets ${status} ${error}`, async () => {
    const code = await freshCode();
    assertError(await redeem(origin, code, change, headers), status, error);
    assert.equal((await redeem(origin, code)).status, 200);
  });
}

test('every refusal of a code has the same description', async () => {
  const code = await freshCode();
  const answers = [
    await redeem(origin, createCredential('authorization_code')),
    await redeem(origin, code, {}, { authorization: basic('other') }),
    await redeem(origin, code, { redirect_uri: 'https://printer.example/x' }),
    await redeem(origin, code, { code_verifier: undefined }),
    await redeem(origin, code, { code_verifier: verifier.replace('a', 'b') }),
    await redeem(origin, code),
  ];
  assert.equal(new Set(answers.map(({ body }) => `${body['error']} ${body['error_description']}`)).size, 1);
});

test('a wrong code_verifier from the rightful client spends the code [A206] [A209]', async () => {
  const code = await freshCode();
  assertError(await redeem(origin, code, { code_verifier: verifier.replace('a', 'b') }), 400, 'invalid_grant');
  assertError(await redeem(origin, code), 400, 'invalid_grant');
});

test('a wrong code_verifier from another client spends nothing', async () => {
  const code = await freshCode();
  const thief = await redeem(
    origin,
    code,
    { code_verifier: verifier.replace('a', 'b') },
    { authorization: basic('other') },
  );
  assertError(thief, 400, 'invalid_grant');
  assert.equal((await redeem(origin, code)).status, 200);
});

test('a code_verifier is refused when the authorization request had no code_challenge: PKCE cannot be added afterwards [9700 §2.1.1]', async () => {
  const code = await obtainCode(browser, { code_challenge: undefined, code_challenge_method: undefined });
  assertError(await redeem(origin, code), 400, 'invalid_grant');
  assert.equal((await redeem(origin, code, { code_verifier: undefined })).status, 200);
});

test('redirect_uri may be omitted at /token if it was omitted before, and must match if present', async () => {
  const code = await obtainCode(browser, { redirect_uri: undefined });
  assertError(await redeem(origin, code, { redirect_uri: 'https://printer.example/other' }), 400, 'invalid_grant');
  assert.equal((await redeem(origin, code, { redirect_uri: undefined })).status, 200);
});

/** As software written for GitHub does, which never repeats the redirection URI. */
const redeemAsGithub = (code: string, changes: Change = {}) =>
  post(
    `${origin}/login/oauth/access_token`,
    { code, code_verifier: verifier, ...changes },
    { accept: 'application/json' },
  );

test('a code from /authorize is bound to its redirect_uri at every token endpoint [6749 §4.1.3] [A367]', async () => {
  const code = await freshCode();
  assertError(await redeemAsGithub(code), 400, 'invalid_request');
  assert.equal((await redeemAsGithub(code, { redirect_uri: printer.redirect_uri })).status, 200);
});

test('a code from the GitHub-compatible endpoint needs no redirect_uri at any token endpoint, and cannot change it [A367]', async () => {
  const issue = () => obtainCode(browser, { scope: 'user' }, {}, '/login/oauth/authorize');
  assert.equal((await redeem(origin, await issue(), { redirect_uri: undefined })).status, 200);
  assert.equal((await redeemAsGithub(await issue())).status, 200);
  const code = await issue();
  assertError(await redeemAsGithub(code, { redirect_uri: `${printer.redirect_uri}/` }), 400, 'invalid_grant');
  assert.equal((await redeemAsGithub(code, { redirect_uri: printer.redirect_uri })).status, 200);
});

test('an expired code is refused, and another code of the grant is not', async () => {
  const [code, neighbour] = [await freshCode(), await freshCode()];
  await moveCode(code, 'expires_at = now()');
  assertError(await redeem(origin, code), 400, 'invalid_grant');
  assert.equal((await redeem(origin, neighbour)).status, 200);
});

test('a code that is redeemed again revokes the tokens it produced [6749 §4.1.2] [A211]', async () => {
  const code = await freshCode();
  const { body } = await redeem(origin, code);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assertError(await redeem(origin, code), 400, 'invalid_grant');
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assertError(await refresh(origin, body['refresh_token']), 400, 'invalid_grant');
});

test('a used code presented by another client, or with a wrong secret or verifier, revokes nothing [A203]', async () => {
  const code = await freshCode();
  const { body } = await redeem(origin, code);
  assertError(await redeem(origin, code, {}, { authorization: basic('other') }), 400, 'invalid_grant');
  assertError(
    await redeem(origin, code, {}, { authorization: basic(printer.client_id, 'wrong') }),
    401,
    'invalid_client',
  );
  assertError(await redeem(origin, code, { code_verifier: verifier.replace('a', 'b') }), 400, 'invalid_grant');
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
});

for (const [what, statement] of [
  ['the grant was revoked', 'update grants set revoked_at = now()'],
  ['the grant has run out', 'update grants set expires_at = now() where revoked_at is null'],
  ['the person was disabled', 'update users set disabled_at = now()'],
] as const) {
  test(`a code is refused once ${what}, and so are the other tokens of its grant [A145] [A148] [A169] [A232]`, async () => {
    const [code, sister] = [await freshCode(), await freshCode()];
    const { body } = await redeem(origin, sister);
    await database.query(statement);
    assertError(await redeem(origin, code), 400, 'invalid_grant');
    assertError(await refresh(origin, body['refresh_token']), 400, 'invalid_grant');
    assert.equal((await getUser(origin, body['access_token'])).status, 401);
    await database.query('update users set disabled_at = null');
    await database.query('update grants set revoked_at = now()');
    // to disable somebody ends their sessions
    browser = await signedInBrowser(origin);
  });
}

test('a disabled client is treated as unknown, and its tokens are invalid [A232]', async () => {
  await registerPrinter(database, { client_id: 'closing' });
  const authorization = basic('closing');
  const { body } = await redeem(origin, await obtainCode(browser, { client_id: 'closing' }), {}, { authorization });
  const code = await obtainCode(browser, { client_id: 'closing' });
  await database.query("update clients set disabled_at = now() where client_id = 'closing'");
  assertError(await redeem(origin, code, {}, { authorization }), 401, 'invalid_client');
  assertError(await refresh(origin, body['refresh_token'], {}, { authorization }), 401, 'invalid_client');
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
});

test('a client that is not registered for a grant type gets 400 unauthorized_client [A199]', async () => {
  await registerPrinter(database, { client_id: 'no-refresh', grant_types: ['authorization_code'] });
  const authorization = basic('no-refresh');
  const { body } = await redeem(origin, await obtainCode(browser, { client_id: 'no-refresh' }), {}, { authorization });
  assert.equal(body['refresh_token'], undefined);
  assertError(await refresh(origin, madeUpRefreshToken(), {}, { authorization }), 400, 'unauthorized_client');
  const code = await obtainCode(browser, { client_id: 'no-refresh' });
  await database.query("update clients set grant_types = '{refresh_token}' where client_id = 'no-refresh'");
  assertError(await redeem(origin, code, {}, { authorization }), 400, 'unauthorized_client');
});

test('a public client that sends a secret is not authenticated by it [A185]', async () => {
  const code = await obtainCode(browser, { client_id: 'public' });
  assertError(
    await redeem(origin, code, {}, { authorization: basic('public', 'x'.repeat(40)) }),
    401,
    'invalid_client',
  );
  assert.equal((await redeem(origin, code, { client_id: 'public' }, { authorization: '' })).status, 200);
});

test('a wrong secret by Basic gets a Basic challenge, one in the body does not', async () => {
  const byBasic = await post(
    token,
    { grant_type: 'refresh_token', refresh_token: 'x' },
    { authorization: basic('photo-printer', 'no') },
  );
  assert.match(byBasic.headers.get('www-authenticate') ?? '', /^Basic realm=/);
  const inBody = await post(
    token,
    { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'nobody' },
    { authorization: '' },
  );
  assertError(inBody, 401, 'invalid_client');
  assert.equal(inBody.headers.get('www-authenticate'), null);
});

test('Basic credentials are percent-decoded, each half separately [6749 §2.3.1] [A181]', async () => {
  const [client_id, client_secret] = ['odd:id%41+x', 'se:cret %+é-0123456789-0123456789-0123456789'];
  await registerPrinter(database, { client_id, client_secret });
  const code = await obtainCode(browser, { client_id });
  assert.equal((await redeem(origin, code, {}, { authorization: basic(client_id, client_secret) })).status, 200);
});

test('client credentials in the URL are refused, not used', async () => {
  const query = new URLSearchParams({ client_id: printer.client_id, client_secret: printer.client_secret });
  const answer = await post(
    `${token}?${query}`,
    { grant_type: 'authorization_code', code: await freshCode() },
    { authorization: '' },
  );
  assertError(answer, 400, 'invalid_request');
});

test('JSON bodies hold strings only: numbers, lists and objects are refused by name [A22]', async () => {
  for (const [body, description] of [
    ['{"grant_type":1}', 'grant_type is not a string'],
    ['{"grant_type":"authorization_code","code":{"$ne":1}}', 'code is not a string'],
    ['{"grant_type":"authorization_code","code":["x"]}', 'code is not a string'],
    ['{"code":"\\ud800"}', 'code contains a character that cannot be stored'],
    ['[]', 'the body is not a JSON object'],
    ['{', 'the body is not valid JSON'],
  ]) {
    const response = await fetch(token, {
      method: 'POST',
      body: body ?? '',
      headers: { 'content-type': 'application/json', authorization: basic() },
    });
    const answer = (await response.json()) as Record<string, string>;
    assert.deepEqual(
      [response.status, answer['error'], answer['error_description']],
      [400, 'invalid_request', description],
    );
  }
});

test('broken encoding in a form is refused by name: incomplete escapes, invalid UTF-8, NUL [A28]', async () => {
  for (const broken of ['%', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%00']) {
    const body = `grant_type=authorization_code&code=${broken}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded', authorization: basic() };
    const response = await fetch(token, { method: 'POST', body, headers });
    const answer = (await response.json()) as Record<string, string>;
    assert.deepEqual([response.status, answer['error']], [400, 'invalid_request'], broken);
    assert.match(answer['error_description'] ?? '', /^code /);
  }
});

test('properties of every object, such as constructor, are unknown parameters like any other [A23]', async () => {
  const code = await freshCode();
  const answer = await redeem(origin, code, {
    __proto__x: 'x',
    constructor: 'x',
    hasOwnProperty: 'x',
    toString: 'x',
  } as Change);
  assert.equal(answer.status, 200);
});

test('unsupported methods at /token get 405 with Allow', async () => {
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const response = await fetch(token, { method });
    assert.equal(response.status, 405, method);
    assert.equal(response.headers.get('allow'), 'POST');
  }
});

async function moveCode(code: string, set: string): Promise<void> {
  const { credentialKey } = await import('../../../src/lib/secrets.ts');
  const { rowCount } = await database.query(`update authorization_codes set ${set} where code_sha256 = $1`, [
    credentialKey(code),
  ]);
  assert.equal(rowCount, 1);
}

test('a scope parameter in a code exchange does not extend the granted scope [6749 §4.1.3] [A217]', async () => {
  const page = await browser.visit(`/authorize?${authorizationQuery({ scope: 'user:name' })}`);
  const code = new URL(page.location ?? '').searchParams.get('code') ?? '';
  assert.equal((await redeem(origin, code, { scope: 'user repo' })).body['scope'], 'user:name');
});
