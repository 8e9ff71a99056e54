import { cpus } from 'node:os';
import { readCpu } from './accounting.ts';
import { latchkey } from './contestants.ts';
import { Generator } from './generator.ts';
import type { Options } from './options.ts';
import type { Postgres } from './postgres.ts';
import { table } from './report.ts';
import { median, type Plan } from './rounds.ts';
import type { Kind } from './seeds/seed.ts';
import { type Server, startServer } from './server.ts';
import { Stand, warmUpOfTurn } from './stand.ts';

/** What a request costs when its kind is spread over several instances; CPU in microseconds, p99 in milliseconds. */
interface Spread {
  server_cpu: number;
  postgres_cpu: number;
  /** requests and statements a second, over all instances */
  throughput: number;
  statements: number;
  p99: number;
  /** the share that was busy of all cores: servers, Postgres, and the load generators */
  busy: number;
}

/** So many instances, each with a load generator of its own. */
class Crowd {
  readonly count: number;
  readonly #stand: Stand;
  readonly #postgres: Postgres;
  readonly #servers: readonly Server[];
  readonly #generators: readonly Generator[];

  constructor(stand: Stand, postgres: Postgres, servers: readonly Server[], connectionsEach: number) {
    this.count = servers.length;
    this.#stand = stand;
    this.#postgres = postgres;
    this.#servers = servers;
    this.#generators = servers.map(() => new Generator(connectionsEach));
  }

  /**
   * Until every process has worked for so many seconds: each has code of its own to compile, and gets only a part of the requests.
   * Returns the requests a second at the end.
   */
  async warmUp(kind: Kind, { warmUp, warmUpSeconds }: Plan): Promise<number> {
    let throughput = 0;
    for (let seconds = 0; seconds < warmUpSeconds; ) {
      const count = Math.ceil(Math.max(warmUp, throughput));
      ({ throughput } = await this.measure(kind, count));
      seconds += count / throughput;
    }
    return throughput;
  }

  async measure(kind: Kind, count: number): Promise<Spread> {
    const each = Math.ceil(count / this.count);
    await this.#postgres.clearTheWay(this.#stand.url);
    await this.#drive(kind, warmUpOfTurn);
    const values = await this.#values(kind, each);
    const servers = Object.fromEntries(this.#servers.map(({ pid }) => [pid, pid]));
    const roots: Record<string, number> = { ...servers, postgres: this.#postgres.pid, all: process.pid };
    const before = { statements: await this.#statements(), cpu: readCpu(roots) };
    const begin = performance.now();
    const outcomes = await this.#send(kind, values);
    const seconds = (performance.now() - begin) / 1000;
    const after = readCpu(roots);
    const used = (name: string) => (after[name] ?? 0) - (before.cpu[name] ?? 0);
    const server = Object.keys(servers).reduce((sum, name) => sum + used(name), 0);
    const requests = each * this.count;
    return {
      server_cpu: server / requests,
      postgres_cpu: used('postgres') / requests,
      throughput: requests / seconds,
      statements: ((await this.#statements()) - before.statements) / seconds,
      p99: Math.max(...outcomes.map(({ p99 }) => p99)),
      // the servers and the generators are children of this process, and Postgres is too if it is the embedded one
      busy: used('all') / (seconds * 1e6 * cpus().length),
    };
  }

  stop(): void {
    for (const generator of this.#generators) generator.stop();
  }

  async #drive(kind: Kind, count: number): Promise<void> {
    await this.#send(kind, await this.#values(kind, count));
  }

  #values(kind: Kind, each: number): Promise<string[][]> {
    return Promise.all(this.#servers.map(() => this.#stand.issue(kind, each)));
  }

  #send(kind: Kind, values: string[][]) {
    const template = latchkey.requests[kind];
    const drives = this.#servers.map(({ port }, n) =>
      this.#generators[n]?.drive({ ...template, port, values: values[n] ?? [] }, 200),
    );
    return Promise.all(drives).then((outcomes) => outcomes.filter((outcome) => outcome !== undefined));
  }

  async #statements(): Promise<number> {
    const counts = this.#servers.map(async ({ port }) => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      return Number(/^latchkey_statement_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
    });
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  }
}

/** The same load on one instance, on two, on four, or the same for each; they take turns on one database. */
export async function measureInstances(
  counts: readonly number[],
  { kinds, connections, connectionsEach, plan }: Pick<Options, 'kinds' | 'connections' | 'connectionsEach' | 'plan'>,
  { postgres, idle }: { postgres: Postgres; idle: Generator },
): Promise<void> {
  const stand = await Stand.prepare(latchkey, postgres, idle);
  const servers = [await stand.start()];
  const env = { DATABASE_URL: stand.url, SESSION_SECRET: 'a-session-secret-of-32-characters-or-more' };
  while (servers.length < Math.max(...counts)) servers.push(await startServer(latchkey, env));
  const each = (count: number) => connectionsEach ?? Math.max(1, Math.round(connections / count));
  const crowds = counts.map((count) => new Crowd(stand, postgres, servers.slice(0, count), each(count)));
  const rows: string[][] = [];
  for (const kind of kinds) {
    const rates = new Map<Crowd, number>();
    for (const crowd of crowds) {
      rates.set(crowd, await crowd.warmUp(kind, plan));
    }
    await stand.database.query('analyze');
    const taken = new Map<Crowd, Spread[]>(crowds.map((crowd) => [crowd, []]));
    for (let round = 1; round <= plan.rounds; round += 1) {
      for (const [crowd, spreads] of taken) {
        spreads.push(await crowd.measure(kind, Math.ceil((rates.get(crowd) ?? 0) * plan.seconds)));
      }
    }
    for (const [crowd, spreads] of taken) rows.push(rowOf(kind, crowd.count, spreads));
  }
  console.log(`\n${table([head, ...rows])}`);
  for (const crowd of crowds) crowd.stop();
  for (const server of servers.slice(1)) await server.stop();
  await stand.close();
}

const head = ['', 'Instances', 'CPU µs', 'Requests/s', 'Statements/s', 'Requests a statement', 'p99 ms', 'Cores busy'];

function rowOf(kind: Kind, instances: number, spreads: readonly Spread[]): string[] {
  const of = (name: keyof Spread) => median(spreads.map((spread) => spread[name]));
  const [server, database] = [of('server_cpu'), of('postgres_cpu')];
  return [
    kind,
    String(instances),
    `${Math.round(server + database)} (${Math.round(server)} + ${Math.round(database)})`,
    String(Math.round(of('throughput'))),
    String(Math.round(of('statements'))),
    (of('throughput') / of('statements')).toFixed(1),
    of('p99').toFixed(1),
    `${Math.round(of('busy') * 100)} %`,
  ];
}
