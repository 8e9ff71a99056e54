import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../support/browser.ts';
import { basic, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPeople(database, ['bob', 'root']);
await database.query("update users set is_admin = true where username = 'root'");

const root = await signedInBrowser(origin, 'root');
const bob = await signedInBrowser(origin, 'bob');
const paths = ['/admin', '/admin/people'];

/** What differs between two answers of one page: the time and the number of the request. */
const bytes = ({ status, text, headers }: Page) => {
  const request_id = headers.get('x-request-id') ?? '';
  return [status, text.replaceAll(request_id, ''), headers.get('allow'), headers.get('content-type')];
};

test('for everybody but administrators each path below /admin is the 404 of an unknown path, whatever the method', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  const token = { authorization: `Bearer ${body['access_token']}` };
  const secret = { authorization: basic(printer.client_id, printer.client_secret) };
  for (const [browser, headers] of [
    [bob, {}],
    [new Browser(origin), {}],
    [new Browser(origin), token],
    [new Browser(origin), secret],
  ] as const) {
    for (const accept of ['text/html', 'application/json']) {
      for (const method of ['GET', 'POST', 'PUT', 'HEAD', 'OPTIONS', 'DELETE']) {
        const init = { method, headers: { accept, ...headers } };
        const unknown = bytes(await browser.open('/admin/nothing-here', init));
        assert.equal(unknown[0], 404);
        for (const path of paths) assert.deepEqual(bytes(await browser.open(path, init)), unknown, `${method} ${path}`);
      }
    }
  }
});

test('an administrator finds the pages in the menu of the account, and nobody else does', async () => {
  assert.match((await root.visit('/account')).text, /href="\/admin"/);
  assert.doesNotMatch((await bob.visit('/account')).text, /\/admin/);
  for (const path of paths) assert.equal((await root.visit(path)).status, 200);
});

test('an administrator whose sign-in is older than a quarter of an hour signs in again before anything is shown, and lands there', async () => {
  const browser = await signedInBrowser(origin, 'root');
  await database.query("update sessions set auth_time = now() - interval '16 minutes'");
  const asked = await browser.open('/admin/people?find=bob');
  assert.equal(asked.status, 302);
  assert.doesNotMatch(asked.text, /bob/);
  const login = await browser.visit('/admin/people?find=bob');
  assert.match(login.text, /id="login"/);
  const shown = await browser.submit(login, 'id="login"', { username: 'root', password });
  assert.equal(shown.url, `${origin}/admin/people?find=bob`);
  assert.equal(shown.status, 200);
});

test('an administrator who is none any more loses the pages at once', async () => {
  const browser = await signedInBrowser(origin, 'root');
  assert.equal((await browser.open('/admin/people')).status, 200);
  await database.query("update users set is_admin = false where username = 'root'");
  assert.equal((await browser.open('/admin/people')).status, 404);
  await database.query("update users set is_admin = true where username = 'root'");
});
