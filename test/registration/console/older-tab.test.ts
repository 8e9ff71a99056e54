import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeAccount } from '../../../src/accounts/administered-users.sql.ts';
import { changeRegistration } from '../../../src/clients/client-registration.sql.ts';
import { findAnyClient } from '../../../src/clients/clients.sql.ts';
import { changeUserProfile, listUsersNamed } from '../../../src/identity/users.sql.ts';
import { type Browser, formRequest, type Page } from '../../support/browser.ts';
import { obtainCode, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { recorded } from '../../support/recorded.ts';

const { origin, database } = await startLatchkey({
  REGISTRATION: 'open',
  SMTP_URL: 'smtp://127.0.0.1:1',
  MAIL_FROM: 'id@example.com',
});
await registerPeople(database, ['alice', 'bob']);
const alice = await signedInBrowser(origin);
const path = '/developer/applications/photo-printer';
const save = 'name="made_from"';
const [good, bad] = ['https://printer.example/callback', 'https://printer.example/old'];

async function printerOfAlice() {
  await registerPrinter(database, { redirect_uris: [good, bad] });
  await database.query(
    "update clients set owner_id = (select user_id from users where username = 'alice') where client_id = $1",
    [printer.client_id],
  );
}
const stored = async () => (await findAnyClient(database, printer.client_id)) ?? assert.fail('no client');

/** What the page says of a field that was changed meanwhile. */
function told(page: Page, field: string): { yours: string; now: string } | undefined {
  const [, list] = new RegExp(`<dl class="facts" data-field="${field}">([\\s\\S]*?)</dl>`).exec(page.text) ?? [];
  const words = (name: string) =>
    new RegExp(`<dd class="${name}">([\\s\\S]*?)</dd>`)
      .exec(list ?? '')?.[1]
      ?.replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim() ?? '';
  return list === undefined ? undefined : { yours: words('yours'), now: words('now') };
}

test('an older tab does not bring back a removed redirection URI: it shows what changed, keeps what was typed, and a second press saves', async () => {
  await printerOfAlice();
  const older = await alice.visit(`${path}/registration`);
  await alice.submit(await alice.visit(`${path}/registration`), save, { redirect_uris: good });
  assert.deepEqual((await stored()).redirect_uris, [good]);
  const refused = await alice.submit(older, save, { name: 'Photo Press' });
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'redirect_uris'), { yours: `${good} ${bad}`, now: good });
  assert.equal(told(refused, 'name'), undefined, 'nobody else has changed it');
  assert.deepEqual([(await stored()).redirect_uris, (await stored()).name], [[good], printer.name]);
  const saved = await alice.submit(refused, save);
  assert.match(saved.text, /Changes saved/);
  const { redirect_uris, name } = await stored();
  // the person has not touched the field, so what they saw of it on the second page is what counts
  assert.deepEqual([redirect_uris, name], [[good], 'Photo Press']);
});

test('a field that both tabs have changed keeps what was typed in the older one, which the second press saves knowingly', async () => {
  await printerOfAlice();
  const older = await alice.visit(`${path}/registration`);
  await alice.submit(await alice.visit(`${path}/registration`), save, { name: 'One', 'use:user:email': 'no' });
  const refused = await alice.submit(older, save, { name: 'Two', 'use:user:email': 'required' });
  assert.deepEqual(told(refused, 'name'), { yours: 'Two', now: 'One' });
  assert.deepEqual(told(refused, 'use:user:email'), { yours: 'Required', now: 'Not requested' });
  await alice.submit(refused, save);
  const { name, required_scopes } = await stored();
  assert.deepEqual([name, required_scopes.includes('user:email')], ['Two', true]);
});

test('a form that is shown again because of a mistake is still the older one', async () => {
  await printerOfAlice();
  const older = await alice.visit(`${path}/registration`);
  const mistaken = await alice.submit(older, save, { name: '' });
  assert.equal(mistaken.status, 400);
  await alice.submit(await alice.visit(`${path}/registration`), save, { redirect_uris: good });
  const refused = await alice.submit(mistaken, save, { name: 'Photo Press' });
  assert.equal(refused.status, 409);
  assert.deepEqual((await stored()).redirect_uris, [good]);
});

test('two clicks save once, and a form from before and after the same change has nothing to tell', async () => {
  await printerOfAlice();
  const older = await alice.visit(`${path}/registration`);
  const clicks = await Promise.all([1, 2].map(() => alice.submit(older, save, { name: 'Photo Press' })));
  for (const { status, text } of clicks) assert.deepEqual([status, /Changes saved/.test(text)], [200, true]);
});

