import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Page } from '../../support/browser.ts';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, basic, codeIn, redeem, signedInBrowser } from '../../support/flow.ts';
import { registerPrinter } from '../../support/latchkey.ts';

// Applications of the operator that ask nobody for permissions: their page asks for the choice only.

const { origin, database, registerChoice } = await startWithOrganizations();
const client_id = 'portal';
const scopes = ['user:name', 'user:email', 'org:read'];
const register = (changes = {}) =>
  registerPrinter(database, { client_id, scopes, consent: 'none', ...changes } as Parameters<
    typeof registerPrinter
  >[1]);
const browser = await signedInBrowser(origin);
const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));
const ask = (changes = {}) =>
  browser.visit(`/authorize?${authorizationQuery({ client_id, scope: scopes.join(' '), ...changes })}`);
const tokensOf = async (page: Page) =>
  (await redeem(origin, codeIn(page), {}, { authorization: basic(client_id) })).body;
const isChoiceOnly = ({ text }: Page) => {
  assert.ok(text.includes('id="allow"'), 'a page was expected');
  return !/name="scope"/.test(text);
};

beforeEach(async () => {
  await database.query('delete from clients where client_id = $1', [client_id]);
  await register();
});

test('the page lists no permission but asks for the choice, and all is granted', async () => {
  const page = await ask();
  assert.equal(isChoiceOnly(page), true);
  assert.doesNotMatch(page.text, /name="duration"/);
  const body = await tokensOf(await browser.submit(page, 'id="allow"', { [chosen]: '12' }));
  assert.deepEqual([body['scope'], body['authorization_details']], [scopes.join(' '), identifiers('12')]);
  assert.ok((await ask()).location, 'the second time nobody is asked');
});

test('nothing chosen, Deny, and a form without its page', async () => {
  const body = await tokensOf(await browser.submit(await ask(), 'id="allow"', { [chosen]: undefined }));
  assert.equal(body['scope'], 'user');
  await database.query('delete from clients where client_id = $1', [client_id]);
  await register();
  const only = await browser.submit(await ask({ scope: 'org:read' }), 'id="allow"', { [chosen]: undefined });
  assert.match(only.location ?? '', /error=access_denied/);
  // after a refusal it is an application like any other
  assert.equal(isChoiceOnly(await ask()), false);
});

test('whoever has ended the access of the application is asked for everything', async () => {
  await tokensOf(await browser.submit(await ask(), 'id="allow"', { [chosen]: '12' }));
  const page = await browser.visit(`/account/applications/${client_id}`);
  await browser.submit(page, 'class="revoke danger"');
  assert.equal(isChoiceOnly(await ask()), false);
});

test('a permission that the person has taken back is not given by a page that does not name it', async () => {
  await tokensOf(await browser.submit(await ask(), 'id="allow"', { [chosen]: '12' }));
  const before = await ask({ prompt: undefined });
  assert.ok(before.location);
  await database.query(`delete from company.members where organization = 12 and person = '1'`);
  const open = await ask();
  assert.equal(isChoiceOnly(open), true);
  const account = await browser.visit(`/account/applications/${client_id}`);
  await browser.submit(account, 'class="primary"', { scope: ['user:name', 'org:read'] });
  const stale = await browser.submit(open, 'id="allow"', { [chosen]: '13' });
  if (stale.location) assert.doesNotMatch(String((await tokensOf(stale))['scope']), /user:email/);
  const page = await ask();
  if (page.location === undefined) {
    assert.equal(isChoiceOnly(page), false);
    assert.doesNotMatch(page.text, /value="user:email" checked/);
  }
  await database.query(`insert into company.members values (12, '1')`);
});

test('a permission that is new is not given by a page that does not name it', async () => {
  await tokensOf(await ask({ scope: 'user:name' }));
  const page = await ask();
  assert.equal(isChoiceOnly(page), false);
});

test('boxes that the person has unticked stay unticked, also where the page would have no boxes by now', async () => {
  await tokensOf(await browser.submit(await ask(), 'id="allow"', { [chosen]: '12' }));
  const change = async (scope: string[]) =>
    browser.submit(await browser.visit(`/account/applications/${client_id}`), 'class="primary"', { scope });
  await change(['user:name', 'org:read']);
  await database.query(`delete from company.members where organization = 12 and person = '1'`);
  const page = await ask();
  assert.equal(isChoiceOnly(page), false);
  await change(['user:name', 'user:email', 'org:read']);
  const allowed = await browser.submit(page, 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: '13' });
  assert.equal((await tokensOf(allowed))['scope'], 'user:name org:read');
  await database.query(`insert into company.members values (12, '1')`);
});

test('a client that asks again while the page is open is asked for everything', async () => {
  const page = await ask();
  await database.query('update clients set consent = null where client_id = $1', [client_id]);
  const answer = await browser.submit(page, 'id="allow"', { [chosen]: '12' });
  assert.equal(answer.location, undefined);
  assert.equal(isChoiceOnly(answer), false);
});

test('one value is said, none is said, several are boxes or rings, and identifiers bound them', async () => {
  const details = { authorization_details: JSON.stringify(identifiers('12', '14')) };
  const one = await ask(details);
  assert.equal(isChoiceOnly(one), true);
  assert.match(one.text, /Acme/);
  const none = await ask({ authorization_details: JSON.stringify(identifiers('14')) });
  assert.match(none.text, /nothing here that/);
  const body = await tokensOf(await browser.submit(none, 'id="allow"', { [chosen]: undefined }));
  assert.equal(body['scope'], 'user');
  await registerChoice({ many: false, may_be_all: false });
  await remembered();
  await database.query('delete from clients where client_id = $1', [client_id]);
  await register();
  const { text } = await ask();
  assert.match(text, /type="radio" name="choice\.organizations" value="12"/);
  assert.match(text, /type="radio" name="choice\.organizations" value="" checked><bdi>None</);
  await registerChoice();
  await remembered();
});
