import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { basic, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { password } from '../../support/latchkey.ts';

const { origin, database, registerChoice } = await startWithOrganizations();
const browser = await signedInBrowser(origin);
const path = '/account/applications/photo-printer';
const save = 'id="save-choice"';
const scope = 'user:name org:read';

/** Gives the photo printer these permissions and organizations, and redeems its code. */
async function allow(organizations: string | string[], ticked = scope.split(' ')) {
  await database.query('delete from grants');
  const code = await obtainCode(browser, { scope, prompt: 'consent' }, { scope: ticked, [chosen]: organizations });
  return (await redeem(origin, code)).body;
}

const granted = async () => (await database.query('select scopes, refused_scopes, choices from grants')).rows[0];
const events = async (): Promise<string[]> =>
  (
    await database.query("select detail from audit_events where event = 'consent_changed' order by happened_at")
  ).rows.map(({ detail }) => detail);
const introspect = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic() })).body;

test('one press saves permissions and choices, with one event that names both', async () => {
  const { access_token } = await allow(['12', '13']);
  const before = (await events()).length;
  const page = await browser.submit(await browser.visit(path), save, { scope: 'org:read', [chosen]: '13' });
  assert.match(page.text, /Permissions saved/);
  assert.deepEqual(await granted(), {
    scopes: ['org:read'],
    refused_scopes: ['user:name'],
    choices: { organizations: ['13'] },
  });
  assert.deepEqual((await events()).slice(before), ['org:read #organizations']);
  const { scope, authorization_details } = await introspect(access_token);
  assert.deepEqual([scope, authorization_details], ['org:read', identifiers('13')]);
});

test('the choice stands below its permission, also below one that was refused, which can be given with it', async () => {
  await allow('12', ['user:name']);
  const page = await browser.visit(path);
  assert.match(page.text, /value="org:read"(?! checked)[\s\S]*Which organizations may[\s\S]*value="12"[\s\S]*<\/li>/);
  await browser.submit(page, save, { scope: scope.split(' '), [chosen]: '12' });
  const { body } = await redeem(origin, await obtainCode(browser, { scope }));
  assert.deepEqual([body['scope'], body['authorization_details']], [scope, identifiers('12')]);
});

test('a page that is saved unchanged changes nothing: neither the order, nor all, nor a single value', async () => {
  const saveUnchanged = async () => browser.submit(await browser.visit(path), save);
  const first = (await events()).length;
  for (const values of [['13', '12'], '*', '12']) {
    await allow(values);
    const before = await granted();
    await saveUnchanged();
    assert.deepEqual(await granted(), before);
  }
  await database.query('delete from company.members where organization = 12');
  await saveUnchanged();
  const { choices } = await granted();
  assert.deepEqual(choices, { organizations: [] }, 'what the person lost is taken out');
  assert.deepEqual((await events()).slice(first), ['user:name org:read #organizations']);
  await saveUnchanged();
  assert.deepEqual((await granted()).choices, choices, 'and the only organization that is left is not given');
  await database.query("insert into company.members values (12, '1')");
});

test('a choice of which the page had nothing to show is left alone', async () => {
  await allow('12');
  const older = await browser.visit(path);
  await database.query("update company.members set person = 'x' || person where person = '1'");
  assert.match((await browser.visit(path)).text, /nothing here that/);
  await browser.submit(await browser.visit(path), save);
  assert.deepEqual((await granted()).scopes, scope.split(' '), 'the permission has a box that is sent');
  await database.query("update company.members set person = '1' where person = 'x1'");
  await registerChoice({ name: 'other', scopes: ['user:name'], query: "select $1 as value, 'Seven' as label" });
  await browser.submit(older, save, { scope: 'org:read', [chosen]: '12' });
  assert.deepEqual((await granted()).choices, { organizations: ['12'] });
  await database.query("delete from choices where name = 'other'");
});

test('a form that outlives its session is shown again with its permissions and choices', async () => {
  await allow('12');
  const page = await browser.visit(path);
  await database.query('delete from sessions');
  const led = await browser.submit(page, save, { scope: 'org:read', [chosen]: '13' });
  const again = await browser.submit(led, 'id="login"', { username: 'alice', password });
  assert.match(again.text, /id="restored"/);
  await browser.submit(again, save);
  assert.deepEqual(await granted(), {
    scopes: ['org:read'],
    refused_scopes: ['user:name'],
    choices: { organizations: ['13'] },
  });
});

