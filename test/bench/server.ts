import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '../support/free-port.ts';
import type { Contestant } from './contestants.ts';

export interface Server {
  readonly pid: number;
  readonly port: number;
  /** milliseconds from the start of the process to its first answer */
  readonly startTime: number;
  stop(): Promise<void>;
}

/** A contestant as in production, its log in a file; ready when it answers. */
export async function startServer(
  contestant: Contestant,
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Server> {
  const port = await findFreePort();
  const logFile = join(tmpdir(), `latchkey-bench-${contestant.name}.log`);
  const log = openSync(logFile, 'w');
  const begin = performance.now();
  const child = spawn(process.execPath, [...flags, contestant.entry], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      DRAIN_DELAY: '0',
      PORT: String(port),
      ISSUER: `http://127.0.0.1:${port}`,
      ...env,
    },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  // the product says itself whether it is ready; of the others any answer will do
  await waitForAnswer(child, `http://127.0.0.1:${port}${contestant.isProduct ? '/readyz' : '/'}`, logFile);
  const startTime = performance.now() - begin;
  const stop = async () => {
    if (child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { pid: child.pid ?? 0, port, startTime, stop };
}

async function waitForAnswer(child: ChildProcess, url: string, logFile: string): Promise<void> {
  const isReadiness = url.endsWith('/readyz');
  for (let tries = 0; tries < 60_000; tries += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended at its start; its words are in ${logFile}`);
    const status = await statusOf(url);
    if (status !== undefined && (!isReadiness || status === 200)) return;
    await pause(5);
  }
  throw new Error(`${url} never answered; see ${logFile}`);
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).on('error', () => resolve(undefined));
  });
}
