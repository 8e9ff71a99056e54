import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, codeIn, redeem, signedInBrowser } from '../../support/flow.ts';

// Many organizations, of which 50 are on a page, without scripts.

const { origin, database } = await startWithOrganizations();
await database.query(`
  insert into company.organizations select n, 'Number ' || to_char(n, 'FM0000'), null from generate_series(1001, 1600) n;
  insert into company.members select n, '1' from generate_series(1001, 1600) n`);
const browser = await signedInBrowser(origin);
const scope = 'user:name org:read';
const ask = () => browser.visit(`/authorize?${authorizationQuery({ scope, prompt: 'consent' })}`);
const detailsOf = (body: Record<string, unknown>) => body['authorization_details'] as unknown[];
const valuesOf = (text: string, more = '') =>
  [...text.matchAll(/name="choice\.organizations" value="([^"]*)"( checked)?/g)]
    .filter(([, , checked]) => more === '' || checked === more)
    .map(([, value]) => value);

test('a list has 50 on a page and a search, and what is ticked goes with the person from page to page', async () => {
  const first = await ask();
  assert.equal(valuesOf(first.text).length, 51);
  assert.match(first.text, /Your selection is kept while you search or turn pages\.[\s\S]*Entries 1–50</);
  const second = await browser.submit(first, 'name="page.organizations" value="2"', { [chosen]: '12' });
  assert.deepEqual(valuesOf(second.text, ' checked'), ['12']);
  assert.equal(valuesOf(second.text).length, 52);
  assert.match(
    second.text,
    /value="12" checked><bdi>Acme<\/bdi><bdi class="tag">free · Already selected<[\s\S]*Entries 51–100</,
  );
  const found = await browser.submit(second, 'name="search"', {
    [chosen]: ['12', '1055'],
    'q.organizations': 'number 1599',
  });
  assert.deepEqual(valuesOf(found.text).sort(), ['*', '1055', '12', '1599']);
  assert.deepEqual(valuesOf(found.text, ' checked').sort(), ['1055', '12']);
  // the button of another language stands outside of the form
  const again = await browser.submit(found, 'id="allow"', {
    decision: undefined,
    language: 'de',
    [chosen]: ['12', '1599'],
  });
  assert.deepEqual(valuesOf(again.text, ' checked').sort(), ['12', '1599']);
  const { body } = await redeem(origin, codeIn(await browser.submit(again, 'id="allow"')));
  assert.deepEqual(body['authorization_details'], identifiers('12', '1599'));
});

test('a search ignores case, and finds nothing in a sentence', async () => {
  const nothing = await browser.submit(await ask(), 'name="search"', { 'q.organizations': '<b>' });
  assert.match(nothing.text, /No entry contains this text/);
  assert.match(nothing.text, /name="q\.organizations" value="&lt;b&gt;"/);
});

test('a page that does not exist is the first, and one behind the end is empty', async () => {
  for (const page of ['0', '-1', 'x', '1e9', '']) {
    const shown = await browser.submit(await ask(), 'name="page.organizations" value="2"', {
      'page.organizations': page || 'y',
    });
    assert.match(shown.text, /Acme/, page);
  }
  const behind = await browser.submit(await ask(), 'name="page.organizations" value="2"', {
    'page.organizations': '999',
  });
  assert.equal(behind.status, 200);
  assert.doesNotMatch(behind.text, /nothing here that/);
});

test('more than 200 are refused', async () => {
  const many = Array.from({ length: 201 }, (_, at) => String(1001 + at));
  const refused = await browser.submit(await ask(), 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: many });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /More than 200/);
  const answer = await browser.submit(await ask(), 'id="allow"', {
    scope: ['user:name', 'org:read'],
    [chosen]: many.slice(1),
  });
  assert.equal(detailsOf((await redeem(origin, codeIn(answer))).body).length, 200);
});

test('a value of page 100 stays, whatever comes before it', async () => {
  await database.query(`insert into company.organizations select n, 'A' || n, null from generate_series(7001, 7300) n;
    insert into company.members select n, '1' from generate_series(7001, 7300) n`);
  const { body } = await redeem(origin, codeIn(await browser.visit(`/authorize?${authorizationQuery({ scope })}`)));
  assert.equal(detailsOf(body).length, 200);
});

test('when the session ends, what was chosen comes back after the sign-in', async () => {
  const page = await ask();
  browser.forgetCookies();
  const ended = await browser.submit(page, 'id="allow"', {
    scope: ['user:name', 'org:read'],
    [chosen]: ['12', '1599'],
  });
  const again = await browser.submit(ended, 'id="login"', { username: 'alice', password: 'wonderland' });
  assert.deepEqual(valuesOf(again.text, ' checked').sort(), ['12', '1599']);
});
