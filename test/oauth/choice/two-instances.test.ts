import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest } from '../../support/browser.ts';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, codeIn, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { password, startLatchkey } from '../../support/latchkey.ts';

// Choices in two tabs, at two instances, and while what a person has is changing.

const { origin, database, logged, url } = await startWithOrganizations();
const two = await startLatchkey({ ISSUER: origin }, url);
const boxes = ['user:name', 'org:read'];
const address = (changes = {}) => `/authorize?${authorizationQuery({ scope: boxes.join(' '), ...changes })}`;
const account = '/account/applications/photo-printer';
const here = await signedInBrowser(origin);
const there = await signedInBrowser(two.origin);
const ask = (browser = here) => browser.visit(address({ prompt: 'consent' }));
type Page = Awaited<ReturnType<typeof ask>>;
const press = (page: Page, values: string | string[], browser = here) =>
  browser.submit(page, 'id="allow"', { scope: boxes, [chosen]: values });
const allow = async (values: string | string[] = ['12', '13']) => codeIn(await press(await ask(), values));
const introspect = async (token: unknown) => (await post(`${two.origin}/introspect`, { token: String(token) })).body;
const recorded = async () => {
  const { rows } = await database.query(
    'select user_id, choices from grants where revoked_at is null order by user_id',
  );
  return rows.map(({ user_id, choices }) => [user_id, choices?.organizations]);
};
const take = () => database.query('delete from company.members where organization = 12');
const giveBack = () => database.query(`insert into company.members values (12, '1') on conflict do nothing`);

test('what a person loses between page, form, exchange and refresh is in no token, and does not come back by itself [A582]', async () => {
  const page = await ask();
  await take();
  const refused = await press(page, ['12', '13']);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /any more/);
  assert.deepEqual(await recorded(), []);
  await giveBack();
  const code = await allow();
  await take();
  const exchanged = (await redeem(two.origin, code)).body;
  assert.deepEqual(exchanged['authorization_details'], identifiers('13'));
  await giveBack();
  const again = (await refresh(origin, exchanged['refresh_token'])).body;
  const { body } = await redeem(origin, await allow());
  await take();
  const refreshed = (await refresh(two.origin, body['refresh_token'])).body;
  await giveBack();
  const later = (await refresh(origin, refreshed['refresh_token'])).body;
  for (const tokens of [again, refreshed, later]) {
    assert.deepEqual(tokens['authorization_details'], identifiers('13'));
    assert.deepEqual((await introspect(tokens['access_token']))['authorization_details'], identifiers('13'));
  }
  assert.deepEqual((await introspect(body['access_token']))['authorization_details'], identifiers('13'));
  assert.deepEqual(await recorded(), [[1, ['13']]]);
});

test('what a person loses during refreshes is in none that begins afterwards [A582]', async () => {
  for (let round = 0; round < 5; round += 1) {
    await giveBack();
    const { body } = await redeem(origin, await allow());
    const origins = [origin, two.origin, origin, two.origin];
    const [, ...during] = await Promise.all([take(), ...origins.map((at) => refresh(at, body['refresh_token']))]);
    const [answered = { body }] = during.filter(({ status }) => status === 200);
    const next = (await refresh(origin, answered.body['refresh_token'])).body;
    assert.deepEqual(next['authorization_details'], identifiers('13'));
    assert.deepEqual((await introspect(next['access_token']))['authorization_details'], identifiers('13'));
    await giveBack();
    const last = (await refresh(two.origin, next['refresh_token'])).body;
    assert.deepEqual(last['authorization_details'], identifiers('13'));
  }
});

test('an application that guesses what a person has is told nothing, and nothing of it is kept [A586]', async () => {
  const { body } = await redeem(origin, await allow('12'));
  // another one of alice, one of bob, and one that nobody has
  const answers = ['13', '14', '424242'].map(async (guess) => {
    const details = { authorization_details: JSON.stringify(identifiers(guess)) };
    const silent = await here.open(address({ ...details, prompt: 'none' }));
    const { status, body: refused } = await refresh(two.origin, body['refresh_token'], details);
    const { request_id, ...told } = refused;
    return JSON.stringify([silent.status, silent.location, [...silent.headers.keys()].sort(), status, told]);
  });
  const [first, ...others] = await Promise.all(answers);
  assert.match(String(first), /error=consent_required/);
  assert.match(String(first), /invalid_authorization_details/);
  for (const other of others) assert.equal(other, first);
  const pages = ['14', '99'].map(async (guess) => {
    const page = await here.visit(
      address({ prompt: 'consent', authorization_details: JSON.stringify(identifiers(guess)) }),
    );
    return [page.status, page.text.length, /nothing here that/.test(page.text)];
  });
  const [one, other] = await Promise.all(pages);
  assert.deepEqual(one, other);
  assert.deepEqual(await recorded(), [[1, ['12']]]);
  assert.ok(!logged.concat(two.logged).some((line) => line.includes('424242')));
});