test('a form of the previous release, which does not say what it was made from, is shown with what it would overwrite', async () => {
  await printerOfAlice();
  const older = await alice.visit(`${path}/registration`);
  const unchanged = await alice.submit(older, save, { made_from: undefined });
  assert.match(unchanged.text, /Changes saved/);
  const refused = await alice.submit(older, save, { made_from: undefined, redirect_uris: bad });
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'redirect_uris'), { yours: bad, now: `${good} ${bad}` });
  await alice.submit(refused, save);
  assert.deepEqual((await stored()).redirect_uris, [bad]);
});

test('an older tab does not switch required pushed requests off', async () => {
  await printerOfAlice();
  const security = `${path}/security`;
  const older = await alice.visit(security);
  await alice.submit(await alice.visit(security), save, { require_pushed_authorization_requests: 'true' });
  const refused = await alice.submit(older, save, { token_binding: 'dpop' });
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'require_pushed_authorization_requests'), { yours: '–', now: '✓' });
  assert.match(refused.text, /id="require_pushed_authorization_requests"[^>]* checked/);
  assert.match(refused.text, /id="token_binding-dpop"[^>]* checked/);
  const before = await stored();
  assert.deepEqual([before.require_pushed_authorization_requests, before.token_binding], [true, 'any']);
  await alice.submit(refused, save);
  const after = await stored();
  assert.deepEqual([after.require_pushed_authorization_requests, after.token_binding], [true, 'dpop']);
});

test('a private key in an older form is not shown once more', async () => {
  await printerOfAlice();
  const security = `${path}/security`;
  const older = await alice.visit(security);
  await alice.submit(await alice.visit(security), save, { require_pushed_authorization_requests: 'true' });
  const jwks = JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y', d: 'private-half' }] });
  for (const typed of [jwks, `${jwks},`, jwks.replace('"d"', '"\\u0064"')]) {
    const refused = await alice.submit(older, save, { jwks: typed });
    assert.equal(refused.status, 409);
    assert.doesNotMatch(refused.text, /private-half/);
  }
});

test('an older tab does not give a permission back that was just taken', async () => {
  await printerOfAlice();
  const bob = await signedInBrowser(origin, 'bob');
  await obtainCode(bob, { scope: 'user repo:read' }, { scope: ['user:name', 'user:email'] });
  const grant = '/account/applications/photo-printer';
  const older = await bob.visit(grant);
  await bob.submit(await bob.visit(grant), save, { scope: ['user:name'] });
  const refused = await bob.submit(older, save, { scope: ['user:name', 'user:email', 'repo:read'] });
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'user:email'), { yours: '✓', now: '–' });
  const scopes = async () =>
    (await database.query('select scopes from grants order by grant_id desc limit 1')).rows[0].scopes;
  assert.deepEqual(await scopes(), ['user:name']);
  await bob.submit(refused, save);
  assert.deepEqual(
    await scopes(),
    ['user:name', 'repo:read'],
    'what bob ticked in the older tab, and not what he took back',
  );
});

test('a form of permissions that is shown again because of a mistake is still the older one', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  await database.query('delete from grants');
  await obtainCode(bob, { scope: 'user repo:read' }, { scope: ['user:name', 'user:email'] });
  const grant = '/account/applications/photo-printer';
  const expired = await bob.submit(await bob.visit(grant), save, {
    csrf: 'x',
    scope: ['user:name', 'user:email', 'repo:read'],
  });
  assert.equal(expired.status, 403);
  await bob.submit(await bob.visit(grant), save, { scope: ['user:name'] });
  const refused = await bob.submit(expired, save);
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'user:email'), { yours: '✓', now: '–' });
});

test('an older tab neither undoes another name nor turns notices back on', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  await database.query("update users set email = 'bob@example.com', email_verified = true where username = 'bob'");
  const older = await bob.visit('/account');
  await bob.submit(await bob.visit('/account'), 'name="current_password"', { name: 'Robert' });
  await bob.submit(await bob.visit('/account'), 'id="save-notices"', { wants_notices: undefined });
  const profile = await bob.submit(older, 'name="current_password"', { name: 'Bobby' });
  assert.equal(profile.status, 409);
  assert.deepEqual(told(profile, 'name'), { yours: 'Bobby', now: 'Robert' });
  const notices = await bob.submit(older, 'id="save-notices"');
  assert.equal(notices.status, 409);
  assert.deepEqual(told(notices, 'wants_notices'), { yours: '✓', now: '–' });
  assert.doesNotMatch(notices.text, /id="wants_notices"[^>]* checked/);
  const user = async () => (await listUsersNamed(database, 'bob'))[0] ?? assert.fail('no bob');
  assert.deepEqual([(await user()).name, (await user()).wants_notices], ['Robert', false]);
  await bob.submit(profile, 'name="current_password"');
  assert.equal((await user()).name, 'Bobby');
});

