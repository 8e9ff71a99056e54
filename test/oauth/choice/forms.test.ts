import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest } from '../../support/browser.ts';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, codeIn, redeem, signedInBrowser } from '../../support/flow.ts';
import { password } from '../../support/latchkey.ts';

// What a browser, or a hand that writes its requests, sends instead of what the form of a choice has.

const { origin, database, registerChoice } = await startWithOrganizations();
const scope = 'user:name org:read';
const boxes = { scope: ['user:name', 'org:read'] };
const browser = await signedInBrowser(origin);
const address = (changes = {}) => `/authorize?${authorizationQuery({ scope, prompt: 'consent', ...changes })}`;
const ask = (changes = {}) => browser.visit(address(changes));
const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));
const recorded = async () =>
  (await database.query('select choices from grants where revoked_at is null order by grant_id')).rows.map(
    ({ choices }) => choices,
  );

test('a value that the query does not give stores nothing and gives no code', async () => {
  await registerChoice({ may_be_all: false });
  await remembered();
  const wrong: Record<string, string[]> = {
    'of somebody else': ['14'],
    'with one of the person': ['12', '14'],
    'with a space': ['12 '],
    'of the other case': ['１２'],
    'too long': ['1'.repeat(256)],
    'very long': ['1'.repeat(20_000)],
    all: ['*'],
    'all and one': ['*', '12'],
    list: ['12,13'],
    json: ['["12"]'],
    quotes: [`12') or true --`],
    'more than can be chosen': Array.from({ length: 201 }, (_, index) => String(index)),
    'very many': Array.from({ length: 10_000 }, (_, index) => String(index)),
  };
  for (const [what, values] of Object.entries(wrong)) {
    const answer = await browser.submit(await ask(), 'id="allow"', { ...boxes, [chosen]: values });
    assert.ok(answer.status === 400 || answer.status === 413, `${what}: ${answer.status} ${answer.location}`);
  }
  for (const character of ['\0', '\u0001', '\u0085', '\u202e']) {
    const answer = await browser.submit(await ask(), 'id="allow"', { ...boxes, [chosen]: [`12${character}`] });
    assert.equal(answer.status, 400, JSON.stringify(character));
  }
  assert.deepEqual(await recorded(), []);
});

test('fields that are no field of the choice choose nothing', async () => {
  for (const name of ['choice.other', 'choice.__proto__', 'choice.organizations[]', 'choice.Organizations', 'choice']) {
    const answer = await browser.submit(await ask(), 'id="allow"', { ...boxes, [name]: '12' });
    const { body } = await redeem(origin, codeIn(answer));
    assert.deepEqual([body['scope'], body['authorization_details']], ['user:name', undefined], name);
  }
});

test('a value that is sent twice counts once', async () => {
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(await ask(), 'id="allow"', { ...boxes, [chosen]: ['12', '12'] })),
  );
  assert.deepEqual(body['authorization_details'], identifiers('12'));
});

const many = (values: string) => ({ query: `select value, label, hint from (${values}) v where $1 in ('1', '2')` });

test('a list with doubles has all of its pages, and each value once', async () => {
  await registerChoice(
    many(`select 'a' as value, 'A ' || n as label, null as hint from generate_series(1, 3) n
      union all select 'v' || n, 'V ' || n, null from generate_series(1, 120) n`),
  );
  await remembered();
  let page = await ask();
  const seen: string[] = [];
  for (let number = 1; number < 9; number += 1) {
    seen.push(
      ...[...page.text.matchAll(/name="choice\.organizations" value="([^"*]+)"/g)].map(([, value]) => String(value)),
    );
    if (!page.text.includes(`value="${number + 1}"`) || !page.text.includes('name="page.organizations"')) break;
    page = await browser.submit(page, `name="page.organizations" value="${number + 1}"`);
  }
  assert.equal(new Set(seen).size, 121);
  const only = many(
    `select 'a' as value, 'A' as label, null as hint from generate_series(1, 60) n union all select 'b', 'B', null`,
  );
  await registerChoice(only);
  await remembered();
  const first = await ask();
  assert.match(first.text, /name="page\.organizations" value="2"/);
});

test('pages that do not exist are the first page, or an empty page that leads back', async () => {
  await registerChoice(
    many(`select 'v' || n as value, 'V ' || n as label, null as hint from generate_series(1, 120) n`),
  );
  await remembered();
  const first = await ask();
  for (const number of ['-1', '0', 'x', '1e3', '1000000000', '٣', '1; drop']) {
    const page = await browser.submit(first, 'name="page.organizations"', { 'page.organizations': number });
    assert.equal(page.status, 200, number);
    assert.match(page.text, /value="v1"/, number);
  }
  const beyond = await browser.submit(first, 'name="page.organizations"', { 'page.organizations': '99999' });
  assert.equal(beyond.status, 200);
  const twice = await browser.submit(first, 'name="page.organizations"', { 'page.organizations': ['2', '3'] });
  assert.ok(twice.status < 500);
  for (const search of ['\0', 'x'.repeat(5000), '%', '_', "'", '\\', '😀'.repeat(60), `${'x'.repeat(99)}😀`]) {
    const page = await browser.submit(first, 'name="search"', { 'q.organizations': search });
    assert.ok(page.status < 500, `${JSON.stringify(search.slice(0, 10))} ${page.status}`);
  }
});

