import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';
import { applyMigrations } from '../../src/postgres/migrations.ts';

export interface LentServer {
  url: string;
  stop(): Promise<void>;
}

/** TEST_DATABASE_URL, the Postgres of TEST_POSTGRES_VERSION, or the embedded one; the last two trade durability for speed. */
export async function lendServer(): Promise<LentServer> {
  const { TEST_DATABASE_URL: url, TEST_POSTGRES_VERSION: version } = process.env;
  if (url) return { url, stop: async () => {} };
  // only here, so that the test files that use this one start no processes
  if (version) return (await import('./postgres-version.ts')).startPostgresVersion(version);
  const dataDir = await mkdtemp(join(tmpdir(), 'latchkey-test-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: false, announce: () => {} });
  const { host, port, user, password, database } = server.connection;
  const credentials = password ? `${user}:${password}` : user;
  return {
    url: `postgres://${credentials}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** `copy` is what creates a database like it: since Postgres 15, copies of its files take a third of the time that its log takes. */
export async function createTemplate(
  serverUrl: string,
): Promise<{ name: string; copy: string; drop(): Promise<void> }> {
  const name = `latchkey_template_${randomBytes(4).toString('hex')}`;
  await runOn(serverUrl, `create database ${name}`);
  await applyMigrations(
    { connectionString: withDatabase(serverUrl, name) },
    new URL('../../migrations', import.meta.url).pathname,
  );
  const copy = `template ${name} ${(await findMajorVersion(serverUrl)) < 15 ? '' : 'strategy file_copy'}`;
  return { name, copy, drop: () => runOn(serverUrl, `drop database if exists ${name} with (force)`) };
}

export async function runOn(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Such as 18. */
export async function findMajorVersion(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query('show server_version_num');
  await client.end();
  return Math.floor(Number(rows[0].server_version_num) / 10_000);
}

export function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
