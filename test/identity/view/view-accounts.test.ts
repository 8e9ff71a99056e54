import assert from 'node:assert/strict';
import { pbkdf2Sync, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findInViewByName } from '../../../src/identity/view/view-accounts.sql.ts';
import { compareRound } from '../../../src/identity/view/view-comparison.ts';
import { Browser } from '../../support/browser.ts';
import { diagnose } from '../../support/doctor.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

// what the operator has: a table with its own types and names
const first = await startLatchkey();
const { database, origin, url, deps, logged } = first;
await registerPeople(database, ['alice', 'root']);
await database.query(`update users set is_admin = true where username = 'root'`);
await registerPrinter(database);
await database.query(`
  create table auth_user (
    id bigint generated always as identity (start with 1000) primary key, username text, email text, full_name text,
    password text, is_active boolean not null default true, pause float not null default 0, changed timestamptz);
  create index on auth_user (username);
  create index on auth_user (email);
  create view latchkey_accounts as
  select id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled
  from auth_user`);
const second = await startLatchkey({}, url);

const add = async (person: Record<string, unknown>): Promise<string> => {
  const values = { password: cheapHash, ...person };
  const { rows } = await database.query(
    `insert into auth_user (${Object.keys(values)}) values (${Object.keys(values).map((_, at) => `$${at + 1}`)}) returning id::text`,
    Object.values(values),
  );
  return rows[0].id;
};
const change = (id: string, column: string, value: unknown) =>
  database.query(`update auth_user set ${column} = $2 where id = $1`, [id, value]);
const signIn = async (username: string, typed = password, at = origin) => {
  // a network of its own for each, or the limits would stop them
  const browser = new Browser(at);
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password: typed });
  return { browser, page, isIn: page.status === 200 && !page.text.includes('id="login"') };
};
const isIn = async (...typed: Parameters<typeof signIn>) => (await signIn(...typed)).isIn;
const person = async (subject: string) =>
  (
    await database.query(
      'select user_id, source, username, email, email_verified, name, disabled_at is not null as disabled from users where subject = $1',
      [subject],
    )
  ).rows[0];
const forgetLimits = () => database.query('truncate attempts');
const holder = randomUUID();
const compare = () => compareRound(deps, holder);
test('a person of the view signs in by name or address in any spelling, and is `sub` of the view to an application', async () => {
  const id = await add({ username: 'ada', email: 'ada@lovelace.example', full_name: 'Ada Lovelace' });
  const { browser, isIn: entered } = await signIn(' ADA ');
  assert.ok(entered);
  assert.deepEqual(
    { ...(await person(id)), user_id: 0 },
    {
      user_id: 0,
      source: 'view',
      username: 'ada',
      email: 'ada@lovelace.example',
      email_verified: true,
      name: 'Ada Lovelace',
      disabled: false,
    },
  );
  const { body } = await redeem(origin, await obtainCode(browser));
  const user = (await getUser(origin, body['access_token'])).body;
  assert.deepEqual([user['sub'], user['username'], user['email']], [id, 'ada', 'ada@lovelace.example']);
  assert.ok(await isIn('ada@LOVELACE.example', password, second.origin));
  await add({ username: 'grace', email: 'grace@hopper.example' });
  assert.ok(await isIn('Grace@Hopper.example'), 'also the first time');
});

test('a wrong password is answered as for any name, whether the view knows it or nobody, and signs nobody in later', async () => {
  await add({ username: 'known-there' });
  const [there, nowhere, here] = await Promise.all(
    ['known-there', 'unknown', 'alice'].map((name) => signIn(name, 'wrong password')),
  );
  const shown = (answer: typeof there, name: string) => [
    answer?.page.status,
    answer?.page.text
      .replaceAll(name, 'NAME')
      .replace(/name="csrf" value="[^"]+"/g, '')
      .replace(/[\w-]{20,}/g, ''),
  ];
  assert.deepEqual(shown(there, 'known-there'), shown(nowhere, 'unknown'));
  assert.deepEqual(shown(there, 'known-there'), shown(here, 'alice'));
  assert.equal(there?.page.status, 401);
  assert.ok(await isIn('known-there'));
  await forgetLimits();
});

