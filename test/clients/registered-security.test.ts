import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { Browser } from '../support/browser.ts';
import { type Issued, issueAuthority, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { createClientKey, sign, withAssertion } from '../support/client-assertion.ts';
import { authorizationQuery, basic, encode, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';
import { writeFile } from '../support/scratch.ts';
import { metadata, type Registration, register, sendJson } from '../support/self-registration.ts';

// what a client registers about its credentials, requests, tokens and answers: each member is stored, returned and obeyed

const skip = noOpenssl;
let authority: Issued;
let right: Issued;
const env: Record<string, string> = { REGISTRATION_ENDPOINT: 'open' };
if (!skip) {
  authority = issueAuthority('/CN=Test CA');
  right = certificate('/O=Acme/CN=app', 'DNS:app.example');
  const CLIENT_CA_FILE = writeFile('authorities.pem', authority.cert);
  Object.assign(env, { TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert', CLIENT_CA_FILE });
}
const { origin, database } = await startLatchkey(env);
const plain = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const alice = await signedInBrowser(origin);
const redirect_uri = 'https://app.example/cb';
const keys = [createClientKey('one'), createClientKey('two', 'PS256')] as const;
const jwks = { keys: keys.map(({ jwk }) => jwk) };
const secretly = { token_endpoint_auth_method: 'client_secret_basic' };

beforeEach(() => database.query('delete from attempts'));

function certificate(subject: string, names: string): Issued {
  return issueCertificate(subject, {
    by: authority,
    extensions: ['basicConstraints=CA:FALSE', `subjectAltName=${names}`],
  });
}

const presented = ({ cert }: Issued) => ({ authorization: '', 'x-client-cert': encodeURIComponent(cert) });

async function registered(changes: Record<string, unknown>): Promise<Registration> {
  const { status, body } = await register(origin, changes);
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const manage = ({ registration_client_uri, registration_access_token }: Registration, method: string, body?: unknown) =>
  sendJson(registration_client_uri, method, body, registration_access_token);

const keyed = { token_endpoint_auth_method: 'private_key_jwt', jwks };
const named = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app,O=Acme' };
const hosted = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'app.example' };

for (const [section, changes, without] of [
  ['8705 §2.1.2', named, undefined],
  ['8705 §2.1.2', hosted, undefined],
  ['8705 §2.2.2', { token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks }, undefined],
  ['8705 §3.4', { tls_client_certificate_bound_access_tokens: true }, false],
  ['9449 §5.2', { dpop_bound_access_tokens: true }, false],
  ['9126 §6', { require_pushed_authorization_requests: true }, false],
  ['9101 §10.5', { require_signed_request_object: true, jwks }, false],
  ['9101 §10.5', { request_object_signing_alg: 'PS256' }, undefined],
  ['9864 §2.2', { request_object_signing_alg: 'Ed25519' }, undefined],
  ['JARM §3', { authorization_signed_response_alg: 'ES256' }, 'ES256'],
  ['9701 §6', { introspection_signed_response_alg: 'ES256', ...secretly }, 'ES256'],
] as const) {
  const names = Object.keys(changes).filter((name) => name !== 'token_endpoint_auth_method' && name !== 'jwks');
  test(`${names.join(', ') || 'self_signed_tls_client_auth'} is stored and returned, and a change that leaves it out ends it [${section}]`, {
    skip,
  }, async () => {
    const client = await registered(changes);
    const { body: read } = await manage(client, 'GET');
    for (const [member, value] of Object.entries(changes)) {
      assert.deepEqual([client[member], read[member]], [value, value], member);
    }
    const method = { token_endpoint_auth_method: client['token_endpoint_auth_method'] };
    const kept = { ...metadata, ...method, client_id: client.client_id };
    if (method.token_endpoint_auth_method === 'none' || 'introspection_signed_response_alg' in changes) {
      const { status, body } = await manage(client, 'PUT', kept);
      assert.equal(status, 200, JSON.stringify(body));
      for (const name of names) assert.equal(body[name], without, name);
    } else {
      assert.equal((await manage(client, 'PUT', kept)).status, 400, 'its method cannot do without');
    }
    const same = await manage(client, 'PUT', { ...kept, ...changes });
    assert.equal(same.status, 200);
    for (const [member, value] of Object.entries(changes)) assert.deepEqual(same.body[member], value, member);
  });
}

for (const [what, changes, member] of [
  ['an authority without a name', { token_endpoint_auth_method: 'tls_client_auth' }, 'tls_client_auth_subject_dn'],
  [
    'a name of a kind that this server does not compare',
    { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_email: 'it@app.example' },
    'tls_client_auth_subject_dn',
  ],
  ['two names of one certificate', { ...named, ...hosted }, 'tls_client_auth_subject_dn'],
  ['a name without authentication by it', { tls_client_auth_san_dns: 'app.example' }, 'tls_client_auth_subject_dn'],
  ['a name that is none', { ...named, tls_client_auth_subject_dn: 'app' }, 'tls_client_auth_subject_dn'],
  ['a host name that is none', { ...hosted, tls_client_auth_san_dns: '*.example' }, 'tls_client_auth_san_dns'],
  ['a number as a host name', { ...hosted, tls_client_auth_san_dns: 7 }, 'tls_client_auth_san_dns'],
  ['a certificate without its key', { token_endpoint_auth_method: 'self_signed_tls_client_auth' }, 'jwks'],
  [
    'two bindings',
    { tls_client_certificate_bound_access_tokens: true, dpop_bound_access_tokens: true },
    'tls_client_certificate_bound_access_tokens',
  ],
  ['a text for a boolean', { require_pushed_authorization_requests: 'true' }, 'require_pushed_authorization_requests'],
  ['signed requests without a key', { require_signed_request_object: true }, 'require_signed_request_object'],
  ['unsigned requests', { request_object_signing_alg: 'none' }, 'request_object_signing_alg'],
  ['requests by a weak algorithm', { request_object_signing_alg: 'RS256' }, 'request_object_signing_alg'],
  ['answers by RS256', { authorization_signed_response_alg: 'RS256' }, 'authorization_signed_response_alg'],
  ['unsigned introspection', { introspection_signed_response_alg: 'none' }, 'introspection_signed_response_alg'],
] as [string, Record<string, unknown>, string][]) {
  test(`a registration with ${what} is refused with the name of the member`, { skip }, async () => {
    const { status, body } = await register(origin, changes);
    assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
    assert.ok(String(body['error_description']).startsWith(member), String(body['error_description']));
    const client = await registered({});
    const change = await manage(client, 'PUT', { ...metadata, client_id: client.client_id, ...changes });
    assert.equal(change.status, 400);
    assert.equal((await manage(client, 'PUT', { ...metadata, client_id: client.client_id })).status, 200);
  });
}

test('a server that sees no certificates registers nothing that needs one', { skip }, async () => {
  for (const changes of [named, { tls_client_certificate_bound_access_tokens: true }]) {
    const { status, body } = await register(plain.origin, changes);
    assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
  }
  const { body } = await register(plain.origin);
  assert.ok(!('tls_client_certificate_bound_access_tokens' in body));
});

test('what only operators decide cannot be registered, and is not returned', async () => {
  const internal = {
    profile: 'fapi2',
    resource_server: true,
    owner: 'alice',
    owner_id: 1,
    vouched: true,
    token_type: 'mac',
    token_binding: 'mac',
    required_scopes: ['user:name'],
    site_domain: 'other.example',
    secrets_sha256: [],
  };
  const client = await registered(internal);
  const change = { ...metadata, ...internal, client_id: client.client_id };
  const { status, body } = await manage(client, 'PUT', change);
  assert.equal(status, 200);
  for (const name of Object.keys(internal)) assert.deepEqual([name in client, name in body], [false, false], name);
  const { rows } = await database.query('select * from clients where client_id = $1', [client.client_id]);
  const { profile, resource_server, owner_id, vouched, token_binding, required_scopes, site_domain } = rows[0];
  assert.deepEqual(
    { profile, resource_server, owner_id, vouched, token_binding, required_scopes, site_domain },
    {
      profile: null,
      resource_server: false,
      owner_id: null,
      vouched: false,
      token_binding: 'any',
      required_scopes: [],
      site_domain: 'app.example',
    },
  );
});

for (const [what, changes, spoilt] of [
  ['subject', named, { subject: '/O=Acme/CN=other', host: 'DNS:app.example' }],
  ['host name', hosted, { subject: '/O=Acme/CN=app', host: 'DNS:other.example' }],
] as const) {
  test(`a client authenticates by the ${what} that it registered, and by no other [8705 §2.1]`, { skip }, async () => {
    const { client_id } = await registered(changes);
    const ask = (one: Issued) => post(`${origin}/introspect`, { client_id, token: 'x' }, presented(one));
    assert.equal((await ask(certificate(spoilt.subject, spoilt.host))).status, 401);
    assert.equal((await ask(right)).status, 200);
  });
}

test('a client that registers for tokens bound to its certificate gets no others [8705 §3.4]', { skip }, async () => {
  const { client_id } = await registered({ tls_client_certificate_bound_access_tokens: true });
  const exchange = async (headers: Record<string, string>) => {
    const code = await obtainCode(alice, { client_id, redirect_uri, scope: 'user:name' });
    return redeem(origin, code, { client_id, redirect_uri }, { authorization: '', ...headers });
  };
  assert.equal((await exchange({})).status, 400);
  const { status, body } = await exchange(presented(right));
  assert.equal(status, 200);
  const user = (headers: Record<string, string>) =>
    fetch(`${origin}/user`, { headers: { ...headers, authorization: `Bearer ${body['access_token']}` } });
  assert.equal((await user({})).status, 401);
  assert.equal((await user(presented(right))).status, 200);
});

test('a client that registers for pushed requests can send no others [9126 §6]', async () => {
  const { client_id } = await registered({ require_pushed_authorization_requests: true });
  const query = authorizationQuery({ client_id, redirect_uri, scope: 'user:name' });
  const refused = await alice.open(`/authorize?${query}`);
  assert.match(refused.text, /invalid_request/);
  assert.doesNotMatch(refused.text, /id="allow"/);
  const request = Object.fromEntries(new URLSearchParams(query));
  const { status, body } = await post(`${origin}/par`, request, { authorization: '' });
  assert.equal(status, 201);
  const page = await alice.visit(`/authorize?${encode({ client_id, request_uri: String(body['request_uri']) })}`);
  assert.match(page.text, /id="allow"/);
});

test('a client that registers for signed requests, and for one algorithm, can push no others [9101 §10.5]', async () => {
  const [one, two] = keys;
  const { client_id } = await registered({ ...keyed, require_signed_request_object: true });
  const push = async (form: Record<string, string>) => {
    const { status, body } = await post(
      `${origin}/par`,
      { ...withAssertion(await sign(one, origin, { client_id })), ...form },
      { authorization: '' },
    );
    return status === 201 ? status : body['error'];
  };
  const claims = { redirect_uri, scope: 'user:name' };
  const signed = async (key: typeof one) => ({ request: await signRequest(key, origin, { client_id, claims }) });
  const unsigned = Object.fromEntries(
    new URLSearchParams(authorizationQuery({ client_id, redirect_uri, scope: 'user:name' })),
  );
  assert.equal(await push(unsigned), 'invalid_request');
  assert.deepEqual([await push(await signed(one)), await push(await signed(two))], [201, 201]);
  await database.query("update clients set request_object_signing_alg = 'PS256' where client_id = $1", [client_id]);
  assert.deepEqual([await push(await signed(one)), await push(await signed(two))], ['invalid_request_object', 201]);
});

test('answers are signed by the algorithm that the registration states [9701 §6] [JARM §3]', async () => {
  const client = await registered({ ...secretly, introspection_signed_response_alg: 'ES256' });
  const { client_id, client_secret } = client;
  const response = await fetch(`${origin}/introspect`, {
    method: 'POST',
    headers: { authorization: basic(client_id, client_secret), accept: 'application/token-introspection+jwt' },
    body: new URLSearchParams({ token: 'x' }),
  });
  assert.equal(decodeProtectedHeader(await response.text()).alg, client['introspection_signed_response_alg']);
  const request = { client_id, redirect_uri, scope: 'user:name', response_mode: 'jwt', prompt: 'none' };
  await database.query('update clients set vouched = true where client_id = $1', [client_id]);
  const { location = '' } = await new Browser(origin).open(`/authorize?${authorizationQuery(request)}`);
  const jwt = new URL(location).searchParams.get('response');
  assert.equal(decodeProtectedHeader(jwt ?? '').alg, client['authorization_signed_response_alg']);
});
