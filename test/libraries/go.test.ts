// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { skip, startGo } from './go.ts';
import { signInAndAllow } from './person.ts';

const { origin } = await startWithPrinter();

for (const [title, paths, username] of [
  ['golang.org/x/oauth2', ['/authorize', '/token', '/user'], 'username'],
  [
    'golang.org/x/oauth2 with the GitHub-compatible endpoints',
    ['/login/oauth/authorize', '/login/oauth/access_token', '/api/v3/user'],
    'login',
  ],
] as const) {
  test(`${title} exchanges the code with PKCE, refreshes and reads the profile`, { skip }, async () => {
    const [AUTH_URL, TOKEN_URL, USER_URL] = paths.map((path) => origin + path) as [string, string, string];
    const program = startGo('authorization_code.go', {
      AUTH_URL,
      TOKEN_URL,
      USER_URL,
      CLIENT_ID: printer.client_id,
      CLIENT_SECRET: printer.client_secret,
      REDIRECT_URI: printer.redirect_uri,
      SCOPE: 'user',
    });
    const [link] = await program.said(/http\S+(?=\n)/);
    program.type((await signInAndAllow(link)).href);
    const [profile] = await program.said(/\{.*\}(?=\n)/);
    assert.equal(JSON.parse(profile)[username], 'alice');
  });
}
