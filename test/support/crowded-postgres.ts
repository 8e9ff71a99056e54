import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../src/postgres/embedded/start.ts';

/** A Postgres server of its own with 80 connections, three of them for superusers, and what takes the others away. */
export interface CrowdedPostgres {
  /** a new, empty database of an ordinary role, through a proxy that counts connections */
  createDatabase(name: string): Promise<{ url: string; connections(): number }>;
  /** takes all connections that are left */
  crowd(): Promise<void>;
  /** gives back this many, or all */
  giveBack(count?: number): Promise<void>;
  /** runs a statement as superuser, which has reserved connections */
  run(sql: string, database?: string): Promise<pg.QueryResult>;
}

export async function startCrowdedPostgres(): Promise<CrowdedPostgres> {
  const dataDir = mkdtempSync(join(tmpdir(), 'latchkey-crowded-'));
  const server = await startEmbeddedPostgres({ dataDir, durable: true, announce: () => {} });
  const { connection } = server;
  const held: pg.Client[] = [];
  const sockets = new Set<Socket>();

  async function open(options: pg.ClientConfig): Promise<pg.Client> {
    const client = new pg.Client({ ...connection, ...options });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async function run(sql: string, database = 'postgres'): Promise<pg.QueryResult> {
    const client = await open({ database });
    return client.query(sql).finally(() => client.end());
  }

  async function createDatabase(name: string): Promise<{ url: string; connections(): number }> {
    await run(`create database ${name} owner app encoding 'UTF8' template template0`);
    let connections = 0;
    const proxy = createServer((socket) => {
      connections += 1;
      const upstream = connect(`${connection.host}/.s.PGSQL.${connection.port}`);
      for (const [one, other] of [
        [socket, upstream],
        [upstream, socket],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        one.on('error', () => {}).on('close', () => other.destroy());
      }
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    after(() => proxy.close());
    const { port } = proxy.address() as { port: number };
    return { url: `postgres://app@127.0.0.1:${port}/${name}`, connections: () => connections };
  }

  async function crowd(): Promise<void> {
    for (;;) {
      try {
        held.push(await open({ user: 'app', database: 'postgres' }));
      } catch (error) {
        if ((error as pg.DatabaseError).code === '53300') return;
        throw error;
      }
    }
  }

  async function giveBack(count = held.length): Promise<void> {
    await Promise.all(held.splice(0, count).map((client) => client.end()));
  }

  await run('create role app login');
  after(async () => {
    for (const socket of sockets) socket.destroy();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { createDatabase, crowd, giveBack, run };
}
