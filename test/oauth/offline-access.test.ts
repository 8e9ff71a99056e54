import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import { printer, registerResource, startWithPrinter } from '../support/latchkey.ts';

// Clients ask for offline_access to get a refresh token. It grants nothing, and the answer repeats it.

const { origin, database } = await startWithPrinter({ REGISTRATION_ENDPOINT: 'open' });
const browser = await signedInBrowser(origin);
beforeEach(() => database.query('update grants set revoked_at = now() where revoked_at is null'));

const issue = async (scope: string, form = {}) =>
  (await redeem(origin, await obtainCode(browser, { scope, prompt: 'consent' }, form))).body;

for (const scope of ['user offline_access', 'offline_access,user', 'offline_access user offline_access']) {
  test(`"${scope}" is answered with offline_access at the end of scope, also at each refresh`, async () => {
    let body = await issue(scope);
    for (let time = 0; time < 3; time += 1) {
      assert.equal(body['scope'], 'user offline_access');
      ({ body } = await refresh(origin, body['refresh_token']));
    }
  });
}

test('it is repeated where the person allowed only a part, and in an answer that is repeated', async () => {
  const { scope, refresh_token } = await issue('user offline_access', { scope: ['user:name'] });
  assert.equal(scope, 'user:name offline_access');
  const first = await refresh(origin, refresh_token);
  const second = await refresh(origin, refresh_token);
  assert.deepEqual([second.status, second.body], [200, first.body]);
  assert.equal(second.body['scope'], 'user:name offline_access');
});

test('alone it is as if the request had no scope: at /authorize, at a refresh, and for software written for GitHub', async () => {
  for (const path of ['/authorize', '/login/oauth/authorize']) {
    const boxes = async (scope: string | undefined) => {
      const { text } = await browser.visit(`${path}?${authorizationQuery({ scope, prompt: 'consent' })}`);
      return [...text.matchAll(/name="scope" value="([^"]+)"/g)].map(([, value]) => value);
    };
    assert.deepEqual(await boxes('offline_access'), await boxes(undefined), path);
  }
  const body = await issue('offline_access');
  assert.match(String(body['scope']), /^user .*repo.* offline_access$/);
  const refreshed = await refresh(origin, body['refresh_token'], { scope: 'offline_access' });
  assert.equal(refreshed.body['scope'], body['scope']);
});

test('a refresh repeats it if that names it, or names no scope', async () => {
  const body = await issue('user');
  assert.equal(body['scope'], 'user');
  const named = await refresh(origin, body['refresh_token'], { scope: 'user:name offline_access' });
  assert.equal(named.body['scope'], 'user:name offline_access');
  const other = await refresh(origin, named.body['refresh_token']);
  assert.equal(other.body['scope'], 'user');
});

test('without a refresh token it is not repeated', async () => {
  await database.query(`update clients set grant_types = '{authorization_code}' where client_id = $1`, [
    printer.client_id,
  ]);
  const body = await issue('user offline_access');
  await database.query(`update clients set grant_types = '{authorization_code,refresh_token}' where client_id = $1`, [
    printer.client_id,
  ]);
  assert.deepEqual([body['scope'], body['refresh_token']], ['user', undefined]);
});

test('no page, grant, token or event has it, and the developer gets no note', async () => {
  const page = await browser.open(
    `/authorize?${authorizationQuery({ scope: 'user offline_access', prompt: 'consent' })}`,
  );
  assert.ok(page.text.includes('value="user:name"'));
  assert.doesNotMatch(page.text.replaceAll(/scope=[^"]*/g, ''), /offline_access</);
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"')));
  const { body: introspected } = await post(`${origin}/introspect`, { token: String(body['access_token']) });
  assert.equal(introspected['scope'], 'user');
  assert.equal(
    (await getUser(origin, body['access_token'])).headers.get('x-oauth-scopes')?.includes('offline'),
    undefined,
  );
  const { rows } = await database.query(
    `select (select string_agg(to_jsonb(grants)::text, '') from grants) || (select string_agg(to_jsonb(t)::text, '') from access_tokens t)
       || coalesce((select string_agg(to_jsonb(e)::text, '') from audit_events e), '') as stored`,
  );
  assert.doesNotMatch(rows[0].stored, /offline_access/);
  assert.equal((await database.query("select from refusals where reason ~ 'offline'")).rowCount, 0);
});

test('a remembered grant answers a request that adds it; prompt=consent shows the earlier choice', async () => {
  await issue('user repo:read', { scope: ['user:name', 'repo:read'] });
  const silent = await browser.open(`/authorize?${authorizationQuery({ scope: 'user repo:read offline_access' })}`);
  const { body } = await redeem(origin, codeIn(silent));
  assert.equal(body['scope'], 'user:name repo:read offline_access');
  const query = authorizationQuery({ scope: 'user repo:read offline_access', prompt: 'consent' });
  const { text } = await browser.open(`/authorize?${query}`);
  const ticked = [...text.matchAll(/<input\b[^>]*name="scope"[^>]*>/g)].filter(([input]) => / checked\b/.test(input));
  assert.deepEqual(
    ticked.map(([input]) => /value="([^"]+)"/.exec(input)?.[1]),
    ['user:name', 'repo:read'],
  );
});

test('a pushed request and a registration may name it', async () => {
  const parameters = Object.fromEntries(
    new URLSearchParams(authorizationQuery({ scope: 'user offline_access', prompt: 'consent' })),
  );
  const pushed = await post(`${origin}/par`, parameters, { authorization: basic() });
  const request_uri = String(pushed.body['request_uri']);
  const page = await browser.open(`/authorize?${new URLSearchParams({ client_id: printer.client_id, request_uri })}`);
  const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"')));
  assert.equal(body['scope'], 'user offline_access');
  for (const [scope, registered] of [
    ['user:name offline_access', 'user:name'],
    ['offline_access', undefined],
  ] as const) {
    const response = await fetch(`${origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: ['https://a.example/callback'],
        token_endpoint_auth_method: 'none',
        scope,
      }),
    });
    const answer = (await response.json()) as Record<string, string>;
    assert.equal(response.status, 201, JSON.stringify(answer));
    assert.ok(registered === undefined || answer['scope'] === registered, String(answer['scope']));
    assert.doesNotMatch(String(answer['scope']), /offline/);
  }
});

test('an operator cannot define a permission or a group of that name', async () => {
  await assert.rejects(
    database.query("select register_scope('offline_access', 'Do something')"),
    /scope offline_access asks for a refresh token and cannot be a permission/,
  );
  await assert.rejects(
    database.query("select register_scope('notes', 'Do something', group_name => 'offline_access')"),
    /offline_access asks for a refresh token and cannot be a group/,
  );
});

test('a resource does not know it, and no request for one is refused because of it', async () => {
  const resource = 'https://notes.example';
  await registerResource(database, resource, ['repo:read']);
  const code = await obtainCode(browser, { scope: 'repo:read offline_access', resource, prompt: 'consent' });
  assert.equal((await redeem(origin, code)).body['scope'], 'repo:read offline_access');
});
