import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { registerPeople, registerPrinter, registerResource, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
await registerPrinter(database, {
  client_id: 'other',
  name: 'Other',
  redirect_uris: ['https://printer.example/other'],
});
const query = (changes = {}) => authorizationQuery({ prompt: 'consent', ...changes });
const other = { client_id: 'other', redirect_uri: 'https://printer.example/other' };
const grants = async () => (await database.query('select user_id, client_id, scopes from grants')).rows;

/** Nothing was decided: no code, no grant, the person is asked (again). */
async function assertUndecided(page: Page): Promise<void> {
  assert.doesNotMatch(page.location ?? '', /[?&]code=/);
  assert.deepEqual(await grants(), []);
}

test('a consent form is valid only for the application and the scopes it was shown for [A94]', async () => {
  const alice = await signedInBrowser(origin);
  const page = await alice.visit(`/authorize?${query()}`);
  const [, init] = formRequest(page, 'id="allow"');
  for (const changes of [
    other,
    { scope: 'user repo' },
    { scope: undefined },
    { redirect_uri: 'https://evil.example/' },
  ]) {
    await assertUndecided(await alice.open(`/consent?${query(changes)}`, init));
  }
  await assertUndecided(await alice.open(`/login/oauth/consent?${query(other)}`, init));
  const answer = await alice.open(...formRequest(page, 'id="allow"'));
  assert.ok(codeIn(answer), 'the form itself still counts, once');
  await database.query('delete from grants');
});

test('a consent form, its ticket and its form key are refused in another session and for another user [A95]', async () => {
  const [alice, bob] = [await signedInBrowser(origin), await signedInBrowser(origin, 'bob')];
  const shownToAlice = await alice.visit(`/authorize?${query()}`);
  const shownToBob = await bob.visit(`/authorize?${query()}`);
  const [path, init] = formRequest(shownToAlice, 'id="allow"');
  await assertUndecided(await bob.open(path, init));
  await assertUndecided(await new Browser(origin).open(path, init));
  const ticket = /name="ticket" value="([^"]+)"/.exec(shownToAlice.text)?.[1] ?? '';
  await assertUndecided(await bob.open(...formRequest(shownToBob, 'id="allow"', { ticket })));
  // in the same browser, after another person signed in there
  await alice.submit(shownToAlice, 'action="/logout?');
  await alice.submit(await alice.visit('/login'), 'id="login"', { username: 'bob', password: 'wonderland' });
  await assertUndecided(await alice.open(path, init));
});

test('a prepared authorization link gives the attacker nothing: the code is bound to the victim’s browser and challenge [A95]', async () => {
  const link = `/authorize?${query({ state: 'made-by-mallory' })}`;
  const [mallory, bob] = [new Browser(origin), await signedInBrowser(origin, 'bob')];
  assert.match((await mallory.visit(link)).text, /id="login"/);
  const answer = await bob.submit(await bob.visit(link), 'id="allow"');
  assert.ok(codeIn(answer));
  assert.match((await mallory.visit(link)).text, /id="login"/);
  await database.query('delete from grants');
});

for (const [what, change] of [
  ['a redirection URI is added', "redirect_uris = redirect_uris || array['https://printer.example/added']"],
  ['the name changes', "name = 'Your Bank'"],
  ['the site changes', "site_domain = 'example'"],
  ['a scope becomes required', "required_scopes = '{user:email}'"],
  ['the registration gains a scope that the request includes', "scopes = scopes || array['repo:write']"],
] as const) {
  test(`consent is asked for again when, while the form is open, ${what} [A94]`, async () => {
    await registerPrinter(database, { client_id: 'shifty', scopes: ['user', 'repo:read'] });
    const alice = await signedInBrowser(origin);
    const page = await alice.visit(`/authorize?${query({ client_id: 'shifty', scope: undefined })}`);
    await database.query(`update clients set ${change} where client_id = 'shifty'`);
    const again = await alice.submit(page, 'id="allow"');
    await assertUndecided(again);
    assert.ok(codeIn(await alice.submit(again, 'id="allow"')));
    await database.query("delete from clients where client_id = 'shifty'");
  });
}

test('consent is asked for again when, while the form is open, the scopes come to mean a resource that it does not name', async () => {
  const alice = await signedInBrowser(origin);
  const page = await alice.visit(`/authorize?${query({ ...other, scope: 'repo:read' })}`);
  await registerResource(database, 'https://repo.example/', ['repo:read']);
  const again = await alice.submit(page, 'id="allow"');
  await assertUndecided(again);
  assert.ok(codeIn(await alice.submit(again, 'id="allow"')));
  const { rows } = await database.query(`select decided from grants where client_id = 'other'`);
  assert.deepEqual(rows, [{ decided: ['repo:read@https://repo.example/'] }]);
  await database.query(`delete from resources where resource = 'https://repo.example/'; delete from grants`);
});

