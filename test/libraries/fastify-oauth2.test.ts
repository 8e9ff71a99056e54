// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { openApplication } from './application.ts';
import { load } from './library.ts';
import { signInTo } from './person.ts';

const { library: fastify, skip } = await load('fastify');
const { library: oauth } = await load('@fastify/oauth2');
const { origin, database } = await startWithPrinter();

test('@fastify/oauth2 finds the endpoints, signs in with PKCE, refreshes and revokes', { skip }, async () => {
  const application = await openApplication(database, '/login/callback');
  const app = fastify.fastify();
  app.register(oauth.default, {
    name: 'latchkey',
    scope: ['user'],
    credentials: { client: { id: printer.client_id, secret: printer.client_secret } },
    discovery: { issuer: `${origin}/.well-known/oauth-authorization-server` },
    startRedirectPath: '/login',
    callbackUri: application.redirect_uri,
  });
  app.get('/login/callback', async (request: unknown) => {
    const { token } = await app.latchkey.getAccessTokenFromAuthorizationCodeFlow(request);
    const refreshed = (await app.latchkey.getNewAccessTokenUsingRefreshToken(token, {})).token;
    const profile = await app.latchkey.userinfo(refreshed);
    await app.latchkey.revokeAllToken(refreshed);
    return { profile, status: (await getUser(origin, refreshed.access_token)).status };
  });
  await app.ready();
  application.answer(app.routing);

  const { text } = await signInTo(application.origin, '/login');
  const { profile, status } = JSON.parse(text);
  assert.equal(profile.username, 'alice');
  assert.equal(status, 401);
});