test('two first sign-ins at once on two instances make one account, and both enter', async () => {
  const ids = await Promise.all(
    Array.from({ length: 8 }, (_, at) => add({ username: `twin${at}`, email: `twin${at}@example.com` })),
  );
  for (const [at, id] of ids.entries()) {
    const entered = await Promise.all([
      isIn(`twin${at}`),
      isIn(`twin${at}@example.com`, password, second.origin),
      isIn(`TWIN${at}`, password, second.origin),
    ]);
    assert.deepEqual(entered, [true, true, true], `${at}`);
    const { rows } = await database.query('select count(*)::integer as count from users where subject = $1', [id]);
    assert.equal(rows[0].count, 1);
    await forgetLimits();
  }
});

test('hostile names are values and nothing else, and no pattern', async () => {
  for (const username of [`'; drop table users;--`, '%', '_', '\\', '__proto__', '{a,b}', '<b>x</b>', '"x"', 'NULL']) {
    assert.equal(await isIn(username), false, username);
    await add({ username });
    assert.ok(await isIn(username), username);
    await forgetLimits();
  }
});

test('a row that cannot be used is logged and copied by half nowhere; the answer is that to a wrong password', async () => {
  const { rows: before } = await database.query('select count(*)::integer as count from users');
  const cases: [string, Record<string, unknown>[], RegExp][] = [
    ['double', [{ username: 'double' }, { username: 'double' }], /several rows/],
    ['strange-hash', [{ username: 'strange-hash', password: 'md5$x$0123456789abcdef' }], /password_hash is of no kind/],
    ['long-name', [{ username: 'long-name', full_name: 'x'.repeat(1_000_000) }], /name is malformed/],
    ['bad-address', [{ username: 'bad-address', email: 'no address' }], /email is malformed/],
    ['left', [{ username: 'left', is_active: false }], /disabled there/],
  ];
  for (const [name, rows, reason] of cases) {
    for (const row of rows) await add(row);
    const from = logged.length;
    const { page } = await signIn(name);
    assert.equal(page.status, 401, name);
    assert.match(logged.slice(from).join(''), reason, name);
  }
  const { rows: after } = await database.query('select count(*)::integer as count from users');
  assert.equal(after[0].count, before[0].count);
  await forgetLimits();
});

test('a row with the subject of a local person or an administrator changes neither', async () => {
  const { rows } = await database.query(
    `select user_id, users::text as line from users where username in ('alice', 'root') order by 1`,
  );
  for (const { user_id } of rows) {
    await database.query('insert into auth_user (id, username, password) overriding system value values ($1, $2, $3)', [
      user_id,
      `thief${user_id}`,
      cheapHash,
    ]);
    assert.equal((await signIn(`thief${user_id}`)).page.status, 401);
  }
  await compare();
  const { rows: later } = await database.query(
    `select user_id, users::text as line from users where username in ('alice', 'root') order by 1`,
  );
  assert.deepEqual(later, rows);
  await database.query('delete from auth_user where id < 1000');
  await forgetLimits();
});

test('who is disabled there loses session, refresh token and /user with the next comparison, and comes back with it', async () => {
  const id = await add({ username: 'leaver' });
  const { browser } = await signIn('leaver');
  const { body } = await redeem(origin, await obtainCode(browser));
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  await change(id, 'is_active', false);
  await compare();
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.match((await browser.visit('/account')).text, /id="login"/);
  assert.equal(await isIn('leaver'), false);
  const { rows } = await database.query(
    `select detail from audit_events where event = 'user_disabled' and user_id = $1`,
    [(await person(id)).user_id],
  );
  assert.deepEqual(rows, [{ detail: 'by latchkey_accounts' }]);
  await change(id, 'is_active', true);
  await compare();
  assert.ok(await isIn('leaver'));
});

test('whom an operator here has disabled stays disabled, whatever the view says', async () => {
  const id = await add({ username: 'banned' });
  assert.ok(await isIn('banned'));
  await database.query('update users set disabled_at = now(), disabled_there = false where subject = $1', [id]);
  await compare();
  assert.equal((await person(id)).disabled, true);
});

