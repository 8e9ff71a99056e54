import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';
import { runOn, withDatabase } from '../support/server-for-tests.ts';

export interface Postgres {
  readonly version: string;
  /** its root process, whose tree is what Postgres costs; 0 when it runs elsewhere */
  readonly pid: number;
  createDatabase(name: string): Promise<string>;
  /** cuts the connections of the others, for there are only 60; and makes a checkpoint, so that every turn begins with as
   * many pages to be logged in full */
  clearTheWay(url: string): Promise<void>;
  stop(): Promise<void>;
}

/** BENCH_DATABASE_URL, or the embedded server with fsync and durable commits, as the product itself would start it. */
export async function lendPostgres(): Promise<Postgres> {
  const given = process.env['BENCH_DATABASE_URL'];
  if (given) return open(given, async () => {});
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-bench-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: true, announce: () => {} });
  const { host, port, user, database } = server.connection;
  // also when the benchmark fails: its data can be large
  const leave = () => {
    process.kill(server.pid, 'SIGQUIT');
    rmSync(dataDir, { recursive: true, force: true });
  };
  process.once('exit', leave);
  return open(`postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`, async () => {
    process.off('exit', leave);
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
}

async function open(url: string, stop: () => Promise<void>): Promise<Postgres> {
  const created: string[] = [];
  const { version, pid } = await ask(url);
  return {
    version,
    pid,
    async createDatabase(name) {
      const unique = `bench_${name.replaceAll('-', '_')}_${randomBytes(3).toString('hex')}`;
      await runOn(url, `create database ${unique}`);
      created.push(unique);
      return withDatabase(url, unique);
    },
    async clearTheWay(ofTurn) {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      const name = new URL(ofTurn).pathname.slice(1);
      while ((await cutOthers(client, name)) > 0) await pause(20);
      await client.query('checkpoint');
      await client.end();
    },
    async stop() {
      for (const name of created) await runOn(url, `drop database ${name} with (force)`);
      await stop();
    },
  };
}

async function ask(url: string): Promise<{ version: string; pid: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ version: string; backend: number }>(
    "select split_part(version(), ' on ', 1) as version, pg_backend_pid() as backend",
  );
  const { version = 'unknown', backend = 0 } = rows[0] ?? {};
  const pid = parentOf(backend);
  await client.end();
  return { version, pid };
}

/** Latchkey's own stay, for it may be listening to notifications. */
async function cutOthers(client: pg.Client, database: string): Promise<number> {
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid)
     from pg_stat_activity
     where backend_type = 'client backend'
       and pid <> pg_backend_pid()
       and datname like 'bench_%'
       and datname <> $1
       and application_name not like 'latchkey%'`,
    [database],
  );
  return rowCount ?? 0;
}

/** The postmaster, if the backend is a process of this machine. */
function parentOf(backend: number): number {
  try {
    const stat = readFileSync(`/proc/${backend}/stat`, 'utf8');
    return stat.includes('(postgres)') ? Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) : 0;
  } catch {
    return 0;
  }
}
