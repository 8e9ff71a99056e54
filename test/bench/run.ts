import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { drawChart } from './chart.ts';
import { measureConnections } from './connections.ts';
import { compiled, contestants, productDirectory, root } from './contestants.ts';
import { measureFapi } from './fapi.ts';
import { keepFapi } from './fapi-report.ts';
import { Generator } from './generator.ts';
import { measureGrowth } from './grow.ts';
import { measureInstances } from './instances.ts';
import { type Options, readOptions, usage } from './options.ts';
import { measurePages, measureStorm, stormEnv } from './pages.ts';
import { lendPostgres, type Postgres } from './postgres.ts';
import { profile } from './profile.ts';
import { print, type Report } from './report.ts';
import { takeRounds } from './rounds.ts';
import { Stand } from './stand.ts';
import { measureIdle, measureStart } from './start.ts';
import { measureWorkers } from './workers.ts';

/** Side by side: Latchkey, two floors and two peers, each on the same Postgres under the same load. */
async function bench(options: Options): Promise<void> {
  build();
  const postgres = await lendPostgres();
  // the second one signs people in, which takes long
  const generators = [new Generator(options.connections), new Generator(64)] as const;
  try {
    if (postgres.pid === 0) say('Postgres runs elsewhere: its CPU is not counted.');
    if (options.cpuProf) {
      const profiled = contestants.filter(({ name }) => options.names.includes(name));
      for (const one of profiled) await profile(one, options.kinds, postgres, generators[0], options.plan);
      return;
    }
    if (options.fapi) {
      keepFapi(describe(postgres), await measureFapi(postgres, generators, options.plan, say), options);
      return;
    }
    if (options.eachOfConnections) {
      await measureConnections(options.eachOfConnections, options, postgres);
      return;
    }
    if (options.idle) {
      const { memory, start } = await measureIdle(postgres, options);
      say(`Node ${process.versions.node}: ${memory.toFixed(1)} MiB; first answer after ${Math.round(start)} ms`);
      return;
    }
    if (options.workers) {
      await measureWorkers(options, postgres);
      return;
    }
    if (options.instances) {
      await measureInstances(options.instances, options, { postgres, idle: generators[0] });
      return;
    }
    const report: Report = { ...describe(postgres), connections: options.connections, results: {} };
    if (options.grow) report.growth = await measureGrowth(options.grow, postgres, generators[0], options.plan, say);
    else await compare(report, options, postgres, generators);
    print(report);
    keep(report, options);
  } finally {
    for (const generator of generators) generator.stop();
    await postgres.stop();
  }
}

async function compare(
  report: Report,
  { names, kinds, plan, env, isQuick }: Options,
  postgres: Postgres,
  generators: readonly [Generator, Generator],
): Promise<void> {
  const stands: Stand[] = [];
  for (const contestant of contestants.filter(({ name }) => names.includes(name))) {
    const stand = await Stand.prepare(contestant, postgres, generators[0]);
    await stand.start(contestant.isProduct ? env : {});
    stands.push(stand);
  }
  const results = await takeRounds(stands, kinds, plan, say);
  for (const [stand, of] of results) report.results[stand.contestant.name] = of;
  const product = stands.find(({ contestant }) => contestant.isProduct);
  for (const stand of stands) if (stand !== product) await stand.close();
  if (!product) return;
  report.pages = await measurePages(product, plan);
  await product.stop();
  if (!isQuick) {
    await product.start({ ...env, ...stormEnv });
    report.storm = await measureStorm(product, generators, plan);
    await product.stop();
  }
  report.start = await measureStart(product.url, plan.rounds);
  await product.close();
}

function build(): void {
  const run = (command: string, ...args: string[]) => execFileSync(command, args, { cwd: root, stdio: 'inherit' });
  if (productDirectory === root) run('npm', 'run', '--silent', 'build');
  run('npx', 'tsc', '-p', 'test/bench/servers/tsconfig.json');
  // below node_modules no package.json says that these are modules
  writeFileSync(join(compiled, 'package.json'), '{ "type": "module" }\n');
}

function describe({ version }: Postgres): Pick<Report, 'date' | 'machine'> {
  const [core] = cpus();
  const machine = {
    cpu: core?.model.trim() ?? '',
    cores: cpus().length,
    node: process.versions.node,
    postgres: version,
  };
  return { date: new Date().toISOString().slice(0, 10), machine };
}

/** A full run replaces the comparison in the repository, a run with --grow its growth; a partial run is only printed. */
function keep(report: Report, { grow, isComplete }: Options): void {
  const [file, chart] = ['results.json', 'chart.svg'].map((name) => join(root, 'test/bench', name)) as [string, string];
  const kept: Partial<Report> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  if (!isComplete) return;
  const merged = grow ? { ...kept, growth: report.growth } : { ...report, ...(kept.growth && { growth: kept.growth }) };
  writeFileSync(file, `${JSON.stringify(merged, rounded, 2)}\n`);
  if (!grow) writeFileSync(chart, drawChart(report));
  say(`Written: ${file}${grow ? '' : ` and ${chart}`}`);
}

/** Nobody needs the fifteenth digit. */
const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value);

function say(sentence: string): void {
  console.log(sentence);
}

try {
  await bench(readOptions(process.argv.slice(2)));
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `${error.message}\n\n${usage}` : error);
  // kills what was started, too
  process.exit(1);
}
