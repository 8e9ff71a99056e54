import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { DatabaseAddress } from '../postgres/database.ts';
import { lendHashingSlots } from './hashing-slots.ts';
import type { HttpServer } from './http-server.ts';

const longestDelay = 10_000;
const drainMessage = 'drain';
const addressVariable = 'LATCHKEY_DATABASE';

/** Processes that share the port; this one keeps the database, the migrations and the signals to itself. */
export async function startWorkers(count: number, address: DatabaseAddress, log: Logger): Promise<HttpServer> {
  const env = { [addressVariable]: JSON.stringify(address) };
  let draining = false;
  let deaths = 0;
  const replaceOnExit = (worker: Worker): void => {
    worker.once('exit', (code, signal) => {
      if (draining) return;
      const delay = Math.min(100 * 2 ** deaths, longestDelay);
      deaths += 1;
      log.error({ worker: worker.process.pid, code, signal, delay }, 'a worker process ended; another takes its place');
      setTimeout(() => draining || replaceOnExit(fork(env)), delay);
      // a minute without another death, and the next one is a first one again
      setTimeout(() => (deaths -= 1), 60_000 + delay).unref();
    });
  };
  lendHashingSlots();
  for (let started = 0; started < count; started += 1) replaceOnExit(await startWorker(env));
  const drain = async () => {
    draining = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(workers.map((worker) => drainWorker(worker)));
  };
  return { drain };
}

function fork(env: Record<string, string>): Worker {
  // a message to a process that has just died fails; its exit is noticed anyway
  return cluster.fork(env).on('error', () => {});
}

/** One after the other, so that what keeps them from starting (a port in use) is said once. */
async function startWorker(env: Record<string, string>): Promise<Worker> {
  const worker = fork(env);
  const ended = once(worker, 'exit').then(() => {
    throw new Error('The worker process could not start.');
  });
  await Promise.race([once(worker, 'listening'), ended]);
  return worker;
}

async function drainWorker(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit');
  if (worker.isConnected()) worker.send(drainMessage);
  await exited;
}

/** In a worker: where the database is that the first process has prepared. */
export function workerDatabase(env: Record<string, string | undefined>): DatabaseAddress {
  return JSON.parse(env[addressVariable] ?? '{}') as DatabaseAddress;
}

/** In a worker: the first process passes on that it was told to stop; Ctrl-C reaches all of them, and is for that one. */
export function awaitOrder(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  return new Promise((resolve) => {
    process.on('message', (message) => message === drainMessage && resolve());
  });
}
