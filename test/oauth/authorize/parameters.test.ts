import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendRaw } from '../../support/attack.ts';
import { authorizationQuery, basic, codeIn, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { startWithPrinter } from '../../support/latchkey.ts';

const { origin } = await startWithPrinter();
const browser = await signedInBrowser(origin);
await obtainCode(browser);

const send = (path: string, type: string | undefined, body: string | Uint8Array<ArrayBuffer>, method = 'POST') =>
  fetch(origin + path, {
    method,
    redirect: 'manual',
    headers: { authorization: basic(), ...(type && { 'content-type': type }) },
    body,
  });
const formType = 'application/x-www-form-urlencoded';

async function refusal(response: Response): Promise<Record<string, string>> {
  assert.equal(response.headers.get('content-type'), 'application/json;charset=UTF-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  return (await response.json()) as Record<string, string>;
}

test('brackets and dots create no structure: the parameter counts as missing [A25]', async () => {
  for (const name of [
    'refresh_token[]',
    'refresh_token[a]',
    'refresh_token.a',
    'refresh_token[$ne]',
    'refresh_token%5B%5D',
  ]) {
    const answer = await refusal(await send('/token', formType, `grant_type=refresh_token&${name}=x`));
    assert.equal(answer['error_description'], 'refresh_token is missing');
  }
  const query = `${authorizationQuery({ client_id: undefined })}&client_id[$ne]=1`;
  assert.equal((await browser.open(`/authorize?${query}`)).status, 400);
});

test('invalid UTF-8 and NUL are refused in every parameter of every endpoint, and never stored [A26] [A28]', async () => {
  for (const bad of ['%FF', '%C0%80', '%ED%A0%80', '%E0%A4%A', '%', '%00', 'a%00b', '\xff']) {
    for (const name of [
      'client_id',
      'redirect_uri',
      'state',
      'scope',
      'code_challenge',
      'prompt',
      'unknown',
      'ui_locales',
    ]) {
      const query = `${authorizationQuery({ [name]: undefined })}&${name}=${bad}`;
      const { status, text } = await sendRaw(
        origin,
        `GET /authorize?${query} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(status, 400, `${name}=${bad}`);
      assert.doesNotMatch(text, /^location:/im);
    }
    for (const name of [
      'grant_type',
      'code',
      'code_verifier',
      'refresh_token',
      'token',
      'username',
      'password',
      'csrf',
      'ticket',
    ]) {
      for (const path of ['/token', '/revoke', '/introspect', '/login']) {
        const response = await send(path, formType, `${name}=${bad === '\xff' ? '%FF' : bad}`);
        assert.equal(response.status, 400, `${path} ${name}=${bad}`);
        // not for what else the form lacks
        assert.match(
          await response.text(),
          new RegExp(`\\b${name} (is not valid UTF-8|contains a character)`),
          `${path} ${name}=${bad}`,
        );
      }
    }
    const user = await sendRaw(
      origin,
      `GET /user?access_token=${bad} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    assert.equal(user.status, 400);
  }
});

test('out-of-range numbers and malformed values are ordinary refusals [A29]', async () => {
  for (const value of [
    '99999999999999999999',
    '1e3',
    '-1',
    'NaN',
    'Infinity',
    '0x10',
    "1' or '1'='1",
    '{}',
    '{1,2}',
    '\\x00',
  ]) {
    assert.equal((await browser.open(`/authorize?${authorizationQuery({ client_id: value })}`)).status, 400);
    assert.equal((await redeem(origin, value)).body['error'], 'invalid_grant');
    assert.equal((await fetch(`${origin}/user?access_token=${encodeURIComponent(value)}`)).status, 401);
    assert.equal((await browser.open(`/account/applications/${encodeURIComponent(value)}`)).status, 404);
  }
});

test('a client_id is compared byte by byte: no other case, look-alike or space [A32]', async () => {
  for (const client_id of [
    'Photo-printer',
    'photo-printer ',
    ' photo-printer',
    'photo‐printer',
    'рhoto-printer',
    'photo-printer\u200b',
    'ｐhoto-printer',
    'photo-printer\r\n',
  ]) {
    const page = await browser.open(`/authorize?${authorizationQuery({ client_id })}`);
    assert.deepEqual([page.status, page.location], [400, undefined], client_id);
  }
});

test('variant spellings of a path are other paths, for limits and checks as well [A13]', async () => {
  for (const path of [
    '//token',
    '/TOKEN',
    '/token/',
    '/%74oken',
    '/token;x=1',
    '/token%00',
    '/login//',
    '/LOGIN',
    '/.//token',
  ]) {
    const { status } = await sendRaw(
      origin,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    );
    assert.ok([400, 404].includes(status), `${path}: ${status}`);
  }
});

test('an undecodable path or a path traversal gets 400 or 404 [A14] [A38]', async () => {
  for (const path of [
    '/%E0%A4%A',
    '/.well-known/%',
    '/errors/%E0%A4%A',
    '/errors/constructor',
    '/errors/__proto__',
    '/account/applications/%FF',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/../../package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%00',
    '/assets/',
    '/assets/.hidden',
    '/views/sign-in/login.ejs',
    '/package.json',
    '/.git/config',
  ]) {
    const { status, text } = await sendRaw(origin, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    assert.ok([302, 400, 404].includes(status) && (status !== 302 || path.includes('account')), `${path}: ${status}`);
    assert.doesNotMatch(text, /dependencies|\[core\]/);
  }
});

test('after these requests a user still gets a code [A23]', async () => {
  assert.ok(codeIn(await browser.open(`/authorize?${authorizationQuery()}`)));
});