test('HEAD, GET and a post without the form decide nothing [A157]', async () => {
  const alice = await signedInBrowser(origin);
  const [path, init] = formRequest(await alice.visit(`/authorize?${query()}`), 'id="allow"');
  const fields = String(init.body);
  for (const [address, method, body] of [
    [`${path}&${fields}`, 'GET', undefined],
    [`${path}&${fields}`, 'HEAD', undefined],
    [`${path}&${fields}`, 'POST', ''],
    [path, 'POST', fields.replace('decision=allow', '')],
    [path, 'POST', `${fields}&decision=deny`],
    [path, 'POST', fields.replace('decision=allow', 'decision=constructor')],
    [path, 'PUT', fields],
  ] as const) {
    await assertUndecided(await alice.open(address, { ...init, method, body: body ?? null }));
  }
});

test('revoking a grant revokes its codes, even one that is redeemed at the same moment [A169]', async () => {
  const alice = await signedInBrowser(origin);
  for (let round = 0; round < 10; round += 1) {
    const code = await obtainCode(alice);
    const revoke = () => database.query('update grants set revoked_at = now() where revoked_at is null');
    const [tokens] = await Promise.all([redeem(origin, code), revoke()]);
    assert.equal((await getUser(origin, tokens.body['access_token'])).status, 401);
    assert.equal((await refresh(origin, tokens.body['refresh_token'] ?? 'x')).status, 400);
  }
  await database.query('delete from grants');
});

test('the consent for one client gives nothing to another [6749 §10.6]', async () => {
  const alice = await signedInBrowser(origin);
  const code = await obtainCode(alice);
  const page = await alice.visit(`/authorize?${authorizationQuery(other)}`);
  assert.match(page.text, /id="allow"/);
  const stolen = await redeem(origin, code, { redirect_uri: other.redirect_uri }, { authorization: basic('other') });
  assert.equal(stolen.body['error'], 'invalid_grant');
  const mixed = await redeem(origin, code, { client_id: 'other' });
  assert.equal(mixed.body['error'], 'invalid_request');
  assert.equal((await redeem(origin, code)).status, 200);
  await database.query('delete from grants');
});

test('the consent page shows the application, its site, the account, the scopes and the redirect target [A172]', async () => {
  const alice = await signedInBrowser(origin);
  const redirect_uri = 'https://app.printer.example/landing';
  await registerPrinter(database, { client_id: 'far', redirect_uris: [redirect_uri] });
  const { text } = await alice.visit(`/authorize?${query({ client_id: 'far', redirect_uri })}`);
  for (const truth of ['Photo Printer', 'printer.example', 'app.printer.example', 'alice', 'email address']) {
    assert.ok(text.includes(truth), truth);
  }
});

test('after a change of redirection URIs, scopes that were not on the new consent form are asked for again', async () => {
  const moved = (...redirect_uris: string[]) => registerPrinter(database, { client_id: 'mover', redirect_uris });
  const [before, after] = ['https://printer.example/before', 'https://printer.example/after'] as const;
  const alice = await signedInBrowser(origin);
  const ask = (redirect_uri: string, scope: string) =>
    alice.visit(`/authorize?${authorizationQuery({ client_id: 'mover', redirect_uri, scope })}`);
  const authorization = basic('mover');
  await moved(before);
  const code = codeIn(await alice.submit(await ask(before, 'user repo'), 'id="allow"'));
  const early = await redeem(origin, code, { redirect_uri: before }, { authorization });
  assert.ok(codeIn(await ask(before, 'user repo')), 'remembered');

  await moved(after);
  const partial = await ask(after, 'user:name');
  assert.doesNotMatch(partial.text, /repo:write/);
  assert.ok(codeIn(await alice.submit(partial, 'id="allow"')));
  assert.ok(codeIn(await ask(after, 'user:name')), 'what was on the form passes');
  for (const scope of ['repo:write', 'user:email', 'user repo']) {
    const page = await ask(after, scope);
    assert.equal(page.location, undefined, scope);
    assert.match(page.text, /id="allow"/);
  }
  const { body } = await refresh(origin, early.body['refresh_token'], {}, { authorization });
  assert.equal(body['scope'], 'user repo', 'what the application holds already does not end');

  const whole = await redeem(
    origin,
    codeIn(await alice.submit(await ask(after, 'user repo'), 'id="allow"')),
    { redirect_uri: after },
    { authorization },
  );
  assert.equal(whole.body['scope'], 'user repo');
  assert.ok(codeIn(await ask(after, 'user repo')), 'remembered again');
  await database.query('delete from grants');
});
