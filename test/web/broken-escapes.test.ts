import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { contentTypeOf, routesOf } from '../fuzz/routes.ts';
import { basic, signedInBrowser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';

const { origin, deps, database, logged } = await startWithPrinter({ REGISTRATION_ENDPOINT: 'open' });
await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
const alice = await signedInBrowser(origin);
const addresses = routesOf(createApp(deps)).filter(({ path }) => path.includes('/:'));

/** The answer, without what it repeats of the path. */
async function ask(method: string, path: string) {
  const headers = { accept: 'text/html', authorization: path.startsWith('/register') ? 'Bearer lk_ra_x' : basic() };
  const { status, headers: answered, text } = await alice.open(path, { method, headers });
  const type = answered.get('content-type');
  const error = /"error":"\w+"|<code>\w+<\/code>/.exec(text)?.[0];
  return { status, type, error, text };
}

const withName = (path: string, name: string) => path.replace(/:\w+/g, name);

const requests = addresses.flatMap(({ path, methods }) =>
  methods.filter((method) => method !== 'options').map((method) => ({ method: method.toUpperCase(), path })),
);

for (const broken of ['%', '%zz', '%E0%A4%A', '%FF']) {
  test(`the path segment ${broken} is answered by each address as a name that does not exist [A14]`, async () => {
    for (const { method, path } of requests) {
      const { text: _, ...expected } = await ask(method, withName(path, 'unknown'));
      const { text, ...answer } = await ask(method, withName(path, broken));
      assert.deepEqual(answer, expected, `${method} ${path} ${text}`);
      if (answer.status >= 400) assert.match(String(answer.type), contentTypeOf(path), path);
    }
    assert.ok(!logged.some((line) => line.includes('"err"')));
  });
}

test('an escape that can be decoded still names the client, and the query beside a broken one is read', async () => {
  const escaped = `/developer/applications/${printer.client_id.replace('-', '%2D')}`;
  assert.notEqual(escaped, `/developer/applications/${printer.client_id}`);
  assert.equal((await ask('GET', escaped)).status, 200);
  const { status, text } = await ask('GET', '/errors/%zz?ui_locales=de');
  assert.equal(status, 404);
  assert.match(text, /<html lang="de"/);
});
