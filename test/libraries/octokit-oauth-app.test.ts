// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { openApplication } from './application.ts';
import { load } from './library.ts';
import { signInAndAllow, signInTo } from './person.ts';

const { library, skip } = await load('@octokit/oauth-app');
const { library: core } = await load('@octokit/core');
const { origin, database } = await startWithPrinter();

interface Created {
  octokit: { request(route: string): Promise<{ data: { login: string } }> };
}

/** Created by each test, since the packages may be missing. */
const createApp = (settings: object) =>
  new library.OAuthApp({
    clientId: printer.client_id,
    clientSecret: printer.client_secret,
    Octokit: core.Octokit.defaults({ baseUrl: `${origin}/api/v3` }),
    ...settings,
  });

test('@octokit/oauth-app signs in through its middleware, reads the profile, checks and deletes the token', {
  skip,
}, async () => {
  const application = await openApplication(database, '/api/github/oauth/callback');
  const app = createApp({ defaultScopes: ['read:user', 'user:email'] });
  let login = '';
  app.on('token.created', async ({ octokit }: Created) => {
    login = (await octokit.request('GET /user')).data.login;
  });
  application.answer(library.createNodeMiddleware(app));

  const { text } = await signInTo(application.origin, '/api/github/oauth/login');
  assert.equal(login, 'alice');
  const [token = ''] = /lk_at_[\w-]+/.exec(text) ?? [];
  const { data } = await app.checkToken({ token });
  assert.equal(data.user.login, 'alice');
  await app.deleteToken({ token });
  assert.equal((await getUser(origin, token)).status, 401);
});

test('@octokit/oauth-app signs in as a GitHub App, refreshes, and takes back all that the person granted', {
  skip,
}, async () => {
  const app = createApp({ clientType: 'github-app' });
  const { url } = app.getWebFlowAuthorizationUrl({});
  const code = (await signInAndAllow(url)).searchParams.get('code');
  const first = (await app.createToken({ code })).authentication;
  assert.ok(Date.parse(first.refreshTokenExpiresAt) > Date.parse(first.expiresAt));

  const second = (await app.refreshToken({ refreshToken: first.refreshToken })).authentication;
  assert.equal((await getUser(origin, second.token)).body['username'], 'alice');
  await app.deleteAuthorization({ token: second.token });
  for (const { token } of [first, second]) assert.equal((await getUser(origin, token)).status, 401);
});
