import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { changeClientSecurity, type SecurityChange } from '../../src/clients/client-registration.sql.ts';
import { useProof, useProofsOfClient } from '../../src/clients/used-proofs.sql.ts';
import { startWithPrinter } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';

const { database } = await startWithPrinter();

const publicJwk = (type: 'ec' | 'rsa', options: object, kid: string) => ({
  ...generateKeyPairSync(type as 'ec', options as { namedCurve: string }).publicKey.export({ format: 'jwk' }),
  kid,
});
const ec = publicJwk('ec', { namedCurve: 'P-256' }, 'one');

const bank = {
  client_id: 'bank',
  name: 'Bank',
  site_domain: 'bank.example',
  redirect_uris: ['https://bank.example/callback'],
  scopes: ['user'],
  token_endpoint_auth_method: 'private_key_jwt',
  jwks: JSON.stringify({ keys: [ec] }),
};

function register(changes: Record<string, unknown>) {
  const values: Record<string, unknown> = { ...bank, ...changes };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return database.query(`select register_client(${names.join(', ')})`, Object.values(values));
}

/** The row of the client stays the very same, its version too, when its registration is stated again or changed to what it is. */
async function assertKeptAsItIs(stated: Record<string, unknown>): Promise<void> {
  const read = async () =>
    (await database.query("select to_jsonb(c) as row from clients c where client_id = 'bank'")).rows[0].row;
  const before = await read();
  await register(stated);
  assert.deepEqual(await read(), before);
  for (const changes of [{}, { name: bank.name, redirect_uris: bank.redirect_uris, scopes: bank.scopes }]) {
    const { rows } = await database.query("select save_client('bank', $1, by_admin => true) as is_changed", [changes]);
    assert.equal(rows[0].is_changed, false);
    assert.deepEqual(await read(), before);
  }
  const { rows } = await database.query(
    `select save_client('bank', '{"name": "Bench"}', by_admin => true) as is_changed`,
  );
  assert.equal(rows[0].is_changed, true);
  assert.notEqual((await read()).version, before.version);
}

test('a client keeps its secrets and their times when it is saved as it was', async () => {
  const bySecret = { token_endpoint_auth_method: null, jwks: null };
  const two = `sha256:${'a'.repeat(64)} sha256:${'b'.repeat(64)}`;
  for (const client_secret of ['a secret that is long enough for it', two]) {
    await register({ ...bySecret, client_secret });
    await assertKeptAsItIs({ ...bySecret, client_secret });
  }
  // a secret that was added since
  await database.query(
    `update clients set secrets_sha256 = secrets_sha256[1:1] || sha256('c') where client_id = 'bank'`,
  );
  await register({ ...bySecret, client_secret: two });
  await assertKeptAsItIs({ ...bySecret, client_secret: two });
});

for (const [what, changes, expected] of [
  ['a key alone', {}, { token_binding: 'any', require_pushed_authorization_requests: false }],
  [
    'the profile fapi2 [FAPI2 5.3.2.1-4, 5.3.2.2-3]',
    { profile: 'fapi2' },
    { token_binding: 'dpop', require_pushed_authorization_requests: true },
  ],
  [
    'the profile fapi2 with certificates [FAPI2 5.3.2.1-5]',
    { profile: 'fapi2', tls_client_certificate_bound_access_tokens: true },
    { token_binding: 'certificate' },
  ],
  ['signed requests', { require_signed_request_object: true }, { require_signed_request_object: true }],
  ['MAC tokens', { token_type: 'mac' }, { token_binding: 'mac' }],
  ['keys at an address', { jwks: null, jwks_uri: 'https://bank.example/jwks' }, { jwks: null }],
  [
    'a certificate subject',
    { token_endpoint_auth_method: 'tls_client_auth', jwks: null, tls_client_auth_subject_dn: 'CN=bank' },
    { tls_client_auth_subject_dn: 'CN=bank' },
  ],
] as const) {
  test(`a client is registered with ${what}`, async () => {
    await register(changes);
    const { rows } = await database.query("select * from clients where client_id = 'bank'");
    for (const [column, value] of Object.entries(expected)) assert.deepEqual(rows[0][column], value, column);
    assert.deepEqual(rows[0].secrets_sha256, []);
    await assertKeptAsItIs(changes);
  });
}

