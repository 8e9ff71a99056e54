import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDpopKey, getBound, getWith, redeemWith } from '../../support/dpop.ts';
import { getUser, obtainCode, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { type MacToken, macHeader } from '../../support/mac.ts';

// Scopes that demand something, from before the server has read them: user:email two factors, user:write a sign-in of the last five
// minutes, repo:read both, of which this server needs none.

const { origin, database, logged } = await startLatchkey({ ACR_VALUES: 'one,urn:two' });
await registerPeople(database);
await registerPrinter(database);
await database.query("update scopes set acr = 2 where name in ('user:email', 'repo:read')");
await database.query("update scopes set max_age = 300 where name in ('user:write', 'repo:read')");
const alice = await signedInBrowser(origin);
await database.query("update sessions set methods = '{password,totp}'");

/** A token from a sign-in that is strong and young enough; later it becomes what the test says. */
async function token(scope: string): Promise<string> {
  return String((await redeem(origin, await obtainCode(alice, { scope }))).body['access_token']);
}

/** The sign-in from which all codes came. */
const setSignIn = (acr: number | null, age: number | null) =>
  database.query('update authorization_codes set acr = $1, auth_time = now() - make_interval(secs => $2)', [acr, age]);

const challengeOf = ({ headers }: { headers: Headers }) => headers.get('www-authenticate') ?? '';

const change = async (access_token: string) => {
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ name: 'Alice Liddell' });
  return fetch(`${origin}/user`, { method: 'PATCH', headers, body });
};

test('a token of one factor gets 401 with the level that a scope demands, at each address that needs the scope [9470 §3] [A523]', async () => {
  const access_token = await token('user:name user:email');
  for (const path of ['/user', '/api/v3/user', '/api/v3/user/emails']) {
    await setSignIn(2, 10);
    assert.equal((await getUser(origin, access_token, path)).status, 200, path);
    await setSignIn(1, 10);
    const answer = await getUser(origin, access_token, path);
    assert.deepEqual([answer.status, answer.body['error']], [401, 'insufficient_user_authentication'], path);
    assert.match(
      challengeOf(answer),
      /^Bearer error="insufficient_user_authentication", error_description="[^"]+", acr_values="urn:two"/,
    );
    assert.doesNotMatch(challengeOf(answer), /max_age/);
  }
  assert.equal((await getUser(origin, access_token, '/api/v3/user/orgs')).status, 200, 'which needs no scope');
  assert.equal((await getUser(origin, await token('user:name'))).status, 200, 'without the scope');
});

test('a token without the demanding scope is not refused for it, and too little scope is said first', async () => {
  const access_token = await token('user:name');
  await setSignIn(1, 10_000);
  assert.equal((await getUser(origin, access_token)).status, 200);
  const answer = await getUser(origin, access_token, '/api/v3/user/emails');
  assert.deepEqual([answer.status, answer.body['error']], [403, 'insufficient_scope']);
  assert.equal((await change(access_token)).status, 403);
});

test('a sign-in is too old after max_age and a second, which is for the rounding of clocks [A523]', async () => {
  const access_token = await token('user:name user:write');
  for (const [age, status] of [
    [0, 200],
    [299, 200],
    [300.5, 200],
    [301.5, 401],
    [100_000, 401],
  ] as const) {
    await setSignIn(2, age);
    assert.equal((await change(access_token)).status, status, String(age));
  }
  const answer = await change(access_token);
  assert.match(challengeOf(answer), /error="insufficient_user_authentication", [^,]+, max_age="300"/);
  assert.doesNotMatch(challengeOf(answer), /acr_values/);
});

