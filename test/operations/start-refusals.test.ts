// ci: starts, stops and kills processes
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createDatabase, createLatinDatabase } from '../support/database.ts';
import { findFreePort } from '../support/free-port.ts';
import { program, startProcess, startServing } from '../support/process.ts';
import { compiled } from '../support/program.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { runOn } from '../support/server-for-tests.ts';

/** Fails with one clear line, before anybody was let in. */
async function refusal(env: Record<string, string>): Promise<string> {
  const latchkey = await startProcess(env);
  await assert.rejects(latchkey.said(/Open http|Latchkey serves/), 'it serves');
  assert.equal(await latchkey.exit, 1);
  return latchkey.output();
}

test('a Node that is too old is told which one is needed, by the server and by the command', () => {
  const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
  const older = writeFile(
    'older-node.cjs',
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.14.0' } });",
  );
  for (const entry of [program, compiled('cli.js')]) {
    const { stderr, status } = spawnSync(process.execPath, ['--require', older, entry], { encoding: 'utf8' });
    assert.equal(stderr, `Latchkey needs Node ${engines.node.slice(2)} or newer, and this is Node 20.14.0.\n`);
    assert.equal(status, 1);
  }
});

test('a port in use is noticed before a database is created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const DATA_DIR = join(scratch, 'port-in-use');
  const said = await refusal({ DATA_DIR, PORT: String(port) });
  assert.match(said, new RegExp(`^PORT ${port} on HOST 127.0.0.1 is in use[^\\n]+\\n$`));
  assert.ok(!existsSync(DATA_DIR));
  other.close();
});

test('an unusable certificate is noticed before a database is created', async () => {
  const file = writeFile('no-certificate.pem', 'this is no certificate');
  const DATA_DIR = join(scratch, 'no-certificate');
  const said = await refusal({ DATA_DIR, TLS_CERT_FILE: file, TLS_KEY_FILE: file, DEMO: 'false' });
  assert.match(said, /^TLS_CERT_FILE, TLS_KEY_FILE: cannot be used: [^\n]+\n$/);
  assert.ok(!existsSync(DATA_DIR));
});

const longDataDir = join(scratch, 'a-long-name-'.repeat(10), 'data');

test('when neither DATA_DIR nor TMPDIR has room for the socket, the message gives both reasons', async () => {
  const said = await refusal({ DATA_DIR: longDataDir, TMPDIR: '/no/such/directory' });
  assert.match(
    said,
    /^DATA_DIR \S+ is too long for a socket in it, and \/no\/such\/directory has no room for one \(ENOENT\)/m,
  );
});

const mounts = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a full /tmp is not reported as a full data disk', { skip: mounts ? false : 'needs to mount' }, async () => {
  const TMPDIR = join(scratch, 'full');
  mkdirSync(TMPDIR);
  // the one inode is the directory itself
  const script = `mount -t tmpfs -o nr_inodes=1 none ${TMPDIR} && exec "$0" ${program}`;
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TMPDIR, DATA_DIR: longDataDir, PORT: String(await findFreePort()) };
  const options = { env, encoding: 'utf8', timeout: 60_000 } as const;
  const { stderr, status } = spawnSync('unshare', ['--mount', 'sh', '-c', script, process.execPath], options);
  assert.match(
    stderr,
    new RegExp(`^DATA_DIR \\S+ is too long for a socket in it, and ${TMPDIR} has no room for one .it is full.`),
  );
  assert.equal(status, 1);
});

test('the loss of the database is reported as the reason for the exit, even with LOG_LEVEL=fatal', async () => {
  const DATA_DIR = join(scratch, 'lost');
  const latchkey = await startProcess({ DATA_DIR, LOG_LEVEL: 'fatal', DRAIN_DELAY: '0' });
  const isReady = () =>
    fetch(`${latchkey.origin}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) await pause(50);
  assert.equal(latchkey.output(), '');
  const pidFile = join(DATA_DIR, 'postgres', 'data', 'postmaster.pid');
  process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
  assert.equal(await latchkey.exit, 1);
  assert.match(latchkey.output(), /^\{"level":60,[^\n]*The database server \(pid \d+\) ended by SIGKILL[^\n]*\}\n$/);
});

test('a dead embedded database ends the process at once, with a request that would wait and DRAIN_DELAY, and another start serves [F10]', async () => {
  const DATA_DIR = join(scratch, 'dead');
  const pidFile = join(DATA_DIR, 'postgres', 'data', 'postmaster.pid');
  for (const WEB_CONCURRENCY of ['1', '2']) {
    const latchkey = await startServing({ DATA_DIR, DRAIN_DELAY: '60', WEB_CONCURRENCY });
    const open = connect(Number(new URL(latchkey.origin).port), '127.0.0.1').on('error', () => {});
    open.write('POST /token HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n');
    await once(open, 'connect');
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL');
    const late = pause(30_000, 'late', { ref: false });
    assert.equal(await Promise.race([latchkey.exit, late]), 1);
    open.destroy();
  }
});

test('Postgres 13 is refused', async () => {
  const url = await createDatabase({ migrated: false });
  // a server that says it is Postgres 13
  await runOn(
    url,
    `create function current_setting(text) returns text language sql as $$ select case $1 when 'server_version_num' then '130023' else pg_catalog.current_setting($1) end $$`,
  );
  await runOn(url, `alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog`);
  const said = await refusal({ DATABASE_URL: url });
  assert.equal(said, 'DATABASE_URL: the server is Postgres 13; Latchkey needs Postgres 14 or newer\n');
});

test('a database with an encoding other than UTF-8 is refused with instructions to fix it', async () => {
  const url = await createLatinDatabase();
  const name = new URL(url).pathname.slice(1);
  const said = await refusal({ DATABASE_URL: url });
  assert.match(said, new RegExp(`^DATABASE_URL: the database ${name} has the encoding LATIN1[^\\n]+\\n$`));
  assert.match(said, new RegExp(`create database ${name} encoding 'UTF8' template template0`));
  // the same address with a database that differs in its encoding only
  const latchkey = await startProcess({ DATABASE_URL: await createDatabase({ migrated: false }), DRAIN_DELAY: '0' });
  await latchkey.said(/Latchkey serves/);
  await latchkey.kill();
});
