// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { listenerOf, openApplication } from './application.ts';
import { load } from './library.ts';
import { signInAndAllow } from './person.ts';

const { library: auth, skip } = await load('@auth/core');
const { library: github } = await load('@auth/core/providers/github');
const { origin, database } = await startWithPrinter();
const credentials = { clientId: printer.client_id, clientSecret: printer.client_secret };

/** Signs in with the provider, and returns the session that the application then has. */
async function signInWith(provider: { id: string; [setting: string]: unknown }) {
  const application = await openApplication(database, `/auth/callback/${provider.id}`);
  const config = { basePath: '/auth', trustHost: true, secret: 'a secret of the application', providers: [provider] };
  application.answer(listenerOf((request) => auth.Auth(request, config)));
  const browser = new Browser(application.origin);
  const { location = '' } = await browser.submit(await browser.visit('/auth/signin'), `/auth/signin/${provider.id}`);
  const callback = await signInAndAllow(location);
  await browser.open(callback.pathname + callback.search);
  return JSON.parse((await browser.visit('/auth/session')).text);
}

test('@auth/core signs in with a provider of its own configuration', { skip }, async () => {
  const { user } = await signInWith({
    id: 'latchkey',
    name: 'Latchkey',
    type: 'oauth',
    issuer: origin,
    authorization: `${origin}/authorize?scope=user`,
    token: `${origin}/token`,
    userinfo: `${origin}/user`,
    ...credentials,
  });
  assert.deepEqual(user, { name: 'alice Liddell', email: 'alice@example.com' });
});

test('@auth/core signs in with its provider for GitHub Enterprise', { skip }, async () => {
  const { user } = await signInWith(github.default({ ...credentials, enterprise: { baseUrl: origin } }));
  assert.deepEqual(user, { name: 'alice Liddell', email: 'alice@example.com' });
});
