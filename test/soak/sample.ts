import type pg from 'pg';
import { readCpu } from '../bench/accounting.ts';
import type { Sweeps } from './sweeper.ts';
import type { Latency, Timings } from './timings.ts';

export interface Table {
  /** as Postgres estimates them */
  readonly rows: number;
  readonly dead: number;
  readonly bytes: number;
  /** its part of `bytes` */
  readonly indexes: number;
  /** how often autovacuum was there */
  readonly vacuums: number;
}

/** The state at one moment, and what happened since the sample before. */
export interface Sample {
  /** since the start of the traffic */
  readonly seconds: number;
  readonly rss: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly connections: number;
  readonly tables: Record<string, Table>;
  readonly latencies: Record<string, Latency>;
  readonly requests: number;
  /** microseconds a request, without those of the sweep */
  readonly server_cpu: number;
  readonly postgres_cpu: number;
  /** rows that the sweep deleted or emptied */
  readonly swept: number;
  /** answers of 503 since the start of the server, by the reason that it counts */
  readonly refusals: Record<string, number>;
}

export interface Sources {
  readonly database: pg.Pool;
  readonly origin: string;
  readonly roots: { readonly server: number; readonly postgres: number; readonly sweep: number };
  readonly timings: Timings;
  readonly sweeps: Sweeps;
}

export function createSampler(sources: Sources): () => Promise<Sample> {
  const { database, origin, roots, timings, sweeps } = sources;
  const read = () => ({ ...readCpu(roots), rows: sweeps.rows });
  const begin = performance.now();
  let before = read();
  return async () => {
    const after = read();
    const latencies = timings.take();
    const requests = Object.values(latencies).reduce((sum, { requests }) => sum + requests, 0);
    const perRequest = (cpu: number) => (requests === 0 ? 0 : cpu / requests);
    const sample = {
      seconds: Math.round((performance.now() - begin) / 1000),
      ...(await readProcess(origin)),
      connections: await countConnections(database),
      tables: await readTables(database),
      latencies,
      requests,
      server_cpu: perRequest(after.server - before.server),
      postgres_cpu: perRequest(after.postgres - before.postgres - (after.sweep - before.sweep)),
      swept: after.rows - before.rows,
    };
    before = after;
    return sample;
  };
}

async function readProcess(origin: string): Promise<Pick<Sample, 'rss' | 'heap' | 'descriptors' | 'refusals'>> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  const value = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  return {
    rss: value('process_resident_memory_bytes'),
    heap: value('nodejs_heap_size_used_bytes'),
    descriptors: value('process_open_fds'),
    refusals: refusalsIn(text),
  };
}

function refusalsIn(metrics: string): Sample['refusals'] {
  const lines = metrics.matchAll(/^latchkey_refusals_total\{error="temporarily_unavailable",reason="(.*)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, reason = '', count]) => [reason, Number(count)]));
}

/** Counts the connections of the server: the sweep has its own name here. */
async function countConnections(database: pg.Pool): Promise<number> {
  const { rows } = await database.query(`
    select count(*)::integer as connections
    from pg_stat_activity
    where datname = current_database()
      and application_name = 'latchkey'`);
  return rows[0].connections;
}

/** Partitions count as the table that they are parts of. */
async function readTables(database: pg.Pool): Promise<Record<string, Table>> {
  const { rows } = await database.query<Table & { name: string }>(`
    select coalesce(pg_partition_root(relid), relid)::regclass::text as name, sum(n_live_tup)::float8 as rows,
      sum(n_dead_tup)::float8 as dead, sum(pg_total_relation_size(relid))::float8 as bytes,
      sum(pg_indexes_size(relid))::float8 as indexes, sum(autovacuum_count)::float8 as vacuums
    from pg_stat_user_tables
    group by 1
    order by bytes desc`);
  return Object.fromEntries(rows.map(({ name, ...table }) => [name, table]));
}
