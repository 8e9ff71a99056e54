// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Issued, issueAuthority, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { createClientKey, webKey } from '../support/client-assertion.ts';
import { printer } from '../support/latchkey.ts';
import { fetchAs, startMutualTls } from '../support/mutual-tls.ts';
import { writeFile } from '../support/scratch.ts';
import { load } from './library.ts';
import { prepare } from './openid-client.ts';
import { signInAndAllow } from './person.ts';

// Clients of the profile fapi2 by openid-client, over https with a certificate that this server has signed itself.

const { library: client, skip: notInstalled } = await load('openid-client');
const skip = noOpenssl || notInstalled;
const authority = noOpenssl ? undefined : issueAuthority('/CN=Test CA');
const server =
  authority &&
  (await startMutualTls((main) => ({ ISSUER: main, CLIENT_CA_FILE: writeFile('authorities.pem', authority.cert) })));

const running = () => server ?? assert.fail('openssl is missing');

async function register(client_id: string, registration: Record<string, unknown>): Promise<void> {
  const values: Record<string, unknown> = {
    ...{ client_id, name: 'Bank', site_domain: printer.site_domain, redirect_uris: [printer.redirect_uri] },
    ...{ scopes: ['user'], profile: 'fapi2', ...registration },
  };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  await running().latchkey.database.query(`select register_client(${names.join(', ')})`, Object.values(values));
}

interface SetUp {
  metadata?: object;
  /** how the client authenticates */
  by: unknown;
  certificate?: Issued;
}

/** As the library documents it, with a fetch that trusts the certificate of the server and presents that of the client. */
function discover(client_id: string, { metadata = {}, by, certificate }: SetUp) {
  return client.discovery(new URL(running().main), client_id, metadata, by, {
    algorithm: 'oauth2',
    [client.customFetch]: fetchAs(running(), certificate),
  });
}

const allow = (link: URL) => signInAndAllow(link, undefined, fetchAs(running()));

/** The code is exchanged; the token opens /user at this address; a refresh gives another one; revoking ends both. */
async function useToEnd(
  config: unknown,
  { callback, checks, at, DPoP }: { callback: URL; checks: object; at: string; DPoP?: unknown },
): Promise<void> {
  const read = async (token: string) => {
    const url = new URL('/user', at);
    const answer = await client.fetchProtectedResource(config, token, url, 'GET', undefined, undefined, { DPoP });
    return (await answer.json()).username;
  };
  const tokens = await client.authorizationCodeGrant(config, callback, checks, undefined, { DPoP });
  assert.equal(tokens.token_type, DPoP ? 'dpop' : 'bearer');
  assert.equal(await read(tokens.access_token), 'alice');
  const refreshed = await client.refreshTokenGrant(config, tokens.refresh_token, undefined, { DPoP });
  assert.notEqual(refreshed.access_token, tokens.access_token);
  assert.equal(await read(refreshed.access_token), 'alice');
  const { cnf } = await client.tokenIntrospection(config, refreshed.access_token);
  assert.equal(cnf[DPoP ? 'jkt' : 'x5t#S256'].length, 43);
  await client.tokenRevocation(config, tokens.refresh_token);
  for (const { access_token } of [tokens, refreshed]) {
    await assert.rejects(read(access_token), { code: 'OAUTH_WWW_AUTHENTICATE_CHALLENGE' });
  }
}

test('openid-client keeps the profile: it pushes its request, authenticates by private_key_jwt, and binds its tokens by DPoP [FAPI2 5.3.3]', {
  skip,
}, async () => {
  const key = createClientKey('bank');
  await register('bank', { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } });
  const config = await discover('bank', { by: client.PrivateKeyJwt(await webKey(key)) });
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const { parameters, checks } = await prepare();
  const link = await client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  await useToEnd(config, { callback: await allow(link), checks, at: running().main, DPoP });
});

for (const [method, certify] of [
  [
    'tls_client_auth',
    async () => {
      const certificate = issueCertificate('/CN=bank', { by: authority });
      return { certificate, registration: { tls_client_auth_subject_dn: 'CN=bank' }, by: client.TlsClientAuth() };
    },
  ],
  [
    'self_signed_tls_client_auth',
    async () => {
      const certificate = issueCertificate('/CN=bank');
      const jwks = { keys: [certificate.x509.publicKey.export({ format: 'jwk' })] };
      return { certificate, registration: { jwks }, by: client.TlsClientAuth() };
    },
  ],
] as const) {
  test(`openid-client authenticates by ${method}, and its tokens are bound to the certificate [8705 §2, §3]`, {
    skip,
  }, async () => {
    const { certificate, registration, by } = await certify();
    const bound = { tls_client_certificate_bound_access_tokens: true };
    await register(method, { token_endpoint_auth_method: method, ...registration, ...bound });
    const metadata = { use_mtls_endpoint_aliases: true };
    const config = await discover(method, { metadata, by, certificate });
    const { parameters, checks } = await prepare();
    const link = await client.buildAuthorizationUrlWithPAR(config, parameters);
    const { alias: at } = running();
    await useToEnd(config, { callback: await allow(link), checks, at });

    config[client.customFetch] = fetchAs(running());
    await assert.rejects(client.buildAuthorizationUrlWithPAR(config, parameters), { error: 'invalid_client' });
  });
}

test('openid-client signs its request, pushes it, and verifies the signed answer [9101 §10.5] [JARM §2.4]', {
  skip,
}, async () => {
  const key = createClientKey('signing');
  await register('signing', {
    ...{ token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } },
    require_signed_request_object: true,
  });
  const config = await discover('signing', { by: client.PrivateKeyJwt(await webKey(key)) });
  client.useJwtResponseMode(config);
  const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair());
  const { parameters, checks } = await prepare();
  const unsigned = client.buildAuthorizationUrlWithPAR(config, parameters, { DPoP });
  await assert.rejects(unsigned, { error: 'invalid_request' });
  const { searchParams } = await client.buildAuthorizationUrlWithJAR(config, parameters, await webKey(key));
  const callback = await allow(await client.buildAuthorizationUrlWithPAR(config, searchParams, { DPoP }));
  assert.deepEqual([...callback.searchParams.keys()], ['response']);
  await useToEnd(config, { callback, checks, at: running().main, DPoP });
});