test('an older tab of an administrator neither undoes another name nor what was said of the address', async () => {
  await registerPeople(database, ['root', 'carla']);
  await database.query("update users set is_admin = true where username = 'root'");
  await database.query("update users set name = 'Carla', email_verified = true where username = 'carla'");
  const user = async () => (await listUsersNamed(database, 'carla'))[0] ?? assert.fail('no carla');
  const root = await signedInBrowser(origin, 'root');
  const person = `/admin/people/${(await user()).user_id}`;
  const older = await root.visit(person);
  // a form that is shown again because of a mistake is still the older one
  const mistaken = await root.submit(older, 'value="change"', { name: 'Carla Two', email: 'nothing' });
  assert.equal(mistaken.status, 400);
  await root.submit(await root.visit(person), 'value="change"', { name: 'Carla One', vouched: undefined });
  const refused = await root.submit(mistaken, 'value="change"', { email: 'carla@new.example' });
  assert.equal(refused.status, 409);
  assert.deepEqual(told(refused, 'name'), { yours: 'Carla Two', now: 'Carla One' });
  assert.deepEqual(told(refused, 'vouched'), { yours: '✓', now: '–' });
  assert.doesNotMatch(refused.text, /id="vouched"[^>]* checked/);
  assert.equal((await user()).name, 'Carla One');
  assert.match((await root.submit(refused, 'value="change"')).text, /role="status"/);
  const { name, email, email_verified } = await user();
  assert.deepEqual([name, email, email_verified], ['Carla Two', 'carla@new.example', false]);
  // an empty field replaces nothing, and so overwrites nothing
  const empty = await root.submit(older, 'value="change"', { name: '', email: '', vouched: undefined });
  assert.equal(empty.status, 200);
  assert.match(empty.text, /There was nothing to change/);
});

test('of two tabs that an administrator saves at once, one tells what the other has changed', async () => {
  await database.query("update users set name = 'Carla' where username = 'carla'");
  const root = await signedInBrowser(origin, 'root');
  const { user_id } = (await listUsersNamed(database, 'carla'))[0] ?? assert.fail('no carla');
  const page = await root.visit(`/admin/people/${user_id}`);
  const answers = await Promise.all(['One', 'Two'].map((name) => root.submit(page, 'value="change"', { name })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
});

test('the statement itself changes nothing if the row is another one than the form was made from', async () => {
  await printerOfAlice();
  const shown = await stored();
  const { client_id, site_domain, redirect_uris, scopes, required_scopes, scope_reasons } = shown;
  const { homepage_uri, logo_uri, policy_uri, tos_uri } = shown;
  const texts = { homepage_uri, logo_uri, policy_uri, tos_uri };
  const stated = { site_domain, redirect_uris, scopes, required_scopes, scope_reasons, ...texts };
  const changes = ['One', 'Two'].map((name) => {
    const change = { client_id, changes: { ...stated, name }, by_admin: true, shown };
    return changeRegistration(database, change, recorded('client_changed'));
  });
  const done = (await Promise.all(changes)).map(({ isDone }) => isDone);
  assert.deepEqual(
    done.sort(),
    [false, true],
    'of two at once the second waits for the first, and sees what it has stored',
  );
  const user = (await listUsersNamed(database, 'alice'))[0] ?? assert.fail('no alice');
  const renamed = await Promise.all(
    ['Ally', 'Lis'].map((name) =>
      changeUserProfile(
        database,
        user.user_id,
        { profile: { name }, areProved: true, shown: user },
        recorded('profile_changed'),
      ),
    ),
  );
  assert.equal(renamed.filter((one) => one !== undefined).length, 1);
  const now = (await listUsersNamed(database, 'alice'))[0] ?? assert.fail('no alice');
  const account = { user_id: now.user_id, email: undefined, sealed_mail: null, shown: now };
  const changed = await Promise.all(
    ['Al', 'Li'].map((name) => changeAccount(database, { ...account, name }, recorded('user_changed'))),
  );
  assert.deepEqual(changed.sort(), [false, true]);
});

test('what was typed in one session is not shown in that of another person', async () => {
  await printerOfAlice();
  await database.query("update users set is_admin = true where username = 'bob'");
  const [address, request] = formRequest(await alice.visit(`${path}/registration`), save, { name: 'Typed by Alice' });
  const bob: Browser = await signedInBrowser(origin, 'bob');
  const page = await bob.open(address, request);
  assert.equal(page.status, 403);
  assert.doesNotMatch(page.text, /Typed by Alice/);
});