const { d, ...rest } = { d: 'private', ...ec };
for (const [what, changes, sentence] of [
  ['an unknown method', { token_endpoint_auth_method: 'client_secret_jwt' }, /client_secret_jwt.* is not known/],
  ['a secret beside a key', { client_secret: 'x'.repeat(40) }, /contradicts that the client has a secret/],
  ['private_key_jwt without a key', { jwks: null }, /needs jwks or jwks_uri/],
  [
    'signed requests without a key',
    {
      client_secret: 'x'.repeat(40),
      token_endpoint_auth_method: null,
      jwks: null,
      require_signed_request_object: true,
    },
    /require_signed_request_object needs jwks or jwks_uri/,
  ],
  ['keys in two places', { jwks_uri: 'https://bank.example/jwks' }, /must not both be set/],
  [
    'a jwks_uri on the port of another protocol',
    { jwks: null, jwks_uri: 'https://bank.example:22/jwks' },
    /no port below 1024/,
  ],
  ['a jwks_uri without TLS', { jwks: null, jwks_uri: 'http://bank.example/jwks' }, /is not an https URL/],
  ['a private key', { jwks: JSON.stringify({ keys: [{ ...rest, d }] }) }, /private or symmetric key/],
  [
    'a part of a private key',
    { jwks: JSON.stringify({ keys: [{ ...rest, dp: 'AQAB' }] }) },
    /private or symmetric key/,
  ],
  ['a symmetric key', { jwks: JSON.stringify({ keys: [{ kty: 'oct', k: 'AAAA' }] }) }, /private or symmetric key/],
  ['an empty set', { jwks: JSON.stringify({ keys: [] }) }, /one to ten keys/],
  ['no set at all', { jwks: JSON.stringify([ec]) }, /one to ten keys/],
  ['two keys of one kid', { jwks: JSON.stringify({ keys: [ec, ec] }) }, /a different kid/],
  [
    'an RSA key of 1024 bits [FAPI2 5.4.1-2]',
    { jwks: JSON.stringify({ keys: [publicJwk('rsa', { modulusLength: 1024 }, 'small')] }) },
    /neither RSA of 2048/,
  ],
  [
    'a key on another curve [FAPI2 5.4.1-3]',
    { jwks: JSON.stringify({ keys: [publicJwk('ec', { namedCurve: 'P-384' }, 'large')] }) },
    /neither RSA of 2048/,
  ],
  ['half of a key', { jwks: JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: ec.x }] }) }, /neither RSA of 2048/],
  [
    'a certificate without a name',
    { token_endpoint_auth_method: 'tls_client_auth' },
    /needs exactly one of tls_client_auth_subject_dn/,
  ],
  [
    'two names of one certificate',
    {
      token_endpoint_auth_method: 'tls_client_auth',
      jwks: null,
      tls_client_auth_subject_dn: 'CN=bank',
      tls_client_auth_san_dns: 'bank.example',
    },
    /needs exactly one of tls_client_auth_subject_dn/,
  ],
  ['a certificate name that nothing uses', { tls_client_auth_san_dns: 'bank.example' }, /other methods need none/],
  ['an unknown profile', { profile: 'fapi1' }, /this server knows fapi2/],
  [
    'fapi2 without authentication [FAPI2 5.3.2.1-3]',
    { profile: 'fapi2', token_endpoint_auth_method: 'none', jwks: null },
    /the profile fapi2 needs/,
  ],
  [
    'fapi2 with a secret [FAPI2 5.3.2.1-6]',
    { profile: 'fapi2', token_endpoint_auth_method: null, client_secret: 'x'.repeat(40) },
    /the profile fapi2 needs/,
  ],
  [
    'fapi2 with http [FAPI2 5.2.1]',
    { profile: 'fapi2', site_domain: 'localhost', redirect_uris: ['http://localhost/callback'] },
    /redirection URIs with https/,
  ],
  ['fapi2 with MAC tokens [FAPI2 5.3.2.1-5]', { profile: 'fapi2', token_type: 'mac' }, /knows no MAC tokens/],
  ['an unknown algorithm of requests', { request_object_signing_alg: 'HS256' }, /this server knows ES256, PS256/],
  ['two bindings', { token_type: 'mac', dpop_bound_access_tokens: true }, /only one of token_type mac/],
] as const) {
  test(`a registration with ${what} is refused`, async () => {
    await register({});
    await assert.rejects(register(changes), sentence);
  });
}

