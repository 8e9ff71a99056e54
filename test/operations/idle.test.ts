// ci: starts processes and waits
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createDatabase } from '../support/database.ts';
import { startProcess } from '../support/process.ts';
import { scratch } from '../support/scratch.ts';

const skip = process.platform === 'linux' ? false : 'reads /proc';
const databaseUrl = await createDatabase();
const repository = fileURLToPath(new URL('../..', import.meta.url));
const home = join(scratch, 'program');
const dist = join(home, 'dist');

// as it is installed: the other tests run what the server consists of, file by file
mkdirSync(home);
for (const name of ['src', 'views', 'migrations', 'node_modules', 'package.json', 'tsconfig.json'])
  symlinkSync(join(repository, name), join(home, name));
execFileSync('npm', ['run', '--silent', 'build'], { cwd: home });

// what the cache of compiled files saves and takes depends on what ran before
const environment = { NODE_ENV: 'production', NODE_DISABLE_COMPILE_CACHE: '1' };

async function startServer() {
  const server = await startProcess({ ...environment, DATABASE_URL: databaseUrl }, [], join(dist, 'main.js'));
  await server.said(/Latchkey serves/);
  return server;
}

test('ten seconds after its start, a process that nobody asks for anything takes at most 105 MiB', {
  skip,
}, async () => {
  const { child } = await startServer();
  await pause(10_000);
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
  const memory = Number(kilobytes) / 1024;
  assert.ok(memory > 40 && memory <= 105, `${memory} MiB`);
});

/** Hundredths of a second, of all threads. */
function cpuOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

/** What a process takes that only loads packages, on the same machine at the same time. */
async function loadPackages(): Promise<number> {
  const script = `await Promise.all(['express', 'pg', 'pino', 'zod'].map((name) => import(name)));
    console.log('loaded');
    setInterval(() => {}, 1000);`;
  const options = { cwd: home, env: { ...process.env, ...environment } };
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], options);
  await once(child.stdout, 'data');
  const cpu = cpuOf(child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return cpu;
}

test('a start takes at most 3.5 times the CPU of loading express, pg, pino and zod', { skip }, async () => {
  const [starts, packages]: [number[], number[]] = [[], []];
  for (let round = 0; round < 5; round += 1) {
    packages.push(await loadPackages());
    const server = await startServer();
    starts.push(cpuOf(server.child.pid));
    await server.kill();
  }
  const ratio = Math.min(...starts) / Math.min(...packages);
  assert.ok(ratio > 1 && ratio <= 3.5, `${ratio}`);
});

test('the young generation grows under load only, and to 32 MiB', () => {
  const file = join(dist, 'operations', 'young-generation.js');
  const script = `import { growUnderLoad } from ${JSON.stringify(file)};
    import { getHeapSpaceStatistics } from 'node:v8';
    const size = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size / 2 ** 20;
    let kept = [];
    const work = (count) => {
      for (let made = 0; made < count; made += 1) {
        kept.push({ made });
        if (kept.length > 20_000) kept = [];
      }
    };
    growUnderLoad();
    work(1_000_000);
    const [before, end] = [size(), performance.now() + 5000];
    const load = () => {
      work(10_000);
      if (performance.now() < end) return setTimeout(load, 1);
      console.log(JSON.stringify({ before, after: size() }));
      process.exit();
    };
    load();`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.equal(stderr, '');
  const { before, after } = JSON.parse(stdout);
  assert.ok(before <= 4 && after >= 8 && after <= 32, stdout);
});
