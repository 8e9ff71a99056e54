// ci: interrupts and kills commands
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/postgres/database.ts';
import { findPostmaster } from '../../src/postgres/embedded/lock.ts';
import { assertRefused, commandLineFor, registration } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { compiled } from '../support/program.ts';

// Commands that cannot show what they have done, or that are interrupted.

const url = await createDatabase();
const { latchkey, directory } = commandLineFor(url);
const database = openDatabase({ connectionString: url }, 2);
after(() => database.end());
const PATH = process.env['PATH'] ?? '';

/** Runs a command in a shell, which redirects its output; `"$@"` is the command. */
function inShell(script: string, words: string[], env: Record<string, string> = { DATABASE_URL: url }) {
  const args = ['-c', script, 'sh', process.execPath, compiled('cli.js'), ...words];
  const { status, stderr } = spawnSync('sh', args, { encoding: 'utf8', env: { PATH, ...env } });
  return { status, stderr };
}

const secretsOf = async (client_id: string) =>
  (await database.query('select secrets_sha256 from clients where client_id = $1', [client_id])).rows;

const showing: [title: string, words: string[], remedy: RegExp][] = [
  ['client create', registration('made'), /client rotate-secret made/],
  ['client rotate-secret', ['client', 'rotate-secret', 'printer'], /client rotate-secret printer/],
  ['client invite', ['client', 'invite'], /client uninvite \d+/],
];

test('the client whose secret is rotated', async () => {
  assert.equal((await latchkey(registration('printer'))).code, 0);
});

for (const [title, words] of showing) {
  for (const nowhere of ['>&-', '>/dev/null']) {
    test(`${title} changes nothing where nobody would see the secret: "$@" ${nowhere} [F24]`, async () => {
      const state = async () => [
        await secretsOf('printer'),
        await secretsOf('made'),
        (await database.query('select from invitations')).rowCount,
      ];
      const before = await state();
      const { status, stderr } = inShell(`"$@" ${nowhere}`, words);
      assert.equal(
        stderr,
        'Standard output is closed or /dev/null, where nobody would see the secret: nothing was changed.\n',
      );
      assert.equal(status, 1);
      assert.deepEqual(await state(), before);
    });
  }
}

for (const [title, words, remedy] of showing) {
  test(`${title} says so if the secret could not be shown after all [F24]`, () => {
    // the reader of the pipe is gone before anything is written
    const { status, stderr } = inShell('{ "$@"; echo "status $?" >&2; } | true', words);
    assert.match(stderr, /^The secret could not be shown \(EPIPE\)[^\n]*\nstatus 1\n$/);
    assert.match(stderr, remedy);
    assert.equal(status, 0, 'of the last command of the pipe');
  });
}

test('a reader that has enough, such as head, is no failure of a list', () => {
  assert.deepEqual(inShell('{ "$@"; echo "status $?" >&2; } | true', ['client', 'list']).stderr, 'status 0\n');
});

test('standard output on a full disk is one line, with status 1 [F24]', {
  skip: !existsSync('/dev/full'),
}, async () => {
  const { status, stderr } = inShell('"$@" >/dev/full', ['client', 'list']);
  assert.deepEqual({ status, stderr }, { status: 1, stderr: 'Standard output takes nothing (ENOSPC).\n' });
  const rotated = inShell('"$@" >/dev/full', ['client', 'rotate-secret', 'printer']);
  assert.equal(rotated.status, 1);
  assert.match(rotated.stderr, /^The secret could not be shown \(ENOSPC\)[^\n]*\n$/);
});

const DATA_DIR = join(directory, 'data');
const embedded = { DATABASE_URL: '', DATA_DIR };
const cluster = join(DATA_DIR, 'postgres', 'data');
const backupFile = join(directory, 'backup');

/** Starts a command, sends the signal at the moment, and returns how it ended. */
async function interrupt(words: string[], signal: NodeJS.Signals, moment: () => boolean) {
  const env = { PATH, ...embedded };
  const child = spawn(process.execPath, [compiled('cli.js'), ...words], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | string | null>((resolve) =>
    child.once('close', (code, name) => resolve(code ?? name)),
  );
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  while (!moment() && child.exitCode === null) await pause(1);
  child.kill(signal);
  // under npm it arrives twice
  await pause(5);
  child.kill(signal);
  return { end: await ended, said: (await said).join('') };
}

const isCreating = () =>
  existsSync(join(DATA_DIR, 'postgres')) &&
  readdirSync(join(DATA_DIR, 'postgres')).some((name) => name.startsWith('data.new-'));
const isStarting = () => findPostmaster(cluster) !== undefined;

test('Ctrl-C while the embedded database is created ends the command and leaves nothing running', async () => {
  const { end, said } = await interrupt(['migrate'], 'SIGINT', isCreating);
  assert.equal(end, 130, said);
  assert.equal(findPostmaster(cluster), undefined);
  const made = await latchkey(['migrate'], { env: embedded });
  assert.equal(made.code, 0, made.err);
  assert.equal((await latchkey(['backup', backupFile], { env: embedded })).code, 0);
});

const restore = ['restore', backupFile];
for (const [signal, ...words] of [
  ['SIGINT', 'client', 'list'],
  ['SIGTERM', 'doctor'],
  ['SIGHUP', 'backup', join(directory, 'other')],
  ['SIGINT', ...restore],
  ['SIGHUP', ...restore],
] as [NodeJS.Signals, ...string[]][]) {
  test(`${signal} while the embedded database starts for ${words[0]} stops both`, async () => {
    const { end, said } = await interrupt(words, signal, isStarting);
    assert.equal(end, 130, said);
    assert.equal(findPostmaster(cluster), undefined, 'no server is left');
    assert.doesNotMatch(said, /at .*:\d+:\d+/, 'no stack');
  });
}

test('a backup needs no hard links, which some file systems lack [F34]', async () => {
  // what link(2) says on FAT, on some network file systems and in some sandboxes
  const preload = join(directory, 'no-links.mjs');
  writeFileSync(
    preload,
    `import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module';
     fs.linkSync = fs.link = () => { throw Object.assign(new Error('link'), { code: 'EPERM' }) }; syncBuiltinESMExports();`,
  );
  const path = join(directory, 'without-links');
  const env = { ...embedded, NODE_OPTIONS: `--import ${preload}` };
  assert.deepEqual(await latchkey(['backup', path], { env }), { code: 0, out: `Wrote ${path}.\n`, err: '' });
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.ok(statSync(path).size > 100);
  assertRefused(await latchkey(['backup', path], { env }), 1, /exists already: choose another name/);
  // a name that was taken while the backup was written is nobody's to replace
  const taken = join(directory, 'taken');
  const running = latchkey(['backup', taken], { env });
  while (!readdirSync(directory).some((name) => name.startsWith('taken.'))) await pause(1);
  closeSync(openSync(taken, 'wx'));
  assertRefused(await running, 1, /exists already: choose another name/);
  assert.equal(statSync(taken).size, 0);
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.endsWith('.partial')),
    [],
  );
});