test('of two tabs with other ticks the last press counts, and no code holds more than its page [A589]', async () => {
  const [older, newer] = [await ask(), await ask(there)];
  const second = (await redeem(origin, codeIn(await press(newer, '13', there)))).body;
  const first = (await redeem(two.origin, codeIn(await press(older, '12')))).body;
  assert.deepEqual(second['authorization_details'], identifiers('13'));
  assert.deepEqual(first['authorization_details'], identifiers('12'));
  assert.deepEqual(await recorded(), [[1, ['12']]]);
  for (const tokens of [
    await introspect(second['access_token']),
    (await refresh(origin, second['refresh_token'])).body,
  ]) {
    assert.deepEqual([tokens['scope'], tokens['authorization_details']], ['user:name', undefined]);
  }
});

test('a form that is sent twice at one moment gives one code [A589]', async () => {
  const [path, init] = formRequest(await ask(), 'id="allow"', { scope: boxes, [chosen]: ['12', '13'] });
  const twin = new Browser(two.origin);
  for (const [name, value] of here.cookies()) twin.setCookie(name, value);
  const { pathname, search } = new URL(path);
  const pages = await Promise.all([here, twin].map((browser) => browser.open(pathname + search, init)));
  const codes = pages.filter(({ location }) => location?.includes('code='));
  assert.equal(codes.length, 1);
});

test('a page of alice counts for nothing when bob has signed in meanwhile [A589]', async () => {
  const browser = await signedInBrowser(origin);
  const page = await ask(browser);
  const before = await recorded();
  await browser.submit(await browser.visit('/account'), 'logout');
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'bob', password });
  for (const values of [['12'], ['14'], ['12', '14'], ['*']]) {
    const answer = await press(page, values, browser);
    assert.equal(answer.location, undefined);
    assert.doesNotMatch(answer.text, /Acme|Bakery|value="1[23]"/);
  }
  assert.deepEqual(await recorded(), before);
});

test('on the account page nobody changes what is not theirs, and nothing without the key of the form [A594]', async () => {
  await allow('12');
  const bob = await signedInBrowser(two.origin, 'bob');
  await press(await ask(bob), '14', bob);
  const page = await here.visit(account);
  const [to, init] = formRequest(page, 'id="save-choice"', { [chosen]: ['13'] });
  const path = new URL(to).pathname;
  const form = new URLSearchParams(String(init.body));
  const without = (...names: string[]) =>
    new URLSearchParams([...form].filter(([name]) => !names.includes(name))).toString();
  const before = await recorded();
  const elsewhere = { ...init.headers, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const sent: [string, number, Promise<Page>][] = [
    ['from another site', 403, here.open(path, { ...init, headers: elsewhere })],
    ['without key', 403, here.open(path, { ...init, body: without('csrf') })],
    ['without origin', 409, here.open(path, { ...init, body: without('made_from') })],
    ['by GET', 200, here.open(`${path}?${form}`)],
    ['by bob', 403, bob.open(path, init)],
    ['without session', 302, new Browser(origin).open(path, init)],
    ['of bob', 400, here.submit(page, 'id="save-choice"', { [chosen]: ['12', '14'] })],
    ['of nobody', 400, here.submit(page, 'id="save-choice"', { [chosen]: ['12', '99'] })],
  ];
  for (const [what, status, answer] of sent) assert.equal((await answer).status, status, what);
  assert.deepEqual(await recorded(), before);
  await database.query('update grants set revoked_at = now() where user_id = 1');
  assert.equal((await here.open(path, init)).status, 404);
});

test('a change on the account page beside an exchange, a refresh and a second change [A594]', async () => {
  const code = await allow();
  const { body } = await redeem(origin, await allow());
  const [mine, twin] = [await here.visit(account), await there.visit(account)];
  const events = async () =>
    (await database.query(`select from audit_events where event = 'consent_changed'`)).rowCount ?? 0;
  const before = await events();
  const [first, second, exchanged, refreshed] = await Promise.all([
    here.submit(mine, 'id="save-choice"', { [chosen]: '12' }),
    there.submit(twin, 'id="save-choice"', { [chosen]: '13' }),
    redeem(two.origin, code),
    refresh(two.origin, body['refresh_token']),
  ]);
  assert.deepEqual([first.status, second.status].sort(), [200, 409]);
  assert.equal(await events(), before + 1);
  const left = first.status === 200 ? '12' : '13';
  assert.deepEqual(await recorded(), [
    [1, [left]],
    [2, ['14']],
  ]);
  for (const tokens of [exchanged.body, refreshed.body]) {
    assert.deepEqual((await introspect(tokens['access_token']))['authorization_details'], identifiers(left));
    const next = (await refresh(origin, tokens['refresh_token'])).body;
    assert.deepEqual(next['authorization_details'], identifiers(left));
  }
});

test('who chooses nothing on the account page takes the permission away, and more counts for new tokens alone [A594]', async () => {
  const { body } = await redeem(origin, await allow('12'));
  const save = async (values?: string[]) =>
    here.submit(await here.visit(account), 'id="save-choice"', { [chosen]: values });
  await save();
  const nothing = await introspect(body['access_token']);
  assert.deepEqual([nothing['scope'], nothing['authorization_details']], ['user:name', undefined]);
  await save(['12', '13']);
  assert.deepEqual((await introspect(body['access_token']))['authorization_details'], identifiers('12'));
  const silent = await redeem(two.origin, codeIn(await here.visit(address())));
  assert.deepEqual(silent.body['authorization_details'], identifiers('12', '13'));
});
