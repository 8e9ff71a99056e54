import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { test } from 'node:test';
import { type Issued, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { type Latchkey, startWithPrinter } from '../support/latchkey.ts';
import { fetchWith, registerBank, startMutualTls } from '../support/mutual-tls.ts';
import { writeFile } from '../support/scratch.ts';

// openssl is the witness: what it refuses authenticates nobody here, and what it accepts does

const skip = noOpenssl;
const subject = '/CN=app';
const rsa = (modulusLength: number, publicExponent = 65_537) =>
  pem(generateKeyPairSync('rsa', { modulusLength, publicExponent }));
const curve = (namedCurve: string) => pem(generateKeyPairSync('ec', { namedCurve }));
const pem = ({ privateKey }: { privateKey: KeyObject }) =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const ofCa = ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign'];
const authority = (name: string, extensions: readonly string[] = [], key = curve('P-256')) =>
  issueCertificate(`/CN=${name}`, { days: 9, key, extensions: [...ofCa, ...extensions] });

const authorities: Record<string, Issued> = skip
  ? {}
  : {
      usual: authority('usual'),
      rsa: authority('rsa', [], rsa(2048)),
      'for clients': authority('for clients', ['extendedKeyUsage=clientAuth']),
      'for servers': authority('for servers', ['extendedKeyUsage=serverAuth']),
      'with a short key': authority('with a short key', [], rsa(1024)),
      'with a critical extension': authority('with a critical extension', ['1.2.3.4=critical,DER:0500']),
      'with policies': authority('with policies', ['policyConstraints=critical,inhibitPolicyMapping:0']),
      'with constraints': authority('with constraints', ['nameConstraints=critical,permitted;DNS:other.example']),
    };
let latchkey: Latchkey;
if (!skip) {
  const CLIENT_CA_FILE = writeFile(
    'purposes.pem',
    Object.values(authorities)
      .map(({ cert }) => cert)
      .join(''),
  );
  latchkey = await startWithPrinter({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert', CLIENT_CA_FILE });
}

async function register(member: object): Promise<void> {
  const values = { ...member };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  await latchkey.database.query(
    `select register_client(client_id => 'app', name => 'App', site_domain => 'app.example',
       redirect_uris => array['https://app.example/cb'], scopes => array['user'], ${names.join(', ')})`,
    Object.values(values),
  );
}

async function authenticates({ cert }: Pick<Issued, 'cert'>): Promise<boolean> {
  await latchkey.database.query('delete from attempts');
  const headers = { authorization: '', 'x-client-cert': encodeURIComponent(cert) };
  const { status, body } = await post(`${latchkey.origin}/introspect`, { client_id: 'app', token: 'x' }, headers);
  assert.ok(status === 200 || (status === 401 && body['error'] === 'invalid_client'), JSON.stringify(body));
  return status === 200;
}

function opensslAccepts({ cert }: Issued, { cert: trusted }: Issued, ...more: string[]): boolean {
  const files = ['-CAfile', writeFile('trusted.pem', trusted), writeFile('certificate.pem', cert)];
  const { status } = spawnSync('openssl', ['verify', '-purpose', 'sslclient', '-auth_level', '2', ...more, ...files]);
  return status === 0;
}

const plain = ['basicConstraints=CA:FALSE'];
const own = (...extensions: string[]) => ({ extensions: [...plain, ...extensions] });
const asCa = (...usage: string[]) => ({ extensions: ['basicConstraints=critical,CA:TRUE', ...usage] });

for (const [what, isGood, options, by = 'usual'] of [
  ['no statement of its use', true, {}],
  ['the usage digitalSignature', true, own('keyUsage=digitalSignature')],
  ['the usage keyAgreement', true, own('keyUsage=critical,keyAgreement')],
  ['the usage keyEncipherment', false, own('keyUsage=keyEncipherment')],
  ['the usage nonRepudiation', false, own('keyUsage=critical,nonRepudiation')],
  ['the usage keyCertSign of a CA', false, asCa('keyUsage=keyCertSign')],
  ['the usages of a CA and digitalSignature', true, asCa('keyUsage=keyCertSign,digitalSignature')],
  ['basic constraints of a CA and nothing else', true, asCa()],
  ['the purpose clientAuth', true, own('extendedKeyUsage=clientAuth')],
  ['the purposes serverAuth and clientAuth', true, own('extendedKeyUsage=critical,serverAuth,clientAuth')],
  ['the purpose serverAuth', false, own('extendedKeyUsage=serverAuth')],
  ['the purpose codeSigning', false, own('extendedKeyUsage=critical,codeSigning')],
  ['any purpose', false, own('extendedKeyUsage=anyExtendedKeyUsage')],
  ['an unknown extension', true, own('1.2.3.4=DER:0500')],
  ['an unknown critical extension', false, own('1.2.3.4=critical,DER:0500')],
  ['a policy', true, own('certificatePolicies=critical,1.2.3.4')],
  ['RSA of 1024 bits', false, { key: rsa(1024) }],
  ['RSA of 2048 bits', true, { key: rsa(2048) }],
  ['RSA of 3072 bits', true, { key: rsa(3072) }],
  ['P-192', false, { key: curve('prime192v1') }],
  ['P-224', true, { key: curve('secp224r1') }],
  ['P-384', true, { key: curve('P-384') }],
  ['P-521', true, { key: curve('P-521') }],
  ['brainpoolP256r1', true, { key: curve('brainpoolP256r1') }],
  ['Ed25519', true, { key: pem(generateKeyPairSync('ed25519')) }],
  ['Ed448', true, { key: pem(generateKeyPairSync('ed448')) }],
  ['a signature with SHA-1', false, { more: ['-sha1'] }],
  ['a signature with MD5', false, { more: ['-md5'] }, 'rsa'],
  ['a signature with RSA and SHA-1', false, { more: ['-sha1'] }, 'rsa'],
  ['a signature with RSA and SHA-256', true, { more: ['-sha256'] }, 'rsa'],
  ['a signature with SHA-224', true, { more: ['-sha224'] }],
  ['a signature with SHA-512', true, { more: ['-sha512'] }],
  ['a signature with PSS and SHA-1', false, { more: ['-sha1', '-sigopt', 'rsa_padding_mode:pss'] }, 'rsa'],
  ['a signature with PSS and SHA-384', true, { more: ['-sha384', '-sigopt', 'rsa_padding_mode:pss'] }, 'rsa'],
  ['an issuer for clients', true, {}, 'for clients'],
  ['an issuer for servers', false, {}, 'for servers'],
  ['an issuer with a short key', false, {}, 'with a short key'],
  ['an issuer with an unknown critical extension', false, {}, 'with a critical extension'],
  ['an issuer with policies', true, {}, 'with policies'],
] as [string, boolean, Parameters<typeof issueCertificate>[1], string?][]) {
  test(`a certificate with ${what} authenticates ${isGood ? 'the client' : 'nobody'}, as openssl has it [5280 §4.2.1]`, {
    skip,
  }, async () => {
    await register({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app' });
    const issuer = authorities[by] ?? assert.fail(by);
    const certificate = issueCertificate(subject, { by: issuer, ...options });
    assert.equal(opensslAccepts(certificate, issuer), isGood, 'openssl');
    assert.equal(await authenticates(certificate), isGood);
  });
}

test('a certificate authenticates neither before nor after its time [5280 §4.1.2.5]', { skip }, async (t) => {
  await register({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app' });
  const issuer = authorities['usual'] ?? assert.fail();
  const certificate = issueCertificate(subject, { by: issuer, days: 2 });
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
  for (const [days, isGood] of [
    [-1, false],
    [1, true],
    [3, false],
  ] as const) {
    const then = Date.parse(certificate.x509.validFrom) + days * 86_400_000;
    t.mock.timers.setTime(then);
    assert.equal(opensslAccepts(certificate, issuer, '-attime', String(then / 1000)), isGood, `openssl, ${days}`);
    assert.equal(await authenticates(certificate), isGood, `${days}`);
  }
});

test('stricter than openssl: the exponent of RSA, its size, and an issuer whose name constraints are not looked at', {
  skip,
}, async () => {
  await register({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=app' });
  for (const [options, by] of [
    [{ key: rsa(2048, 3) }, 'usual'],
    [{ key: rsa(2047) }, 'usual'],
    [{ key: rsa(4104) }, 'usual'],
    [{}, 'with constraints'],
  ] as const) {
    const issuer = authorities[by] ?? assert.fail(by);
    const certificate = issueCertificate(subject, { by: issuer, ...options });
    assert.equal(opensslAccepts(certificate, issuer), true);
    assert.equal(await authenticates(certificate), false);
  }
});

for (const [what, isGood, options] of [
  ['nothing but its key', true, {}],
  [
    'what openssl req -x509 puts into it',
    true,
    asCa('subjectKeyIdentifier=hash', 'authorityKeyIdentifier=keyid:always'),
  ],
  ['the usages digitalSignature and keyCertSign', true, asCa('keyUsage=digitalSignature,keyCertSign')],
  ['the usage keyCertSign', false, asCa('keyUsage=keyCertSign')],
  ['the purpose serverAuth', false, own('extendedKeyUsage=serverAuth')],
  ['an unknown critical extension', false, own('1.2.3.4=critical,DER:0500')],
  ['a signature with SHA-1', true, { more: ['-sha1'] }],
  ['RSA of 2048 bits', true, { key: rsa(2048) }],
  ['Ed25519', true, { key: pem(generateKeyPairSync('ed25519')) }],
] as [string, boolean, Parameters<typeof issueCertificate>[1]][]) {
  test(`a certificate that is signed with its own key, with ${what}, authenticates ${isGood ? 'the client' : 'nobody'}, as openssl has it [8705 §2.2]`, {
    skip,
  }, async (t) => {
    const certificate = issueCertificate(subject, options);
    const jwks = JSON.stringify({ keys: [certificate.x509.publicKey.export({ format: 'jwk' })] });
    await register({ token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks });
    assert.equal(opensslAccepts(certificate, certificate), isGood, 'openssl');
    assert.equal(await authenticates(certificate), isGood);
    // its time does not count: it is only the envelope of the key
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 9 * 86_400_000 });
    assert.equal(await authenticates(certificate), isGood);
  });
}

test('at the port for certificates of this server the same certificates authenticate nobody', {
  skip,
}, async () => {
  const server = await startMutualTls();
  const good = issueCertificate(subject);
  const ask = async (certificate: Issued) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'client_id=bank&token=x';
    return (await fetchWith(server, certificate, `${server.alias}/introspect`, { method: 'POST', headers, body }))
      .status;
  };
  await registerBank(server, good);
  assert.equal(await ask(good), 200);
  assert.equal(await ask(issueCertificate(subject, { key: good.key, ...asCa('keyUsage=keyCertSign') })), 401);
  assert.equal(await ask(issueCertificate(subject, { key: good.key, ...own('extendedKeyUsage=serverAuth') })), 401);
});

test('tokens are bound to no certificate whose key is too short [8705 §3]', { skip }, async () => {
  await register({
    token_endpoint_auth_method: 'client_secret_post',
    client_secret: 'x'.repeat(40),
    tls_client_certificate_bound_access_tokens: true,
  });
  const browser = await signedInBrowser(latchkey.origin);
  const redirect_uri = 'https://app.example/cb';
  const proof = { redirect_uri, client_id: 'app', client_secret: 'x'.repeat(40) };
  const exchange = (code: string, { cert }: Issued) =>
    redeem(latchkey.origin, code, proof, { authorization: '', 'x-client-cert': encodeURIComponent(cert) });
  for (const key of [rsa(1024), rsa(2048, 3), curve('prime192v1')]) {
    const code = await obtainCode(browser, { client_id: 'app', redirect_uri });
    const { status, body } = await exchange(code, issueCertificate(subject, { key }));
    assert.deepEqual([status, body['error']], [400, 'invalid_request']);
    assert.match(String(body['error_description']), /its certificate, which is missing or has a weak key$/);
    assert.equal((await exchange(code, issueCertificate(subject, { key: rsa(2048) }))).status, 200);
  }
});
