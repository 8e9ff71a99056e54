// ci: traffic in real time
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { compiled } from '../support/program.ts';
import { scratch } from '../support/scratch.ts';

const run = fileURLToPath(new URL('run.ts', import.meta.url));
/** The program of the tests, in a tree as a build leaves it. */
const product = join(scratch, 'product');
mkdirSync(product);
const program = dirname(compiled('main.js'));
symlinkSync(program, join(product, 'dist'));
symlinkSync(join(dirname(program), 'migrations'), join(product, 'migrations'));

/** A short run on the database of the tests, of the program that they use; no verdict, since a test machine is not quiet. */
async function soak(...args: string[]): Promise<{ code: number; output: string }> {
  const { LATCHKEY_TEST_SERVER = '', ...env } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', run, '--no-verdict', ...args], {
    env: { ...env, BENCH_DATABASE_URL: LATCHKEY_TEST_SERVER, BENCH_PRODUCT_DIR: product },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  return { code, output };
}

test('a short soak has right answers only, expires what it was given and what it issued, and leaves no token or code', async () => {
  const results = join(scratch, 'soak.json');
  const args = ['--minutes=0.05', '--sample=1', '--rate=3', '--life=1', '--kept=1', '--sweep=1', '--expired=1000'];
  const { code, output } = await soak(...args, `--results=${results}`);
  assert.equal(code, 0, output);
  const { samples, timings, sweeps, left } = JSON.parse(readFileSync(results, 'utf8'));
  assert.equal(left, 0);
  assert.deepEqual(timings.faults, []);
  assert.ok(timings.requests > 0 && samples.length > 0, output);
  // the thousand tokens, and their families of four
  assert.ok(sweeps.rows >= 1250, output);
  for (const { rss, heap, descriptors, connections, tables } of samples) {
    for (const value of [rss, heap, descriptors, connections, tables.access_tokens.bytes]) assert.ok(value > 0, output);
  }
});
