import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { type Latchkey, startLatchkey } from '../support/latchkey.ts';
import { enterNetwork, publicAddress } from '../support/network.ts';

const skip = await enterNetwork(import.meta.url);
const latchkey = skip ? ({} as Latchkey) : await startLatchkey();

interface Answer {
  status: number | undefined;
  body: string;
}

/** The product at every address of this machine. */
async function listen(env: Record<string, string>): Promise<number> {
  const config = { ...latchkey.deps.config, ...loadConfig({ DATABASE_URL: 'postgres://unused', ...env }) };
  const server = createServer(createApp({ ...latchkey.deps, config })).listen(0, '0.0.0.0');
  after(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function ask(port: number, from: string, path = '/metrics', headers = {}, method = 'GET'): Promise<Answer> {
  const sent = request({ host: from, localAddress: from, port, path, headers, method, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // the id differs from one request to the next
  const body = (await text(response)).replaceAll(/"request_id":"[^"]*"/g, '');
  return { status: response.statusCode, body };
}

const json = { accept: 'application/json' };
const neighbour = '10.0.0.5';

async function assertOpen(port: number, from: string, path = '/metrics'): Promise<void> {
  const { status, body } = await ask(port, from, path);
  assert.equal(status, 200, from);
  assert.match(body, /^latchkey_processes 1$/m);
}

/** The answer must be that of an address that does not exist. */
async function assertHidden(port: number, from: string, headers = {}): Promise<void> {
  const unknown = await ask(port, from, '/no-such-page', { ...json, ...headers });
  assert.equal(unknown.status, 404);
  for (const method of ['GET', 'POST', 'DELETE']) {
    const found = await ask(port, from, '/metrics', { ...json, ...headers }, method);
    assert.deepEqual(found, unknown, `${method} from ${from} with ${JSON.stringify(headers)}`);
  }
}

test('without METRICS_PORT a program on this machine may read /metrics, others find nothing there [A422]', {
  skip,
}, async () => {
  const port = await listen({});
  await assertOpen(port, '127.0.0.1');
  await assertHidden(port, publicAddress);
  await assertHidden(port, publicAddress, { 'x-forwarded-for': '127.0.0.1' });
  await assertHidden(port, neighbour);
  assert.equal((await ask(port, '127.0.0.1', '/metrics', json, 'POST')).status, 405);
  for (const path of ['//metrics', '/METRICS', '/metrics/', '/%6detrics']) {
    assert.equal((await ask(port, '127.0.0.1', path)).status, 404, path);
  }
});

test('a stranger behind a proxy on this machine is a stranger, whatever the proxy or the stranger adds [A422]', {
  skip,
}, async () => {
  for (const TRUST_PROXY of ['false', 'loopback', '1', 'true']) {
    const port = await listen({ TRUST_PROXY });
    for (const name of ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via', 'cf-connecting-ip', 'x-forwarded-host']) {
      await assertHidden(port, '127.0.0.1', { [name]: '127.0.0.1' });
    }
    await assertOpen(port, '127.0.0.1');
  }
});

test('a program in a private network that TRUST_PROXY names may read /metrics, if it connects directly [A422]', {
  skip,
}, async () => {
  for (const TRUST_PROXY of ['10.0.0.0/8', 'uniquelocal', '1']) {
    const port = await listen({ TRUST_PROXY });
    await assertOpen(port, neighbour);
    await assertHidden(port, neighbour, { 'x-forwarded-for': neighbour });
    await assertHidden(port, publicAddress);
  }
  await assertHidden(await listen({ TRUST_PROXY: publicAddress }), publicAddress);
  await assertHidden(await listen({ TRUST_PROXY: '10.0.0.6' }), neighbour);
});

test('behind a proxy that TRUST_PROXY does not name nobody is known to connect directly [A422]', { skip }, async () => {
  const ISSUER = 'https://id.example/auth';
  await assertHidden(await listen({ ISSUER }), '127.0.0.1');
  const named = await listen({ ISSUER, TRUST_PROXY: 'loopback' });
  await assertOpen(named, '127.0.0.1');
  await assertOpen(named, '127.0.0.1', '/auth/metrics');
});