test('a change that names no method does not make a client with a key public', async () => {
  await register({});
  const change = (changes: object) =>
    database.query("select change_client('bank', $1, by_admin => false)", [JSON.stringify(changes)]);
  for (const token_endpoint_auth_method of [null, 'none']) {
    await assert.rejects(change({ token_endpoint_auth_method }), /cannot become public|refused/);
  }
  await change({ name: 'Better Bank' });
  const { rows } = await database.query("select token_endpoint_auth_method from clients where client_id = 'bank'");
  assert.equal(rows[0].token_endpoint_auth_method, 'private_key_jwt');
});

test('a change of a client that was deleted in the meantime is not done', async () => {
  const security = { token_endpoint_auth_method: 'private_key_jwt', jwks: JSON.parse(bank.jwks) };
  const change = { by_admin: false, secret_sha256: Buffer.alloc(32), ticket_sha256: Buffer.alloc(32), shown: {} };
  const gone = { ...change, client_id: 'gone', security } as SecurityChange;
  const outcome = await changeClientSecurity(database, gone, recorded('client_changed'));
  assert.deepEqual(outcome, { isDone: false, isChanged: false, problems: [] });
});

test('a client with a key is confidential: it has no redirection URI on a device', async () => {
  const app = { token_endpoint_auth_method: 'none', redirect_uris: ['example.bank:/callback'] };
  await register(app);
  await assert.rejects(register({ ...app, token_endpoint_auth_method: 'private_key_jwt' }), /redirect URI/);
});

test('of many uses of one proof exactly one counts, on any instance and in any batch', async () => {
  const proof = { proof_sha256: Buffer.alloc(32, 7), expires_at: Math.floor(Date.now() / 1000) + 60 };
  const other = { ...proof, proof_sha256: Buffer.alloc(32, 8) };
  const uses = await Promise.all(
    [other, ...Array.from({ length: 50 }, () => proof)].map((one) => useProof(database, one)),
  );
  assert.equal(uses[0], null);
  assert.equal(uses.filter((fault) => fault === null).length, 2);
  assert.equal(await useProof(database, proof), 'repeated');
  assert.equal(await useProof(database, { ...other, expires_at: 1 }), 'too old');
});

test('a proof counts although a repeated assertion came with it in a request of the same moment', async () => {
  await register({});
  const expires_at = Math.floor(Date.now() / 1000) + 60;
  const proof = (byte: number) => ({ proof_sha256: Buffer.alloc(32, byte), expires_at });
  const use = (assertion: number, dpop: number) =>
    useProofsOfClient(database, {
      client_id: 'bank',
      method: 'private_key_jwt',
      secret_sha256: null,
      dpop_proof: proof(dpop),
      assertion: proof(assertion),
      is_counted: false,
    });
  assert.equal((await use(20, 30))?.refused, null);
  // the first ones keep all statements busy, so that the last two share one
  const others = Array.from({ length: 50 }, (_, index) => use(100 + index, 160 + index));
  const [repeat, rightful] = [use(20, 31), use(21, 31)];
  assert.deepEqual([(await repeat)?.refused, (await repeat)?.fault], ['assertion', 'repeated']);
  assert.equal((await rightful)?.refused, null);
  await Promise.all(others);
});
