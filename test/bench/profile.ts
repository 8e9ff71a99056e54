import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Contestant, productDirectory, root } from './contestants.ts';
import type { Generator } from './generator.ts';
import type { Postgres } from './postgres.ts';
import type { Plan } from './rounds.ts';
import type { Kind } from './seeds/seed.ts';
import { Stand, warmUpOfTurn } from './stand.ts';

/** A .cpuprofile as V8 writes it. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
}

/** One profile per kind of request, kept for a browser's developer tools, and where its time went. */
export async function profile(
  contestant: Contestant,
  kinds: readonly Kind[],
  postgres: Postgres,
  generator: Generator,
  plan: Plan,
) {
  for (const kind of kinds) {
    const directory = join(root, 'data/profiles', contestant.name, kind);
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    const stand = await Stand.prepare(contestant, postgres, generator);
    await stand.issue(kind, 1000);
    await stand.database.query('analyze');
    await stand.start({}, ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${directory}`]);
    const { throughput } = await stand.measureKind(kind, plan.warmUp);
    const count = Math.ceil(throughput * plan.seconds * plan.rounds);
    const { cpu, server_cpu, postgres_cpu } = await stand.measureKind(kind, count);
    await stand.close();
    const shares = [cpu, server_cpu, postgres_cpu].map(Math.round);
    console.log(
      `\n${contestant.name}, ${kind}: ${shares[0]} µs of CPU, ${shares[1]} server (with profiler), ${shares[2]} Postgres`,
    );
    for (const file of readdirSync(directory)) summarize(join(directory, file), plan.warmUp + count + 2 * warmUpOfTurn);
  }
}

function summarize(file: string, requests: number): void {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8')) as CpuProfile;
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPlace = new Map<string, number>();
  const byFunction = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const frame = frames.get(id);
    const time = timeDeltas[index] ?? 0;
    if (!frame || frame.functionName === '(idle)') continue;
    const place = placeOf(frame.url, frame.functionName);
    add(byPlace, place, time);
    add(byFunction, `${frame.functionName || '(anonymous)'} ${shorten(frame.url)}:${frame.lineNumber + 1}`, time);
  }
  console.log(
    `${file}\n  self time by place, then by function, in microseconds per request; start and warm-up are in it`,
  );
  for (const [ranking, length] of [
    [byPlace, 24],
    [byFunction, 30],
  ] as const) {
    const sorted = [...ranking].sort(([, one], [, other]) => other - one).slice(0, length);
    for (const [name, time] of sorted) console.log(`  ${(time / requests).toFixed(1).padStart(6)}  ${name}`);
    console.log();
  }
}

const add = (map: Map<string, number>, key: string, time: number) => map.set(key, (map.get(key) ?? 0) + time);

const shorten = (url: string) => url.replace(`file://${productDirectory}`, '').replace(/^.*node_modules\//, '');

/** A package, a file of our own, a module of Node, or what V8 does itself. */
function placeOf(url: string, functionName: string): string {
  if (url === '') return functionName.startsWith('(') ? functionName : '(native)';
  const [, packageName] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url) ?? [];
  return packageName ?? shorten(url);
}
