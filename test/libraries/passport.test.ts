// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import express from 'express';
import session from 'express-session';
import { getUser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { openApplication } from './application.ts';
import { load } from './library.ts';
import { signInTo } from './person.ts';

const { library: passport, skip } = await load('passport');
const { library: oauth2 } = await load('passport-oauth2');
const { library: github } = await load('passport-github2');
const { origin, database } = await startWithPrinter();
const credentials = { clientID: printer.client_id, clientSecret: printer.client_secret };
type Done = (error: unknown, user: unknown) => void;

/** Signs in with the strategy, and returns the user that it hands to the application. */
async function signInWith(createStrategy: (callbackURL: string) => unknown) {
  const application = await openApplication(database, '/callback');
  const authenticator = new passport.Passport();
  authenticator.use('latchkey', createStrategy(application.redirect_uri));
  const app = express();
  app.use(session({ secret: 'a secret of the application', resave: false, saveUninitialized: false }));
  app.get('/login', authenticator.authenticate('latchkey', { session: false }));
  app.get('/callback', authenticator.authenticate('latchkey', { session: false }), (req, res) => {
    res.json((req as { user?: unknown }).user);
  });
  application.answer(app);
  return JSON.parse((await signInTo(application.origin, '/login')).text);
}

test('passport-oauth2 signs in with PKCE and state', { skip }, async () => {
  const { accessToken, refreshToken } = await signInWith((callbackURL) => {
    const options = {
      ...credentials,
      authorizationURL: `${origin}/authorize`,
      tokenURL: `${origin}/token`,
      callbackURL,
      scope: ['user'],
      state: true,
      pkce: true,
    };
    return new oauth2.Strategy(options, (accessToken: string, refreshToken: string, _profile: unknown, done: Done) =>
      done(null, { accessToken, refreshToken }),
    );
  });
  assert.match(refreshToken, /^lk_rt_/);
  assert.equal((await getUser(origin, accessToken)).body['username'], 'alice');
});

test('passport-github2 signs in at the GitHub-compatible addresses, with username and e-mail address', {
  skip,
}, async () => {
  const profile = await signInWith((callbackURL) => {
    const options = {
      ...credentials,
      authorizationURL: `${origin}/login/oauth/authorize`,
      tokenURL: `${origin}/login/oauth/access_token`,
      userProfileURL: `${origin}/api/v3/user`,
      userEmailURL: `${origin}/api/v3/user/emails`,
      callbackURL,
      scope: ['user:email'],
    };
    return new github.Strategy(options, (_access: string, _refresh: string, user: unknown, done: Done) =>
      done(null, user),
    );
  });
  assert.equal(profile.username, 'alice');
  assert.deepEqual(profile.emails, [{ value: 'alice@example.com' }]);
});
