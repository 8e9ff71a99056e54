import { fapiContestants, latchkey } from './contestants.ts';
import { type Delays, measureDelays } from './event-loop.ts';
import type { Generator } from './generator.ts';
import type { Postgres } from './postgres.ts';
import { type Plan, type Results, takeRounds } from './rounds.ts';
import { type FapiKind, fapiKinds } from './seeds/seed.ts';
import { Stand } from './stand.ts';

/** What the FAPI 2.0 Security Profile costs. */
export interface Fapi {
  date: string;
  /** by contestant */
  results: Record<string, Results<FapiKind>>;
  delays: Delays;
}

/** A client with a secret, a client of the profile, and the same client at node-oidc-provider, taking turns. */
export async function measureFapi(
  postgres: Postgres,
  generators: readonly [Generator, Generator],
  plan: Plan,
  say: (sentence: string) => void,
): Promise<Fapi> {
  const stands: Stand[] = [];
  for (const contestant of fapiContestants) {
    const stand = await Stand.prepare(contestant, postgres, generators[0]);
    await stand.start();
    stands.push(stand);
  }
  for (const stand of stands) if (stand.contestant.sign) await requireReplayRefused(stand, generators[0]);
  const taken = await takeRounds(stands, fapiKinds, plan, say);
  const results = Object.fromEntries([...taken].map(([{ contestant }, of]) => [contestant.name, of]));
  const [plain, fapi, ...others] = stands;
  for (const other of others) await other.close();
  if (!plain || !fapi) throw new Error('nothing was measured');
  const delays = await measureDelays(plain, fapi, generators, plan);
  await plain.close();
  await fapi.close();
  return { date: new Date().toISOString().slice(0, 10), results, delays };
}

/** Who does not remember proofs and assertions, or does not look at them, saves what is to be measured. */
async function requireReplayRefused(stand: Stand, generator: Generator): Promise<void> {
  const { port } = stand.server;
  for (const [kind, accepted] of [
    ['resource', 200],
    ['par', 201],
  ] as const) {
    const task = { ...stand.contestant.requests[kind], port, values: await stand.valuesFor(kind, 1) };
    await generator.drive(task, accepted);
    await generator.drive(task, 401);
  }
}

type Row = readonly string[];

/** Per request, the whole of it and in brackets server and Postgres; and how many times the CPU of a client with a secret. */
export function rowsOf({ results }: Fapi): Row[] {
  const plain = results[latchkey.name];
  const ofKind = (of: Results<FapiKind>, kind: FapiKind) => {
    const { cpu, server_cpu, postgres_cpu } = of[kind];
    const shares = `${Math.round(cpu)} (${Math.round(server_cpu)} + ${Math.round(postgres_cpu)})`;
    return of === plain || !plain ? shares : `${shares}, ${(cpu / plain[kind].cpu).toFixed(1)} ×`;
  };
  return [
    ['CPU µs per request', 'Pushed request', 'Exchange', 'Refresh', 'Resource'],
    ...fapiContestants.flatMap(({ name, title }) => {
      const of = results[name];
      return of ? [[title, ...fapiKinds.map((kind) => ofKind(of, kind))]] : [];
    }),
  ];
}

export function rowsOfDelays({ delays }: Fapi): Row[] {
  const milliseconds = (value: number) => value.toFixed(1);
  return [
    ['Milliseconds', 'Timers late, p50', 'p99', '`/healthz`, p50', 'p99'],
    ...Object.entries(delays).map(([traffic, { timers, health }]) => [
      traffic,
      ...[timers.p50, timers.p99, health.p50, health.p99].map(milliseconds),
    ]),
  ];
}