test('what was changed meanwhile is shown, and what the person left alone is as it is now', async () => {
  await allow('12');
  const page = await browser.visit(path);
  await browser.submit(await browser.visit(path), save, { [chosen]: '13' });
  const asked = await browser.submit(page, save, { scope: 'org:read' });
  assert.equal(asked.status, 409);
  assert.match(asked.text, /<dt><strong>Which organizations may Photo Printer see\?<\/strong>/);
  await browser.submit(asked, save);
  assert.deepEqual(await granted(), {
    scopes: ['org:read'],
    refused_scopes: ['user:name'],
    choices: { organizations: ['13'] },
  });
});

test('a list that is searched keeps what is ticked above and below it', async () => {
  await allow('12');
  await database.query(`
    insert into company.organizations select 100 + number, 'Guild ' || number from generate_series(1, 30) number;
    insert into company.members select 100 + number, '1' from generate_series(1, 30) number`);
  const page = await browser.visit(path);
  const found = await browser.submit(page, 'name="search"', { scope: 'org:read', 'q.organizations': 'Guild 7' });
  assert.match(found.text, /value="107"/);
  assert.equal((await granted()).scopes.length, 2, 'a search saves nothing');
  await browser.submit(found, save, { [chosen]: ['12', '107'] });
  assert.deepEqual(await granted(), {
    scopes: ['org:read'],
    refused_scopes: ['user:name'],
    choices: { organizations: ['12', '107'] },
  });
});

test('an older page does not bring back what a refresh has taken out of the grant', async () => {
  const { refresh_token } = await allow(['12', '13']);
  const older = await browser.visit(path);
  await database.query('delete from company.members where organization = 12');
  await refresh(origin, refresh_token);
  await database.query("insert into company.members values (12, '1')");
  const asked = await browser.submit(older, save, { scope: 'org:read' });
  assert.equal(asked.status, 409);
  await browser.submit(asked, save);
  assert.deepEqual((await granted()).choices, { organizations: ['13'] });
});

test('a choice that another page has given meanwhile stays, though nothing was recorded when the page was made', async () => {
  await allow([], ['user:name']);
  const older = await browser.visit(path);
  await browser.submit(await browser.visit(path), save, { scope: scope.split(' '), [chosen]: '12' });
  const asked = await browser.submit(older, save, { scope: [] });
  assert.equal(asked.status, 409);
  await browser.submit(asked, save);
  assert.deepEqual(await granted(), {
    scopes: ['org:read'],
    refused_scopes: ['user:name'],
    choices: { organizations: ['12'] },
  });
});

test('a permission that a consent has given meanwhile stays', async () => {
  await allow('12');
  const older = await browser.visit(path);
  const scopes = [...scope.split(' '), 'user:email'];
  await obtainCode(browser, { scope: scopes.join(' ') }, { scope: scopes, [chosen]: '12' });
  const asked = await browser.submit(older, save, { scope: 'org:read' });
  assert.equal(asked.status, 409);
  await browser.submit(asked, save);
  assert.deepEqual((await granted()).scopes.sort(), ['org:read', 'user:email']);
});

test('a form that is shown again leaves alone a choice that its page did not show', async () => {
  await allow(['12', '13']);
  await database.query("update company.members set person = 'x' || person where person = '1'");
  const older = await browser.visit(path);
  await database.query("update company.members set person = '1' where person = 'x1'");
  const again = await browser.submit(older, save, { scope: 'org:read', csrf: 'x' });
  assert.equal(again.status, 403);
  assert.equal((await browser.submit(again, save)).status, 200);
  assert.deepEqual((await granted()).choices, { organizations: ['12', '13'] });
});

test('the event names a choice that was replaced in a grant for one time only', async () => {
  await allow('12');
  const scopes = scope.split(' ');
  await obtainCode(browser, { scope, prompt: 'consent' }, { scope: scopes, [chosen]: '13', duration: 'once' });
  await browser.submit(await browser.visit(path), save);
  assert.equal((await events()).at(-1), 'user:name org:read #organizations');
});
