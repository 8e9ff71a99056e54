import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../support/browser.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getBound, proofFor } from '../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  encode,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const one = await startLatchkey();
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
const { origin, database } = one;
await registerPeople(database);
await registerPrinter(database);
const bankKey = createClientKey('bank');
const key = await createDpopKey();
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };
const forBank = (changes = {}) => authorizationQuery({ client_id: 'bank', ...changes });

const registerBank = () => registerKeyClient(database, { keys: [bankKey], profile: 'fapi2' });
const registerWithSecret = () =>
  registerPrinter(database, { client_id: 'bank', name: 'Bank', scopes: ['user', 'repo'] });

const assertion = async () => withAssertion(await sign(bankKey, origin));
const proof = async (path = '/token') => ({ ...noHeader, dpop: await proofFor(key, origin + path) });

/** The query of a pushed request, as the client with the profile pushes it. */
async function pushed(changes = {}): Promise<string> {
  const request = Object.fromEntries(new URLSearchParams(forBank(changes)));
  const { status, body } = await post(`${origin}/par`, { ...request, ...(await assertion()) }, await proof('/par'));
  assert.equal(status, 201, JSON.stringify(body));
  return encode({ client_id: 'bank', request_uri: String(body['request_uri']) });
}

const throughConsent = async (query: string): Promise<Page> =>
  browser.submit(await browser.visit(`/authorize?${query}`), 'id="allow"');

/** As its profile wants it, at an instance. */
const redeemAsBank = async (code: string, changes = {}, at = origin) =>
  redeem(at, code, { ...(await assertion()), ...changes }, await proof());
const refreshAsBank = async (token: unknown, at = origin) => refresh(at, token, await assertion(), await proof());

/** Where the answer goes, with its error; or what the page says. */
function outcome({ status, location, text }: Page): string {
  if (location === undefined) return `${status} ${/id="error"><code>(\w+)/.exec(text)?.[1]}`;
  const { origin: host, searchParams } = new URL(location);
  assert.equal(searchParams.get('code'), null);
  return `${host} ${searchParams.get('error')}`;
}

const refusedByRedirect = 'https://printer.example invalid_request';

test('a client of the profile fapi2 gets no consent page from bare parameters, at no address [FAPI2 5.3.2.2-3] [A416]', async () => {
  await registerBank();
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  for (const path of ['', '/login/oauth']) {
    for (const query of [forBank(), forBank({ response_type: undefined }), `${forBank()}&ui_locales=de`]) {
      const pages = [
        await browser.visit(`${path}/authorize?${query}`),
        await browser.visit(`${path}/authorize`, { ...form, body: query }),
      ];
      const expected = path === '' && !query.includes('response_type') ? /invalid_request$/ : refusedByRedirect;
      for (const page of pages) assert.match(outcome(page), new RegExp(expected));
    }
  }
  const link = await browser.visit('/account/applications/bank');
  assert.doesNotMatch(link.text, /id="allow"/);
  assert.match((await browser.visit(`/authorize?${await pushed()}`)).text, /id="allow"/);
});