test('what was chosen on several pages is kept by pages, search, languages, mistakes and the end of the session', async () => {
  const onPage = (page: { text: string }) =>
    [...page.text.matchAll(/name="choice\.organizations" value="([^"]+)" checked/g)].map(([, value]) => value);
  const press = async (page: Awaited<ReturnType<typeof ask>>, button: string, values: string[], more = {}) =>
    browser.submit(page, button, { ...boxes, [chosen]: values, ...more });
  let page = await ask();
  page = await press(page, 'name="page.organizations" value="2"', ['v1']);
  page = await press(page, 'name="page.organizations" value="3"', ['v1', 'v60']);
  page = await press(page, 'name="search"', ['v1', 'v60', 'v119'], { 'q.organizations': 'V 77' });
  assert.deepEqual(onPage(page), ['v1', 'v60', 'v119']);
  const [, german = ''] = /formaction="([^"]*)" name="language" value="de"/.exec(page.text) ?? [];
  const more = { decision: undefined, language: 'de', [chosen]: ['v1', 'v60', 'v119', 'v77'] };
  page = await browser.visit(german.replaceAll('&amp;', '&'), formRequest(page, 'id="allow"', more)[1]);
  assert.match(page.text, /<html lang="de"/);
  assert.deepEqual(new Set(onPage(page)), new Set(['v1', 'v60', 'v119', 'v77']));
  // edited by hand: what is not in the list is neither shown nor kept
  page = await press(page, 'name="search"', ['v1', 'foreign', '*x', 'v121'], { 'q.organizations': '' });
  assert.deepEqual(onPage(page), ['v1']);
  page = await press(page, 'id="allow"', ['v1', 'v121']);
  assert.equal(page.status, 400);
  assert.deepEqual(onPage(page), ['v1']);
  await database.query('delete from sessions');
  const signIn = await press(page, 'id="allow"', ['v1', 'v60']);
  assert.equal(signIn.status, 401);
  const back = await browser.submit(signIn, 'id="login"', { username: 'alice', password });
  assert.deepEqual(new Set(onPage(back)), new Set(['v1', 'v60']));
  const { body } = await redeem(origin, codeIn(await browser.submit(back, 'id="allow"')));
  assert.deepEqual(body['authorization_details'], identifiers('v1', 'v60'));
  // the same form once more: Back
  const again = await browser.submit(back, 'id="allow"', { [chosen]: 'v2' });
  assert.equal(again.location?.includes('code=') ?? false, false, 'a form counts once');
  const [kept, ...others] = await recorded();
  assert.deepEqual([kept.organizations.sort(), others], [['v1', 'v60'], []]);
  await registerChoice();
  await remembered();
});

test('the form of another person, of another request and of another choice counts for nothing', async () => {
  const before = await recorded();
  const page = await ask();
  const [path, init] = formRequest(page, 'id="allow"', { ...boxes, [chosen]: '14' });
  const bob = await signedInBrowser(origin, 'bob');
  const foreign = await bob.open(path, init);
  assert.ok(!foreign.location?.includes('code='));
  // the page of a request for 12 alone, sent to the address of a request for whatever the person chooses, and the other way round
  const details = { authorization_details: JSON.stringify(identifiers('12')) };
  const bounded = await ask(details);
  const [boundPath] = formRequest(bounded, 'id="allow"');
  const [freePath] = formRequest(page, 'id="allow"');
  for (const [form, to] of [
    [bounded, freePath],
    [page, boundPath],
  ] as const) {
    const [, request] = formRequest(form, 'id="allow"', { ...boxes, [chosen]: '13' });
    const answer = await browser.open(to, request);
    assert.ok(!answer.location?.includes('code='), to);
  }
  await registerChoice({ sentence: 'Which of your companies?' });
  await remembered();
  const late = await browser.open(...formRequest(page, 'id="allow"', { ...boxes, [chosen]: '13' }));
  assert.ok(!late.location?.includes('code='));
  assert.deepEqual(await recorded(), before);
  assert.equal((await new Browser(origin).open(path, init)).status, 401);
  await registerChoice();
  await remembered();
});

test('names, hints and sentences cannot leave their places', async () => {
  const bad = `<img src=x onerror=alert(1)>"' \u202egnp.exe\u2066`;
  await registerChoice({
    ...many(
      `select n::text as value, '${bad.replaceAll("'", "''")}' || repeat('x', 100000) as label, repeat('y', 100000) || '<b>' as hint from generate_series(1, 2) n`,
    ),
  });
  await remembered();
  const page = await ask();
  assert.equal(page.status, 200);
  assert.doesNotMatch(page.text, /<img src=x|<b>/);
  assert.ok(page.text.length < 30_000, String(page.text.length));
  await registerChoice({
    query: `select '"><script>' as value, null as label, null as hint where $1 <> '' union all select 'a', '', ''`,
  });
  await remembered();
  const values = await ask();
  assert.doesNotMatch(values.text, /"><script>/);
  const { body } = await redeem(
    origin,
    codeIn(await browser.submit(values, 'id="allow"', { ...boxes, [chosen]: ['"><script>'] })),
  );
  assert.deepEqual(body['authorization_details'], identifiers('"><script>'));
  await registerChoice();
  await remembered();
});
