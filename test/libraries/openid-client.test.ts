// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerKey } from '../support/client-assertion.ts';
import { getUser } from '../support/flow.ts';
import { printer, registerPrinter, registerResource, startWithPrinter } from '../support/latchkey.ts';
import { load } from './library.ts';
import { prepare } from './openid-client.ts';
import { signInAndAllow, signInAndPost } from './person.ts';

const { library: client, skip } = await load('openid-client');
const { origin, database } = await startWithPrinter({ REGISTRATION_ENDPOINT: 'open' });

const options = () => ({ algorithm: 'oauth2', execute: [client.allowInsecureRequests] });
const discover = (client_id = printer.client_id) =>
  client.discovery(new URL(origin), client_id, printer.client_secret, undefined, options());

test('openid-client finds the endpoints, exchanges the code, reads the profile, refreshes and revokes', {
  skip,
}, async () => {
  const config = await discover();
  const { parameters, checks } = await prepare();
  const callback = await signInAndAllow(client.buildAuthorizationUrl(config, parameters));
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  const profile = await client.fetchProtectedResource(config, tokens.access_token, new URL('/user', origin), 'GET');
  assert.equal((await profile.json()).username, 'alice');

  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token);
  assert.equal((await getUser(origin, refreshed.access_token)).status, 200);
  assert.equal((await client.tokenIntrospection(config, refreshed.access_token)).active, true);
  await client.tokenRevocation(config, refreshed.refresh_token);
  assert.equal((await getUser(origin, refreshed.access_token)).status, 401);
});

test('openid-client receives the code in a form', { skip }, async () => {
  const config = await discover();
  const { parameters, checks } = await prepare();
  const link = client.buildAuthorizationUrl(config, { ...parameters, response_mode: 'form_post', prompt: 'consent' });
  const tokens = await client.authorizationCodeGrant(config, await signInAndPost(link), checks);
  assert.equal((await getUser(origin, tokens.access_token)).status, 200);
});

test('openid-client signs and pushes its request, and verifies the signed answer', { skip }, async () => {
  const config = await discover();
  client.useJwtResponseMode(config);
  const { parameters, checks } = await prepare();
  const key = await registerKey(database, printer.client_id);
  const signed = await client.buildAuthorizationUrlWithJAR(config, { ...parameters, prompt: 'consent' }, key);
  const link = await client.buildAuthorizationUrlWithPAR(config, signed.searchParams);
  const callback = await signInAndAllow(link);
  assert.deepEqual([...callback.searchParams.keys()], ['response']);
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  assert.equal((await getUser(origin, tokens.access_token)).status, 200);
});

test('openid-client requests tokens for an API, which asks about them; no other server accepts them', {
  skip,
}, async () => {
  const resource = 'https://api.example/';
  await registerPrinter(database, { client_id: 'the-api' });
  await registerResource(database, resource, ['repo'], 'the-api');
  const config = await discover();
  const { parameters, checks } = await prepare();
  const link = client.buildAuthorizationUrl(config, { ...parameters, scope: 'repo:read', resource });
  const callback = await signInAndAllow(link);
  const tokens = await client.authorizationCodeGrant(config, callback, checks, { resource });
  const { access_token } = await client.refreshTokenGrant(config, tokens.refresh_token, { resource });

  const { active, aud, scope } = await client.tokenIntrospection(await discover('the-api'), access_token);
  assert.deepEqual({ active, aud, scope }, { active: true, aud: resource, scope: 'repo:read' });
  assert.equal((await getUser(origin, access_token)).status, 401);
});

test('openid-client registers itself, and signs in with what it got', { skip }, async () => {
  const metadata = { redirect_uris: [printer.redirect_uri], scope: 'user' };
  const config = await client.dynamicClientRegistration(new URL(origin), metadata, undefined, options());
  const { parameters, checks } = await prepare();
  const callback = await signInAndAllow(client.buildAuthorizationUrl(config, parameters));
  const tokens = await client.authorizationCodeGrant(config, callback, checks);
  assert.equal((await getUser(origin, tokens.access_token)).body['username'], 'alice');
});
