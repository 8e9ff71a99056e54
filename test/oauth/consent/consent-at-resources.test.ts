import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Page } from '../../support/browser.ts';
import {
  authorizationQuery,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { printer, registerResource, startWithPrinter } from '../../support/latchkey.ts';

// What a person decided counts where they decided it: the same for the consent page, for tokens of before and for the account page.

const { origin, database } = await startWithPrinter();
const api = 'https://api.example/';
const mail = 'https://mail.example/';
const browser = await signedInBrowser(origin);
const path = `/account/applications/${printer.client_id}`;
const save = 'class="primary"';

beforeEach(async () => {
  await database.query('delete from grants');
  for (const resource of [api, mail]) await registerResource(database, resource, ['user', 'repo']);
});

const at = (resource: string, scope = 'repo:read') => ({ resource, scope, prompt: 'consent' });

/** Tokens after consent on a page that names these resources. */
async function allowed(resource: string, scope = 'repo:read') {
  const ticked = scope.replace(/\buser$/, 'user:name user:email').split(' ');
  const { status, body } = await redeem(origin, await obtainCode(browser, at(resource, scope), { scope: ticked }));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The person unticks repo:read on the consent page of another request, which asks for the username, too. */
const untick = (resource: string) => obtainCode(browser, at(resource, 'repo:read user:name'), { scope: 'user:name' });

const isAsked = async (resource: string, scope = 'repo:read') =>
  (await browser.visit(`/authorize?${authorizationQuery({ scope, resource })}`)).location === undefined;

/** What is left of a grant at a resource, as a refresh answers. */
async function refreshed(token: unknown, resource: string): Promise<string> {
  const { body } = await refresh(origin, token, { resource });
  return String(body['scope'] ?? body['error']);
}

const introspected = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) })).body['scope'];

for (const [there, here, error] of [
  [api, origin, 'invalid_target'],
  [origin, api, 'invalid_grant'],
  [api, mail, 'invalid_target'],
] as const) {
  const where = (resource: string) => (resource === origin ? 'this server' : resource);
  test(`a permission allowed at ${where(there)}, unticked at ${where(here)} and allowed again there alone, comes back ${where(here)} only`, async () => {
    const old = await allowed(there);
    await untick(here);
    assert.equal(await refreshed(old['refresh_token'], there), error, 'unticked anywhere, it is withdrawn everywhere');
    const again = await allowed(here);
    assert.deepEqual([await isAsked(here), await isAsked(there)], [false, true]);
    assert.equal(await refreshed(again['refresh_token'], here), 'repo:read');
    assert.equal(await refreshed(old['refresh_token'], there), error);
    assert.deepEqual(
      [await introspected(old['access_token']), await introspected(old['refresh_token'])],
      [undefined, undefined],
    );
    await allowed(there);
    assert.equal(await refreshed(old['refresh_token'], there), 'repo:read', 'once it is allowed there, too');
    assert.deepEqual([await isAsked(here), await isAsked(there)], [false, false]);
  });
}

test('the same for /user: a token of before shows nothing that was allowed again elsewhere only', async () => {
  const old = await allowed(origin, 'user');
  assert.equal((await getUser(origin, old['access_token'])).body['email'], 'alice@example.com');
  await obtainCode(browser, at(api, 'user'), { scope: 'user:name' });
  await allowed(api, 'user:email');
  const { body } = await getUser(origin, old['access_token']);
  assert.deepEqual([body['username'], body['email']], ['alice', undefined]);
  assert.equal(await isAsked(origin, 'user:email'), true);
  await allowed(origin, 'user:email');
  assert.equal((await getUser(origin, old['access_token'])).body['email'], 'alice@example.com');
});

test('a code that waits while the person decides elsewhere gives no more than a token of before', async () => {
  const code = await obtainCode(browser, at(api), { scope: 'repo:read' });
  await untick(origin);
  await allowed(origin);
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_target');
  await allowed(api);
  assert.equal((await redeem(origin, code)).body['scope'], 'repo:read', 'and it was not spent');
});

test('the history of a token says that a permission was removed, also if it is allowed elsewhere since', async () => {
  await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
  const old = await allowed(api);
  await untick(origin);
  await allowed(origin);
  const page = await browser.visit(`/developer/applications/${printer.client_id}/activity`);
  const told = await browser.submit(page, 'name="token"', { token: String(old['access_token']) });
  assert.match(told.text, /It is valid\.[\s\S]*The user removed a permission/);
});

const resourcesOn = ({ text }: Page) => [...text.matchAll(/<code class="uri">([^<]+)</g)].map(([, uri]) => uri).sort();

test('the account page names every resource at which a box counts, also that of a permission which is off', async () => {
  const old = await allowed(api, 'repo:read user:name');
  await allowed(origin, 'user:name');
  await browser.submit(await browser.visit(path), save, { scope: 'user:name' });
  const page = await browser.visit(path);
  assert.deepEqual(resourcesOn(page), [origin, api].sort());
  await browser.submit(page, save, { scope: [] });
  assert.deepEqual(resourcesOn(await browser.visit(path)), [origin, api].sort());
  await browser.submit(await browser.visit(path), save, { scope: ['user:name', 'repo:read'] });
  assert.equal(await refreshed(old['refresh_token'], api), 'repo:read user:name');
  assert.deepEqual(
    [await isAsked(api), await isAsked(origin, 'user:name'), await isAsked(origin)],
    [false, false, true],
  );
});

test('an account page that is older than another decision changes nothing, and shows what holds now', async () => {
  await allowed(api, 'repo:read user:name');
  const stale = await browser.visit(path);
  await untick(mail);
  const refused = await browser.submit(stale, save, { scope: ['repo:read', 'user:name'] });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /the stored values changed after you opened the page/);
  assert.match(refused.text, /data-field="&#34;resources&#34;"/);
  assert.deepEqual(resourcesOn(refused), [api, mail].sort());
  const scopes = async () => (await database.query('select scopes, refused_scopes from grants')).rows[0];
  assert.deepEqual(await scopes(), { scopes: ['user:name'], refused_scopes: ['repo:read'] });
  const saved = await browser.submit(refused, save, { scope: ['repo:read', 'user:name'] });
  assert.match(saved.text, /Permissions saved/);
  assert.deepEqual((await scopes()).refused_scopes, []);
});

test('of two different choices that are saved at the same moment one counts, and the other is told; a second click is none', async () => {
  await allowed(api, 'repo:read user:name');
  const page = await browser.visit(path);
  const choices = ['user:name', 'repo:read', 'user:name', 'repo:read', 'user:name', 'repo:read'];
  const answers = await Promise.all(choices.map((scope) => browser.submit(page, save, { scope })));
  const [granted] = (await database.query('select scopes from grants')).rows[0].scopes;
  const expected = choices.map((scope) => (scope === granted ? 200 : 409));
  assert.deepEqual(
    answers.map(({ status }) => status),
    expected,
  );
});

test('a code for one time is worth what its own form showed', async () => {
  const old = await allowed(api);
  const code = await obtainCode(browser, at(mail), { duration: 'once' });
  const { body } = await redeem(origin, code);
  assert.equal(body['scope'], 'repo:read');
  assert.equal(await refreshed(old['refresh_token'], api), 'repo:read');
  assert.equal(await isAsked(mail), true);
  assert.ok(codeIn(await browser.visit(`/authorize?${authorizationQuery({ scope: 'repo:read', resource: api })}`)));
});
