import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { fileVariable, secretVariables } from '../config/secret-files.ts';
import { writeHeaders } from '../config/values.ts';
import type { DatabaseAddress } from '../postgres/hosts.ts';
import { lendHashingSlots } from './hashing-slots.ts';
import type { HttpServer } from './http-server.ts';

const maxRestartDelayMs = 10_000;
const stopMessage = 'stop';
const pulseMessage = 'pulse';
/** A worker that leaves four questions in a row unanswered, of one every five seconds, hangs. */
const [pulseMs, maxUnanswered] = [5000, 4];
/** In addition to DRAIN_DELAY: a worker finishes its requests before, and the primary process exits after seven and a half. */
const stopTimeoutMs = 6000;
const addressVariable = 'LATCHKEY_DATABASE';

/** Starts worker processes that share the port. Migrations, the sweep and signals stay with this, the primary process. */
export async function startWorkers(config: Config, address: DatabaseAddress, log: Logger): Promise<HttpServer> {
  const env = { [addressVariable]: JSON.stringify(address), ...secretVariablesOf(config) };
  let draining = false;
  let recentExits = 0;
  const replaceOnExit = (worker: Worker): void => {
    endIfHanging(worker, log);
    worker.once('exit', (code, signal) => {
      if (draining) return;
      const delay = Math.min(100 * 2 ** recentExits, maxRestartDelayMs);
      recentExits += 1;
      log.error({ worker: worker.process.pid, code, signal, delay }, 'a worker process ended; starting another');
      setTimeout(() => draining || replaceOnExit(fork(env)), delay);
      // an exit no longer counts a minute after its replacement was started
      setTimeout(() => (recentExits -= 1), 60_000 + delay).unref();
    });
  };
  lendHashingSlots();
  process.once('exit', () => runningWorkers().forEach(kill));
  for (let started = 0; started < config.workers; started += 1) replaceOnExit(await startWorker(env));
  const drain = async () => {
    draining = true;
    const timeout = config.drain_delay * 1000 + stopTimeoutMs;
    await Promise.all(runningWorkers().map((worker) => stopWorker(worker, timeout)));
  };
  return { drain };
}

/**
 * Returns the secrets for the environment of workers: a worker that is started later must not read secret files that have changed in the
 * meantime.
 */
function secretVariablesOf({ database_url, session_secret, website, smtp, tracing }: Config): Record<string, string> {
  const values = {
    DATABASE_URL: database_url ?? '',
    SESSION_SECRET: session_secret?.join(',') ?? '',
    SIGN_IN_SECRET: website && 'secret' in website ? website.secret : '',
    SMTP_URL: smtp?.url ?? '',
    OTEL_EXPORTER_OTLP_HEADERS: writeHeaders(tracing?.headers ?? {}),
  };
  const variables = secretVariables.map((name) => [name, values[name]] as const);
  return Object.fromEntries(
    variables.flatMap(([name, value]) => [
      [name, value],
      [fileVariable(name), ''],
    ]),
  );
}

function fork(env: Record<string, string>): Worker {
  // sending a message to a worker that has just died fails; its `exit` event is handled anyway
  return cluster.fork(env).on('error', () => {});
}

/** Starts a worker; one after the other, so that an error that all of them would have (a port in use) is printed once. */
async function startWorker(env: Record<string, string>): Promise<Worker> {
  const worker = fork(env);
  const exited = once(worker, 'exit').then(() => {
    throw new Error('The worker process could not start.');
  });
  await Promise.race([once(worker, 'listening'), exited]);
  return worker;
}

async function stopWorker(worker: Worker, timeout: number): Promise<void> {
  if (worker.isDead()) return;
  const exited = once(worker, 'exit');
  if (worker.isConnected()) worker.send(stopMessage);
  const timer = setTimeout(() => kill(worker), timeout);
  await exited;
  clearTimeout(timer);
}

const runningWorkers = () => Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);

/** Kills a worker that hangs, which reacts to no other signal. */
const kill = (worker: Worker) => void worker.process.kill('SIGKILL');

/** Ends a worker that hangs or is stopped, and whose exit starts another: the connections that were passed to it would wait for ever. */
function endIfHanging(worker: Worker, log: Logger): void {
  // questions are counted instead of time, which also passes while this process gets no turn
  let unanswered = 0;
  worker.on('message', (message) => {
    if (message === pulseMessage) unanswered = 0;
  });
  const timer = setInterval(() => {
    if (unanswered >= maxUnanswered) {
      log.error({ worker: worker.process.pid }, 'a worker process does not answer; ending it');
      return kill(worker);
    }
    unanswered += 1;
    if (worker.isConnected()) worker.send(pulseMessage, () => {});
  }, pulseMs).unref();
  worker.once('exit', () => clearInterval(timer));
}

/** Returns the database that the primary process has prepared. */
export function workerDatabase(env: Record<string, string | undefined>): DatabaseAddress {
  return JSON.parse(env[addressVariable] ?? '{}') as DatabaseAddress;
}

/** Answers the primary process in a worker, which shows that the worker does not hang. */
export function answerPulse(): void {
  process.on('message', (message) => message === pulseMessage && process.send?.(pulseMessage));
}

/**
 * Waits in a worker for the message to stop. Ctrl-C signals all processes of the terminal; workers ignore it and wait for the primary's
 * message.
 */
export function awaitStopMessage(): Promise<void> {
  for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  return new Promise((resolve) => {
    process.on('message', (message) => message === stopMessage && resolve());
  });
}
