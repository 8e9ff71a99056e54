import assert from 'node:assert/strict';
import { Agent } from 'node:https';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { bindingOf } from '../../src/lib/certificate.ts';
import type { Browser } from '../support/browser.ts';
import { type Issued, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { createClientKey, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, proofOf } from '../support/dpop.ts';
import { authorizationQuery, encode, obtainCode, post, signedInBrowser, verifier } from '../support/flow.ts';
import { printer, registerJwtResource } from '../support/latchkey.ts';
import { fetchWith, type MutualTls, registerBank, startMutualTls } from '../support/mutual-tls.ts';
import { register } from '../support/self-registration.ts';

const skip = noOpenssl;
const resource = 'https://api.example/';
let server: MutualTls;
let own: Issued;
let other: Issued;
let browser: Browser;

if (!skip) {
  server = await startMutualTls(() => ({ REGISTRATION_ENDPOINT: 'open' }));
  browser = await signedInBrowser(server.latchkey.origin);
  [own, other] = [issueCertificate('/CN=bank'), issueCertificate('/CN=bank')];
  await registerBank(server, own);
  await registerJwtResource(server.latchkey.database, resource, ['repo']);
}

interface Sent {
  certificate?: Issued | undefined;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  agent?: Agent;
}

/** To the address where clients present certificates, or to another one. */
async function send(path: string, { certificate, form, ...sent }: Sent = {}, at = server.alias) {
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const method = form ? 'POST' : 'GET';
  const options = { ...sent, method, headers: { ...type, ...sent.headers }, body: form && encode(form) };
  const response = await fetchWith(server, certificate, at + path, options);
  const text = await response.text();
  const body: Record<string, unknown> = text.startsWith('{') ? JSON.parse(text) : {};
  return { status: response.status, body };
}

async function exchange(changes: Record<string, string> = {}) {
  const scope = changes['scope'] ?? 'user';
  const target = changes['resource'] === undefined ? {} : { resource: changes['resource'] };
  const code = await obtainCode(browser, { client_id: 'bank', scope, ...target });
  const grant = { grant_type: 'authorization_code', code, redirect_uri: printer.redirect_uri, code_verifier: verifier };
  return send('/token', { certificate: own, form: { client_id: 'bank', ...grant, ...target } });
}

const presenting = (token: unknown) => ({ authorization: `Bearer ${token}` });

test('a client authenticates by its certificate, and its tokens are bound to it [A398]', { skip }, async () => {
  const { status, body } = await exchange();
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['token_type'], 'Bearer');
  const headers = presenting(body['access_token']);
  assert.equal((await send('/user', { certificate: own, headers })).body['username'], 'alice');
  assert.equal((await send('/api/v3/user', { certificate: own, headers })).status, 200);

  const form = { client_id: 'bank', token: String(body['access_token']) };
  const { body: described } = await send('/introspect', { certificate: own, form });
  const thumbprint = bindingOf(own.x509).split(' ')[1];
  assert.match(String(thumbprint), /^[\w-]{43}$/);
  assert.deepEqual([described['token_type'], described['cnf']], ['Bearer', { 'x5t#S256': thumbprint }]);
});

test('a token that is bound to a certificate is of no use without it [A398]', { skip }, async () => {
  const { body } = await exchange();
  const token = String(body['access_token']);
  const headers = presenting(token);
  for (const path of ['/user', '/api/v3/user']) {
    for (const certificate of [other, undefined]) {
      const refused = await send(path, { certificate, headers });
      assert.deepEqual([refused.status, refused.body['error']], [401, 'invalid_token']);
    }
    assert.equal((await send(path, { certificate: own, headers }, server.main)).status, 401);
  }
  assert.equal((await send(`/user?access_token=${token}`, { certificate: own })).status, 401);
  const form = { access_token: token };
  assert.equal((await send('/user', { certificate: own, form })).status, 401);
  assert.equal((await send('/user', { certificate: own, headers })).status, 200);
});

