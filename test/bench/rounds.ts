import type { FapiKind, Kind } from './seeds/seed.ts';
import type { Measurement, Stand } from './stand.ts';

export interface Plan {
  readonly rounds: number;
  /** how long one measurement is meant to take */
  readonly seconds: number;
  /** requests before the first round, for the compiler in V8 and the plan cache of Postgres */
  readonly warmUp: number;
  /** the same where several servers share the requests */
  readonly warmUpSeconds: number;
}

export type Results<Name extends string = Kind> = Record<Name, Measurement>;

/** Medians of the rounds. Contestants take turns within each, so that the noise of the machine hits all alike. */
export async function takeRounds<Name extends FapiKind = Kind>(
  stands: readonly Stand[],
  kinds: readonly Name[],
  plan: Plan,
  say: (sentence: string) => void,
): Promise<Map<Stand, Results<Name>>> {
  const rates = new Map<string, number>();
  const taken = new Map<string, Measurement[]>();
  const credentialKey = (stand: Stand, kind: Name) => `${stands.indexOf(stand)} ${kind}`;
  for (const stand of stands) {
    await stand.database.query('analyze');
    for (const kind of kinds) {
      // the rate of a first run says how many requests fill the seconds
      await stand.measureKind(kind, plan.warmUp);
      const { throughput } = await stand.measureKind(kind, plan.warmUp);
      rates.set(credentialKey(stand, kind), throughput);
    }
    await stand.database.query('analyze');
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    for (const kind of kinds) {
      for (const stand of stands) {
        const key = credentialKey(stand, kind);
        const measured = await stand.measureKind(kind, Math.ceil((rates.get(key) ?? 0) * plan.seconds));
        taken.set(key, [...(taken.get(key) ?? []), measured]);
        say(`round ${round}, ${kind}, ${stand.contestant.name}: ${Math.round(measured.cpu)} µs`);
      }
    }
  }
  const resultsOf = (stand: Stand) =>
    Object.fromEntries(
      kinds.map((kind) => [kind, medians(taken.get(credentialKey(stand, kind)) ?? [])]),
    ) as Results<Name>;
  return new Map(stands.map((stand) => [stand, resultsOf(stand)]));
}

/** The median of each figure by itself; memory is the most that was seen. */
export function medians(measurements: readonly Measurement[]): Measurement {
  const of = (name: keyof Measurement) => median(measurements.map((one) => one[name]));
  return {
    cpu: of('cpu'),
    server_cpu: of('server_cpu'),
    postgres_cpu: of('postgres_cpu'),
    throughput: of('throughput'),
    p50: of('p50'),
    p99: of('p99'),
    memory: Math.max(...measurements.map(({ memory }) => memory)),
  };
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
