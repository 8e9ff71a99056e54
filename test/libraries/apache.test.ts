// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, registerJwtResource, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { skip, startApache } from './apache.ts';
import { startTls } from './tls.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'api', resource_server: true });

/** The API behind Apache: it answers with the headers that it gets. */
const api = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, '127.0.0.1');
await once(api, 'listening');
after(() => api.close());
const proxy = `ProxyPass / http://127.0.0.1:${(api.address() as AddressInfo).port}/`;

async function tokenFor(scope: string, resource?: string): Promise<string> {
  const code = await obtainCode(await signedInBrowser(origin), { scope, resource });
  return String((await redeem(origin, code)).body['access_token']);
}

async function call(apache: string, token: string) {
  const response = await fetch(apache, { headers: { authorization: `Bearer ${token}` } });
  return { status: response.status, headers: response.status === 200 ? await response.json() : {} };
}

test('mod_oauth2 lets into an API those whose token introspection reports as active', { skip }, async () => {
  const client = `client_id=api&client_secret=${printer.client_secret}`;
  const apache = await startApache(`
    OAuth2TokenVerify introspect ${origin}/introspect introspect.auth=client_secret_basic&${client}&expiry=0
    ${proxy}
    <Location />
      AuthType oauth2
      Require valid-user
    </Location>`);
  const token = await tokenFor('user repo');
  const { status, headers } = await call(apache, token);
  assert.deepEqual([status, headers.oauth2_claim_sub, headers.oauth2_claim_scope], [200, '1', 'user repo']);
  await post(`${origin}/revoke`, { token });
  assert.equal((await call(apache, token)).status, 401, 'expiry=0: it asks each time');
});

test('mod_auth_openidc lets into an API those whose token has the scope', { skip }, async () => {
  const tls = await startTls(origin);
  const apache = await startApache(`
    OIDCOAuthIntrospectionEndpoint ${tls.origin}/introspect
    OIDCOAuthClientID api
    OIDCOAuthClientSecret ${printer.client_secret}
    OIDCOAuthTokenIntrospectionInterval -1
    OIDCCABundlePath ${tls.certificate}
    ${proxy}
    <Location />
      AuthType oauth20
      Require claim "scope~(^| )repo( |$)"
    </Location>`);
  const token = await tokenFor('user repo');
  const { status, headers } = await call(apache, token);
  assert.deepEqual([status, headers.oidc_claim_sub, headers.oidc_claim_scope], [200, '1', 'user repo']);
  assert.equal((await call(apache, await tokenFor('user'))).status, 401, 'another scope');
  await post(`${origin}/revoke`, { token });
  assert.equal((await call(apache, token)).status, 401, 'an interval of -1: it asks each time');
});

const audience = 'https://api.example/';
const other = 'https://other.example/';
for (const resource of [audience, other]) await registerJwtResource(database, resource, ['user', 'repo']);

async function assertVerifiesJwts(apache: string): Promise<void> {
  const token = await tokenFor('repo', audience);
  assert.equal((await call(apache, token)).status, 200);
  assert.equal((await call(apache, await tokenFor('repo', other))).status, 401, 'for another API');
  const [header, claims = '', signature] = token.split('.');
  const changed = Buffer.from(claims, 'base64url').toString().replace('"repo"', '"user"');
  const forged = [header, Buffer.from(changed).toString('base64url'), signature].join('.');
  assert.equal((await call(apache, forged)).status, 401, 'changed');
}

test('mod_oauth2 verifies JWTs with the keys of the issuer', { skip }, async () => {
  const apache = await startApache(`
    OAuth2TokenVerify jwks_uri ${origin}/jwks
    ${proxy}
    <Location />
      AuthType oauth2
      Require oauth2_claim aud:${audience}
    </Location>`);
  await assertVerifiesJwts(apache);
});

test('mod_auth_openidc verifies JWTs with the keys of the issuer', { skip }, async () => {
  const tls = await startTls(origin);
  const apache = await startApache(`
    OIDCOAuthVerifyJwksUri ${tls.origin}/jwks
    OIDCCABundlePath ${tls.certificate}
    ${proxy}
    <Location />
      AuthType oauth20
      Require claim aud:${audience}
    </Location>`);
  await assertVerifiesJwts(apache);
});