for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
  test(`a resumed session with ${version} is that of the certificate that opened it [A398]`, { skip }, async () => {
    const { body } = await exchange();
    const headers = presenting(body['access_token']);
    for (const [certificate, expected] of [
      [own, 200],
      [other, 401],
    ] as const) {
      const { cert, key } = certificate;
      // without keep-alive each request is a connection, and the agent resumes the session of the one before
      const agent = new Agent({ cert, key, ca: server.ca, minVersion: version, maxVersion: version });
      for (let count = 0; count < 3; count += 1) {
        assert.equal((await send('/user', { agent, headers })).status, expected);
      }
    }
  });
}

test('a refresh needs the certificate, and a JWT names it', { skip }, async () => {
  const { body } = await exchange({ scope: 'repo:read', resource });
  const cnf = { 'x5t#S256': bindingOf(own.x509).split(' ')[1] };
  assert.deepEqual(decodeJwt(String(body['access_token']))['cnf'], cnf);
  const form = { grant_type: 'refresh_token', client_id: 'bank', refresh_token: String(body['refresh_token']) };
  for (const certificate of [other, undefined]) {
    const refused = await send('/token', { certificate, form });
    assert.deepEqual([refused.status, refused.body['error']], [401, 'invalid_client']);
  }
  const refreshed = await send('/token', { certificate: own, form });
  assert.equal(refreshed.status, 200);
  assert.deepEqual(decodeJwt(String(refreshed.body['access_token']))['cnf'], cnf);
});

test('the key of a stranger, with every name copied, does not authenticate, and a session of it neither [A392]', {
  skip,
}, async () => {
  const stranger = issueCertificate('/CN=bank');
  const agent = new Agent({ cert: stranger.cert, key: stranger.key, ca: server.ca, keepAlive: true });
  const form = { client_id: 'bank', token: 'x' };
  for (let count = 0; count < 3; count += 1) {
    assert.equal((await send('/introspect', { agent, form })).status, 401);
  }
  assert.equal((await send('/introspect', { certificate: own, form })).status, 200);
});

test('a client pushes its request, authenticates with a secret too, and revokes where certificates are presented', {
  skip,
}, async () => {
  const form = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
  assert.equal((await send('/par', { certificate: own, form })).status, 201);
  const { client_id, client_secret } = printer;
  const withSecret = { client_id, client_secret, token: 'x' };
  assert.equal((await send('/introspect', { certificate: other, form: withSecret })).status, 200);
  assert.equal((await send('/revoke', { certificate: own, form: { client_id: 'bank', token: 'x' } })).status, 200);
});

test('a public client may bind its tokens to a certificate that only it knows', { skip }, async () => {
  await server.latchkey.database.query(
    `select register_client(client_id => 'phone', name => 'Phone', site_domain => 'printer.example', redirect_uris => $1,
       scopes => array['user'], tls_client_certificate_bound_access_tokens => true)`,
    [[printer.redirect_uri]],
  );
  const code = await obtainCode(browser, { client_id: 'phone' });
  const form = {
    ...{ grant_type: 'authorization_code', client_id: 'phone', code },
    ...{ redirect_uri: printer.redirect_uri, code_verifier: verifier },
  };
  const missing = await send('/token', { form });
  assert.deepEqual([missing.status, missing.body['error']], [400, 'invalid_request']);
  const { body } = await send('/token', { certificate: other, form });
  const headers = presenting(body['access_token']);
  assert.equal((await send('/user', { certificate: other, headers })).status, 200);
  assert.equal((await send('/user', { certificate: own, headers })).status, 401);
});

test('at the addresses for certificates there is no page, and elsewhere no certificate [A400]', { skip }, async () => {
  for (const path of [
    '/',
    '/authorize',
    '/login',
    '/login/oauth/authorize',
    '/account',
    '/developer/applications',
    '/jwks',
  ]) {
    const { status } = await send(path, { certificate: own, headers: { accept: 'text/html' } });
    assert.equal(status, 404, path);
    // whatever the header Host says
    assert.equal((await send(path, { headers: { host: new URL(server.main).host } })).status, 404, path);
  }
  assert.equal((await send('/login', {}, server.main)).status, 200);
  const form = { client_id: 'bank', token: 'x' };
  assert.equal((await send('/introspect', { certificate: own, form }, server.main)).status, 401);
  assert.equal((await send('/introspect', { certificate: own, form })).status, 200);
});

