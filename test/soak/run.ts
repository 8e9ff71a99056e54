import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { applyMigrations } from '../../src/postgres/migrations.ts';
import { latchkey, productDirectory, root } from '../bench/contestants.ts';
import { lendPostgres, type Postgres } from '../bench/postgres.ts';
import { startServer } from '../bench/server.ts';
import { fillExpired } from './fill.ts';
import { familyLifetimes, type Options, readOptions, usage } from './options.ts';
import { lineOf, printFindings, printLast, printSweeps, printYear } from './report.ts';
import { createSampler, type Sample } from './sample.ts';
import { seed } from './seed.ts';
import { type Sweeper, startSweeper } from './sweeper.ts';
import { Timings } from './timings.ts';
import { sendTraffic, signInAll } from './traffic.ts';
import { type Finding, judge } from './verdict.ts';
import { judgeYear, type Plan, simulateYear } from './year.ts';

interface Outcome {
  samples: Sample[];
  timings: Timings;
  sweeps: Sweeper['done'];
  /** rows of tokens and codes when all of them had expired and were swept */
  left: number;
}

async function soak(options: Options, postgres: Postgres): Promise<Outcome> {
  const url = await postgres.createDatabase('soak');
  await applyMigrations({ connectionString: url }, join(productDirectory, 'migrations'));
  const database = new pg.Pool({ connectionString: url, max: 1 });
  const { life } = options;
  const bankAt = await seed(database);
  if (options.expired > 0) await fillExpired(database, options);
  const server = await startServer(latchkey, {
    DATABASE_URL: url,
    SESSION_SECRET: 'a-session-secret-of-32-characters-or-more',
    ACCESS_TOKEN_TTL: String(life),
    REFRESH_TOKEN_TTL: String(life),
    AUTHORIZATION_CODE_TTL: String(life),
    REFRESH_GRACE: String(life),
  });
  const sweeper = await startSweeper({ database, url, isHere: postgres.pid > 0 }, options);
  const origin = `http://127.0.0.1:${server.port}`;
  const [timings, roots] = [new Timings(), { server: server.pid, postgres: postgres.pid, sweep: sweeper.pid }];
  const parties = { origin, bank: bankAt(origin), timings, life };
  const people = await signInAll(parties, options.rate);
  const take = createSampler({ database, origin, roots, timings, sweeps: sweeper.done });
  const end = performance.now() + options.seconds * 1000;
  const traffic = sendTraffic(parties, people, options.rate, end);
  const samples = await sampleUntil(end, options, take);
  await traffic;
  const left = await ebb(database, sweeper, options);
  await sweeper.stop();
  await server.stop();
  await database.end();
  return { samples, timings, sweeps: sweeper.done, left };
}

async function sampleUntil(end: number, options: Options, take: () => Promise<Sample>): Promise<Sample[]> {
  const samples: Sample[] = [];
  while (performance.now() < end) {
    await pause(Math.min(options.sample * 1000, end - performance.now()));
    const sample = await take();
    samples.push(sample);
    console.log(lineOf(sample));
    // what was measured is there, also if the run does not reach its end
    if (options.results) writeFileSync(options.results, JSON.stringify({ samples }));
  }
  return samples;
}

/** Without traffic everything expires, and the sweep must leave nothing of it. */
async function ebb(database: pg.Pool, sweeper: Sweeper, { life, kept, sweep }: Options): Promise<number> {
  // and a minute for the last sweeps on a busy machine
  const lastEnd = performance.now() + (familyLifetimes * life + kept + 2 * sweep + 60) * 1000;
  for (;;) {
    await sweeper.sweep().catch(() => {});
    const { rows } = await database.query(`
      select ((select count(*) from access_tokens) + (select count(*) from authorization_codes))::integer as rows`);
    if (rows[0].rows === 0 || performance.now() > lastEnd) return rows[0].rows;
    await pause(1000);
  }
}

/** Whether all is well. */
function report({ samples, timings, sweeps, left }: Outcome, { warmUp, isJudged }: Options): boolean {
  const last = samples.at(-1);
  if (last) printLast(last);
  printSweeps(sweeps);
  const findings: Finding[] = isJudged ? judge(samples.filter(({ seconds }) => seconds > warmUp)) : [];
  if (isJudged) printFindings(findings);
  const [core] = cpus();
  const { requests, faults, skipped, refused, expired } = timings;
  console.log(`\n${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${core?.model.trim()}),`);
  console.log(
    `load average ${loadavg()[2]?.toFixed(1)} in the last quarter of an hour, Node ${process.versions.node}.`,
  );
  console.log(`${requests} requests, ${faults.length} wrong answers. Visits: ${skipped} did not begin,`);
  console.log(`${refused} ended with 503 and ${expired} with a session or token that had expired.`);
  for (const [reason, count] of Object.entries(last?.refusals ?? {})) console.log(`503 because ${reason}: ${count}`);
  console.log(`${left} tokens and codes were left when all had expired.`);
  for (const fault of faults.slice(0, 20)) console.log(fault);
  const grown = findings.filter(({ isFlat }) => !isFlat).map(({ what }) => what);
  if (grown.length > 0) console.log(`Verdict: not flat: ${grown.join(', ')}.`);
  else if (isJudged) console.log('Verdict: flat.');
  return faults.length === 0 && left === 0 && grown.length === 0;
}

async function soakYear(plan: Plan, { results }: Options, postgres: Postgres): Promise<boolean> {
  const url = await postgres.createDatabase('year');
  await applyMigrations({ connectionString: url }, join(productDirectory, 'migrations'));
  const year = await simulateYear(url, { ...plan, say: console.log });
  if (results) writeFileSync(results, JSON.stringify({ plan, ...year }));
  printYear(year, plan);
  const findings = judgeYear(year, plan);
  printFindings(findings, 'What | Then | At the end');
  return findings.every(({ isFlat }) => isFlat);
}

async function main(options: Options): Promise<boolean> {
  if (productDirectory === root && !options.year)
    execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' });
  const postgres = await lendPostgres();
  try {
    if (options.year) return await soakYear(options.year, options, postgres);
    const outcome = await soak(options, postgres);
    if (options.results) writeFileSync(options.results, JSON.stringify(outcome));
    return report(outcome, options);
  } finally {
    await postgres.stop();
  }
}

try {
  process.exit((await main(readOptions(process.argv.slice(2)))) ? 0 : 1);
} catch (error) {
  const isUsage = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  console.error(isUsage ? `${error.message}\n\n${usage}` : error);
  process.exit(1);
}
