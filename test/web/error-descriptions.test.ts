import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../src/lib/secrets.ts';
import {
  authorizationQuery,
  codeIn,
  encode,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  verifier,
} from '../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'small', scopes: ['user:name'] });
const browser = await signedInBrowser(origin);

const allowed = /^[\x20-\x21\x23-\x5B\x5D-\x7E]+$/;
const secret = createCredential('access_token');

const authorizationFaults: [title: string, change: Record<string, string | undefined>, description: string][] = [
  ['a scope that does not exist', { scope: 'user admin profile' }, 'scope is unknown here: admin profile'],
  [
    'a scope that the client did not register',
    { client_id: 'small', scope: 'user:name user:email' },
    'scope is not registered for this client: user:email',
  ],
  ['openid alone', { scope: 'openid' }, 'scope openid: this server does no OpenID Connect'],
  ['a scope that looks like a secret', { scope: secret }, 'scope is unknown here: (secret)'],
  ['a very long scope', { scope: 'x'.repeat(1900) }, `scope is unknown here: ${'x'.repeat(200)}`],
  ['code_challenge_method=plain', { code_challenge_method: 'plain' }, 'code_challenge_method must be S256'],
  [
    'no code_challenge_method',
    { code_challenge_method: undefined },
    'code_challenge_method must be S256: it is missing, which means plain',
  ],
  [
    'a code_challenge that is not a digest',
    { code_challenge: 'short' },
    'code_challenge must be a SHA-256 digest in base64url: 43 characters',
  ],
  [
    'response_mode=fragment',
    { response_mode: 'fragment' },
    'response_mode must be one of query, form_post, jwt, query.jwt, form_post.jwt',
  ],
  [
    'prompt=junk',
    { prompt: 'junk' },
    'prompt must be none, or some of login, consent and select_account, separated by spaces',
  ],
];
for (const [title, change, description] of authorizationFaults) {
  test(`the error description for ${title} names what is wrong`, async () => {
    const { location } = await browser.open(`/authorize?${authorizationQuery(change)}`);
    const told = new URL(location ?? '').searchParams.get('error_description') ?? '';
    assert.equal(told, description);
    assert.match(told, allowed);
  });
}

test('openid is ignored when other scopes are requested', async () => {
  const page = await browser.open(`/authorize?${authorizationQuery({ scope: 'openid user:name', prompt: 'consent' })}`);
  assert.ok(page.text.includes('value="user:name"') && !page.text.includes('openid</'));
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"')));
  assert.equal(body['scope'], 'user:name');
});

test('a note among the refusals in the console tells the developer once a day what was ignored', async () => {
  await registerPrinter(database, { client_id: 'open-id' });
  for (const path of ['/authorize', '/authorize', '/login/oauth/authorize']) {
    const scope = 'openid,user:name offline_access';
    await browser.open(`${path}?${authorizationQuery({ client_id: 'open-id', scope })}`);
  }
  const notes = async () =>
    (await database.query("select error, reason, request from refusals where client_id = 'open-id'")).rows;
  while ((await notes()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  const reason = 'scope openid was ignored: this server does no OpenID Connect';
  assert.deepEqual(await notes(), [{ error: 'note', reason, request: 'GET /authorize' }]);
  await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
  const shown = await browser.visit('/developer/applications/open-id/activity');
  assert.ok(shown.text.includes(`<code>note</code>: ${reason}`));
});

test('the error description of a refresh names the scopes that were not granted', async () => {
  const code = await obtainCode(browser, { scope: 'user:name', prompt: 'consent' });
  const { body } = await redeem(origin, code);
  const wider = await refresh(origin, body['refresh_token'], { scope: 'user:name repo:read' });
  assert.deepEqual(
    [wider.body['error'], wider.body['error_description']],
    ['invalid_scope', 'scope was not granted: repo:read'],
  );
  const unknown = await refresh(origin, body['refresh_token'], { scope: 'admin' });
  assert.equal(unknown.body['error_description'], 'scope is unknown here: admin');
});

test('the error description for a malformed code_verifier states the required form', async () => {
  const { body } = await redeem(origin, await obtainCode(browser), { code_verifier: 'short' });
  assert.equal(body['error_description'], 'code_verifier must be 43 to 128 letters, digits and - . _ ~');
});

test('the error description for a parameter in the query of a POST says that it belongs in the body', async () => {
  const code = await obtainCode(browser);
  const { client_id, client_secret, redirect_uri } = printer;
  const request = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  const description = async (
    path: string,
    query: Record<string, string>,
    body: Record<string, string>,
    headers = {},
  ) => {
    const { status, body: answer } = await post(`${origin}${path}?${encode(query)}`, body, headers);
    assert.deepEqual([status, answer['error']], [400, 'invalid_request']);
    return answer['error_description'];
  };
  const { grant_type, ...rest } = request;
  assert.equal(await description('/token', { grant_type }, rest), 'grant_type is in the query: send it in the body');
  const { code: _, ...others } = request;
  assert.equal(await description('/token', { code }, others), 'code is in the query: send it in the body');
  const anonymous = { authorization: '' };
  assert.equal(
    await description('/token', { client_id }, request, anonymous),
    'client_id is in the query: send it in the body',
  );
  assert.equal(
    await description('/token', { client_id, client_secret }, request, anonymous),
    'client_secret is in the query: send it in the body',
  );
  assert.equal(await description('/revoke', { token: 'x' }, {}), 'token is in the query: send it in the body');
  assert.equal(await description('/leaked', { token: 'x' }, {}), 'token is in the query: send it in the body');
  assert.equal(await description('/token', {}, others), 'code is missing');
  assert.equal((await redeem(origin, code)).status, 200);
});

test('no page recommends a feature that this server lacks', async () => {
  const { text } = await browser.visit('/errors/request_not_supported');
  assert.match(text, /Send the parameters directly, in the query of <code>\/authorize<\/code>/);
});