test('the metadata names the addresses for certificates, and the issuer stays the same [A400]', { skip }, async () => {
  const { body } = await send('/.well-known/oauth-authorization-server', {}, server.main);
  assert.deepEqual(body['mtls_endpoint_aliases'], {
    token_endpoint: `${server.alias}/token`,
    pushed_authorization_request_endpoint: `${server.alias}/par`,
    revocation_endpoint: `${server.alias}/revoke`,
    introspection_endpoint: `${server.alias}/introspect`,
    userinfo_endpoint: `${server.alias}/user`,
  });
  assert.equal(body['issuer'], server.latchkey.origin);
  assert.equal(body['tls_client_certificate_bound_access_tokens'], true);
  const methods = body['token_endpoint_auth_methods_supported'];
  assert.ok(Array.isArray(methods) && methods.includes('self_signed_tls_client_auth'));
  // without an authority nobody could use it
  assert.ok(!methods.includes('tls_client_auth'));
  const github = await send('/.well-known/oauth-authorization-server/login/oauth', {}, server.main);
  assert.deepEqual(github.body['mtls_endpoint_aliases'], {
    token_endpoint: `${server.alias}/login/oauth/access_token`,
    userinfo_endpoint: `${server.alias}/api/v3/user`,
  });
});

test('a DPoP proof is for the address that was called [A400]', { skip }, async () => {
  const key = await createDpopKey();
  const { client_id, client_secret, redirect_uri } = printer;
  const code = await obtainCode(browser);
  const grant = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier };
  const form = { client_id, client_secret, ...grant };
  const headersFor = async (url: string) => ({ dpop: await proofOf(key, { method: 'POST', url }) });
  const refused = await send('/token', { form, headers: await headersFor(`${server.latchkey.origin}/token`) });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_dpop_proof']);
  const { body } = await send('/token', { form, headers: await headersFor(`${server.alias}/token`) });
  assert.equal(body['token_type'], 'DPoP');
  const access_token = body['access_token'];
  const proof = await proofOf(key, { method: 'GET', url: `${server.alias}/user`, access_token });
  const headers = { authorization: `DPoP ${access_token}`, dpop: proof };
  assert.equal((await send('/user', { certificate: own, headers })).status, 200);
});

test('a client that registered itself names, as its only audience, the address that received the assertion: here the alias, there not [A546]', {
  skip,
}, async () => {
  const key = createClientKey('1');
  const stated = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } };
  const { origin, database } = server.latchkey;
  const { client_id } = (await register(origin, stated)).body;
  const form = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
  for (const path of ['/token', '/revoke', '/introspect']) {
    for (const [at, other] of [
      [server.alias, origin],
      [origin, server.alias],
    ] as const) {
      const authenticates = async (aud: string) => {
        await database.query('delete from attempts');
        const proof = withAssertion(await sign(key, origin, { client_id, claims: { aud } }));
        const { status } =
          at === origin
            ? await post(origin + path, { ...form, ...proof }, { authorization: '' })
            : await send(path, { form: { ...form, ...proof } });
        return status !== 401;
      };
      const named = { received: at + path, other: other + path, issuer: origin };
      const accepted = Object.entries(named).map(async ([name, aud]) => [name, await authenticates(aud)]);
      const expected = { received: true, other: false, issuer: true };
      assert.deepEqual(Object.fromEntries(await Promise.all(accepted)), expected, at + path);
    }
  }
});

test('a token that is bound to a certificate is no DPoP token [A398]', { skip }, async () => {
  const { body } = await exchange();
  const key = await createDpopKey();
  const access_token = body['access_token'];
  const dpop = await proofOf(key, { method: 'GET', url: `${server.alias}/user`, access_token });
  const headers = { authorization: `DPoP ${access_token}`, dpop };
  assert.equal((await send('/user', { certificate: own, headers })).status, 401);
});
