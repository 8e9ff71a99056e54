// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { getUser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { listenerOf, openApplication } from './application.ts';
import { load } from './library.ts';
import { signInAndAllow } from './person.ts';

const { library, skip } = await load('better-auth');
const { library: plugins } = await load('better-auth/plugins/generic-oauth');
const { library: adapters } = await load('better-auth/adapters/memory');
const { origin, database } = await startWithPrinter();

test('better-auth finds the endpoints, signs in and refreshes', { skip }, async () => {
  const application = await openApplication(database, '/api/auth/callback/latchkey');
  const latchkey = {
    providerId: 'latchkey',
    discoveryUrl: `${origin}/.well-known/oauth-authorization-server`,
    clientId: printer.client_id,
    clientSecret: printer.client_secret,
    scopes: ['user'],
  };
  const auth = library.betterAuth({
    baseURL: application.origin,
    secret: 'a secret of the application that is long enough',
    database: adapters.memoryAdapter({ user: [], session: [], account: [], verification: [] }),
    plugins: [plugins.genericOAuth({ config: [latchkey] })],
  });
  application.answer(listenerOf(auth.handler));
  const browser = new Browser(application.origin);
  const headers = { 'content-type': 'application/json', origin: application.origin };
  const send = async (path: string, body: object) =>
    JSON.parse((await browser.open(path, { method: 'POST', headers, body: JSON.stringify(body) })).text);

  const { url } = await send('/api/auth/sign-in/social', { provider: 'latchkey', callbackURL: '/' });
  const callback = await signInAndAllow(url);
  await browser.open(callback.pathname + callback.search);
  const { user } = JSON.parse((await browser.visit('/api/auth/get-session')).text);
  assert.equal(user.email, 'alice@example.com');
  const [account] = JSON.parse((await browser.visit('/api/auth/list-accounts')).text);
  const { accessToken } = await send('/api/auth/refresh-token', { accountId: account.id });
  assert.equal((await getUser(origin, accessToken)).body['username'], 'alice');
});
