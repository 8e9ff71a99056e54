import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createHashingQueue } from '../../src/identity/hashing-queue.ts';
import { createPasswords } from '../../src/identity/password-hashing.ts';
import { type Database, openDatabase } from '../../src/postgres/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { createTemplate, lendServer, runOn, withDatabase } from '../support/server-for-tests.ts';
import { fuzz } from './fuzz.ts';
import { routesOf } from './routes.ts';
import { prepareDatabase } from './seeds.ts';

/**
 * The long run: `npm run fuzz`, 10,000 requests to each address of a process of its own, whose memory is watched.
 * FUZZ_SEED repeats a run, FUZZ_REQUESTS and FUZZ_ONLY (a part of a path) make it shorter.
 */
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 10_000);
const warmUp = Math.min(500, requests);
const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
const only = process.env['FUZZ_ONLY'] ?? '';
const mostGrowth = 1.3;
const say = (sentence: string) => process.stdout.write(`${sentence}\n`);

const lent = await lendServer();
const template = await createTemplate(lent.url);
const name = `latchkey_fuzz_${randomBytes(4).toString('hex')}`;
await runOn(lent.url, `create database ${name} template ${template.name}`);
const url = withDatabase(lent.url, name);
const database = openDatabase({ connectionString: url });
try {
  process.exitCode = await run(database);
} finally {
  await database.end();
  await runOn(lent.url, `drop database if exists ${name} with (force)`);
  await template.drop();
  await lent.stop();
}

async function run(database: Database): Promise<number> {
  await prepareDatabase(database);
  const port = String(await findFreePort());
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    DATABASE_URL: url,
    PORT: port,
    ISSUER: origin,
    DEMO: 'true',
    REGISTRATION: 'open',
    REGISTRATION_ENDPOINT: 'open',
  };
  const config = loadConfig(env);
  const log = pino({ level: 'silent' });
  const sessionSecrets = [randomBytes(32).toString('hex')];
  const stopping = new AbortController().signal;
  const passwords = createPasswords(createHashingQueue());
  const routes = routesOf(
    createApp({
      config,
      database,
      log,
      sessionSecrets,
      stopping,
      passwords,
      metrics: async () => '',
      examine: async () => [],
    }),
  );
  const server = await startServer(env);
  say(`FUZZ_SEED=${seed}: ${requests} requests to each of ${routes.length} addresses`);
  const failures: string[] = [];
  const pass = async (count: number, offset: number) => {
    for (const route of routes.filter(({ path }) => path.includes(only))) {
      const start = Date.now();
      const failure = await fuzz(origin, database, route, count, seed + offset).catch((error: Error) => error.message);
      if (failure) failures.push(`${route.path}: ${failure}`);
      const seconds = ((Date.now() - start) / 1000).toFixed(1);
      say(`${failure ? 'FAILED' : 'ok'}  ${route.path}  ${count} in ${seconds} s, ${memoryOf(server.child)} MB`);
    }
  };
  await pass(warmUp, 0);
  const before = await settledMemory(server.child);
  await pass(requests, warmUp);
  const after = await settledMemory(server.child);
  const isFlat = after < before * mostGrowth;
  const isAlive = server.child.exitCode === null && (await fetch(`${origin}/healthz`)).status === 200;
  const trouble = server.trouble();
  server.child.kill('SIGTERM');
  say(`memory: ${before} MB after the warm-up, ${after} MB at the end${isFlat ? '' : ': it grew'}`);
  say(`the server ${isAlive ? 'lives' : 'is dead'}; errors in its log: ${trouble.length}`);
  for (const sentence of [...failures, ...trouble.slice(0, 5)]) say(sentence.slice(-3000));
  return isFlat && isAlive && failures.length === 0 && trouble.length === 0 ? 0 : 1;
}

async function startServer(env: Record<string, string>) {
  const child = spawn(process.execPath, ['--import', 'tsx', 'src/main.ts'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const trouble: string[] = [];
  let isReady = false;
  let rest = '';
  const read = (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    isReady ||= lines.some((line) => /Open http|Latchkey serves/.test(line));
    // pino's error and fatal, and whatever is no log line at all
    trouble.push(...lines.filter((line) => line !== '' && !/^\{"level":[1-4]0,/.test(line)));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  for (let tenth = 0; !isReady && tenth < 300; tenth += 1) await pause(100);
  if (!isReady) throw new Error(`the server does not start:\n${trouble.join('\n')}`);
  return { child, trouble: () => trouble };
}

function memoryOf({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

/** The least of a while: what the collector leaves behind when it has come round. */
async function settledMemory(child: ChildProcess): Promise<number> {
  const samples: number[] = [];
  for (let second = 0; second < 5; second += 1) {
    await pause(1000);
    samples.push(memoryOf(child));
  }
  return Math.min(...samples);
}