test('of a token from before sign-ins were kept nothing is known: too old and too weak, and without a demand as good as ever [A523]', async () => {
  const access_token = await token('user:name user:email user:write');
  await setSignIn(null, null);
  assert.match(challengeOf(await getUser(origin, access_token)), /acr_values="urn:two"/);
  const answer = await change(access_token);
  assert.match(challengeOf(answer), /acr_values="urn:two", max_age="300"/);
  const { body } = await post(`${origin}/introspect`, { token: access_token });
  assert.deepEqual([body['active'], 'acr' in body, 'auth_time' in body], [true, false, false]);
  await setSignIn(2, null);
  assert.equal((await change(access_token)).status, 401);
  await setSignIn(null, 10);
  assert.equal((await getUser(origin, access_token)).status, 401);
  await database.query("update access_tokens set scopes = '{user:name}'");
  assert.equal((await getUser(origin, access_token)).status, 200);
});

test('of a token that has expired and is too weak, the first is said [A523]', async () => {
  const access_token = await token('user:email');
  await setSignIn(1, 10);
  await database.query("update access_tokens set expires_at = now() - interval '1 second'");
  const answer = await getUser(origin, access_token);
  assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_token']);
  assert.doesNotMatch(challengeOf(answer), /acr_values/);
});

test('a DPoP token is challenged in the scheme DPoP [A523]', async () => {
  const key = await createDpopKey();
  const { body } = await redeemWith(key, origin, await obtainCode(alice, { scope: 'user:email' }));
  assert.equal((await getBound(key, origin, body['access_token'])).status, 200);
  await setSignIn(1, 10);
  const answer = await getBound(key, origin, body['access_token']);
  assert.match(
    challengeOf(answer),
    /DPoP error="insufficient_user_authentication", error_description="[^"]+", acr_values="urn:two"/,
  );
  assert.doesNotMatch(challengeOf(answer), /Bearer error/);
});

test('HEAD and an address with the token in its query are challenged alike, and a page of another origin can read it [A523]', async () => {
  const access_token = await token('user:email');
  await setSignIn(1, 10);
  const head = await fetch(`${origin}/user`, { method: 'HEAD', headers: { authorization: `Bearer ${access_token}` } });
  assert.equal(head.status, 401);
  assert.match(challengeOf(head), /acr_values="urn:two"/);
  assert.match(challengeOf(await getWith(`${origin}/user?access_token=${access_token}`, {})), /acr_values="urn:two"/);
  const headers = { authorization: `Bearer ${access_token}`, origin: 'https://printer.example' };
  const read = await getWith(`${origin}/user`, headers);
  assert.match(challengeOf(read), /acr_values="urn:two"/);
  assert.match(String(read.headers.get('access-control-expose-headers')), /WWW-Authenticate/i);
  assert.equal(read.headers.get('access-control-allow-origin'), 'https://printer.example');
});

test('the log says for which client, and which part of the sign-in was not enough', async () => {
  const access_token = await token('user:email');
  await setSignIn(1, 10);
  const { body } = await getUser(origin, access_token);
  const line = JSON.parse(logged.find((one) => one.includes(String(body['request_id']))) ?? '{}');
  assert.deepEqual(
    [line.error, line.reason, line.client_id],
    ['insufficient_user_authentication', 'sign-in too weak for a scope', 'photo-printer'],
  );
});

test('a MAC token is challenged in the scheme MAC [A523]', async () => {
  await database.query("update clients set token_binding = 'mac'");
  const { body } = await redeem(origin, await obtainCode(alice, { scope: 'user:email' }));
  const ask = () => getWith(`${origin}/user`, { authorization: macHeader(body as unknown as MacToken, origin) });
  assert.equal((await ask()).status, 200);
  await setSignIn(1, 10);
  const answer = await ask();
  assert.equal(answer.status, 401);
  assert.equal(challengeOf(answer), 'MAC error="insufficient_user_authentication", acr_values="urn:two"');
});

test('a scope can demand a level that there is, and an age of at least a second', async () => {
  for (const change of ['acr = 3', 'acr = 0', 'max_age = 0', 'max_age = -5']) {
    await assert.rejects(
      database.query(`update scopes set ${change} where name = 'repo:write'`),
      /scopes_(acr|max_age)/,
    );
  }
});
