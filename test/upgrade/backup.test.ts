// ci: upgrades from the previous release
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import pg from 'pg';
import { openDatabase } from '../../src/postgres/database.ts';
import { findRunningPostgres } from '../../src/postgres/embedded/start.ts';
import { Browser } from '../support/browser.ts';
import { createClientKey, now, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { password, startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { seed, startServing } from '../support/process.ts';
import { compiled } from '../support/program.ts';
import { scratch, writeFile } from '../support/scratch.ts';
import { findMajorVersion } from '../support/server-for-tests.ts';

const DATA_DIR = join(scratch, 'data');
const PORT = String(await findFreePort());
const environment = { DATA_DIR, PORT, DEMO: 'false', SEED_FILE: writeFile('people.sql', seed) };
const file = join(scratch, 'latchkey.backup');
const { latchkey: run, directory } = commandLineFor('');
const latchkey = (...words: string[]) => run(words, { env: { DATA_DIR } });

let server = await startServing(environment);
const { origin } = server;

/** The embedded database of the running server. */
async function connectEmbedded(): Promise<pg.Client> {
  const client = new pg.Client({ ...(await findRunningPostgres(DATA_DIR)) });
  client.on('error', () => {});
  await client.connect();
  after(() => client.end().catch(() => {}));
  return client;
}

const key = createClientKey('one');
const anonymous = { authorization: '' };

test('a backup is made while the server works, is for its owner alone, and replaces no file [F34]', async () => {
  const browser = await signedInBrowser(origin);
  const writing = latchkey('backup', file);
  // people go on meanwhile
  for (let flow = 0; flow < 3; flow += 1) {
    assert.equal((await redeem(origin, await obtainCode(browser))).status, 200);
  }
  assert.deepEqual(await writing, { code: 0, out: `Wrote ${file}.\n`, err: '' });
  assert.equal(statSync(file).mode & 0o777, 0o600);
  const before = readFileSync(file);
  assertRefused(await latchkey('backup', file), 1, /exists already: choose another name/);
  assert.deepEqual(readFileSync(file), before);
});

test('a backup is of one moment: what is stored while it is written is not in it [F34]', async () => {
  const blocker = await connectEmbedded();
  await blocker.query('begin; lock table users in access exclusive mode');
  const watcher = await connectEmbedded();
  const path = join(directory, 'moment');
  const writing = latchkey('backup', path);
  const isWaiting = async () => {
    const { rows } = await watcher.query(
      `select from pg_stat_activity where application_name = 'latchkey-backup' and wait_event_type = 'Lock'`,
    );
    return rows.length > 0;
  };
  while (!(await isWaiting())) await pause(20);
  await blocker.query(`select register_user(username => 'too-late', password => 'a password of too-late')`);
  await blocker.query('commit');
  assert.equal((await writing).code, 0);
  const lines = gunzipSync(readFileSync(path)).toString().split('\n');
  assert.ok(lines.some((line) => line.includes('"username":"alice"')));
  assert.ok(!lines.some((line) => line.includes('"username":"too-late"')));
  assert.ok(!lines.some((line) => /^T(access_tokens|refresh_tokens|authorization_codes|sessions)$/.test(line)));
});

test('a backup that is killed leaves no file of that name [F34]', async () => {
  const blocker = await connectEmbedded();
  await blocker.query('begin; lock table users in access exclusive mode');
  const path = join(directory, 'killed');
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR };
  const child = spawn(process.execPath, [compiled('cli.js'), 'backup', path], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  while (!readdirSync(directory).some((name) => name.startsWith('killed.'))) await pause(20);
  child.kill('SIGKILL');
  await ended;
  await blocker.query('rollback');
  assert.equal(existsSync(path), false);
  assert.equal((await latchkey('backup', path)).code, 0);
});

const mounts = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

test('a backup that finds no space leaves nothing [F34]', { skip: mounts ? false : 'needs to mount' }, () => {
  const small = join(directory, 'small');
  mkdirSync(small);
  const script = `mount -t tmpfs -o size=4k none ${small} && head -c 4000 /dev/zero >${small}/filling
    "$0" ${compiled('cli.js')} backup ${small}/file; echo "status $?"; ls ${small}`;
  const options = { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', DATA_DIR } } as const;
  const { stdout, stderr } = spawnSync('unshare', ['--mount', 'sh', '-c', script, process.execPath], options);
  assert.match(stderr, /^\S+\/small has no space left: the backup was not kept\n$/);
  assert.equal(stdout, 'status 1\nfilling\n');
});

test('a restore ends what the backup would bring back, and what was issued after it [F34]', async () => {
  const database = openDatabase((await findRunningPostgres(DATA_DIR)) ?? { connectionString: '' }, 2);
  await registerKeyClient(database, { keys: [key] });
  const browser = await signedInBrowser(origin);
  const old = (await redeem(origin, await obtainCode(browser))).body;
  const code = await obtainCode(browser);
  // valid for long, so that it does not end while a slow machine works
  const exp = now() + 3000;
  const assertion = withAssertion(await sign(key, origin, { claims: { exp } }));
  const made = await latchkey('user', 'reset-link', 'alice', '--json');
  const link = `/reset-password${new URL(JSON.parse(made.out).url).search}`;
  await database.query(
    `insert into sign_up_links (token_sha256, address, is_invitation, expires_at)
     values ('\\x00', 'invited@example.com', true, now() + interval '1 day')`,
  );
  const path = join(directory, 'whole');
  assert.equal((await latchkey('backup', path)).code, 0);

  const { body: renewed } = await refresh(origin, old['refresh_token']);
  await run(['user', 'create', 'later', '--json'], { env: { DATA_DIR }, input: 'a password of later\n' });
  const { rows: later } = await database.query(`select user_id from users where username = 'later'`);
  const visitor = new Browser(origin);
  await visitor.submit(await visitor.visit(link), 'id="save"', { new_password: 'another password of alice' });
  assert.equal((await database.query('select from mailed_links')).rowCount, 0);
  const introspect = (proof: Record<string, string>) =>
    post(`${origin}/introspect`, { token: 'x', ...proof }, anonymous);
  assert.equal((await introspect(assertion)).status, 200);
  await database.end();

  assertRefused(await latchkey('restore', path), 1, /is in use by another Latchkey/);
  await server.kill();
  const restored = await latchkey('restore', path);
  assert.equal(restored.code, 0, restored.err);
  assert.match(
    restored.out,
    /^Restored \d+ rows of 20.*\nAll codes, tokens, sessions, consents.* have ended.*\nPasswords/,
  );
  server = await startServing(environment);

  for (const token of [old['access_token'], renewed['access_token']])
    assert.equal((await getUser(origin, token)).status, 401);
  for (const token of [old['refresh_token'], renewed['refresh_token']]) {
    assert.equal((await refresh(origin, token)).body['error'], 'invalid_grant');
  }
  assert.equal((await redeem(origin, code)).body['error'], 'invalid_grant');
  assert.match((await browser.visit('/account')).url, /\/login/);
  assert.equal((await introspect(assertion)).body['error'], 'invalid_client');
  // one that was certainly made later
  const [, notBefore = ''] = /made before (\S+) are refused/.exec(restored.out) ?? [];
  const iat = Math.ceil(Date.parse(notBefore) / 1000);
  while (Date.now() / 1000 < iat - 28) await pause(100);
  assert.equal((await introspect(withAssertion(await sign(key, origin, { claims: { iat, exp } })))).status, 200);

  // with the password of the backup; nobody gets the number of the lost user
  const again = await signedInBrowser(origin);
  assert.equal((await redeem(origin, await obtainCode(again))).status, 200);
  const next = await run(['user', 'create', 'next', '--json'], { env: { DATA_DIR }, input: `${password}-next\n` });
  assert.equal(next.code, 0, next.err);
  const client = await connectEmbedded();
  const { rows: links } = await client.query(
    'select token_sha256 from mailed_links union all select token_sha256 from sign_up_links',
  );
  assert.deepEqual(links, [], 'one that was used since would work once more');
  const { rows } = await client.query(`select username, user_id from users where username in ('later', 'next')`);
  assert.deepEqual(
    rows.map(({ username }) => username),
    ['next'],
  );
  assert.ok(rows[0].user_id > later[0].user_id + 1000);
  await client.end();
});

/** The databases that a restore uses, beside the one in use. */
async function extraDatabases(): Promise<string[]> {
  const client = await connectEmbedded();
  const { rows } = await client.query(
    `select datname from pg_database where datname in ('latchkey_restored', 'latchkey_replaced')`,
  );
  await client.end();
  return rows.map(({ datname }) => datname);
}

const eventsOfAll = async () =>
  JSON.parse((await run(['audit', '--json', '--limit', '1000'], { env: { DATA_DIR } })).out).filter(
    ({ event }: { event: string }) => event === 'everything_revoked',
  );

/** Kills a restore while it waits for a lock in the database that it fills. */
async function killRestore(path: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR };
  const child = spawn(process.execPath, [compiled('cli.js'), 'restore', path], { env, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const attempt = async () => {
    const client = new pg.Client({ ...(await findRunningPostgres(DATA_DIR)), database: 'latchkey_restored' });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('begin; lock table users in access exclusive mode');
      return client;
    } catch {
      // there is no such server, database or table yet
      await client.end().catch(() => {});
      return undefined;
    }
  };
  let blocker = await attempt();
  while (blocker === undefined) blocker = await pause(5).then(attempt);
  const waits = `select from pg_stat_activity where datname = 'latchkey_restored' and wait_event_type = 'Lock'`;
  while ((await blocker.query(waits)).rowCount === 0) await pause(5);
  child.kill('SIGKILL');
  await ended;
  await blocker.end();
}

test('a restore that is killed changes nothing, and a second one of the same backup gives the same as the first [F34]', async () => {
  const path = join(directory, 'twice');
  assert.equal((await latchkey('backup', path)).code, 0);
  const earlier = (await eventsOfAll()).length;
  const restore = async () => {
    await server.kill();
    const { code, err } = await latchkey('restore', path);
    assert.equal(code, 0, err);
    server = await startServing(environment);
    const events = await eventsOfAll();
    assert.equal(events.length, earlier + 1, 'the audit trail tells of the restore that it comes from');
    assert.equal(events[0].by_system_user, userInfo().username);
    return [(await latchkey('user', 'list')).out, (await latchkey('client', 'list')).out];
  };
  const first = await restore();
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  await run(['user', 'create', 'between'], { env: { DATA_DIR }, input: 'a password of between\n' });

  await server.kill();
  await killRestore(path);
  server = await startServing(environment);
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assert.deepEqual(await extraDatabases(), ['latchkey_restored']);
  // this is left by one that is killed after it has exchanged the databases
  const client = await connectEmbedded();
  await client.query('create database latchkey_replaced');
  await client.end();

  assert.deepEqual(await restore(), first);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.equal((await redeem(origin, await obtainCode(await signedInBrowser(origin)))).status, 200);
  assert.deepEqual(await extraDatabases(), []);
});

test('a restore gives each month of the audit trail a partition again, so that its events are kept no longer than before [F34]', async () => {
  const partitions = async () => {
    const client = await connectEmbedded();
    const { rows } = await client.query({
      text: `select distinct tableoid::regclass::text from audit_events order by 1`,
      rowMode: 'array',
    });
    await client.end();
    return rows.flat();
  };
  const client = await connectEmbedded();
  await client.query(`insert into audit_events (event, request_id, happened_at)
    values ('old', 'r', '2025-01-15'), ('older', 'r', '2024-12-15')`);
  await client.end();
  const path = join(directory, 'months');
  assert.equal((await latchkey('backup', path)).code, 0);
  await server.kill();
  assert.equal((await latchkey('restore', path)).code, 0);
  server = await startServing(environment);
  const [older, old, ...others] = await partitions();
  assert.deepEqual([older, old], ['audit_events_2024_12', 'audit_events_2025_01']);
  assert.ok(others.length > 0 && others.every((name) => /^audit_events_\d{4}_\d\d$/.test(name)), others.join());
});

test('what the operator has made is in no backup, which can be restored all the same, and is named with the database that keeps it [F34]', async () => {
  const client = await connectEmbedded();
  await client.query(`create table company_groups (number serial, subject text, team text);
    insert into company_groups (subject, team) values ('1', 'sales');
    create view latchkey_claims as select subject, 'seat' as name, to_jsonb(team) as value from company_groups;
    grant select on company_groups to latchkey_reader;
    select register_claim(name => 'team', scope => 'user:team', sentence => 'See your team',
      query => 'select to_jsonb(team) from company_groups where subject = $1');
    select register_claim(name => 'seat', scope => 'user:team', sentence => 'See your team');
    select register_choice(name => 'teams', scopes => array['user:team'], sentence => 'Which teams?',
      query => 'select team as value, team as label from company_groups where subject = $1')`);
  const path = join(directory, 'with-tables');
  const { out, code } = await latchkey('backup', path);
  assert.deepEqual([code, out], [0, `Wrote ${path}.\nIt lacks what Latchkey has not made: company_groups.\n`]);
  await client.query(`
    select register_claim(name => 'later', scope => 'user:team', sentence => 'See your team', query => 'select to_jsonb($1)');
    create schema reporting;
    create materialized view reporting.months as select 1 as month;
    create type reporting.color as enum ('red');
    create function tell() returns trigger language plpgsql as 'begin return new; end';
    create trigger tell after insert on users for each row execute function tell();
    create trigger tell after insert on company_groups for each row execute function tell();
    create policy all_of_them on company_groups;
    create policy all_of_them on users;
    create rule nothing as on update to banned_sites do also nothing;
    alter table users add column employee_number text;
    create foreign data wrapper elsewhere;
    create server crm foreign data wrapper elsewhere;
    create foreign table customers (name text) server crm;
    create publication changes;
    create function note() returns event_trigger language plpgsql as 'begin end';
    create event trigger note on ddl_command_end execute function note();
    create sequence tickets;
    create extension hstore`);
  await client.end();
  await server.kill();
  const restored = await latchkey('restore', path, '--json');
  assert.equal(restored.code, 0, restored.err);
  const { kept, others } = JSON.parse(restored.out);
  assert.deepEqual(others.toSorted(), [
    ...['event trigger note', 'extension hstore', 'foreign table public.customers', 'foreign-data wrapper elsewhere'],
    ...['function public.note', 'function public.tell', 'materialized view reporting.months'],
    ...['policy all_of_them on public.users', 'publication changes', 'rule nothing on public.banned_sites'],
    ...['schema reporting', 'sequence public.tickets', 'server crm', 'table column public.users.employee_number'],
    ...['table public.company_groups', 'trigger tell on public.users', 'type reporting.color'],
    ...['view public.latchkey_claims'],
  ]);
  server = await startServing(environment);
  const address = await findRunningPostgres(DATA_DIR);
  const before = new pg.Client({ ...address, database: kept });
  await before.connect();
  assert.equal((await before.query('select team from company_groups')).rows[0].team, 'sales');
  await before.end();
  const later = await connectEmbedded();
  await later.query(`create table company_groups as select '1' as subject, 'board' as team;
    grant select on company_groups to latchkey_reader`);
  assert.equal((await later.query(`select "claim team"('1') as value`)).rows[0].value, 'board');
  for (const arguments_ of [`'1', '', 0`, `'1', array['board']`]) {
    const { rows } = await later.query(`select "choice teams"(${arguments_}) as values`);
    assert.deepEqual(rows[0].values, [{ value: 'board', label: 'board', hint: null }]);
  }
  await later.query('delete from claims; delete from choices; drop table company_groups');
  await later.query(`drop database ${kept}`);

  const many = Array.from({ length: 25 }, (_, number) => `create view view_${number} as select 1 as one`);
  await later.query(many.join(';'));
  await later.end();
  await server.kill();
  const { out: text } = await latchkey('restore', path);
  const [, again, views = ''] = /stays as (latchkey_before_\d+), .*: (.*) and 5 more\.$/m.exec(text) ?? [];
  assert.equal(views.split(', ').length, 20, text);
  server = await startServing(environment);
  const last = await connectEmbedded();
  await last.query('delete from claims');
  await last.query(`drop database ${again}`);
  await last.end();
});

test('a file that is damaged, or none of this program, changes nothing [F34]', async () => {
  await server.kill();
  const damaged = join(directory, 'whole');
  truncateSync(damaged, statSync(damaged).size - 20);
  assertRefused(await latchkey('restore', damaged), 1, /is incomplete or damaged; the database was not changed/);
  assertRefused(
    await latchkey('restore', writeFile('other', 'something else')),
    1,
    /other is no backup that latchkey has made/,
  );
  server = await startServing(environment);
  const { out } = await latchkey('user', 'list');
  assert.match(out, /next/);
});

test('a backup that is damaged in the middle is refused with the place, and changes nothing [F34]', async () => {
  const whole = join(directory, 'to-damage');
  assert.equal((await latchkey('backup', whole)).code, 0);
  const lines = gunzipSync(readFileSync(whole)).toString().split('\n');
  const people = lines.indexOf('Tusers');
  // an odd place in the file, so that a number of a line is not one by chance
  const [row = ''] = lines.slice(people + 1);
  const sequence = lines.findIndex((line) => line.startsWith('S'));
  const before = (await latchkey('user', 'list', '--json')).out;
  await server.kill();
  for (const [at, damaged, where] of [
    [people + 1, row.replace('":', '"'), `line ${people + 2} \\(table users\\): invalid input syntax for type json`],
    [
      people + 1,
      row.replace(/"user_id":\d+/, '"user_id":"x"'),
      `lines ${people + 2} to \\d+ \\(table users\\): invalid input syntax`,
    ],
    [people, 'Tuserz', `line ${people + 1}: relation "userz" does not exist`],
    [sequence, 'S["users', `line ${sequence + 1}: `],
  ] as const) {
    const file = join(directory, 'damaged');
    writeFileSync(file, gzipSync(lines.with(at, damaged).join('\n')));
    const sentence = new RegExp(`damaged is damaged at ${where}[^\n]*; the database was not changed\n$`);
    assertRefused(await latchkey('restore', file), 1, sentence);
  }
  server = await startServing(environment);
  assert.equal((await latchkey('user', 'list', '--json')).out, before);
});

const dumpVersion = Number(
  /\d+/.exec(spawnSync('pg_dump', ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[0] ?? 0,
);
const noDump =
  dumpVersion < (await findMajorVersion(process.env['LATCHKEY_TEST_SERVER'] ?? ''))
    ? 'there is no pg_dump for this version of Postgres'
    : false;

test('after a restore by pg_dump and psql, revoke-all ends what it has brought back [F34]', {
  skip: noDump,
}, async () => {
  const first = await startWithPrinter();
  const browser = await signedInBrowser(first.origin);
  const { body } = await redeem(first.origin, await obtainCode(browser));
  const code = await obtainCode(browser);
  const dump = spawnSync('pg_dump', [first.url]);
  assert.equal(dump.status, 0, String(dump.stderr));
  const url = await createDatabase({ migrated: false });
  // pg_dump writes for its own version: Postgres 14 does not know this word yet, which is the default
  const input = String(dump.stdout).replaceAll(/^ +LOGGED\n/gm, '');
  const loaded = spawnSync('psql', ['-q', '-v', 'ON_ERROR_STOP=1', url], { input });
  assert.equal(loaded.status, 0, String(loaded.stderr));
  const second = await startLatchkey({ ISSUER: first.origin }, url);
  assert.equal((await getUser(second.origin, body['access_token'])).status, 200, 'brought back to life');
  const revoked = await commandLineFor(url).latchkey(['revoke-all', '--json']);
  assert.equal(JSON.parse(revoked.out).revoked, true, revoked.err);
  const { out } = await commandLineFor(url).latchkey(['audit', '--json', '--limit', '1']);
  const [{ event, request_id, by_system_user }] = JSON.parse(out);
  assert.deepEqual([event, by_system_user], ['everything_revoked', userInfo().username]);
  assert.match(request_id, /^command-[0-9a-f]{12}$/);
  assert.equal((await getUser(second.origin, body['access_token'])).status, 401);
  assert.equal((await refresh(second.origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.equal((await redeem(second.origin, code)).body['error'], 'invalid_grant');
  // the server that was backed up goes on
  assert.equal((await redeem(first.origin, code)).status, 200);
});
