// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUser } from '../support/flow.ts';
import { printer, startWithPrinter } from '../support/latchkey.ts';
import { load } from './library.ts';
import { signInAndAllow } from './person.ts';

const { library: arctic, skip } = await load('arctic');
const { origin } = await startWithPrinter();

test('arctic signs in with PKCE, refreshes and revokes', { skip }, async () => {
  const client = new arctic.OAuth2Client(printer.client_id, printer.client_secret, printer.redirect_uri);
  const verifier = arctic.generateCodeVerifier();
  const { S256 } = arctic.CodeChallengeMethod;
  const state = arctic.generateState();
  const link = client.createAuthorizationURLWithPKCE(`${origin}/authorize`, state, S256, verifier, ['user']);
  const code = (await signInAndAllow(link)).searchParams.get('code');

  const tokens = await client.validateAuthorizationCode(`${origin}/token`, code, verifier);
  assert.ok(tokens.accessTokenExpiresAt() > new Date());
  const refreshed = await client.refreshAccessToken(`${origin}/token`, tokens.refreshToken(), []);
  assert.deepEqual(refreshed.scopes(), ['user']);
  assert.equal((await getUser(origin, refreshed.accessToken())).body['username'], 'alice');
  await client.revokeToken(`${origin}/revoke`, refreshed.accessToken());
  assert.equal((await getUser(origin, refreshed.accessToken())).status, 401);
});
