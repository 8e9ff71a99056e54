import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { latchkey } from './contestants.ts';
import { Generator } from './generator.ts';
import { type Options, shareOfWorker as share } from './options.ts';
import type { Postgres } from './postgres.ts';
import { table } from './report.ts';
import { medians } from './rounds.ts';
import { type Measurement, Stand } from './stand.ts';

/** Microseconds of a period of the scheduler, of which a process gets its share. */
const period = 10_000;

/** A group of processes with this share; cgroups of version 1 or 2. Returns what removes it once the process has ended. */
function limit(pid: number): () => void {
  const version1 = {
    root: '/sys/fs/cgroup/cpu',
    limits: { 'cpu.cfs_period_us': period, 'cpu.cfs_quota_us': period * share },
  };
  const version2 = { root: '/sys/fs/cgroup', limits: { 'cpu.max': `${period * share} ${period}` } };
  for (const { root, limits } of [version1, version2]) {
    const group = join(root, `latchkey-${pid}`);
    try {
      mkdirSync(group);
      for (const [file, value] of Object.entries(limits)) writeFileSync(join(group, file), String(value));
      writeFileSync(join(group, 'cgroup.procs'), String(pid));
      return () => rmdirSync(group);
    } catch {}
  }
  throw new Error('the processes cannot be limited: this needs root, and cgroups with the controller cpu');
}

/** The processes that serve: the primary process of several workers only starts them. */
function serving(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  return children.length > 0 ? children : [pid];
}

/** WEB_CONCURRENCY=1 and 2, with the same load for each process and the same share of a core. */
export async function measureWorkers(
  { kinds, connections, plan }: Pick<Options, 'kinds' | 'connections' | 'plan'>,
  postgres: Postgres,
): Promise<void> {
  const generators = [new Generator(connections), new Generator(2 * connections)] as const;
  const stands: Stand[] = [];
  const removals: (() => void)[] = [];
  for (const [at, generator] of generators.entries()) {
    const stand = await Stand.prepare(latchkey, postgres, generator);
    await stand.start({ WEB_CONCURRENCY: String(at + 1) });
    for (const kind of kinds) await stand.measureKind(kind, plan.warmUp * (at + 1));
    await stand.database.query('analyze');
    removals.push(...serving(stand.server.pid).map(limit));
    stands.push(stand);
  }
  const rows: string[][] = [];
  for (const kind of kinds) {
    const taken = stands.map((): Measurement[] => []);
    for (let round = 0; round <= plan.rounds; round += 1) {
      for (const [at, stand] of stands.entries()) {
        const rate = taken[at]?.[0]?.throughput ?? 1000;
        taken[at]?.push(await stand.measureKind(kind, Math.ceil(rate * plan.seconds)));
      }
    }
    // the first round says how many requests fill the seconds
    const [one, two] = taken.map((all) => medians(all.slice(1))) as [Measurement, Measurement];
    const figures = [one, two].map(({ throughput, cpu }) => `${Math.round(throughput)}/s, ${Math.round(cpu)} µs`);
    rows.push([kind, ...figures, `${(two.throughput / one.throughput).toFixed(2)} ×`]);
  }
  console.log(`\n${table([['', 'One process', 'Two', 'Throughput'], ...rows])}`);
  for (const generator of generators) generator.stop();
  for (const stand of stands) await stand.close();
  for (const remove of removals) remove();
}
