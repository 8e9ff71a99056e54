import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPeople(database, ['root', 'bob', 'eve']);
await database.query("update users set is_admin = true where username in ('root', 'eve')");
const root = await signedInBrowser(origin, 'root');
const { rows } = await database.query("select user_id from users where username = 'bob'");
await database.query("select register_scope(name => 'hostile', sentence => 'Be hostile')");
const bob = `/admin/people/${rows[0].user_id}`;
const application = `/admin/applications/${printer.client_id}`;

const strange = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%E2%80%AE',
  '%27--',
  '%5C',
  '%25',
  '_',
  'x'.repeat(8000),
  '9'.repeat(30),
  '-1',
  '1e9',
  '%1B[2J',
];
const queries = [
  '/admin/people?find=',
  '/admin/applications?find=',
  '/admin/applications?after=',
  '/admin/grants?user=',
  '/admin/grants?client=',
  `/admin/grants?client=${printer.client_id}&after=`,
  '/admin/grants?user=bob&after=',
  ...['user', 'client', 'event', 'address', 'request', 'since', 'until', 'after', 'follow'].map(
    (name) => `/admin/events?${name}=`,
  ),
  `${application}?request_id=`,
  '/admin/charts?period=',
  '/admin/people/',
  '/admin/applications/',
  '/admin/scopes/',
  '/admin/scopes?after=',
  '/admin/resources/',
  '/admin/resources?after=',
];

test('no strange value in an address of these pages is an error of the server [A530] [A532]', async () => {
  for (const query of queries) {
    for (const value of strange) {
      const { status } = await root.open(query + value);
      assert.ok(status < 500, `${status} ${query}${value.slice(0, 20)}`);
    }
  }
});

test('no strange value in a form of these pages is an error of the server, or stored', async () => {
  const csrf = /name="csrf" value="([^"]+)"/.exec((await root.visit(bob)).text)?.[1] ?? '';
  const forms: [string, string, string[]][] = [
    [bob, 'change', ['name', 'email', 'vouched']],
    [bob, 'no_such_action', ['x']],
    [bob, 'constructor', ['x']],
    [application, 'pass_on', ['owner']],
    [application, 'add_secret', ['ticket']],
    [application, 'delete_secret', ['handle']],
    [application, '__proto__', ['x']],
    ['/admin/grants', 'x', ['token', 'key', 'user_id', 'client_id']],
    ['/admin/scopes', 'x', ['name', 'sentence', 'group_name', 'changes']],
    ['/admin/scopes/hostile', 'describe', ['sentence', 'sentence:de', 'made_from']],
    ['/admin/scopes/hostile', 'describe_group', ['sentence']],
    ['/admin/scopes/hostile', 'toString', ['x']],
    ['/admin/scopes/user:name', 'delete', ['made_from']],
    ['/admin/resources', 'x', ['resource', 'scopes', 'client_id', 'token_format']],
    ['/admin/events/export', 'x', ['format', 'user', 'client', 'since']],
  ];
  const before = (await database.query("select * from users where username = 'bob'")).rows;
  for (const [path, action, names] of forms) {
    for (const name of names) {
      // one that could be a name is one
      for (const value of strange.filter((value) => !/^[_x9-]|^1e9|%(27|5C|25|E2)/.test(value) || name !== 'name')) {
        const body = `csrf=${encodeURIComponent(csrf)}&action=${action}&${name}=${value}`;
        const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
        const { status } = await root.open(path, { method: 'POST', headers, body });
        assert.ok(status < 500, `${status} ${path} ${action} ${name}=${value.slice(0, 20)}`);
      }
    }
  }
  assert.deepEqual((await database.query("select * from users where username = 'bob'")).rows, before);
});

test('what people and browsers call themselves is text on the page of a person, and on one line', async () => {
  const hostile = '</code><script>alert(1)</script>"\'<!--';
  const browser = new Browser(origin, (address, init) => {
    const headers = { ...(init?.headers as Record<string, string>), 'user-agent': hostile };
    return fetch(address, { ...init, headers });
  });
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'bob', password });
  await database.query("update users set name = $1 where username = 'bob'", ['\u202egnp.<b>evil</b>']);
  const { text } = await root.visit(bob);
  assert.match(text, /&lt;script&gt;alert\(1\)/);
  assert.doesNotMatch(text, /<script>alert|<b>evil/);
  const found = await root.visit('/admin/people?find=bob');
  assert.doesNotMatch(found.text, /<b>evil/);
  await database.query("update users set name = null where username = 'bob'");
});

test('an administrator who was disabled or is none any more does nothing by a form that is still open, nor by a session of before', async () => {
  const eve = await signedInBrowser(origin, 'eve');
  const page = await eve.visit(bob);
  await database.query("update users set is_admin = false where username = 'eve'");
  assert.equal((await eve.submit(page, 'value="disable"')).status, 404);
  await database.query("update users set is_admin = true, disabled_at = now() where username = 'eve'");
  // the browser knows the pages, and is led to the sign-in
  assert.match((await eve.submit(page, 'value="disable"')).url, /\/login\?/);
  await database.query("update users set disabled_at = null where username = 'eve'");
  await eve.submit(await eve.visit('/login'), 'id="login"', { username: 'eve', password });
  const cookies = [...eve.cookies()];
  await eve.submit(await eve.visit('/account'), 'action="/logout"');
  const restored = new Browser(origin);
  for (const [name, value] of cookies) restored.setCookie(name, value);
  assert.match((await restored.open(bob)).location ?? '', /^\/login\?/);
  assert.match((await restored.submit(page, 'value="disable"')).url, /\/login\?/);
  const { rows } = await database.query("select disabled_at from users where username = 'bob'");
  assert.equal(rows[0].disabled_at, null);
});

test('an export in CSV runs no formula, whichever character a spreadsheet takes for the end of a cell [A533]', async () => {
  const details = ['x;=1+1;y', 'x\t=1+1', 'x\n=1+1', '\n=1+1', '＝1+1', 'a - b; c, -d'];
  for (const detail of details) {
    await database.query(
      "insert into audit_events (event, request_id, detail) values ('mail_given_up', 'formulas', $1)",
      [detail],
    );
  }
  const { text } = await root.submit(await root.visit('/admin/events?request=formulas'), 'value="csv"');
  for (const cell of ["x;'=1+1;y", "x\t'=1+1", "x\n'=1+1", "'\n'=1+1", "'＝1+1", 'a - b; c, -d']) {
    assert.ok(text.includes(`,"${cell}",`), JSON.stringify(cell));
  }
});
