import { parseArgs } from 'node:util';
import { contestants, latchkey } from './contestants.ts';
import type { Sizes } from './fill.ts';
import type { Plan } from './rounds.ts';
import { type Kind, kinds } from './seeds/seed.ts';

const usualConnections = 16;
/** Sixteen for each of four instances. */
const connectionsOfInstances = 64;
/** So that a small machine has enough for two of them, Postgres and the load generator. */
export const shareOfWorker = 0.3;

export const usage = `npm run bench [-- <options>]
  --quick               under a minute: rough, and without the logins
  --grow[=10000000]     fill the tables with so many live and as many expired tokens, and measure again
  --idle                memory of a server without requests, ten seconds after its start, and the time of that start
  --fapi                what the profile FAPI 2.0 costs, beside node-oidc-provider; rewrites its tables in README.md
  --connections=1,4,16  Latchkey beside the Express floor on one connection, on four, on sixteen
  --instances=1,2,4     the same load on one server, on two, on four, with one Postgres; ${connectionsOfInstances} connections,
                        or with --connections-each=16 the same load for each server
  --workers             one process and two, each with ${shareOfWorker} of a core and the same load (needs root)
  --cpu-prof            profile instead of comparing: Latchkey, or --contestants (data/profiles)
  --only=exchange,…     of ${kinds.join(', ')}
  --contestants=a,…     of ${contestants.map(({ name }) => name).join(', ')}
  --rounds=3 --seconds=4 --warm-up=4000 --connections=${usualConnections}; with --instances also --warm-up-seconds=20
  --env=NAME=value      for Latchkey, may be repeated (WEB_CONCURRENCY=2)
BENCH_DATABASE_URL: a Postgres of your own; BENCH_PRODUCT_DIR: another tree of Latchkey, built`;

export interface Options {
  plan: Plan;
  kinds: readonly Kind[];
  names: readonly string[];
  env: Record<string, string>;
  grow: Sizes | undefined;
  fapi: boolean;
  idle: boolean;
  /** how many servers share the load in each turn */
  instances: readonly number[] | undefined;
  workers: boolean;
  cpuProf: boolean;
  isQuick: boolean;
  /** how many requests are under way at a time */
  connections: number;
  /** instead: several such numbers, one after the other */
  eachOfConnections: readonly number[] | undefined;
  /** for each of the instances, instead of for all together */
  connectionsEach: number | undefined;
  /** whether all was measured, so that the result may replace the one in the repository */
  isComplete: boolean;
}

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: args.map((argument) => (argument === '--grow' ? '--grow=10000000' : argument)),
    options: {
      quick: { type: 'boolean', default: false },
      grow: { type: 'string' },
      fapi: { type: 'boolean', default: false },
      idle: { type: 'boolean', default: false },
      instances: { type: 'string' },
      workers: { type: 'boolean', default: false },
      'cpu-prof': { type: 'boolean', default: false },
      only: { type: 'string', default: kinds.join(',') },
      contestants: { type: 'string' },
      rounds: { type: 'string' },
      seconds: { type: 'string' },
      'warm-up': { type: 'string' },
      'warm-up-seconds': { type: 'string' },
      connections: { type: 'string' },
      'connections-each': { type: 'string' },
      env: { type: 'string', multiple: true, default: [] },
    },
  });
  const everybody = contestants.map(({ name }) => name).join(',');
  const names = (values.contestants ?? (values['cpu-prof'] ? latchkey.name : everybody)).split(',');
  const chosen = kinds.filter((kind) => values.only.split(',').includes(kind));
  const known = new Set([...kinds, ...contestants.map(({ name }) => name)] as string[]);
  const unknown = [...names, ...values.only.split(',')].filter((name) => !known.has(name));
  if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}\n\n${usage}`);
  const tokens = Number(values.grow);
  const counts = values.connections?.split(',').map(Number) ?? [];
  const [connections = values.instances ? connectionsOfInstances : usualConnections] = counts;
  return {
    plan: {
      rounds: Number(values.rounds ?? (values.quick ? 2 : 3)),
      seconds: Number(values.seconds ?? (values.quick ? 0.3 : 4)),
      warmUp: Number(values['warm-up'] ?? (values.quick ? 1000 : 4000)),
      warmUpSeconds: Number(values['warm-up-seconds'] ?? (values.quick ? 0.3 : 20)),
    },
    kinds: chosen,
    names,
    env: Object.fromEntries(values.env.map((pair) => [pair.split('=')[0], pair.slice(pair.indexOf('=') + 1)])),
    grow: values.grow === undefined ? undefined : { tokens, users: Math.ceil(tokens / 10), clients: 10_000 },
    fapi: values.fapi,
    idle: values.idle,
    instances: values.instances?.split(',').map(Number),
    workers: values.workers,
    cpuProf: values['cpu-prof'],
    isQuick: values.quick,
    connections,
    eachOfConnections: counts.length > 1 ? counts : undefined,
    connectionsEach: values['connections-each'] === undefined ? undefined : Number(values['connections-each']),
    isComplete:
      !values.quick &&
      values.env.length === 0 &&
      connections === usualConnections &&
      chosen.length === kinds.length &&
      names.length === contestants.length,
  };
}
