import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areSameNames, readDistinguishedName } from '../../src/lib/distinguished-name.ts';
import { type Issued, issueAuthority, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { post } from '../support/flow.ts';
import { type Latchkey, startWithPrinter } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';

// a proxy passes the certificates on here, so that each test can present what it likes

const skip = noOpenssl;
const subject = '/C=DE/O=Acme/CN=app';
let latchkey: Latchkey;
let untrusted: Latchkey;
let authority: Issued;
let right: Issued;

if (!skip) {
  authority = issueAuthority('/CN=Test CA');
  const CLIENT_CA_FILE = writeFile('authorities.pem', authority.cert);
  latchkey = await startWithPrinter({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert', CLIENT_CA_FILE });
  untrusted = await startWithPrinter({ TRUST_PROXY: '192.0.2.1', CLIENT_CERT_HEADER: 'X-Client-Cert' });
  right = issueCertificate(subject, { by: authority });
}

async function register(changes: Record<string, unknown>, { database } = latchkey): Promise<void> {
  const values: Record<string, unknown> = {
    client_id: 'app',
    name: 'App',
    site_domain: 'app.example',
    redirect_uris: ['https://app.example/callback'],
    scopes: ['user'],
    ...changes,
  };
  const names = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  await database.query(`select register_client(${names.join(', ')})`, Object.values(values));
}

const registerSubject = (dn = 'CN=app,O=Acme,C=DE') =>
  register({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: dn });
const registerHost = () =>
  register({ token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: 'app.example' });
const registerKey = ({ x509 }: Issued, at = latchkey) => {
  const jwks = JSON.stringify({ keys: [x509.publicKey.export({ format: 'jwk' })] });
  return register({ token_endpoint_auth_method: 'self_signed_tls_client_auth', jwks }, at);
};

const escaped = ({ cert }: Pick<Issued, 'cert'>) => encodeURIComponent(cert);

/** The status of a request that only an authenticated client may make, and the error. */
async function ask(header: string | undefined, client_id = 'app', { origin } = latchkey) {
  const headers = header === undefined ? {} : { 'x-client-cert': header };
  const { status, body } = await post(
    `${origin}/introspect`,
    { client_id, token: 'x' },
    { authorization: '', ...headers },
  );
  return body['error'] === undefined ? status : `${status} ${body['error']}`;
}

async function isRefused(certificate: Issued, message?: string): Promise<void> {
  assert.equal(await ask(escaped(certificate)), '401 invalid_client', message);
}

test('a client authenticates by a certificate of an authority, and by nothing less', { skip }, async () => {
  await registerSubject();
  assert.equal(await ask(escaped(right)), 200);
  assert.equal(await ask(undefined), '401 invalid_client');
  assert.equal(await ask(escaped(right), 'unknown'), '401 invalid_client');
  const { status } = await post(`${latchkey.origin}/introspect`, { client_id: 'app', token: 'x', client_secret: 'y' });
  assert.notEqual(status, 200);
});

test('a client that was disabled authenticates by no certificate any more', { skip }, async () => {
  for (const registerOne of [() => registerSubject(), () => registerKey(right)]) {
    await registerOne();
    assert.equal(await ask(escaped(right)), 200);
    await latchkey.database.query(`update clients set disabled_at = now() where client_id = 'app'`);
    await isRefused(right);
    await latchkey.database.query(`update clients set disabled_at = null where client_id = 'app'`);
    assert.equal(await ask(escaped(right)), 200);
  }
});

test('a certificate of another authority, of none, for servers only or out of date is refused', { skip }, async (t) => {
  await registerSubject();
  const impostor = issueAuthority('/CN=Test CA');
  await isRefused(issueCertificate(subject, { by: impostor }), 'another authority of the same name');
  await isRefused(issueCertificate(subject), 'signed with its own key');
  await isRefused(issueCertificate(subject, { by: right }), 'issued by a client');
  const server = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=serverAuth'];
  await isRefused(issueCertificate(subject, { by: authority, extensions: server }), 'for servers only');
  const client = ['basicConstraints=CA:FALSE', 'extendedKeyUsage=clientAuth'];
  assert.equal(await ask(escaped(issueCertificate(subject, { by: authority, extensions: client }))), 200);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3 * 86_400_000 });
  await isRefused(right, 'expired');
});

for (const [what, presented, more] of [
  ['in another order', '/CN=app/O=Acme/C=DE'],
  ['with the end of the name inside a value', '/C=DE/O=Acme, CN=app/CN=other'],
  ['with a line break inside a value', '/C=DE/CN=app\nO=Acme'],
  ['with two attributes at one level', '/C=DE/O=Acme/CN=app+OU=x', ['-multivalue-rdn']],
  ['with a second CN', '/C=DE/O=Acme/CN=app/CN=app'],
  ['with a space at the end', '/C=DE/O=Acme/CN=app '],
  ['in another case', '/C=DE/O=Acme/CN=App'],
  ['with an attribute more', '/C=DE/O=Acme/title=x/CN=app'],
  ['without a part', '/O=Acme/CN=app'],
  ['that is empty', '/'],
] as const) {
  test(`refuses a certificate whose subject is the registered one ${what} [A394]`, { skip }, async () => {
    await registerSubject();
    await isRefused(issueCertificate(presented, { by: authority, more: more ?? [] }));
    assert.equal(await ask(escaped(right)), 200);
  });
}

test('accepts the registered subject in both encodings of text, and with escapes [A394]', { skip }, async () => {
  await registerSubject();
  assert.equal(await ask(escaped(issueCertificate(subject, { by: authority, strings: 'nombstr' }))), 200);
  await registerSubject('CN=\\C3\\A4pp+OU=x,organizationIdentifier=#0C02505A,O=Acme\\, Inc.');
  const more = ['-multivalue-rdn'];
  const presented = '/O=Acme, Inc./organizationIdentifier=PZ/OU=x+CN=äpp';
  assert.equal(await ask(escaped(issueCertificate(presented, { by: authority, more }))), 200);
});

test('a registered name that is none is refused, and a NUL ends no value [A394]', { skip }, async () => {
  for (const dn of ['app', 'CN=app,', 'CN=a"b', 'CN=app, O=Acme', '=x', 'CN=app;O=Acme']) {
    await assert.rejects(registerSubject(dn), /tls_client_auth_subject_dn is no name/, dn);
    assert.equal(readDistinguishedName(dn), undefined, dn);
  }
  const nul = readDistinguishedName('CN=app\\00x');
  assert.ok(nul);
  assert.equal(areSameNames(nul, readDistinguishedName('CN=app')), false);
  assert.equal(readDistinguishedName('FOO=app'), undefined);
});

const withNames = (names: string, name = '/CN=x') =>
  issueCertificate(name, { by: authority, extensions: ['basicConstraints=CA:FALSE', `subjectAltName=${names}`] });

test('accepts a certificate with the registered host name, in any case of letters [A395]', { skip }, async () => {
  await registerHost();
  for (const name of ['DNS:app.example', 'DNS:APP.EXAMPLE', 'DNS:other.example,DNS:app.example']) {
    assert.equal(await ask(escaped(withNames(name))), 200, name);
  }
});

for (const name of [
  'DNS:*.example',
  'DNS:*',
  'DNS:app.example.',
  'DNS:.app.example',
  'DNS:xn--pp-example',
  'DNS:app.example.other.example',
  'URI:app.example',
  'URI:https://x/%2C DNS:app.example',
  'email:app.example@app.example',
  'IP:192.0.2.1',
]) {
  test(`refuses a certificate with ${name} for the registered host name [A395]`, { skip }, async () => {
    await registerHost();
    await isRefused(withNames(name, '/CN=app.example'), name);
  });
}

test('the CN is no host name, and no registered one may have a wildcard [A395]', { skip }, async () => {
  await registerHost();
  await isRefused(issueCertificate('/CN=app.example', { by: authority }));
  for (const host of ['*.example', '.example', 'App.example', 'app.example.', 'app']) {
    const changes = { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_san_dns: host };
    await assert.rejects(register(changes), /is no host name in lower case/, host);
  }
});

test('a certificate that is signed with its own key authenticates by this key alone [A392]', { skip }, async () => {
  const registered = issueCertificate(subject, { more: ['-set_serial', '1'] });
  await registerKey(registered);
  assert.equal(await ask(escaped(registered)), 200);
  await isRefused(issueCertificate(subject, { more: ['-set_serial', '1'] }), 'the same names and number');
  await isRefused(right, 'of an authority');
  const renewed = issueCertificate('/CN=renewed', { key: registered.key });
  assert.equal(await ask(escaped(renewed)), 200, 'a renewed certificate has the same key');
});

test('the header of the proxy has one form, and counts once [A397]', { skip }, async () => {
  await registerSubject();
  const accepted = escaped(right);
  const base64 = right.x509.raw.toString('base64');
  const spoilt: [what: string, header: string][] = [
    ['two values', `${accepted},${accepted}`],
    ['two values with a space', `${accepted}, ${accepted}`],
    ['encoded twice', encodeURIComponent(accepted)],
    ['plus signs for spaces', accepted.replaceAll('%20', '+')],
    ['tabs for line feeds', accepted.replaceAll('%0A', '%09')],
    ['base64 alone', base64],
    ['the form of RFC 9440', `:${base64}:`],
    ['two certificates', accepted + accepted],
    ['a private key', escaped({ cert: right.key })],
    ['a NUL', accepted.replace('%0A', '%00')],
    ['a broken escape', `${accepted}%`],
    ['no certificate in it', encodeURIComponent('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n')],
    ['a failed verification', 'FAILED:unable to verify'],
    ['a hyphen', '-'],
  ];
  for (const [what, header] of spoilt) assert.equal(await ask(header), '400 invalid_request', what);
  for (const none of ['', '(null)']) assert.equal(await ask(none), '401 invalid_client', none);
  assert.equal(await ask(accepted), 200);
  // as Amazon's load balancer escapes it
  assert.equal(await ask(encodeURI(right.cert)), 200);
});

test('two header lines with a certificate are refused, and none of it is logged [A397]', { skip }, async () => {
  await registerSubject();
  const headers = new Headers({ 'content-type': 'application/x-www-form-urlencoded' });
  headers.append('x-client-cert', escaped(right));
  headers.append('x-client-cert', escaped(right));
  const body = 'client_id=app&token=x';
  const { status } = await fetch(`${latchkey.origin}/introspect`, { method: 'POST', headers, body });
  assert.equal(status, 400);
  const log = latchkey.logged.join('');
  assert.ok(!log.includes('BEGIN') && !log.includes(right.x509.raw.toString('base64').slice(40, 80)));
});

test('the header of anybody but the proxy means nothing [A397]', { skip }, async () => {
  await registerKey(right, untrusted);
  for (const header of [escaped(right), 'nonsense']) {
    assert.equal(await ask(header, 'app', untrusted), '401 invalid_client');
  }
});

test('many names in a certificate take no time [A395]', { skip }, async () => {
  await registerHost();
  const names = Array.from({ length: 200 }, (_, index) => `DNS:name-${index}.example`).join(',');
  const many = withNames(names);
  const start = process.cpuUsage();
  for (let count = 0; count < 25; count += 1)
    many.x509.checkHost('app.example', { subject: 'never', wildcards: false });
  assert.ok(process.cpuUsage(start).user < 2_000_000);
  assert.equal(await ask(escaped(withNames(`${names},DNS:app.example`))), 200);
});
