import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createCredential } from '../../src/lib/secrets.ts';
import { wrongAssertion } from '../bench/event-loop.ts';
import { fapiRequests } from '../bench/fapi-client.ts';
import { Generator } from '../bench/generator.ts';
import { requests, type Template } from '../bench/requests.ts';
import { latchkeyFapiSeed } from '../bench/seeds/latchkey.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { createDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { program } from '../support/process.ts';
import { ownEnvironment } from '../support/program.ts';
import { writeFile } from '../support/scratch.ts';
import { metadata } from '../support/self-registration.ts';

const limit = 256 * 2 ** 20;

/** A group of processes with that limit; undefined where none can be made, and then nothing but the peak is measured. */
function limitMemory(): string | undefined {
  for (const [root, file] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ] as const) {
    const group = join(root, `latchkey-${process.pid}`);
    try {
      mkdirSync(group);
      writeFileSync(join(group, file), String(limit));
      return group;
    } catch {}
  }
  return undefined;
}

async function startLimited(env: Record<string, string>) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const group = limitMemory();
  const members = group === undefined ? '/dev/null' : join(group, 'cgroup.procs');
  const child = spawn('sh', ['-c', `echo $$ >"$0"; exec "$@"`, members, process.execPath, program], {
    env: { ...ownEnvironment(), PORT: String(port), ISSUER: origin, DRAIN_DELAY: '0', ...env },
    // its log is as long as the floods
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  after(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    if (group !== undefined) rmdirSync(group);
  });
  while ((await fetch(`${origin}/readyz`).catch(() => undefined))?.status !== 200) await pause(50);
  return { child, origin, port, isLimited: group !== undefined };
}

/** The most memory that a process ever had, in MiB. */
function peakOf({ pid }: ChildProcess): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

interface Flood extends Template {
  connections: number;
  count: number;
}

// each from another network, so that no limit of attempts stops it
const from = { 'X-Forwarded-For': '{1}' };
const floods: Record<string, Flood> = {
  'made-up tokens': {
    ...{ method: 'GET', path: '/user', headers: { ...from, Authorization: 'Bearer {2}' } },
    ...{ connections: 64, count: 10_000 },
  },
  '/readyz': { method: 'GET', path: '/readyz', headers: from, connections: 500, count: 20_000 },
  'paths of 15 KB that look like JWTs': {
    ...{ method: 'GET', path: `/${'eyJ'.repeat(5000)}`, headers: from, connections: 64, count: 5000 },
  },
  'registrations of 16 KB': {
    ...{ method: 'POST', path: '/register', headers: { ...from, 'Content-Type': 'application/json' } },
    body: JSON.stringify({ ...metadata, redirect_uris: [`https://${'a.'.repeat(7500)}example/cb`] }),
    ...{ connections: 64, count: 3000 },
  },
  'forms of 16 KB': {
    ...{ ...requests.exchange, headers: { ...requests.exchange.headers, ...from } },
    ...{ body: `${requests.exchange.body}&more=${'x'.repeat(16_000)}`, connections: 500, count: 10_000 },
  },
  'wrong signatures by a key of 4096 bits': {
    ...{ ...fapiRequests.par, headers: { ...fapiRequests.par.headers, ...from } },
    ...{ connections: 64, count: 3000 },
  },
};

test('a server in 256 MiB survives floods of every kind', async (t) => {
  const env = { DATABASE_URL: await createDatabase(), SEED_FILE: writeFile('bank.sql', latchkeyFapiSeed.schema) };
  const { child, origin, port, isLimited } = await startLimited({
    ...env,
    ...{ REGISTRATION_ENDPOINT: 'open', TRUST_PROXY: '1' },
  });
  t.diagnostic(`${isLimited ? 'limited' : 'no group of processes can be limited here'}; idle: ${peakOf(child)} MiB`);
  const survived = async (what: string) => {
    assert.deepEqual([child.exitCode, child.signalCode], [null, null], what);
    assert.equal((await fetch(`${origin}/readyz`)).status, 200, what);
    t.diagnostic(`${what}: at most ${Math.round(peakOf(child))} MiB so far`);
  };
  for (const [what, { connections, count, ...template }] of Object.entries(floods)) {
    const generator = new Generator(connections);
    const assertion = wrongAssertion().split(' ').at(-1);
    const values = Array.from({ length: count }, (_, n) =>
      [`10.${n % 250}.${n >> 8}.1`, template.path === '/par' ? assertion : createCredential('access_token')].join(' '),
    );
    const { statuses } = await generator.drive({ ...template, port, values });
    generator.stop();
    await survived(`${what}, answered ${JSON.stringify(statuses)}`);
  }
  await pipeline(port);
  await survived('seven megabytes of requests on each of twenty connections');
  await signIn(origin);
  await survived('sign-ins');
  assert.ok(peakOf(child) < limit / 2 ** 20);
});

async function pipeline(port: number): Promise<void> {
  const sockets = Array.from({ length: 20 }, (_, n) => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.resume();
    socket.write(`GET ${n % 2 === 0 ? '/' : '/readyz'} HTTP/1.1\r\nHost: here\r\n\r\n`.repeat(200_000));
    return socket;
  });
  await pause(10_000);
  for (const socket of sockets) socket.destroy();
}

/** Signs in with another account from another network each time, so that no limit of attempts stops it. */
async function signIn(origin: string): Promise<void> {
  const end = performance.now() + 10_000;
  const flood = Array.from({ length: 48 }, async (_, n) => {
    const browser = new Browser(origin);
    const login = await browser.visit('/login');
    for (let count = 0; performance.now() < end; count += 1) {
      const [path, init] = formRequest(login, 'id="login"', { username: `victim-${n}-${count}`, password: 'a guess' });
      const headers = { ...(init.headers as Record<string, string>), 'X-Forwarded-For': `203.0.${n}.${count % 250}` };
      await browser.open(path, { ...init, headers });
    }
  });
  await Promise.all(flood);
}
