import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential, credentialKey } from '../../../src/lib/secrets.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { cheapHash, printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'other' });
await registerPrinter(database, { client_id: 'public', client_secret: null });
await registerPrinter(database, { client_id: 'api', resource_server: true });
let browser = await signedInBrowser(origin);

async function freshTokens(scope = 'user', ticked?: string[]) {
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const { body } = await redeem(origin, await obtainCode(browser, { scope }, ticked ? { scope: ticked } : {}));
  return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

const alice = {
  id: 1,
  sub: '1',
  username: 'alice',
  name: 'alice Liddell',
  email: 'alice@example.com',
  email_verified: true,
};

const patch = (token: string, body: object) =>
  fetch(`${origin}/user`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const registerAlice = (values: string) => database.query(`select register_user(username => 'alice', ${values})`);
const whole = `password => '${cheapHash}', name => 'alice Liddell', email => 'alice@example.com'`;

test('an access token is accepted in the header, in the query or in a form, but only in one of them [6750 §2] [A268] [A269]', async () => {
  const { access_token } = await freshTokens();
  const header = { authorization: `Bearer ${access_token}` };
  const body = new URLSearchParams({ access_token });
  const answers = [
    await fetch(`${origin}/user`, { headers: header }),
    await fetch(`${origin}/user`, { headers: { authorization: `bearer ${access_token}` } }),
    await fetch(`${origin}/user?access_token=${access_token}`),
    await fetch(`${origin}/user`, { method: 'POST', body }),
  ];
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.match(answer.headers.get('vary') ?? '', /Authorization/);
    assert.deepEqual(await answer.json(), alice);
  }
  for (const twice of [
    await fetch(`${origin}/user?access_token=${access_token}`, { headers: header }),
    await fetch(`${origin}/user`, { method: 'POST', body, headers: header }),
    await fetch(`${origin}/user?access_token=${access_token}&access_token=${access_token}`),
    await fetch(`${origin}/user?access_token=${access_token}`, { method: 'POST', body }),
  ]) {
    assert.equal(twice.status, 400);
    assert.match(twice.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(((await twice.json()) as { error: string }).error, 'invalid_request');
  }
});

test('the profile contains only what the scope allows', async () => {
  const profile = async (ticked: string[]) =>
    (await getUser(origin, (await freshTokens('user repo', ticked)).access_token)).body;
  assert.deepEqual(await profile(['user:name']), { id: 1, sub: '1', username: 'alice', name: 'alice Liddell' });
  assert.deepEqual(await profile(['user:email']), {
    id: 1,
    sub: '1',
    email: 'alice@example.com',
    email_verified: true,
  });
});

test('a request without a token gets 401 with a challenge that names no error [6750 §3.1]', async () => {
  for (const headers of [{}, { authorization: basic() }]) {
    const response = await fetch(`${origin}/user`, { headers });
    assert.equal(response.status, 401);
    const metadata = `${origin}/.well-known/oauth-protected-resource`;
    const challenge = response.headers.get('www-authenticate') ?? '';
    assert.ok(challenge.startsWith(`Bearer resource_metadata="${metadata}"`) && !challenge.includes('error='));
    assert.equal((await fetch(metadata)).status, 200);
  }
});

test('the scheme `token` is for the GitHub-compatible endpoints: /user names Bearer', async () => {
  const { access_token } = await freshTokens();
  const response = await fetch(`${origin}/user`, { headers: { authorization: `token ${access_token}` } });
  assert.equal(response.status, 400);
  assert.match(await response.text(), /must say Bearer, not token/);
});

test('a malformed Authorization header gets invalid_request [A271]', async () => {
  const { access_token } = await freshTokens();
  for (const authorization of ['Bearer', `Bearer ${access_token} x`, `Bearer\t${access_token}`, 'Bearer "x"']) {
    const response = await fetch(`${origin}/user`, { headers: { authorization } });
    assert.equal(response.status, 400, authorization);
    assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_request"/);
  }
  assert.equal((await getUser(origin, access_token)).status, 200);
});

test('unknown, mistyped, truncated, extended, expired and revoked tokens all get the same 401 invalid_token [A272]', async () => {
  const { access_token: good } = await freshTokens();
  const [expired, revoked] = [(await freshTokens()).access_token, (await freshTokens()).access_token];
  const still = (await freshTokens()).access_token;
  await database.query('update access_tokens set expires_at = now() where access_token_sha256 = $1', [
    credentialKey(expired),
  ]);
  await post(`${origin}/revoke`, { token: revoked });
  const answers = [];
  for (const token of [
    createCredential('access_token'),
    good,
    expired,
    revoked,
    still.slice(0, -1),
    `${still}x`,
    still.toLowerCase(),
  ]) {
    const { status, headers, body } = await getUser(origin, token);
    answers.push(JSON.stringify([status, headers.get('www-authenticate'), body['error'], body['error_description']]));
  }
  assert.equal(new Set(answers).size, 1);
  assert.match(answers[0] ?? '', /^\[401,"Bearer error=\\"invalid_token\\"/);
  assert.equal((await getUser(origin, still)).status, 200);
});

test('an insufficient scope gets 403 insufficient_scope that names the required scope [6750 §3.1] [A274]', async () => {
  const { access_token } = await freshTokens('repo');
  const { status, headers, body } = await getUser(origin, access_token);
  assert.deepEqual([status, body['error']], [403, 'insufficient_scope']);
  assert.match(headers.get('www-authenticate') ?? '', /scope="user"/);
  assert.equal((await getUser(origin, access_token, '/api/v3/user')).status, 403);
});

test('a token with the write scope changes name and e-mail address', async () => {
  const { access_token: reader } = await freshTokens('user');
  const refused = await patch(reader, { name: 'Mallory' });
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get('www-authenticate') ?? '', /scope="user:write"/);
  const { access_token: writer } = await freshTokens('user user:write');
  assert.deepEqual(await (await patch(writer, { name: 'Alice P. Liddell' })).json(), {
    ...alice,
    name: 'Alice P. Liddell',
  });
  for (const [bad, word] of [
    [{ email: 'nowhere' }, 'email'],
    [{ name: 'a\u0007b' }, 'name'],
    [{}, 'name and email'],
    [{ name: 1 }, 'name'],
  ] as const) {
    const answer = await patch(writer, bad);
    assert.equal(answer.status, 400);
    assert.ok(((await answer.json()) as { error_description: string }).error_description.startsWith(word));
  }
  await registerAlice(whole);
});

/** Every answer with profile data, as one text. */
async function answersAbout(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const paths = ['/user', '/api/v3/user', '/api/v3/user/emails'];
  const answers = paths.map(async (path) => (await fetch(origin + path, { headers })).text());
  const { body } = await post(`${origin}/introspect`, { token });
  return [...(await Promise.all(answers)), JSON.stringify(body)].join('\n');
}

test('an address that the person has entered is given to no application, until the operator registers it; the confirmed one stays', async () => {
  const { access_token: token } = await freshTokens('user user:write');
  const isGiven = async (address: string) => (await answersAbout(token)).includes(address);
  const unconfirmed = { ...alice, email: null, email_verified: false };
  const changed = await patch(token, { email: 'alice@example.com' });
  assert.deepEqual(await changed.json(), alice, 'the same address changes nothing');
  assert.ok(await isGiven('alice@example.com'));
  const pending = await patch(token, { email: 'root@bank.example' });
  assert.deepEqual(await pending.json(), { ...alice, email_pending: true });
  assert.deepEqual(await (await patch(token, { name: alice.name })).json(), alice, 'another change says nothing of it');
  assert.equal(await isGiven('@bank.example'), false);
  assert.deepEqual((await getUser(origin, token)).body, alice);
  const withdrawn = await patch(token, { email: 'alice@example.com' });
  assert.deepEqual(await withdrawn.json(), alice);
  assert.match(await answersAbout(token), /"verified":true/);
  await patch(token, { email: 'root@bank.example' });
  await registerAlice(`${whole}, email_verified => false`);
  const page = await (await signedInBrowser(origin, 'alice')).visit('/account');
  assert.match(page.text, /value="alice@example\.com"/, 'nothing is pending beside an address that is pending itself');
  assert.doesNotMatch(page.text, /remains your address/);
  assert.deepEqual((await getUser(origin, token)).body, unconfirmed, 'an address that the operator does not confirm');
  assert.deepEqual((await getUser(origin, token, '/api/v3/user')).body['email'], null);
  assert.deepEqual((await getUser(origin, token, '/api/v3/user/emails')).body, []);
  const replaced = await patch(token, { email: 'root@bank.example' });
  assert.deepEqual(await replaced.json(), { ...unconfirmed, email_pending: true });
  await patch(token, { email: 'alice@example.com' });
  assert.equal(await isGiven('@example.com'), false, 'the person says so, nobody else');
  await registerAlice(whole);
});

test('with the scope to change the address, but not to read it, an answer does not say whether it is confirmed', async () => {
  const { access_token } = await freshTokens('user:write user:name');
  const answer = await patch(access_token, { email: 'alice@example.com' });
  assert.deepEqual(await answer.json(), { id: 1, sub: '1', username: 'alice', name: 'alice Liddell' });
});

test('the GitHub-compatible profile shows null for what was not granted, and refuses the e-mail addresses', async () => {
  const { access_token } = await freshTokens('user', ['user:name']);
  const { body } = await getUser(origin, access_token, '/api/v3/user');
  assert.deepEqual(body, { login: 'alice', id: 1, type: 'User', name: 'alice Liddell', email: null });
  assert.equal((await getUser(origin, access_token, '/api/v3/user/emails')).status, 403);
});

test('HEAD is answered like GET without a body, and other methods get 405 [A283]', async () => {
  const { access_token } = await freshTokens();
  const headers = { authorization: `Bearer ${access_token}` };
  assert.equal((await fetch(`${origin}/user`, { method: 'HEAD', headers })).status, 200);
  const response = await fetch(`${origin}/user`, { method: 'DELETE', headers });
  assert.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, POST, PATCH']);
});

test('revoking an access token ends that token; revoking a refresh token ends the family [7009 §2.1] [A289] [A290]', async () => {
  const { access_token, refresh_token } = await freshTokens();
  assert.equal((await post(`${origin}/revoke`, { token: access_token, token_type_hint: 'refresh_token' })).status, 200);
  assert.equal((await getUser(origin, access_token)).status, 401);
  const { body } = await refresh(origin, refresh_token);
  assert.equal(
    (await post(`${origin}/revoke`, { token: String(body['refresh_token']), token_type_hint: 'xyz' })).status,
    200,
  );
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'])).status, 400);
  assert.equal((await post(`${origin}/revoke`, { token: access_token })).status, 200);
});

test('revoking an unknown token succeeds; revoking another client’s token is refused; a public client learns nothing [A287]', async () => {
  const { access_token, refresh_token } = await freshTokens();
  assert.equal((await post(`${origin}/revoke`, { token: 'nonsense' })).status, 200);
  assert.equal((await post(`${origin}/revoke`, { token: createCredential('access_token') })).status, 200);
  for (const token of [access_token, refresh_token]) {
    const foreign = await post(`${origin}/revoke`, { token }, { authorization: basic('other') });
    assert.deepEqual([foreign.status, foreign.body['error']], [400, 'invalid_grant']);
    assert.equal((await post(`${origin}/revoke`, { token, client_id: 'public' }, { authorization: '' })).status, 200);
  }
  assert.equal((await getUser(origin, access_token)).status, 200);
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('revocation and introspection refuse a missing token and wrong credentials [A286] [A293]', async () => {
  for (const path of ['/revoke', '/introspect']) {
    assert.equal((await post(origin + path, {})).body['error'], 'invalid_request');
    const wrong = await post(origin + path, { token: 'x' }, { authorization: basic(printer.client_id, 'wrong') });
    assert.deepEqual([wrong.status, wrong.body['error']], [401, 'invalid_client']);
    assert.equal((await post(origin + path, { token: 'x' }, { authorization: '' })).status, 401);
  }
});

test('introspection describes a client’s own tokens to it, all access tokens to a resource server, and nothing to others [7662 §2.2] [A295]', async () => {
  const { access_token, refresh_token } = await freshTokens('user repo:read', ['user:name', 'repo:read']);
  const introspect = (token: string, client_id?: string) =>
    post(`${origin}/introspect`, { token }, { authorization: basic(client_id) });
  const { body, headers } = await introspect(access_token);
  const { exp, iat, auth_time, ...rest } = body;
  assert.equal(Number(exp) - Number(iat), 3600);
  assert.ok(Number(auth_time) <= Number(iat));
  assert.deepEqual(rest, {
    active: true,
    scope: 'user:name repo:read',
    client_id: printer.client_id,
    username: 'alice',
    token_type: 'Bearer',
    sub: '1',
    iss: origin,
    acr: '1',
  });
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal((await introspect(refresh_token)).body['active'], true);
  assert.equal((await introspect(access_token, 'api')).body['active'], true);
  for (const [token, client_id] of [
    [refresh_token, 'api'],
    [access_token, 'other'],
    [createCredential('access_token')],
    ['nonsense'],
  ] as const) {
    assert.deepEqual((await introspect(token, client_id)).body, { active: false });
  }
  const public_ = await post(
    `${origin}/introspect`,
    { token: access_token, client_id: 'public' },
    { authorization: '' },
  );
  assert.equal(public_.body['error'], 'unauthorized_client');
  assert.match(String(public_.body['error_description']), /authenticate, by a secret, a key or a certificate/);
});

for (const [what, end, back] of [
  ['has expired', "authorization_codes set refresh_expires_at = now() - interval '1 second'", undefined],
  ['was rotated', "authorization_codes set refresh_token_sha256 = 'another'", undefined],
  ['belongs to a family that was revoked', 'authorization_codes set revoked_at = now()', undefined],
  ['belongs to a person who was disabled', 'users set disabled_at = now()', 'users set disabled_at = null'],
  ['belongs to an expired grant', 'grants set expires_at = now()', 'grants set expires_at = null'],
  ['belongs to a grant that was revoked', 'grants set revoked_at = now()', undefined],
] as const) {
  test(`introspection reports a refresh token as inactive when it ${what}`, async () => {
    const { refresh_token: token } = await freshTokens();
    const introspect = async () => (await post(`${origin}/introspect`, { token })).body;
    assert.equal((await introspect())['active'], true);
    await database.query(`update ${end}`);
    assert.deepEqual(await introspect(), { active: false });
    if (!back) return;
    await database.query(`update ${back}`);
    // to disable somebody ends their sessions
    browser = await signedInBrowser(origin);
  });
}

test('two Authorization headers are refused, even when equal [6750 §2]', async () => {
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser));
  const { request } = await import('node:http');
  const value = `Bearer ${body['access_token']}`;
  const status = await new Promise((resolve) => {
    const headers = ['Host', new URL(origin).host, 'Authorization', value, 'Authorization', value];
    request(`${origin}/user`, { headers }, (res) => resolve(res.resume().statusCode)).end();
  });
  assert.equal(status, 400);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
});
