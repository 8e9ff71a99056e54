// ci: waits for processes
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type SecureVersion } from 'node:tls';
import { pino } from 'pino';
import { reloadCertificate, tlsOptions } from '../../src/operations/tls.ts';
import { type Issued, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { startServing } from '../support/process.ts';
import { scratch } from '../support/scratch.ts';

const skip = noOpenssl;
const [port, mtlsPort] = [await findFreePort(), await findFreePort()];
const live = join(scratch, 'live');
const [TLS_CERT_FILE, TLS_KEY_FILE] = [join(live, 'tls.crt'), join(live, 'tls.key')];
const issue = () => issueCertificate('/CN=localhost', { extensions: ['subjectAltName=DNS:localhost'] });

/** A directory with a pair, as Kubernetes makes one for each version of a secret. */
function write(name: string, { cert, key }: Issued): string {
  const path = join(scratch, name);
  mkdirSync(path);
  writeFileSync(join(path, 'tls.crt'), cert);
  writeFileSync(join(path, 'tls.key'), key);
  return path;
}

/** Fails with these words after a minute. */
async function until(isSo: () => boolean, words: () => string): Promise<void> {
  for (const end = Date.now() + 60_000; !isSo(); await pause(20)) assert.ok(Date.now() < end, words());
}

async function start(pair: Issued) {
  symlinkSync(write('first', pair), live);
  const env = {
    PORT: String(port),
    MTLS_PORT: String(mtlsPort),
    HOST: 'localhost',
    ISSUER: `https://localhost:${port}`,
  };
  const workers = { DATABASE_URL: await createDatabase(), WEB_CONCURRENCY: '2' };
  const server = await startServing({ ...workers, ...env, TLS_CERT_FILE, TLS_KEY_FILE });
  const count = (message: string) => server.output().split(message).length - 1;
  /** Does something with the files, and waits until both workers have said this. */
  const change = async (message: string, act: () => void) => {
    const expected = count(message) + 2;
    act();
    await until(
      () => count(message) >= expected,
      () => `"${message}" was said ${count(message)} times instead of ${expected}:\n${server.output()}`,
    );
  };
  return { count, change };
}

/** At once, so that nobody reads an empty file, about which there would be another line. */
function put(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

/** The fingerprint of the certificate that a new connection gets. */
async function shake(to: number, maxVersion: SecureVersion = 'TLSv1.3', ciphers?: string): Promise<string> {
  const options = { host: 'localhost', port: to, rejectUnauthorized: false, maxVersion };
  const socket = connect({ ...options, minVersion: 'TLSv1', ...(ciphers && { ciphers }) });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerX509Certificate()?.fingerprint256 ?? 'no certificate';
  } finally {
    socket.destroy();
  }
}

const isServed = async (pair: Issued) => {
  for (let round = 0; round < 6; round += 1) {
    for (const to of [port, mtlsPort]) assert.equal(await shake(to), pair.x509.fingerprint256);
  }
};

test('while certificates are replaced well and badly, no handshake fails, and all workers keep the last good pair [F32]', {
  skip,
}, async () => {
  const [first, second, third] = [issue(), issue(), issue()];
  const { change, count } = await start(first);
  const [reloaded, unusable] = ['the certificate was reloaded', 'the previous certificate stays'];
  const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
  after(() => agent.destroy());
  const ask = async () => {
    const request = get(`https://localhost:${port}/healthz`, { agent });
    const [response] = await once(request, 'response');
    await once(response.resume(), 'end');
    return request.reusedSocket;
  };
  await ask();

  const known = new Set([first, second, third].map(({ x509 }) => x509.fingerprint256));
  let [handshakes, isOver] = [0, false];
  /** While visitors come. */
  const changeAmongVisitors = async (message: string, act: () => void) => {
    const before = handshakes;
    await change(message, act);
    await until(
      () => handshakes >= before + 10,
      () => `only ${handshakes - before} of 10 handshakes succeeded after "${message}"`,
    );
  };
  const visitors = [port, mtlsPort].map(async (to) => {
    while (!isOver) {
      assert.ok(known.has(await shake(to)));
      handshakes += 1;
      await pause(10);
    }
  });
  try {
    // a link is exchanged at once
    await changeAmongVisitors(reloaded, () => {
      symlinkSync(write('second', second), `${live}.new`);
      renameSync(`${live}.new`, live);
    });
    await isServed(second);
    // the certificate comes first, which is the one of another key until the key comes, too
    await changeAmongVisitors(unusable, () => put(TLS_CERT_FILE, third.cert));
    await isServed(second);
    await changeAmongVisitors(unusable, () => put(TLS_KEY_FILE, third.key.slice(0, 100)));
    await isServed(second);
    await changeAmongVisitors(unusable, () => rmSync(TLS_KEY_FILE));
    await isServed(second);
    await changeAmongVisitors(reloaded, () => put(TLS_KEY_FILE, third.key));
    await isServed(third);
    // an open connection goes on
    assert.equal(await ask(), true);
    assert.deepEqual([count(reloaded), count(unusable)], [4, 6], 'one line for each worker');
  } finally {
    isOver = true;
  }
  await Promise.all(visitors);
});

test('a certificate that is replaced while the server starts is served [F32]', { skip }, async () => {
  const [first, second] = [issue(), issue()];
  const path = write('starting', first);
  const files = { cert: join(path, 'tls.crt'), key: join(path, 'tls.key') };
  const server = createServer(tlsOptions(files));
  after(() => server.close());
  // after the server has read its pair, and before anything looks for changes
  put(files.cert, second.cert);
  put(files.key, second.key);
  reloadCertificate([server], files, pino({ enabled: false }));
  await once(server.listen(0, 'localhost'), 'listening');
  const { port } = server.address() as AddressInfo;
  const end = Date.now() + 10_000;
  while ((await shake(port)) !== second.x509.fingerprint256) {
    assert.ok(Date.now() < end, 'the server still has the certificate that was replaced');
    await pause(100);
  }
});

test('after a reload, versions, suites and requests for certificates are what they were [F32]', {
  skip,
}, async () => {
  const refused = {
    code: /^ERR_SSL_.*(PROTOCOL|HANDSHAKE_FAILURE)/,
  };
  for (const to of [port, mtlsPort]) {
    await assert.rejects(shake(to, 'TLSv1.1', 'DEFAULT:@SECLEVEL=0'), refused);
    await assert.rejects(shake(to, 'TLSv1.2', 'ECDHE-ECDSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA'), refused);
    assert.match(await shake(to, 'TLSv1.2', 'ECDHE-ECDSA-AES128-GCM-SHA256'), /:/);
  }
  const asksForOne = (to: number) => {
    const args = ['s_client', '-connect', `localhost:${to}`, '-tls1_2'];
    return /Requested Signature Algorithms/.test(spawnSync('openssl', args, { input: '', encoding: 'utf8' }).stdout);
  };
  assert.deepEqual([asksForOne(port), asksForOne(mtlsPort)], [false, true]);
});