test('a row that is gone disables, unless nobody of many has one; and all are back with the rows', async () => {
  const id = await add({ username: 'vanishing' });
  assert.ok(await isIn('vanishing'));
  await database.query('alter table auth_user rename to moved; create table auth_user (like moved including all)');
  await database.query(`create or replace view latchkey_accounts as
    select id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled from auth_user`);
  const from = logged.length;
  await compare();
  assert.equal((await person(id)).disabled, false);
  assert.match(
    logged.slice(from).join(''),
    /has no row of most people, or no known word in `disabled`, so nobody was disabled/,
  );
  await database.query('drop view latchkey_accounts; drop table auth_user; alter table moved rename to auth_user');
  await database.query(`create view latchkey_accounts as
    select id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled from auth_user`);
  const { rows } = await database.query('delete from auth_user where id = $1 returning username', [id]);
  assert.equal(rows.length, 1);
  await compare();
  assert.equal((await person(id)).disabled, true);
  await database.query('insert into auth_user (id, username, password) overriding system value values ($1, $2, $3)', [
    id,
    'vanishing',
    cheapHash,
  ]);
  await compare();
  assert.equal((await person(id)).disabled, false);
});

test('a password changed here counts until the one there changes; no password there is none here', async () => {
  const id = await add({ username: 'changer' });
  assert.ok(await isIn('changer'));
  const here = (await database.query(`select crypt('changed here', gen_salt('bf', 4)) as hash`)).rows[0].hash;
  await database.query('update users set password_bcrypt = $2 where subject = $1', [id, here]);
  await compare();
  assert.ok(await isIn('changer', 'changed here'));
  const there = (await database.query(`select crypt('changed there', gen_salt('bf', 4)) as hash`)).rows[0].hash;
  await change(id, 'password', there);
  await compare();
  assert.deepEqual([await isIn('changer', 'changed here'), await isIn('changer', 'changed there')], [false, true]);
  await change(id, 'password', null);
  await compare();
  assert.equal(await isIn('changer', 'changed there'), false);
  await forgetLimits();
});

test('names and addresses follow the view, except where somebody here has them', async () => {
  const id = await add({ username: 'before', email: 'before@example.com' });
  assert.ok(await isIn('before'));
  await change(id, 'username', 'afterwards');
  await change(id, 'email', 'alice@example.com');
  await compare();
  const { username, email_verified } = await person(id);
  assert.deepEqual([username, email_verified], ['afterwards', false]);
  await change(id, 'username', 'alice');
  await change(id, 'email', '');
  await compare();
  const later = await person(id);
  assert.deepEqual([later.username, later.email], ['afterwards', null]);
  assert.equal((await (await signedInBrowser(origin)).visit('/account')).status, 200, 'alice is who she was');
});

test('while one instance compares, another does not, and takes over from one that hangs', async () => {
  const id = await add({ username: 'held' });
  assert.ok(await isIn('held'));
  await change(id, 'is_active', false);
  await database.query(
    `update view_comparison set holder = gen_random_uuid(), held_until = clock_timestamp() + interval '20 seconds'`,
  );
  await compare();
  assert.equal((await person(id)).disabled, false);
  await database.query(`update view_comparison set held_until = clock_timestamp() - interval '1 second'`);
  await compare();
  assert.equal((await person(id)).disabled, true);
});

