import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../support/browser.ts';
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
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
// before the catalogue is read for the first time
await database.query(`insert into scopes (name, group_name, sentence, changes) values
    ('door:write', 'door', 'Paint the door', null), ('door:open', 'door', 'Open the door', true), ('door:see', 'door', 'See the door', null),
    ('diary:read', 'diary:read', 'Read your diary', null)`);

/** A client of its own, so that no test meets the grants of another. */
async function register(client_id: string, changes: Parameters<typeof registerPrinter>[1] = {}) {
  await registerPrinter(database, { client_id, ...changes });
  const browser = await signedInBrowser(origin);
  const visit = (query: Record<string, string> = {}) =>
    browser.visit(`/authorize?${authorizationQuery({ client_id, ...query })}`);
  const exchange = async (code: string) => (await redeem(origin, code, {}, { authorization: basic(client_id) })).body;
  return { browser, visit, exchange };
}

test('a scope without a group has no heading above its sentence, a group without a sentence has its name', async () => {
  const { visit } = await register('headings', { scopes: ['door:see', 'diary:read', 'user:name'] });
  const { text } = await visit({ scope: 'door:see diary:read user:name' });
  const legends = [...text.matchAll(/<fieldset>\s*(?:<legend>([^<]*)<\/legend>)?\s*<ul class="permissions">/g)];
  assert.deepEqual(new Set(legends.map(([, legend]) => legend)), new Set(['Your profile', 'door', undefined]));
  assert.match(text, /Read your diary/);
});

test('unticking a scope on a one-time consent form removes it from the standing grant', async () => {
  const { browser, visit, exchange } = await register('once-less');
  const standing = await exchange(await obtainCode(browser, { client_id: 'once-less', scope: 'user repo:read' }));
  const form = await visit({ prompt: 'consent' });
  const once = await exchange(
    codeIn(await browser.submit(form, 'id="allow"', { scope: 'user:name', duration: 'once' })),
  );
  assert.equal(once['scope'], 'user:name');
  assert.equal((await getUser(origin, standing['access_token'])).body['email'], undefined);
  const authorization = basic('once-less');
  const refreshed = await refresh(origin, standing['refresh_token'], {}, { authorization });
  assert.equal(refreshed.body['scope'], 'user:name repo:read', 'what was not on the form stays');
  const again = await exchange(codeIn(await visit({ scope: 'user repo:read' })));
  assert.equal(again['scope'], 'user:name repo:read');
});

/** The boxes of a consent form, ticked or not, and the duration that is chosen. */
function formOf({ text }: Page) {
  const boxes = [...text.matchAll(/<input type="checkbox"[^>]*value="([^"]+)"([^>]*)>/g)];
  const [, duration] = /<input type="radio"[^>]*value="(\w+)" checked/.exec(text) ?? [];
  const ticked = boxes.filter(([, , rest]) => / checked/.test(rest ?? '')).map(([, scope]) => scope);
  const unticked = boxes.filter(([, , rest]) => !/ checked/.test(rest ?? '')).map(([, scope]) => scope);
  return { ticked, unticked, duration };
}

/** The row of one permission, as text. */
function rowOf({ text }: Page, scope: string): string {
  const rows = text.split('<li class="permission').slice(1);
  const row = rows.find((html) => html.includes(`value="${scope}"`)) ?? assert.fail(`no row for ${scope}`);
  return row
    .slice(0, row.indexOf('</li>'))
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
}

test('a consent form that is shown again keeps the unticked boxes and the chosen duration', async () => {
  const { browser, visit } = await register('keeper');
  const form = await visit({ scope: 'user repo:read' });
  assert.deepEqual(formOf(form), {
    ticked: ['user:name', 'user:email', 'repo:read'],
    unticked: [],
    duration: 'always',
  });
  const empty = await browser.submit(form, 'id="allow"', { scope: undefined, duration: '30d' });
  assert.deepEqual(formOf(empty), { ticked: [], unticked: ['user:name', 'user:email', 'repo:read'], duration: '30d' });
  const expired = await browser.submit(form, 'id="allow"', { scope: 'user:email', duration: 'once', csrf: 'x' });
  assert.deepEqual(formOf(expired), { ticked: ['user:email'], unticked: ['user:name', 'repo:read'], duration: 'once' });
});

test('the page names a host to which the application did not send people back before', async () => {
  const { browser, visit } = await register('moving');
  await browser.submit(await visit(), 'id="allow"');
  const said = async (...redirect_uris: string[]) => {
    await registerPrinter(database, { client_id: 'moving', redirect_uris: [printer.redirect_uri, ...redirect_uris] });
    const text = (await visit()).text.replaceAll(/<[^>]*>/g, '');
    return /since you last allowed it\.\s*(.*?)\s*Please decide again\./.exec(text)?.[1];
  };
  assert.equal(
    await said('https://cdn.printer.example/cb'),
    'The application now sends you back to cdn.printer.example.',
  );
  const changed = 'The addresses to which the application sends you back have changed.';
  assert.equal(await said(`${printer.redirect_uri}/other`), changed);
  assert.equal(await said(), undefined);
});

test('a scope may have the name of something that every object of JavaScript has', async () => {
  await database.query("select register_scope('constructor', 'See what was built', changes => false)");
  const { browser, visit } = await register('builder', { scopes: ['user:name', 'constructor'] });
  const page = await visit({ scope: 'constructor' });
  assert.match(page.text, /See what was built/);
  await browser.submit(page, 'id="allow"');
  assert.match((await browser.visit('/account/applications/builder')).text, /See what was built/);
});

