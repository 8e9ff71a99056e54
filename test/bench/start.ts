import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { readMemory } from './accounting.ts';
import { latchkey } from './contestants.ts';
import type { Options } from './options.ts';
import type { Postgres } from './postgres.ts';
import { median } from './rounds.ts';
import { startServer } from './server.ts';

/** Milliseconds from the start of the process to `/readyz` answering 200, on data that is there already. */
export interface StartTimes {
  on_postgres: number;
  on_embedded: number;
}

export async function measureStart(url: string, rounds: number): Promise<StartTimes> {
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  try {
    // the first start creates the cluster
    await startAndStop({ DATA_DIR: dataDir });
    return {
      on_postgres: await medianStart({ DATABASE_URL: url }, rounds),
      on_embedded: await medianStart({ DATA_DIR: dataDir }, rounds),
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

export async function medianStart(env: Record<string, string>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push(await startAndStop(env));
  return median(times);
}

/** Medians of MiB and of milliseconds, on an empty database. */
export async function measureIdle(
  postgres: Postgres,
  { plan, env }: Options,
): Promise<{ memory: number; start: number }> {
  const allEnv = { ...env, DATABASE_URL: await postgres.createDatabase('idle') };
  // the first start makes the tables
  await startAndStop(allEnv);
  const memory: number[] = [];
  const start: number[] = [];
  for (let round = 0; round < plan.rounds; round += 1) {
    const server = await startServer(latchkey, allEnv);
    await pause(10_000);
    memory.push(readMemory(server.pid));
    start.push(server.startTime);
    await server.stop();
  }
  return { memory: median(memory), start: median(start) };
}

async function startAndStop(env: Record<string, string>): Promise<number> {
  const server = await startServer(latchkey, env);
  await server.stop();
  return server.startTime;
}
