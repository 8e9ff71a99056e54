import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createCertificate, noOpenssl } from '../support/certificate.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { startServing } from '../support/process.ts';

const skip = noOpenssl;
const [PORT, MTLS_PORT] = [String(await findFreePort()), String(await findFreePort())];
const env = { PORT, MTLS_PORT, HOST: 'localhost', ISSUER: `https://localhost:${PORT}`, WEB_CONCURRENCY: '2' };
let output: () => string = () => '';

before(async () => {
  if (skip) return;
  // with an RSA certificate the old suites would be possible, if the server accepted them
  const latchkey = await startServing({ DATABASE_URL: await createDatabase(), ...env, ...createCertificate('rsa') });
  output = latchkey.output;
});

/** What openssl says about a handshake; `input` is what it sends then. */
function handshake(options: string, input = '', port = PORT): string {
  const args = ['s_client', '-connect', `localhost:${port}`, ...options.split(' ').filter(Boolean)];
  const { stdout, stderr } = spawnSync('openssl', args, { input, encoding: 'utf8', timeout: 120_000 });
  return stdout + stderr;
}

const legacy = '-cipher ALL@SECLEVEL=0';

for (const [version, option] of [
  ['TLS 1.0', '-tls1'],
  ['TLS 1.1', '-tls1_1'],
] as const) {
  test(`refuses ${version} with an alert [A401] [FAPI2 5.2.1]`, { skip }, () => {
    assert.match(handshake(`${option} ${legacy}`), /alert protocol version/);
  });
}

for (const suite of ['ECDHE-RSA-AES128-GCM-SHA256', 'ECDHE-RSA-AES256-GCM-SHA384', 'ECDHE-RSA-CHACHA20-POLY1305']) {
  test(`accepts ${suite} with TLS 1.2 [A401] [FAPI2 5.2.2]`, { skip }, () => {
    assert.match(handshake(`-tls1_2 -cipher ${suite}`), new RegExp(`Cipher is ${suite}`));
  });
}

for (const suite of [
  'AES128-GCM-SHA256',
  'AES128-SHA',
  'ECDHE-RSA-AES128-SHA256',
  'ECDHE-RSA-AES256-SHA',
  'DHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-GCM-SHA384',
  'aNULL',
]) {
  test(`refuses ${suite} with TLS 1.2 [A401] [FAPI2 5.2.2]`, { skip }, () => {
    assert.match(handshake(`-tls1_2 -cipher ${suite}:@SECLEVEL=0`), /alert handshake failure/);
  });
}

test('prefers TLS 1.3, takes no early data, does not compress [A401] [FAPI2 5.2.1]', { skip }, () => {
  const said = handshake('', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  assert.match(said, /New, TLSv1\.3/);
  assert.match(said, /Compression: NONE/);
  assert.doesNotMatch(said, /Max Early Data: [1-9]/);
  assert.match(said, /Early data was not sent/);
});

test('refuses to renegotiate [A401]', { skip }, () => {
  assert.match(handshake('-tls1_2', 'R\n'), /no renegotiation/);
});

test('gives its only certificate under every name [A401]', { skip }, () => {
  assert.match(handshake('-servername other.example'), /subject=CN = localhost/);
});

test('asks no browser for a certificate [A400]', { skip }, () => {
  assert.match(handshake(''), /No client certificate CA names sent/);
  assert.doesNotMatch(handshake('-tls1_2'), /Requested Signature Algorithms/);
  assert.match(handshake('-tls1_2'), /New, TLSv1\.2/);
});

test('the port for certificates requests one, and is as strict [A401] [FAPI2 5.2.1, 5.2.2]', { skip }, () => {
  assert.match(handshake('-tls1_2', '', MTLS_PORT), /Requested Signature Algorithms/);
  assert.match(handshake(`-tls1_1 ${legacy}`, '', MTLS_PORT), /alert protocol version/);
  const suites = '-tls1_2 -cipher ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-GCM-SHA256:AES128-SHA:@SECLEVEL=0';
  assert.match(handshake(suites, '', MTLS_PORT), /alert handshake failure/);
});

/** The fingerprints that a few connections see: each of the two processes serves some of them. */
function fingerprints(): Set<string> {
  return new Set(Array.from({ length: 8 }, () => new X509Certificate(handshake('')).fingerprint256));
}

/** Resolves once each of the two processes has logged it. */
async function bothSaid(message: string): Promise<void> {
  const pids = () =>
    new Set(
      output()
        .split('\n')
        // the last one may not be complete
        .slice(0, -1)
        .flatMap((line) => (line.includes(message) ? JSON.parse(line).pid : [])),
    );
  while (pids().size < 2) await pause(100);
}

test('a renewed certificate is served without a restart, by every process; an unusable one changes nothing', {
  skip,
}, async () => {
  const [old] = fingerprints();
  const { TLS_CERT_FILE } = createCertificate('ec');
  const renewed = readFileSync(TLS_CERT_FILE);
  const { fingerprint256 } = new X509Certificate(renewed);
  assert.notEqual(fingerprint256, old);
  await bothSaid('the certificate was reloaded');
  assert.deepEqual([...fingerprints()], [fingerprint256]);

  writeFileSync(TLS_CERT_FILE, 'no certificate');
  await bothSaid('the previous certificate stays');
  assert.deepEqual([...fingerprints()], [fingerprint256]);
  assert.match(handshake('-tls1_2 -cipher ECDHE-ECDSA-AES128-SHA256:@SECLEVEL=0'), /alert handshake failure/);
});