test('a slow, locked or broken view stops strangers only, who are told to try again, and the database ends the statement', async () => {
  const others = async () => {
    assert.ok(await isIn('alice'));
    assert.ok(await isIn('ada'));
  };
  const isRunning = async () =>
    (
      await database.query(
        `select count(*)::integer as count from pg_stat_activity where query like '%find_in_view%' and state = 'active' and datname = current_database() and pid <> pg_backend_pid()`,
      )
    ).rows[0].count;
  const stranger = async (name: string) => {
    const start = performance.now();
    const { page } = await signIn(name);
    return { page, took: performance.now() - start };
  };
  const several = Array.from({ length: 12 }, (_, at) => `slow${at}`);
  const usually = Math.max(...(await Promise.all(several.map(stranger))).map(({ took }) => took));
  await forgetLimits();
  const refused = async (name: string) => {
    const { page, took } = await stranger(name);
    assert.equal(page.status, 503, page.text);
    assert.ok(took < 1000 + 10 * usually, `${took} ms, usually ${usually} ms`);
    assert.ok(Number(page.headers.get('retry-after')) > 0);
  };
  const define = (columns: string) =>
    database.query(`drop view latchkey_accounts; create view latchkey_accounts as select ${columns} from auth_user`);
  const usual =
    'id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled';
  await define(`${usual.replace('username,', 'username || (select pg_sleep(30))::text as username,')}`);
  await Promise.all([...several.map(refused), others()]);
  await new Promise((resolve) => setTimeout(resolve, 800));
  assert.equal(await isRunning(), 0);
  await forgetLimits();
  await define(usual);
  const client = await database.connect();
  await client.query('begin; lock table auth_user in access exclusive mode');
  await Promise.all([refused('locked'), others()]);
  await client.query('rollback');
  client.release();
  const from = logged.length;
  await define(usual.replace('password as password_hash, ', ''));
  await refused('column-missing');
  assert.match(logged.slice(from).join(''), /column \\"password_hash\\" does not exist/);
  await others();
  await define(usual);
  assert.equal((await signIn('nobody-at-all')).page.status, 401);
});

test('strangers who try names without end keep nobody from being disabled', async () => {
  await forgetLimits();
  await isIn('ada');
  const { rows } = await database.query(`select subject from users where username = 'ada'`);
  await database.query(`drop view latchkey_accounts; create view latchkey_accounts as
    select id as subject, username || case when current_query() like '%folded_name%' then (select pg_sleep(0.3))::text else '' end as username,
      email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled from auth_user`);
  let isOver = false;
  const strangers = Array.from({ length: 30 }, async () => {
    while (!isOver) await findInViewByName(deps.database, 'nobody').catch(() => pause(10));
  });
  try {
    await pause(500);
    await database.query(`update auth_user set is_active = false where username = 'ada'`);
    await compare();
    assert.equal((await person(rows[0].subject)).disabled, true);
  } finally {
    isOver = true;
    await Promise.all(strangers);
  }
  await database.query(`update auth_user set is_active = true where username = 'ada'`);
  await database.query(`drop view latchkey_accounts; create view latchkey_accounts as
    select id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled from auth_user`);
  await compare();
});

test('with stamps, equal ones at the edge of a page are not skipped, and neither the future nor a missing one stops anything', async () => {
  await database.query('drop view latchkey_accounts');
  await database.query(`create view latchkey_accounts as
    select id as subject, username, email, true as email_verified, full_name as name, password as password_hash, not is_active as disabled, changed as updated_at
    from auth_user`);
  const stamped = await startLatchkey({}, url);
  const round = () => compareRound(stamped.deps, holder);
  await round();
  const { rows } = await database.query(
    `with made as (
       insert into auth_user (username, password, is_active, changed)
       select 'many' || n, $1, false, case when n = 7 then null when n = 8 then '2099-01-01'::timestamptz else date_trunc('second', now()) end
       from generate_series(1, 1300) n
       returning id::text)
     insert into users (username, subject, source) select 'copied' || id, id, 'view' from made returning subject`,
    [cheapHash],
  );
  assert.equal(rows.length, 1300);
  await round();
  const { rows: enabled } = await database.query(
    `select subject from users where username like 'copied%' and disabled_at is null`,
  );
  assert.deepEqual(enabled, []);
  const [{ subject }] = rows;
  await database.query(`update auth_user set is_active = true, changed = now() - interval '10 minutes' where id = $1`, [
    subject,
  ]);
  await round();
  assert.equal((await person(subject)).disabled, false, 'a clock ten minutes behind');
});

