import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabase } from '../support/database.ts';
import { authorizationQuery, codeIn, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { findFreePort, seed, startServing, writeFile } from '../support/process.ts';

test('instances are replaced one after the other, and nobody has to sign in again [F13]', async () => {
  const port = String(await findFreePort());
  const environment = { DATABASE_URL: await createDatabase(), SEED_FILE: writeFile('two.sql', seed), PORT: port };
  const first = await startServing(environment);
  const { origin } = first;
  const browser = await signedInBrowser(origin);
  const consent = await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const { body } = await redeem(origin, await obtainCode(browser));
  const code = await obtainCode(browser);

  first.child.kill('SIGTERM');
  assert.equal(await first.exit, 0);
  const second = await startServing(environment);
  assert.equal(second.origin, origin);
  // the page of the first instance, the session, the code and the tokens are all good at the second
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
  assert.equal((await redeem(origin, code)).status, 200);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
  await second.kill();
});
