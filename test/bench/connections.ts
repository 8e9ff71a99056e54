import { contestants, framework } from './contestants.ts';
import { Generator } from './generator.ts';
import type { Options } from './options.ts';
import type { Postgres } from './postgres.ts';
import { table } from './report.ts';
import { medians, type Plan } from './rounds.ts';
import type { Kind } from './seeds/seed.ts';
import { type Measurement, Stand } from './stand.ts';

/** A contestant under so many connections. */
interface Load {
  stand: Stand;
  generator: Generator;
  connections: number;
}

/** Latchkey and the Express floor on one connection, on four, on sixteen: they take turns, so that the noise of the machine hits all alike. */
export async function measureConnections(
  counts: readonly number[],
  { kinds, plan, env }: Pick<Options, 'kinds' | 'plan' | 'env'>,
  postgres: Postgres,
): Promise<void> {
  const generators = counts.map((connections) => ({ connections, generator: new Generator(connections) }));
  const stands: Stand[] = [];
  for (const contestant of contestants.filter(({ name, isProduct }) => isProduct || name === framework)) {
    const stand = await Stand.prepare(contestant, postgres, generators[0]?.generator as Generator);
    await stand.start(contestant.isProduct ? env : {});
    stands.push(stand);
  }
  const loads = generators.flatMap((load) => stands.map((stand) => ({ ...load, stand })));
  const rows: string[][] = [];
  for (const kind of kinds) {
    const measured = await takeTurns(kind, loads, plan);
    for (const connections of counts) rows.push(rowOf(kind, connections, measured));
  }
  console.log(
    `\n${table([['', 'Connections', 'Latchkey, CPU µs', 'Express floor', 'CPU', 'server', 'Postgres'], ...rows])}`,
  );
  for (const { generator } of generators) generator.stop();
  for (const stand of stands) await stand.close();
}

async function takeTurns(kind: Kind, loads: readonly Load[], plan: Plan): Promise<Map<Load, Measurement>> {
  const measure = (load: Load, count: number) => {
    load.stand.generator = load.generator;
    return load.stand.measureKind(kind, count);
  };
  const rates = new Map<Load, number>();
  for (const load of loads) {
    await measure(load, plan.warmUp);
    rates.set(load, (await measure(load, plan.warmUp)).throughput);
    await load.stand.database.query('analyze');
  }
  const taken = new Map<Load, Measurement[]>(loads.map((load) => [load, []]));
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const [load, of] of taken) of.push(await measure(load, Math.ceil((rates.get(load) ?? 0) * plan.seconds)));
  }
  return new Map([...taken].map(([load, of]) => [load, medians(of)]));
}

function rowOf(kind: Kind, connections: number, measured: ReadonlyMap<Load, Measurement>): string[] {
  const [ours, floor] = [true, false].map((isProduct) =>
    [...measured].find(([load]) => load.connections === connections && load.stand.contestant.isProduct === isProduct),
  );
  if (!ours || !floor) throw new Error(`nothing was measured on ${connections} connections`);
  const ratio = (name: 'cpu' | 'server_cpu' | 'postgres_cpu') => `${(ours[1][name] / floor[1][name]).toFixed(2)} ×`;
  const cpu = ({ cpu, server_cpu, postgres_cpu }: Measurement) =>
    `${Math.round(cpu)} (${Math.round(server_cpu)} + ${Math.round(postgres_cpu)})`;
  return [
    kind,
    String(connections),
    cpu(ours[1]),
    cpu(floor[1]),
    ratio('cpu'),
    ratio('server_cpu'),
    ratio('postgres_cpu'),
  ];
}
