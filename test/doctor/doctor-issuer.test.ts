import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { arrivalHeader, createProbe, probeHeader, readArrival } from '../../src/lib/probe.ts';
import { createCertificate, type Issued, issueAuthority, issueCertificate, noOpenssl } from '../support/certificate.ts';
import { diagnose } from '../support/doctor.ts';
import { installedFor } from '../support/installed.ts';
import { type Latchkey, startLatchkey } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';

/** Node reads NODE_EXTRA_CA_CERTS when a process starts. */
const installed = installedFor('');
const secret = 'Zm9ydHktdHdvIHBvbGl0ZSB3b21iYXRzIGRhbmNl';

/** What the proxy does, which tests change: the headers that it sends, and an answer of its own. */
interface Proxy {
  readonly issuer: string;
  upstream: string;
  headers(received: IncomingHttpHeaders): IncomingHttpHeaders;
  answer?(res: ServerResponse): void;
}

/** A proxy in front of the server, at the address that is the issuer. */
async function startProxy(tls?: { cert: Buffer; key: Buffer }): Promise<Proxy> {
  const server = tls ? createTlsServer(tls) : createServer();
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  const { port } = server.address() as AddressInfo;
  const proxy: Proxy = {
    issuer: `${tls ? 'https' : 'http'}://localhost:${port}`,
    upstream: '',
    headers: (received) => received,
  };
  server.on('request', (req, res) => {
    if (proxy.answer) return proxy.answer(res);
    const onward = request(`${proxy.upstream}${req.url}`, { headers: proxy.headers(req.headers) }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    onward.on('error', () => res.destroy()).end();
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  return proxy;
}

const proxy = await startProxy();
const settings = { ISSUER: proxy.issuer, SESSION_SECRET: secret };
const direct = await startLatchkey(settings);
const trusting = await startLatchkey({ ...settings, TRUST_PROXY: '1' }, direct.url);
const forwarded = (received: IncomingHttpHeaders) => ({
  ...received,
  'x-forwarded-for': '192.0.2.1',
  'x-forwarded-proto': 'http',
});

interface Way {
  server?: Latchkey;
  headers?: Proxy['headers'];
  answer?: Proxy['answer'];
  env?: Record<string, string>;
}

/** The findings about issuer and proxy when the request takes this way. */
async function findingsOf({ server = direct, headers = (received) => received, answer, env = {} }: Way) {
  Object.assign(proxy, { upstream: server.origin, headers, answer });
  const { findings } = await diagnose({ DATABASE_URL: direct.url, ...settings, ...env });
  const own = findings.filter(({ check }) => /^(issuer|proxy)_/.test(check));
  return own.map(({ check, severity, value, change }) => ({ check, severity, value, change }));
}

test('without a proxy, and with one that is trusted and names the client, there is nothing to say', async () => {
  assert.deepEqual(await findingsOf({}), []);
  const behind = { server: trusting, headers: forwarded, env: { TRUST_PROXY: '1' } };
  assert.deepEqual(await findingsOf(behind), []);
});

test('a proxy that is not trusted is an error', async () => {
  const [found, ...more] = await findingsOf({ headers: forwarded });
  assert.deepEqual(more, []);
  assert.deepEqual([found?.check, found?.severity], ['proxy_untrusted', 'error']);
  assert.equal(found?.value, '1 addresses in X-Forwarded-For, TRUST_PROXY is not set');
  assert.equal(found?.change, 'TRUST_PROXY=1, or the address of the proxy');
});

test('TRUST_PROXY without a proxy is an error, and with another number of proxies a warning', async () => {
  const env = { TRUST_PROXY: '1' };
  const [missing] = await findingsOf({ server: trusting, env });
  assert.deepEqual([missing?.check, missing?.severity], ['proxy_missing', 'error']);
  assert.equal(missing?.value, 'no X-Forwarded-For arrives, TRUST_PROXY 1');
  const headers = (received: IncomingHttpHeaders) => ({ ...received, 'x-forwarded-for': '192.0.2.1, 192.0.2.2' });
  const [hops] = await findingsOf({ server: trusting, env, headers });
  assert.deepEqual([hops?.check, hops?.severity, hops?.change], ['proxy_hops', 'warning', 'TRUST_PROXY=2']);
});

test('a host and a scheme that are not those of ISSUER are warnings', async () => {
  const headers = (received: IncomingHttpHeaders) => ({
    ...forwarded(received),
    host: 'inside',
    'x-forwarded-proto': 'https',
  });
  const [host, scheme, ...more] = await findingsOf({ server: trusting, headers, env: { TRUST_PROXY: '1' } });
  assert.deepEqual([host?.check, host?.severity], ['issuer_host', 'warning']);
  assert.equal(host?.value, `Host inside arrives for ISSUER ${proxy.issuer}`);
  assert.deepEqual([scheme?.check, scheme?.severity], ['issuer_scheme', 'warning']);
  assert.equal(scheme?.value, `X-Forwarded-Proto https arrives for ISSUER ${proxy.issuer}`);
  assert.deepEqual(more, []);
});

test('an issuer that leads to something else is an error, one that leads to another server of this name a warning', async () => {
  const other = await startLatchkey({ SESSION_SECRET: secret }, direct.url);
  const [wrong] = await findingsOf({ server: other });
  assert.deepEqual([wrong?.check, wrong?.severity, wrong?.change], ['issuer_wrong', 'error', `ISSUER=${other.origin}`]);
  const [page] = await findingsOf({ answer: (res) => res.writeHead(301, { location: '/elsewhere' }).end('<html>') });
  assert.deepEqual([page?.check, page?.value], ['issuer_wrong', `ISSUER ${proxy.issuer}: status 301, issuer missing`]);
  const [stranger, ...more] = await findingsOf({ env: { SESSION_SECRET: secret.replace('Z', 'z') } });
  assert.deepEqual([stranger?.check, stranger?.severity, more], ['issuer_other_server', 'warning', []]);
});

test('an https proxy that hides the addresses of clients is a warning', { skip: noOpenssl }, async () => {
  const files = createCertificate();
  const [cert, key] = [readFileSync(files.TLS_CERT_FILE), readFileSync(files.TLS_KEY_FILE)];
  const secure = await startProxy({ cert, key });
  const server = await startLatchkey({ ISSUER: secure.issuer, SESSION_SECRET: secret }, direct.url);
  secure.upstream = server.origin;
  const env = { DATABASE_URL: direct.url, ISSUER: secure.issuer, SESSION_SECRET: secret };
  const trusted = { ...env, NODE_EXTRA_CA_CERTS: files.TLS_CERT_FILE };
  const { found } = await diagnose(trusted, [], installed);
  assert.equal(found.get('proxy_hides_clients')?.severity, 'warning');
});

/** A certificate with the same names, signed with its own key, that expired yesterday. */
function expired({ cert, key }: Issued): Issued {
  const [certFile, keyFile] = [writeFile('expiring.pem', cert), writeFile('expiring-key.pem', key)];
  const { stdout, stderr } = spawnSync('openssl', ['x509', '-in', certFile, '-signkey', keyFile, '-days', '-1']);
  assert.match(String(stdout), /BEGIN CERTIFICATE/, String(stderr));
  return { cert: String(stdout), key, x509: new X509Certificate(stdout) };
}

test('a certificate that clients would refuse is named, with what to do, and not taken for silence', {
  skip: noOpenssl,
}, async () => {
  const by = issueAuthority('/CN=Authority');
  const localhost = { extensions: ['subjectAltName=DNS:localhost'] };
  const own = issueCertificate('/CN=localhost', localhost);
  const old = expired(own);
  const elsewhere = issueCertificate('/CN=localhost', { by, extensions: ['subjectAltName=DNS:other.example'] });
  for (const [presented, trusted, what, change] of [
    [own, undefined, /not trusted by this machine/, /NODE_EXTRA_CA_CERTS=/],
    [issueCertificate('/CN=localhost', { by, ...localhost }), undefined, /not trusted by/, /NODE_EXTRA_CA_CERTS=/],
    [elsewhere, by, /for another name/, /ISSUER/],
    [old, old, /has expired/, /renew/],
  ] as const) {
    const { issuer } = await startProxy({ cert: Buffer.from(presented.cert), key: Buffer.from(presented.key) });
    const env = { DATABASE_URL: direct.url, ISSUER: issuer, SESSION_SECRET: secret };
    const trusting = trusted && { ...env, NODE_EXTRA_CA_CERTS: writeFile('trusted.pem', trusted.cert) };
    const { found } = await (trusting ? diagnose(trusting, [], installed) : diagnose(env));
    const finding = found.get('issuer_certificate');
    assert.match(finding?.what ?? JSON.stringify([...found]), what);
    assert.match(finding?.value ?? '', new RegExp(`^ISSUER ${issuer}: [A-Z_]+$`));
    assert.match(finding?.change ?? '', change);
    assert.equal(found.get('issuer_unreachable'), undefined);
  }
});

test('only a holder of the session secret learns what arrives, and for a minute', async () => {
  const ask = async (probe: string) => {
    const url = `${direct.origin}/.well-known/oauth-authorization-server`;
    const { status, headers } = await fetch(url, { headers: { [probeHeader]: probe } });
    assert.equal(status, 200);
    return headers.get(arrivalHeader);
  };
  const probe = createProbe(secret, Date.now());
  assert.equal(readArrival((await ask(probe)) ?? '').host, new URL(direct.origin).host);
  assert.equal(await ask(createProbe(`${secret}.`, Date.now())), null);
  assert.equal(await ask(createProbe(secret, Date.now() - 120_000)), null);
  assert.equal(await ask(createProbe(secret, Date.now() + 120_000)), null);
  assert.equal(await ask(probe.replace(/^\d+/, (second) => String(Number(second) + 1))), null);
  for (const wrong of ['', 'x', `${probe}x`, `${probe}, ${probe}`]) assert.equal(await ask(wrong), null);
});
