// ci: takes the database away, and waits
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import pg from 'pg';
import {
  type EmbeddedPostgres,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../src/postgres/embedded/start.ts';
import { compiled } from '../support/program.ts';

const root = mkdtempSync(join(tmpdir(), 'embedded-'));
const running = new Set<EmbeddedPostgres>();
const isRoot = process.getuid?.() === 0;
const linuxOnly = process.platform === 'linux' ? false : 'needs the locks of Linux';

after(async () => {
  await Promise.all([...running].map((server) => server.stop()));
  rmSync(root, { recursive: true, force: true });
});

async function start(dataDir: string, said: string[] = [], durable = false): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, durable, announce: (sentence) => said.push(sentence) });
  running.add(server);
  return server;
}

/** The data directory that the first test has made: to start on a copy costs a tenth of the CPU that creating one does. */
const made = join(root, 'first', 'start');

function copyOfMade(name: string): string {
  const dataDir = join(root, name);
  const data = join(dataDir, 'postgres', 'data');
  cpSync(join(made, 'postgres', 'data'), data, { recursive: true });
  // not all versions of Node copy the mode
  chmodSync(data, 0o700);
  return dataDir;
}

async function query(server: EmbeddedPostgres, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ ...server.connection });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

/** A Latchkey of its own process: starts the server, says so, and inserts row after row until it is killed. */
function startElsewhere(dataDir: string): { child: ChildProcess; lines: AsyncIterator<string> } {
  const script = `
    import pg from 'pg';
    import { startEmbeddedPostgres } from ${JSON.stringify(join(dirname(compiled('main.js')), 'postgres', 'embedded', 'start.js'))};
    const options = { dataDir: ${JSON.stringify(dataDir)}, durable: true, announce: () => {} };
    try {
      const server = await startEmbeddedPostgres(options);
      console.log(server.pid);
      const pool = new pg.Pool(server.connection);
      await pool.query('create table if not exists kept (id integer)');
      for (let id = 1; ; id += 1) {
        await pool.query('insert into kept values ($1)', [id]);
        console.log(id);
      }
    } catch (error) {
      console.log(error.message);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

// A zombie process still has a pid until its parent waits for it.
function isRunning(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'));
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

test('the first start creates the database, and the second finds the data again', async () => {
  const said: string[] = [];
  const first = await start(made, said);
  assert.deepEqual(said.length, 1);
  await query(first, 'create table found_again as select 42 as answer');
  await first.stop();
  await first.stop();
  const second = await start(made, said);
  assert.equal(said.length, 1);
  assert.deepEqual(await query(second, 'select answer from found_again'), [{ answer: 42 }]);
  assert.equal(statSync(made).mode & 0o077, 0);
  await second.stop();
});

test('the server listens on a private socket only, uses checksums, and runs in UTC', {
  skip: process.platform === 'win32',
}, async () => {
  const server = await start(copyOfMade('settings'));
  const [row] = await query(
    server,
    `select current_setting('listen_addresses') as tcp, current_setting('data_checksums') as checksums,
            current_setting('TimeZone') as zone, current_setting('server_encoding') as encoding, lower('Ä') as lower`,
  );
  assert.deepEqual(row, { tcp: '', checksums: 'on', zone: 'UTC', encoding: 'UTF8', lower: 'ä' });
  assert.equal(statSync(server.connection.host).mode & 0o777, 0o700);
  await server.stop();
});

test('a durable server flushes every commit', async () => {
  const server = await start(copyOfMade('durable'), [], true);
  const [row] = await query(
    server,
    `select current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit,
            current_setting('full_page_writes') as pages`,
  );
  assert.deepEqual(row, { fsync: 'on', commit: 'on', pages: 'on' });
  await server.stop();
});

test('a second start on the same directory is refused and leaves the first unharmed [F18]', async () => {
  const dataDir = copyOfMade('second');
  const first = await start(dataDir);
  await assert.rejects(start(dataDir), /in use by another Latchkey \(pid \d+ on .+\); stop that one first/);
  assert.deepEqual(await query(first, 'select 1 as one'), [{ one: 1 }]);
  await first.stop();
});

test('a server run by another process is found, and a stopped one is not', async () => {
  const dataDir = copyOfMade('share');
  assert.equal(await findRunningPostgres(dataDir), undefined);
  const server = await start(dataDir);
  assert.deepEqual(await findRunningPostgres(dataDir), server.connection);
  process.kill(server.pid, 'SIGKILL');
  await server.exited;
  assert.equal(await findRunningPostgres(dataDir), undefined);
});

test('of several simultaneous first starts exactly one succeeds', async () => {
  const dataDir = join(root, 'race');
  const starts = [startElsewhere(dataDir), startElsewhere(dataDir), startElsewhere(dataDir)];
  const words = await Promise.all(starts.map(async ({ lines }) => (await lines.next()).value));
  const winners = words.filter((word) => /^\d+$/.test(word));
  assert.equal(winners.length, 1, words.join('\n'));
  assert.equal(words.filter((word) => /in use by another Latchkey/.test(word)).length, 2, words.join('\n'));
  await Promise.all(starts.map(({ child }) => (child.exitCode === null ? kill(child) : undefined)));
  await (await start(dataDir)).stop();
});

test('a new start takes over from a killed Latchkey, and every committed row is there', {
  skip: linuxOnly,
}, async () => {
  const dataDir = copyOfMade('orphan');
  const { child, lines } = startElsewhere(dataDir);
  const orphan = Number((await lines.next()).value);
  for (let row = 1; row < 100; row += 1) await lines.next();
  await kill(child);
  let promised = 99;
  for (let line = await lines.next(); !line.done; line = await lines.next()) promised = Number(line.value);
  assert.ok(isRunning(orphan), 'the server must have outlived its parent');
  const said: string[] = [];
  const server = await start(dataDir, said);
  assert.match(said.join(), new RegExp(`pid ${orphan}\\) of a Latchkey that was killed`));
  assert.ok(!isRunning(orphan));
  const [row] = await query(server, `select count(distinct id)::int as rows from kept where id <= ${promised}`);
  assert.deepEqual(row, { rows: promised });
  await server.stop();
});

test('the death of the server is reported, and the next start recovers [F2]', async () => {
  const dataDir = copyOfMade('crash');
  const first = await start(dataDir, [], true);
  await query(first, 'create table kept as select 42 as answer');
  process.kill(first.pid, 'SIGKILL');
  assert.match(await first.exited, new RegExp(`pid ${first.pid}\\) ended by SIGKILL`));
  const second = await start(dataDir);
  assert.deepEqual(await query(second, 'select answer from kept'), [{ answer: 42 }]);
  await first.stop();
  await second.stop();
});

test('a stale pid file with the pid of another process does not block a start', { skip: linuxOnly }, async () => {
  const dataDir = copyOfMade('stale');
  const first = await start(dataDir);
  process.kill(first.pid, 'SIGKILL');
  await first.exited;
  const bystander = spawn('sleep', ['60']);
  writeFileSync(join(dataDir, 'postgres', 'data', 'postmaster.pid'), `${bystander.pid}\n`);
  const second = await start(dataDir);
  assert.equal(bystander.exitCode, null);
  await second.stop();
  bystander.kill();
});

test('a start succeeds after an earlier one was killed while creating the database', { skip: linuxOnly }, async () => {
  const dataDir = join(root, 'half');
  const { child } = startElsewhere(dataDir);
  const home = join(dataDir, 'postgres');
  while (!existsSync(home) || !readdirSync(home).some((name) => name.startsWith('data.new-'))) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await kill(child);
  const server = await start(dataDir);
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('data')),
    ['data'],
  );
  await server.stop();
});

test('a directory too deep for a socket is served from a short one, which is removed on stop', async () => {
  const dataDir = join(root, 'deep'.repeat(20), 'deep'.repeat(20), 'it is, "very"');
  const server = await start(dataDir);
  assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
  const { host } = server.connection;
  await server.stop();
  assert.equal(existsSync(host), process.platform === 'win32' ? existsSync(host) : false);
});

test('root can start it below a home directory that is closed to others', {
  skip: isRoot ? false : 'needs root',
}, async () => {
  const home = mkdtempSync(join(homedir(), '.embedded-'));
  chmodSync(home, 0o700);
  try {
    const server = await start(join(home, 'data'));
    assert.deepEqual(await query(server, 'select 1 as one'), [{ one: 1 }]);
    await server.stop();
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

test('an error about an unwritable DATA_DIR names it and the remedy', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await assert.rejects(
    start(join(file, 'data')),
    /^Error: DATA_DIR \S+ cannot be used \(ENOTDIR at .*set DATABASE_URL/,
  );
  if (isRoot) return;
  const closed = join(root, 'closed');
  mkdirSync(closed, { mode: 0o500 });
  await assert.rejects(
    start(join(closed, 'data')),
    /^Error: DATA_DIR \S+ cannot be used \(EACCES at .*set DATABASE_URL/,
  );
});

/** All that lies below, with its owner. */
const inventory = (directory: string) =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .sort()
    .map((path) => `${path} ${lstatSync(join(directory, path)).uid}`);

test('symbolic links in DATA_DIR are not followed, and their targets stay unchanged', async () => {
  const elsewhere = join(root, 'elsewhere');
  mkdirSync(join(elsewhere, 'lib'), { recursive: true });
  writeFileSync(join(elsewhere, 'lib', 'precious'), '');
  const before = inventory(elsewhere);
  for (const name of ['postgres', 'postgres/data', 'postgres/lib', 'postgres/run', 'postgres/server.log']) {
    const dataDir = mkdtempSync(join(root, 'links-'));
    const link = join(dataDir, name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(elsewhere, link);
    const made = inventory(dataDir);
    await assert.rejects(
      start(dataDir),
      new RegExp(`^Error: ${link} is a symbolic link, which Latchkey does not follow`),
    );
    await assert.rejects(findRunningPostgres(dataDir), /is a symbolic link/);
    assert.deepEqual(inventory(dataDir), made);
    assert.deepEqual(inventory(elsewhere), before);
  }
  // DATA_DIR itself may be a link, since the operator chooses it
  symlinkSync(made, join(root, 'link-to-first'));
  await (await start(join(root, 'link-to-first'))).stop();
});

test('root refuses a directory that belongs to another user', { skip: isRoot ? false : 'needs root' }, async () => {
  for (const foreign of ['', 'postgres', 'postgres/lib', 'postgres/data']) {
    const dataDir = mkdtempSync(join(root, 'foreign-'));
    const path = join(dataDir, foreign);
    mkdirSync(path, { recursive: true });
    chownSync(path, 12345, 12345);
    const before = inventory(dataDir);
    await assert.rejects(start(dataDir), new RegExp(`^Error: ${path} belongs to user id 12345, but Latchkey runs as`));
    assert.deepEqual(inventory(dataDir), before);
  }
});

test('a DATA_DIR in /proc is refused at once', { skip: linuxOnly }, async () => {
  await assert.rejects(
    start('/proc/x'),
    /^Error: DATA_DIR \/proc\/x cannot be used \(ENOENT at \/proc\/x\); .*DATABASE_URL/,
  );
});

test('a database of another major version and a directory without a database are refused', async () => {
  const dataDir = join(root, 'version');
  const cluster = join(dataDir, 'postgres', 'data');
  mkdirSync(cluster, { recursive: true });
  await assert.rejects(start(dataDir), /holds no Postgres database; move it away/);
  writeFileSync(join(cluster, 'PG_VERSION'), '15\n');
  await assert.rejects(start(dataDir), /was made by Postgres 15 and this is Postgres 18; /);
});
