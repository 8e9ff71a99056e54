import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { Browser } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  challenge,
  codeIn,
  getUser,
  obtainCode,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../../support/flow.ts';
import { password, printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();

/** Each box is stated: what this person left unticked before is unticked when the page asks again. */
const everything = ['user:name', 'user:email', 'repo:read'];

test('the token response has exactly the members and headers of RFC 6749 [§5.1] [A197]', async () => {
  const browser = await signedInBrowser(origin);
  const answer = await redeem(
    origin,
    await obtainCode(browser, { scope: 'user repo:read', prompt: 'consent' }, { scope: everything }),
  );
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  assert.equal(answer.headers.get('pragma'), 'no-cache');
  const { access_token, refresh_token, ...rest } = answer.body;
  assert.match(String(access_token), /^lk_at_[\w-]{55}$/);
  assert.match(String(refresh_token), /^lk_rt_[\w-]{132}$/);
  const lifetimes = { expires_in: 3600, refresh_token_expires_in: 2_592_000 };
  assert.deepEqual(rest, { token_type: 'Bearer', ...lifetimes, scope: 'user repo:read' });
});

test('the authorization response carries code, state and iss, and nothing else [9207 §2] [A82] [A83] [A92]', async () => {
  const browser = await signedInBrowser(origin);
  for (const state of ['x', 'a+b %41&code=evil#x=', '\u{1F511} key', 'x'.repeat(1000), 'line\r\nSet-Cookie: a=b']) {
    const page = await browser.visit(`/authorize?${authorizationQuery({ state, scope: 'user', prompt: 'consent' })}`);
    const answer = await browser.submit(page, 'id="allow"');
    const url = new URL(answer.location ?? '');
    assert.equal(answer.status, 302);
    assert.equal(url.origin + url.pathname, printer.redirect_uri);
    assert.deepEqual([...url.searchParams.keys()], ['code', 'state', 'iss']);
    assert.equal(url.searchParams.get('state'), state);
    assert.equal(url.searchParams.get('iss'), origin);
    assert.equal(answer.headers.get('set-cookie'), null);
  }
});

test('consent is remembered: a request within the grant skips the consent page, a larger one or prompt=consent shows it', async () => {
  const browser = await signedInBrowser(origin);
  await obtainCode(browser, { scope: 'user:name user:email', prompt: 'consent' });
  const ask = (changes: object) =>
    browser.visit(`/authorize?${authorizationQuery({ scope: 'user:name', ...changes })}`);
  assert.ok(codeIn(await ask({})));
  assert.ok(codeIn(await ask({ scope: 'user' })));
  assert.match((await ask({ scope: 'user user:write' })).text, /id="allow"/);
  assert.match((await ask({ prompt: 'consent' })).text, /id="allow"/);
});

test('a scope that the user declined is not asked for again unless the client sends prompt=consent', async () => {
  const browser = await signedInBrowser(origin);
  await obtainCode(browser, { scope: 'user', prompt: 'consent' }, { scope: 'user:name' });
  const code = await obtainCode(browser, { scope: 'user' });
  assert.equal((await redeem(origin, code)).body['scope'], 'user:name');
});

test('declining redirects with access_denied, state and iss, and without a code [A161]', async () => {
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const answer = await browser.submit(page, 'id="deny"');
  const { error, state, iss, code } = Object.fromEntries(new URL(answer.location ?? '').searchParams);
  assert.deepEqual(
    { error, state, iss, code },
    { error: 'access_denied', state: 'the-state', iss: origin, code: undefined },
  );
});

test('a consent form takes effect once, even when Allow and Deny are submitted many times at the same moment [A160]', async () => {
  const browser = await signedInBrowser(origin);
  const page = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const { formRequest } = await import('../../support/browser.ts');
  const presses = Array.from({ length: 20 }, (_, index) => formRequest(page, index % 2 ? 'id="allow"' : 'id="deny"'));
  const answers = await Promise.all(presses.map(([path, init]) => browser.open(path, init)));
  const decided = answers.filter(({ location }) => location?.startsWith(printer.redirect_uri));
  assert.equal(decided.length, 1);
  assert.equal(answers.filter(({ location }) => location?.startsWith('/authorize?')).length, 19);
});

test('a refresh can narrow the scope of the access token; the refresh token keeps its full scope [6749 §6] [A223]', async () => {
  const browser = await signedInBrowser(origin);
  const first = await redeem(
    origin,
    await obtainCode(browser, { scope: 'user', prompt: 'consent' }, { scope: everything }),
  );
  const narrow = await refresh(origin, first.body['refresh_token'], { scope: 'user:name' });
  assert.equal(narrow.body['scope'], 'user:name');
  assert.deepEqual((await getUser(origin, narrow.body['access_token'])).body, {
    id: 1,
    sub: '1',
    username: 'alice',
    name: 'alice Liddell',
  });
  assert.equal((await refresh(origin, narrow.body['refresh_token'])).body['scope'], 'user');
});

test('the GitHub-compatible endpoints accept and answer GitHub’s formats: comma-separated scopes, form-encoded tokens, optional parameters, the token scheme', async () => {
  const browser = await signedInBrowser(origin);
  const changes = {
    response_type: undefined,
    scope: 'user,repo:read',
    prompt: 'consent',
    code_challenge: undefined,
    code_challenge_method: undefined,
  };
  const code = await obtainCode(browser, changes, { scope: everything }, '/login/oauth/authorize');
  const body = new URLSearchParams({ client_id: printer.client_id, client_secret: printer.client_secret, code });
  const response = await fetch(`${origin}/login/oauth/access_token`, { method: 'POST', body });
  assert.match(response.headers.get('content-type') ?? '', /^application\/x-www-form-urlencoded/);
  const tokens = Object.fromEntries(new URLSearchParams(await response.text()));
  assert.equal(tokens['scope'], 'user,repo:read');
  const headers = { authorization: `token ${tokens['access_token']}` };
  const user = await fetch(`${origin}/api/v3/user`, { headers });
  assert.equal(user.headers.get('x-oauth-scopes'), 'user, repo:read');
  const profile = await user.json();
  assert.deepEqual(profile, { login: 'alice', id: 1, type: 'User', name: 'alice Liddell', email: 'alice@example.com' });
  const emails = await (await fetch(`${origin}/api/v3/user/emails`, { headers })).json();
  assert.deepEqual(emails, [{ email: 'alice@example.com', primary: true, verified: true, visibility: 'private' }]);
});

test('the GitHub-compatible endpoints answer JSON when the client accepts it, and show their own sign-in page', async () => {
  const browser = new Browser(origin);
  const query = authorizationQuery({ response_type: undefined, scope: 'user:name', prompt: 'consent' });
  const login = await browser.visit(`/login/oauth/authorize?${query}`);
  const consent = await browser.submit(login, 'id="login"', { username: 'alice', password });
  const code = codeIn(await browser.submit(consent, 'id="allow"'));
  const body = new URLSearchParams({
    client_id: printer.client_id,
    client_secret: printer.client_secret,
    code,
    code_verifier: verifier,
  });
  const response = await fetch(`${origin}/login/oauth/access_token`, {
    method: 'POST',
    body,
    headers: { accept: 'application/json' },
  });
  assert.equal((await response.json())['token_type'], 'Bearer');
});

test('a client can send JSON, and its credentials by Basic, in the body, or identically in both', async () => {
  const browser = await signedInBrowser(origin);
  const { client_id, client_secret, redirect_uri } = printer;
  const send = async (parameters: object, headers: Record<string, string> = {}) => {
    const code = await obtainCode(browser, { scope: 'user' });
    const body = JSON.stringify({
      grant_type: 'authorization_code',
      code,
      redirect_uri,
      code_verifier: verifier,
      ...parameters,
    });
    return fetch(`${origin}/token`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  };
  const { basic } = await import('../../support/flow.ts');
  assert.equal((await send({ client_id, client_secret })).status, 200);
  assert.equal((await send({}, { authorization: basic() })).status, 200);
  assert.equal((await send({ client_id, client_secret }, { authorization: basic() })).status, 200);
});

test('a public client redeems its code with the verifier alone, and its users are asked for consent each time [8252 §8.6] [A167] [A233]', async () => {
  await registerPrinter(database, {
    client_id: 'phone-app',
    client_secret: null,
    redirect_uris: ['example.printer.app:/cb', 'https://printer.example/app'],
  });
  const browser = await signedInBrowser(origin);
  const request = { client_id: 'phone-app', redirect_uri: 'example.printer.app:/cb', code_challenge: challenge };
  const code = await obtainCode(browser, request);
  const tokens = await redeem(
    origin,
    code,
    { client_id: 'phone-app', redirect_uri: 'example.printer.app:/cb' },
    { authorization: '' },
  );
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
  const again = await browser.visit(`/authorize?${authorizationQuery(request)}`);
  assert.match(again.text, /id="allow"/);
  const refreshed = await refresh(
    origin,
    tokens.body['refresh_token'],
    { client_id: 'phone-app' },
    { authorization: '' },
  );
  assert.equal(refreshed.status, 200);
});

test('a one-time grant and a standing grant of one client do not extend each other’s scopes', async () => {
  const browser = await signedInBrowser(origin);
  await registerPrinter(database, { client_id: 'twice' });
  const { basic } = await import('../../support/flow.ts');
  const ask = (scope: string, duration: string) =>
    obtainCode(browser, { client_id: 'twice', scope, prompt: 'consent' }, { duration });
  const exchange = async (code: string) => (await redeem(origin, code, {}, { authorization: basic('twice') })).body;
  const once = await exchange(await ask('user repo', 'once'));
  const standing = await exchange(await ask('user:name', 'always'));
  assert.equal(standing['scope'], 'user:name');
  assert.match(
    (await browser.visit(`/authorize?${authorizationQuery({ client_id: 'twice', scope: 'repo' })}`)).text,
    /id="allow"/,
  );
  assert.equal((await getUser(origin, once['access_token'])).body['email'], 'alice@example.com');
  const again = await exchange(await ask('user:email', 'once'));
  assert.equal(again['refresh_token'], undefined);
  const refreshed = await refresh(origin, standing['refresh_token'], {}, { authorization: basic('twice') });
  assert.equal(refreshed.body['scope'], 'user:name');
});

test('tokens of an expired grant stay invalid after the user consents again', async () => {
  const browser = await signedInBrowser(origin);
  await registerPrinter(database, { client_id: 'renewing' });
  const { basic } = await import('../../support/flow.ts');
  const authorization = basic('renewing');
  const { body } = await redeem(origin, await obtainCode(browser, { client_id: 'renewing' }), {}, { authorization });
  await database.query("update grants set duration = '30d', expires_at = now() where client_id = 'renewing'");
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  await obtainCode(browser, { client_id: 'renewing' });
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'], {}, { authorization })).status, 400);
});

test('a one-time grant gets no refresh token, and the next request asks for consent again', async () => {
  const browser = await signedInBrowser(origin);
  await registerPrinter(database, { client_id: 'once' });
  const tokens = await redeem(
    origin,
    await obtainCode(browser, { client_id: 'once' }, { duration: 'once' }),
    {},
    {
      authorization: (await import('../../support/flow.ts')).basic('once'),
    },
  );
  assert.equal(tokens.body['refresh_token'], undefined);
  assert.equal((await getUser(origin, tokens.body['access_token'])).status, 200);
  assert.match((await browser.visit(`/authorize?${authorizationQuery({ client_id: 'once' })}`)).text, /id="allow"/);
});

test('where the person chose how long, each answer says when the authorization ends [draft-ietf-oauth-refresh-token-expiration]', async () => {
  await registerPrinter(database, { client_id: 'for-a-while' });
  const browser = await signedInBrowser(origin);
  const authorization = basic('for-a-while');
  const tokensFor = async (duration: string) => {
    const code = await obtainCode(browser, { client_id: 'for-a-while', prompt: 'consent' }, { duration });
    return (await redeem(origin, code, {}, { authorization })).body;
  };
  const month = 30 * 86_400;
  const isNear = (value: unknown, seconds: number) => Number(value) <= seconds && Number(value) > seconds - 60;
  const limited = await tokensFor('30d');
  assert.ok(isNear(limited['authorization_expires_in'], month), String(limited['authorization_expires_in']));
  await database.query("update grants set expires_at = now() + interval '1 hour' where client_id = 'for-a-while'");
  const renewed = await refresh(origin, limited['refresh_token'], {}, { authorization });
  const repeated = await refresh(origin, limited['refresh_token'], {}, { authorization });
  for (const { body } of [renewed, repeated]) {
    assert.ok(isNear(body['authorization_expires_in'], 3600));
    assert.ok(isNear(body['refresh_token_expires_in'], 3600), 'no longer than the authorization');
  }
  const once = await tokensFor('once');
  assert.equal('refresh_token_expires_in' in once, false, 'it has no refresh token');
  assert.ok(isNear(once['authorization_expires_in'], 600 + 3600));
  assert.equal('authorization_expires_in' in (await tokensFor('always')), false);
});

test('a code_verifier may end in the padding of base64, if the challenge was made of it as it stands [7636 §4.1]', async () => {
  const browser = await signedInBrowser(origin);
  const padded = `${'padded-verifier-of-32-bytes-in-base64url-'.padEnd(43, 'x')}=`;
  const challengeOf = (text: string) => createHash('sha256').update(text).digest('base64url');
  const codeOf = (text: string) => obtainCode(browser, { code_challenge: challengeOf(text) });
  assert.equal((await redeem(origin, await codeOf(padded), { code_verifier: padded })).status, 200);
  for (const [made, sent] of [
    [padded, padded.slice(0, -1)],
    [padded.slice(0, -1), padded],
    [padded, `${padded}=`],
  ] as const) {
    const { body } = await redeem(origin, await codeOf(made), { code_verifier: sent });
    assert.equal(body['error'], 'invalid_grant', `${made} ${sent}`);
  }
  for (const malformed of [`=${padded}`, padded.replace('x', '='), `${padded}==`, '='.repeat(43)]) {
    const { body } = await redeem(origin, await codeOf(malformed), { code_verifier: malformed });
    assert.equal(body['error'], 'invalid_request', malformed);
  }
});