test('signing in, choosing an account or sending a form does not turn bare parameters into a consent page [A416]', async () => {
  await registerBank();
  for (const path of ['', '/login/oauth']) {
    const login = path === '' ? '/login' : '/login/oauth/login';
    for (const prompt of [undefined, 'login', 'select_account']) {
      const visitor = new Browser(origin);
      const page = await visitor.visit(`${login}?${forBank({ prompt })}`);
      const answer = await visitor.submit(page, 'id="login"', { username: 'alice', password });
      assert.equal(outcome(answer), refusedByRedirect, `${path} ${prompt}`);
    }
  }
  const query = await pushed();
  const consent = await browser.visit(`/authorize?${query}`);
  const smuggled = {
    ...consent,
    text: consent.text.replaceAll(/\/consent\?[^"]*/g, `/consent?${encode({})}${forBank().replaceAll('&', '&amp;')}`),
  };
  assert.notEqual(smuggled.text, consent.text);
  assert.equal(outcome(await browser.submit(smuggled, 'id="allow"')), refusedByRedirect);
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
});

test('its pushed request is of no use at the GitHub-compatible address, nor that of another client for it [A416]', async () => {
  await registerBank();
  const query = await pushed();
  assert.equal(outcome(await browser.visit(`/login/oauth/authorize?${query}`)), '400 invalid_request_uri');
  const others = await post(`${origin}/par`, Object.fromEntries(new URLSearchParams(authorizationQuery())));
  const stolen = encode({ client_id: 'bank', request_uri: String(others.body['request_uri']) });
  assert.equal(outcome(await browser.visit(`/authorize?${stolen}`)), '400 invalid_request_uri');
  assert.ok(codeIn(await throughConsent(query)));
});

test('at the GitHub-compatible token address, it has to prove the same, and gets a bound token [A416]', async () => {
  await registerBank();
  const path = '/login/oauth/access_token';
  const code = codeIn(await throughConsent(await pushed()));
  const grant = { code, redirect_uri: printer.redirect_uri, code_verifier: verifier };
  const ask = async (form: object, headers = {}) =>
    post(origin + path, { ...grant, ...form }, { ...noHeader, accept: 'application/json', ...headers });
  assert.equal((await ask({ client_id: 'bank' }, await proof(path))).body['error'], 'invalid_client');
  assert.equal((await ask(await assertion())).status, 400);
  const { body } = await ask(await assertion(), await proof(path));
  assert.equal(body['token_type'], 'DPoP');
  const path2 = '/api/v3/user';
  assert.equal((await getUser(origin, body['access_token'], path2)).status, 401);
  assert.equal((await getBound(key, origin, body['access_token'], { path: path2 })).status, 200);
});

/** What a client with a secret has, before it changes to the profile. */
async function obtainEverything() {
  await registerWithSecret();
  const headers = { authorization: basic('bank') };
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  const push = async (changes = {}) => {
    const request = Object.fromEntries(new URLSearchParams(forBank(changes)));
    const { body } = await post(`${origin}/par`, request, headers);
    return encode({ client_id: 'bank', request_uri: String(body['request_uri']) });
  };
  const { body: first } = await redeem(origin, await obtainCode(browser, { client_id: 'bank' }), {}, headers);
  const { body: second } = await refresh(origin, first['refresh_token'], {}, headers);
  return {
    access_token: second['access_token'],
    rotated: first['refresh_token'],
    refresh_token: second['refresh_token'],
    code: await obtainCode(browser, { client_id: 'bank' }),
    codeWithoutPkce: await obtainCode(browser, { client_id: 'bank', ...bare }),
    request: await push(),
    requestWithoutPkce: await push(bare),
    form: await browser.visit(`/authorize?${forBank({ prompt: 'consent' })}`),
  };
}

test('codes of before are exchanged as the profile wants it, and not without PKCE [FAPI2 5.3.2.1] [A421]', async () => {
  const { code, codeWithoutPkce } = await obtainEverything();
  await registerBank();
  for (const at of [two.origin, origin]) {
    const withSecret = await redeem(at, code, {}, { authorization: basic('bank') });
    assert.deepEqual([withSecret.status, withSecret.body['error']], [401, 'invalid_client']);
    const unbound = await redeem(at, code, await assertion(), noHeader);
    assert.deepEqual([unbound.status, unbound.body['error']], [400, 'invalid_request']);
    const withoutPkce = await redeemAsBank(codeWithoutPkce, { code_verifier: undefined }, at);
    assert.deepEqual([withoutPkce.status, withoutPkce.body['error']], [400, 'invalid_grant']);
  }
  const { body } = await redeemAsBank(code, {}, two.origin);
  assert.equal(body['token_type'], 'DPoP');
});

test('refresh tokens of before give bound tokens only, are no longer rotated, and no bearer token is repeated [A421]', async () => {
  const { rotated, refresh_token } = await obtainEverything();
  await registerBank();
  for (const at of [two.origin, origin]) {
    assert.equal((await refresh(at, refresh_token, {}, { authorization: basic('bank') })).status, 401);
    assert.equal((await refresh(at, refresh_token, await assertion(), noHeader)).body['error'], 'invalid_request');
    const repeated = await refreshAsBank(rotated, at);
    assert.deepEqual(
      [repeated.status, repeated.body['token_type'], repeated.body['refresh_token']],
      [200, 'DPoP', refresh_token],
    );
    const { status, body } = await refreshAsBank(refresh_token, at);
    assert.deepEqual([status, body['token_type'], body['refresh_token']], [200, 'DPoP', undefined]);
  }
});

test('a bearer token of before works until it ends, and bound ones stay bound when the profile is taken back [A421]', async () => {
  const { access_token, refresh_token } = await obtainEverything();
  await registerBank();
  assert.equal((await getUser(two.origin, access_token)).status, 200);
  const { body: bound } = await refreshAsBank(refresh_token);
  const code = codeIn(await throughConsent(await pushed()));
  await registerWithSecret();
  const headers = { authorization: basic('bank') };
  for (const at of [two.origin, origin]) {
    assert.equal((await getUser(at, bound['access_token'])).status, 401);
    assert.equal((await redeem(at, code, {}, headers)).body['error'], 'invalid_grant');
  }
  assert.equal((await getBound(key, origin, bound['access_token'])).status, 200);
  const dpop = await proofFor(key, `${origin}/token`);
  assert.equal((await redeem(origin, code, {}, { ...headers, dpop })).body['token_type'], 'DPoP');
});

test('a pushed request and an open consent page of before are judged by the profile, and the person is asked again [A421]', async () => {
  const { request, requestWithoutPkce, form } = await obtainEverything();
  await registerBank();
  assert.equal(outcome(await browser.submit(form, 'id="allow"')), refusedByRedirect);
  assert.equal(outcome(await browser.visit(`/authorize?${forBank()}`)), refusedByRedirect);
  assert.equal(outcome(await browser.visit(`/authorize?${requestWithoutPkce}`)), refusedByRedirect);
  assert.match(outcome(await browser.visit(`/authorize?${await pushed({ prompt: 'none' })}`)), /consent_required$/);
  const { body } = await redeemAsBank(codeIn(await throughConsent(request)), {}, two.origin);
  assert.equal(body['token_type'], 'DPoP');
});