test('a required permission says whether it was allowed before', async () => {
  const { browser, visit } = await register('required-again', { required_scopes: ['user:name'] });
  const first = await visit();
  assert.doesNotMatch(rowOf(first, 'user:name'), /Already allowed/);
  await browser.submit(first, 'id="allow"');
  assert.match(rowOf(await visit({ prompt: 'consent' }), 'user:name'), /Required Already allowed/);
});

test('when a required scope was missing, the form comes back with it ticked and the other choices kept', async () => {
  const { browser, visit } = await register('keeper-of-required', { required_scopes: ['user:name'] });
  const again = await browser.submit(await visit(), 'id="allow"', { scope: 'user:email', duration: '30d' });
  assert.deepEqual(formOf(again), { ticked: ['user:name', 'user:email'], unticked: [], duration: '30d' });
});

for (const [when, before, ending] of [
  ['asked again', 'Already allowed', ''],
  [
    'asked again after the thirty days',
    'Allowed before',
    "update grants set expires_at = now() where client_id = 'again'",
  ],
] as const) {
  test(`a user who is ${when} sees the earlier ticks and duration, with new scopes marked`, async () => {
    const { browser, visit } = await register('again');
    await browser.submit(await visit(), 'id="allow"', { scope: 'user:name', duration: '30d' });
    if (ending) await database.query(ending);
    const more = await visit({ scope: 'user repo:read' });
    assert.deepEqual(formOf(more), { ticked: ['repo:read', 'user:name'], unticked: ['user:email'], duration: '30d' });
    assert.match(rowOf(more, 'repo:read'), /New/);
    assert.match(rowOf(more, 'user:name'), new RegExp(before));
    assert.equal(/<h1>Allow <bdi[^<]*<\/bdi> more access/.test(more.text), !ending);
    const manage =
      /If you deny, what you have already allowed stays allowed\. <a href="\/account\/applications\/again"/;
    assert.equal(manage.test(more.text), !ending);
    assert.doesNotMatch(rowOf(more, 'user:email'), /New|Already allowed|Allowed before/);
    assert.match(rowOf(more, 'user:email'), /Refused before/);
    assert.match(more.text.replaceAll(/<[^>]*>/g, ''), /The application asks for one more permission\./);
    const two = await visit({ scope: 'user repo' });
    assert.match(two.text.replaceAll(/<[^>]*>/g, ''), /The application asks for 2 more permissions\./);
    const same = await visit({ prompt: 'consent' });
    assert.doesNotMatch(same.text.replaceAll(/<[^>]*>/g, ''), /more permission/);
    await database.query("delete from grants where client_id = 'again'");
  });
}

test('write scopes are marked as such; a scope of the operator’s own follows its row or its name', async () => {
  const { visit } = await register('painter', { scopes: ['user', 'user:write', 'repo', 'door'] });
  const page = await visit({ scope: 'user user:write repo door' });
  for (const scope of ['user:write', 'repo:write', 'door:write', 'door:open'])
    assert.match(rowOf(page, scope), /Can make changes/);
  for (const scope of ['user:name', 'user:email', 'repo:read', 'door:see'])
    assert.doesNotMatch(rowOf(page, scope), /changes/);
});

test('the consent page says that a public client cannot be verified, and that a private-use scheme opens an app on this device', async () => {
  const { visit } = await register('pocket', { client_secret: null, redirect_uris: ['example.printer:/cb'] });
  const { text } = await visit({ redirect_uri: 'example.printer:/cb' });
  const words = text.replaceAll(/<[^>]*>/g, '');
  assert.match(words, /cannot verify that this is really Photo Printer/);
  assert.match(words, /you will return to the application on this device/);
  assert.ok(!words.includes('example.printer'));
  const confidential = (await (await register('proven')).visit()).text.replaceAll(/<[^>]*>/g, '');
  assert.doesNotMatch(confidential, /cannot verify/);
  assert.match(confidential, /you will return to printer\.example/);
});

test('the consent page shows the signed-in account first, quotes the application’s reasons verbatim, and makes no false promises', async () => {
  const { visit } = await register('courteous');
  await database.query(
    `update clients set scope_reasons = '{"user:email": "to send the receipt"}' where client_id = 'courteous'`,
  );
  const { text } = await visit();
  const words = text
    .replaceAll(/<(title|script)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');
  assert.ok(
    words.indexOf('alice Liddell') < words.indexOf('Allow Photo Printer to access'),
    'the account stands above',
  );
  assert.match(words, /The application says: “to send the receipt”/);
  assert.doesNotMatch(words, /Without this/);
  assert.match(words, /anything that you have not allowed/);
});

test('a consent form does not extend the duration of scopes that were not on it', async () => {
  const browser = await signedInBrowser(origin);
  await registerPrinter(database, { client_id: 'patient' });
  const client_id = 'patient';
  await obtainCode(browser, { client_id, scope: 'repo:read' }, { duration: '30d' });
  await obtainCode(browser, { client_id, scope: 'user:name' }, { duration: 'always' });
  const { rows } = await database.query("select duration, expires_at from grants where client_id = 'patient'");
  assert.equal(rows[0].duration, '30d');
  assert.ok(rows[0].expires_at instanceof Date);
  await obtainCode(browser, { client_id, scope: 'user:name repo:read', prompt: 'consent' }, { duration: 'always' });
  const { rows: later } = await database.query("select duration, expires_at from grants where client_id = 'patient'");
  assert.deepEqual([later[0].duration, later[0].expires_at], ['always', null]);
});
