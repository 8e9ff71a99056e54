import { join } from 'node:path';
import pg from 'pg';
import { applyMigrations } from '../../src/postgres/migrations.ts';
import { readCpu, readMemory } from './accounting.ts';
import { type Contestant, productDirectory } from './contestants.ts';
import type { Generator } from './generator.ts';
import type { Postgres } from './postgres.ts';
import type { Template } from './requests.ts';
import type { FapiKind } from './seeds/seed.ts';
import { type Server, startServer } from './server.ts';

/** Per request: CPU in microseconds, latency in milliseconds. */
export interface Measurement {
  cpu: number;
  server_cpu: number;
  postgres_cpu: number;
  /** requests a second */
  throughput: number;
  p50: number;
  p99: number;
  /** MiB */
  memory: number;
}

/** Before each measurement: connections are opened, statements planned. */
export const warmUpOfTurn = 256;
/** A resource is asked with the same tokens again and again; codes and refresh tokens are used once. */
const tokensInUse = 1000;

/** A contestant with its database and its server process. */
export class Stand {
  readonly contestant: Contestant;
  readonly url: string;
  readonly database: pg.Pool;
  readonly #postgres: Postgres;
  generator: Generator;
  #server: Server | undefined;

  private constructor(contestant: Contestant, url: string, postgres: Postgres, generator: Generator) {
    this.contestant = contestant;
    this.url = url;
    this.database = new pg.Pool({ connectionString: url, max: 1 });
    this.database.on('error', () => {});
    this.#postgres = postgres;
    this.generator = generator;
  }

  /** A migrated and populated database; no server yet. */
  static async prepare(contestant: Contestant, postgres: Postgres, generator: Generator): Promise<Stand> {
    const url = await postgres.createDatabase(contestant.name);
    if (contestant.isProduct) await applyMigrations({ connectionString: url }, join(productDirectory, 'migrations'));
    const stand = new Stand(contestant, url, postgres, generator);
    await stand.database.query(contestant.seed.schema);
    return stand;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.server.port}`;
  }

  get server(): Server {
    if (!this.#server) throw new Error(`${this.contestant.name} is not running`);
    return this.#server;
  }

  async start(env: Record<string, string> = {}, flags: readonly string[] = []): Promise<Server> {
    const secret = { SESSION_SECRET: 'a-session-secret-of-32-characters-or-more' };
    this.#server = await startServer(
      this.contestant,
      { DATABASE_URL: this.url, ...secret, ...this.contestant.env, ...env },
      flags,
    );
    return this.#server;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
    this.#server = undefined;
  }

  async close(): Promise<void> {
    await this.stop();
    await this.database.end();
  }

  /** Puts credentials into the database and returns one for each request. */
  async issue(kind: FapiKind, count: number): Promise<string[]> {
    if (kind === 'par') return Array.from({ length: count }, () => '');
    const { seed } = this.contestant;
    const values = Array.from({ length: kind === 'resource' ? tokensInUse : count }, () => seed.secret(kind));
    await this.database.query(seed.insert[kind], [values]);
    return Array.from({ length: count }, (_, index) => values[index % values.length] ?? '');
  }

  /** Each request of the template with one value; what they cost, the preparation not included. */
  async measure(template: Template, values: string[], expected: number, warmUp: string[] = []): Promise<Measurement> {
    const { pid, port } = this.server;
    const task = { ...template, port };
    await this.#postgres.clearTheWay(this.url);
    if (warmUp.length > 0) await this.generator.drive({ ...task, values: warmUp }, expected);
    const roots = { server: pid, postgres: this.#postgres.pid };
    const before = readCpu(roots);
    const { seconds, p50, p99 } = await this.generator.drive({ ...task, values }, expected);
    const after = readCpu(roots);
    const server_cpu = (after.server - before.server) / values.length;
    const postgres_cpu = (after.postgres - before.postgres) / values.length;
    const throughput = values.length / seconds;
    return { cpu: server_cpu + postgres_cpu, server_cpu, postgres_cpu, throughput, p50, p99, memory: readMemory(pid) };
  }

  async measureKind(kind: FapiKind, count: number): Promise<Measurement> {
    const warmUp = await this.valuesFor(kind, warmUpOfTurn);
    const values = await this.valuesFor(kind, count);
    return this.measure(this.contestant.requests[kind], values, kind === 'par' ? 201 : 200, warmUp);
  }

  /** A credential for each request, and what the client signs for it. */
  async valuesFor(kind: FapiKind, count: number): Promise<string[]> {
    const credentials = await this.issue(kind, count);
    const { sign } = this.contestant;
    if (!sign) return credentials;
    return Promise.all(credentials.map((credential) => sign(kind, credential, this.origin)));
  }
}
