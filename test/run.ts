import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { classes, programsOf } from './processes.ts';
import { buildProgram } from './support/build-program.ts';
import { createTemplate, lendServer } from './support/server-for-tests.ts';

/**
 * The ordinary files, the quick ones among them (--quick), the quick ones that need a database (--sql), those that only CI runs (--ci),
 * or the files that are named: one Postgres for all of them (the embedded one, or TEST_DATABASE_URL), a migrated template in it, a
 * database cloned from that for each file that asks, and the program and the tests, compiled once.
 * --skipped=FILE writes there of which files a test was skipped, for a run where nothing is.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const compiledSources = new URL('compiled-sources.mjs', import.meta.url).href;
const named = process.argv.slice(2).filter((argument) => argument.endsWith('.ts'));
// faults are timed, so they must not disturb each other
const concurrency = process.argv.includes('--one-by-one') ? 1 : availableParallelism() + 1;
// for a file; the longest take two minutes on two cores
const timeout = process.argv.find((argument) => argument.startsWith('--test-timeout=')) ?? '--test-timeout=900000';
const skipped = process.argv.find((argument) => argument.startsWith('--skipped='))?.slice('--skipped='.length);
const asked = (['quick', 'sql', 'ci'] as const).find((name) => process.argv.includes(`--${name}`)) ?? 'ordinary';
const files = named.length > 0 ? named : testFiles().filter(classes[asked]);
if (files.length === 0) throw new Error('there are no test files');

const scratch = mkdtempSync(join(tmpdir(), 'latchkey-program-'));
const server = await lendServer();
try {
  const program = join(scratch, 'program');
  const [template] = await Promise.all([createTemplate(server.url), buildProgram(program, 'test/tsconfig.json', '.')]);
  const env = {
    ...process.env,
    LATCHKEY_TEST_SERVER: server.url,
    LATCHKEY_TEST_TEMPLATE: template.copy,
    LATCHKEY_TEST_PROGRAM: join(program, 'src'),
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: join(scratch, 'compiled'),
  };
  const programs = concurrency === 1 ? files : programsOf(files, scratch);
  process.exitCode = await runTests(programs, env);
  await template.drop();
} finally {
  await server.stop();
  rmSync(scratch, { recursive: true, force: true });
}

function testFiles(): string[] {
  const paths = readdirSync(fileURLToPath(new URL('.', import.meta.url)), { recursive: true, encoding: 'utf8' });
  return paths
    .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'))
    .map((path) => `test/${path}`)
    .sort();
}

/** A run that executed no test has shown nothing, so it fails. */
function runTests(paths: string[], env: NodeJS.ProcessEnv): Promise<number> {
  const options = [
    // newer versions of Node read TypeScript by themselves
    ...(process.features.typescript ? [] : ['--enable-source-maps', '--import', compiledSources]),
    '--test',
    // some of them wait more than they work
    `--test-concurrency=${concurrency}`,
    timeout,
    // localhost has two addresses on many machines; with Node's 250 ms, a pause of this process makes it give up the right one
    '--network-family-autoselection-attempt-timeout=10000',
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...(skipped ? ['--test-reporter=./test/skipped-files.cjs', `--test-reporter-destination=${skipped}`] : []),
  ];
  const tests = spawn(process.execPath, [...options, ...paths], {
    cwd: root,
    env,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  // who interrupts the run must not leave its Postgres behind: end the tests, then everything in order
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal));
  let tail = '';
  tests.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    tail = (tail + chunk.toString()).slice(-4000);
  });
  return new Promise((resolve) => {
    tests.on('close', (code) => resolve(/^. tests [1-9]/m.test(tail) ? (code ?? 1) : 1));
  });
}