test('without a view, a sign-in asks nothing for it', async () => {
  const { origin: alone, deps: its, database: empty } = await startLatchkey();
  await registerPeople(empty, ['alice']);
  await signIn('nobody', password, alone);
  const names: unknown[] = [];
  const { query } = its.database;
  its.database.query = ((statement: { name?: string }, ...rest: unknown[]) => {
    names.push(statement.name);
    return Reflect.apply(query, its.database, [statement, ...rest]);
  }) as typeof query;
  await signIn('nobody', password, alone);
  Object.assign(its.database, { query });
  assert.ok(names.includes('find_user_credentials'));
  assert.deepEqual(
    names.filter((name) => String(name).includes('view')),
    [],
  );
});

test('latchkey doctor names missing columns, odd types, missing rights and look-ups without an index', async () => {
  const own = await startLatchkey();
  await own.database.query(`
    create table members (id integer primary key, login text, mail text, hash text, blob bytea, changed timestamp);
    create index on members (login);`);
  const columns =
    'id as subject, login as username, mail as email, true as email_verified, login as name, hash as password_hash, false as disabled';
  const findings = async (view: string) => {
    await own.database.query(
      `drop view if exists latchkey_accounts; create view latchkey_accounts as select ${view} from members`,
    );
    return (await diagnose({ DATABASE_URL: own.url })).findings
      .filter(({ check }) => check.startsWith('view_'))
      .map(({ check, value }) => [check, value]);
  };
  assert.deepEqual(await findings(columns), [['view_without_index', 'by email']]);
  await own.database.query('create index on members (mail)');
  assert.deepEqual(await findings(columns), []);
  assert.deepEqual(await findings(columns.replace('hash as password_hash, ', '')), [['view_columns', 'password_hash']]);
  assert.deepEqual(
    await findings(`${columns.replace('login as name', 'blob as name')}, changed as updated_at`),
    [
      ['view_columns', 'name bytea, updated_at timestamp without time zone'],
      ['view_unreadable', 'x'],
    ].slice(0, 1),
  );
  await own.database.query('create role nobody_here; alter view latchkey_accounts owner to nobody_here');
  const { found } = await diagnose({ DATABASE_URL: own.url });
  assert.match(found.get('view_unreadable')?.value ?? '', /permission denied for table members/);
  await own.database.query('drop view latchkey_accounts; drop role nobody_here');
});

test('the view in the documents lets people of Django in by the hash that Django made', async () => {
  const own = await startLatchkey();
  const document = readFileSync(new URL('../../../src/operations/own-table.md', import.meta.url), 'utf8');
  const [, example = ''] = /```sql\n(create view[\s\S]*?)```/.exec(document) ?? [];
  await own.database.query(`
    create table auth_user (
      id integer generated always as identity (start with 500) primary key, password varchar(128) not null, last_login timestamptz, is_superuser boolean not null default false,
      username varchar(150) not null unique, first_name varchar(150) not null, last_name varchar(150) not null,
      email varchar(254) not null, is_staff boolean not null default false, is_active boolean not null default true,
      date_joined timestamptz not null default now());
    ${example}`);
  const hash = `pbkdf2_sha256$1000$salt$${pbkdf2Sync(password, 'salt', 1000, 32, 'sha256').toString('base64')}`;
  await own.database.query(
    `insert into auth_user (username, password, first_name, last_name, email) values ('ada', $1, 'Ada', 'Lovelace', 'ada@example.com'), ('bob', $1, '', '', '')`,
    [hash],
  );
  assert.deepEqual([await isIn('ada', password, own.origin), await isIn('bob', password, own.origin)], [true, true]);
  assert.equal(await isIn('ada@example.com', password, own.origin), false, 'nobody has verified it');
  const { rows } = await own.database.query(
    'select username, name, email, email_verified from users order by username',
  );
  assert.deepEqual(rows, [
    { username: 'ada', name: 'Ada Lovelace', email: 'ada@example.com', email_verified: false },
    { username: 'bob', name: null, email: null, email_verified: false },
  ]);
  const { findings } = await diagnose({ DATABASE_URL: own.url });
  assert.deepEqual(
    findings.filter(({ check }) => check.startsWith('view_')),
    [],
  );
});
