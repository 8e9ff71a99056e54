// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUser, randomState } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { load } from './library.ts';
import { signInAndAllow } from './person.ts';

const { library, skip } = await load('simple-oauth2');
const { origin } = await startWithPrinter();

test('simple-oauth2 exchanges the code, refreshes, and revokes both tokens', { skip }, async () => {
  const client = new library.AuthorizationCode({
    client: { id: printer.client_id, secret: printer.client_secret },
    auth: { tokenHost: origin, authorizePath: '/authorize', tokenPath: '/token', revokePath: '/revoke' },
  });
  const { redirect_uri } = printer;
  const link = client.authorizeURL({ redirect_uri, scope: 'user', state: randomState() });
  const code = (await signInAndAllow(link)).searchParams.get('code');

  const first = await client.getToken({ code, redirect_uri, scope: 'user' });
  assert.equal(first.expired(), false);
  const second = await first.refresh();
  assert.equal((await getUser(origin, second.token.access_token)).body['username'], 'alice');

  await second.revokeAll();
  assert.equal((await getUser(origin, second.token.access_token)).status, 401);
  await assert.rejects(second.refresh(), /Bad Request/);
});
