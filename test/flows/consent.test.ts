import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);

/** A client of its own, so that no test meets the grants of another. */
async function register(client_id: string, changes: Parameters<typeof registerPrinter>[1] = {}) {
  await registerPrinter(database, { client_id, ...changes });
  const browser = await signedInBrowser(origin);
  const visit = (query: Record<string, string> = {}) =>
    browser.visit(`/authorize?${authorizationQuery({ client_id, ...query })}`);
  const exchange = async (code: string) => (await redeem(origin, code, {}, { authorization: basic(client_id) })).body;
  return { browser, visit, exchange };
}

test('what is unticked on a form for once is taken back from what was granted for ever', async () => {
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
