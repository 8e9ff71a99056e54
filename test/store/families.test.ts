import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { applyMigrations } from '../../src/store/migrations.ts';
import { noteUse } from '../../src/store/uses.ts';
import { createDatabase } from '../support/database.ts';
import { cheapHash, registerPeople, registerPrinter } from '../support/latchkey.ts';

// What happens to grants and people by whatever SQL, their families are told of by the database itself.

const database = openDatabase({ connectionString: await createDatabase() });
after(() => database.end());
await registerPeople(database);
await registerPrinter(database);

async function grant(username = 'alice', duration = 'once'): Promise<string> {
  const { rows } = await database.query(
    `insert into grants (user_id, client_id, scopes, redirect_uris, duration)
     select user_id, 'photo-printer', '{user:name,user:email}', '{}', $2 from users where username = $1
     returning grant_id`,
    [username, duration],
  );
  return rows[0].grant_id;
}

const insertCode = `insert into authorization_codes
   (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes, expires_at)
   values (gen_random_uuid()::text::bytea, $1, 'photo-printer', '', false, '{user:name}', now() + interval '1 minute')`;

/** A grant with one family, and what that family knows. */
async function family(username?: string) {
  const grant_id = await grant(username);
  await database.query(insertCode, [grant_id]);
  return { grant_id, knows: () => knownOf(grant_id) };
}

async function knownOf(grant_id: string) {
  const { rows } = await database.query(
    `select users.username, granted_scopes, for_once, grant_ends_at::text as ends, grant_ends_at > now() as is_alive
     from authorization_codes join users using (user_id) where grant_id = $1`,
    [grant_id],
  );
  assert.equal(rows.length, 1);
  return rows[0];
}

test('a new family knows its person, permissions and end, whatever the statement said', async () => {
  const { knows } = await family();
  assert.deepEqual(await knows(), {
    username: 'alice',
    granted_scopes: ['user:name', 'user:email'],
    for_once: true,
    ends: 'infinity',
    is_alive: true,
  });
  const standing = await grant('alice', 'always');
  await database.query(
    `insert into authorization_codes
       (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes, expires_at, user_id, granted_scopes, for_once, grant_ends_at)
     values ('x', $1, 'photo-printer', '', false, '{}', now(), 4711, '{repo:write}', true, now())`,
    [standing],
  );
  const known = await knownOf(standing);
  assert.deepEqual(
    [known.username, known.granted_scopes, known.for_once, known.ends],
    ['alice', ['user:name', 'user:email'], false, 'infinity'],
  );
  await database.query('delete from grants where grant_id = $1', [standing]);
});

test('a permission that is taken back, or given again, is so in every family of the grant', async () => {
  const { grant_id, knows } = await family();
  await database.query("update grants set scopes = '{user:email}' where grant_id = $1", [grant_id]);
  assert.deepEqual((await knows()).granted_scopes, ['user:email']);
  await database.query("update grants set scopes = '{user:email,user:name}' where grant_id = $1", [grant_id]);
  assert.deepEqual((await knows()).granted_scopes, ['user:email', 'user:name']);
});

test('a grant that is limited, prolonged or revoked ends its families when it ends itself', async () => {
  const { grant_id, knows } = await family();
  await database.query("update grants set expires_at = now() - interval '1 second' where grant_id = $1", [grant_id]);
  assert.equal((await knows()).is_alive, false);
  await database.query("update grants set expires_at = now() + interval '1 day' where grant_id = $1", [grant_id]);
  assert.equal((await knows()).is_alive, true);
  await database.query("update grants set expires_at = null, duration = 'always' where grant_id = $1", [grant_id]);
  assert.deepEqual([(await knows()).ends, (await knows()).for_once], ['infinity', false]);
  await database.query('update grants set revoked_at = now() where grant_id = $1', [grant_id]);
  assert.equal((await knows()).ends, '-infinity');
});

test('a person who is disabled takes every family along, and back when enabled, but not one whose grant was revoked', async () => {
  await registerPeople(database, ['bob']);
  const [kept, revoked] = [await family('bob'), await family('bob')];
  const set = (at: string) => database.query(`update users set disabled_at = ${at} where username = 'bob'`);
  await set('now()');
  assert.deepEqual([(await kept.knows()).ends, (await revoked.knows()).ends], ['-infinity', '-infinity']);
  const later = await family('bob');
  assert.equal((await later.knows()).ends, '-infinity', 'one that is made meanwhile is dead, too');
  await database.query('update grants set revoked_at = now() where grant_id = $1', [revoked.grant_id]);
  await set('null');
  assert.deepEqual([(await kept.knows()).ends, (await revoked.knows()).ends], ['infinity', '-infinity']);
});

type Question = [text: string, values?: unknown[]];

/**
 * Runs the first questions in a transaction, and the second beside it, which has to wait for it; then what is left of the
 * transaction, which must not have to wait for the second in its turn.
 */
async function overlap(first: Question[], second: () => Promise<unknown>, left: Question[] = [], on = database) {
  const one = await on.connect();
  try {
    await one.query("begin; set local statement_timeout = '800ms'");
    for (const question of first) await one.query(...question);
    const settled = second().then(
      () => 'it was not waited for',
      (error: Error) => error,
    );
    await Promise.race([settled.then((early) => assert.fail(early)), untilSomethingWaits(on)]);
    for (const question of left) await one.query(...question);
    await one.query('commit');
    const error = await settled;
    if (error instanceof Error) throw error;
  } finally {
    one.release(true);
  }
}

async function untilSomethingWaits(on: Database): Promise<void> {
  const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await on.query(waiting)).rowCount === 0) await pause(5);
}

test('a code that is issued while its grant is being revoked is dead, whichever came first', async () => {
  const revoke = 'update grants set revoked_at = now() where grant_id = $1';
  const [one, other] = [await grant(), await grant()];
  await overlap([[revoke, [one]]], () => database.query(insertCode, [one]));
  assert.equal((await knownOf(one)).ends, '-infinity');
  await overlap([[insertCode, [other]]], () => database.query(revoke, [other]));
  assert.equal((await knownOf(other)).ends, '-infinity');
});

test('a grant that is given while its person is being disabled gives nothing, whichever came first', async () => {
  const give = `insert into grants (user_id, client_id, scopes, redirect_uris, duration)
    select user_id, 'photo-printer', '{}', '{}', 'once' from users where username = $1`;
  const disable = 'update users set disabled_at = now() where username = $1';
  const orders: [string, string, string][] = [
    ['disabled first', disable, give],
    ['given first', give, disable],
  ];
  for (const [username, first, second] of orders) {
    await database.query('insert into users (username, password_bcrypt) values ($1, $2)', [username, cheapHash]);
    await overlap([[first, [username]]], () => database.query(second, [username]));
    const { rows } = await database.query(
      'select grant_id from grants join users using (user_id) where username = $1',
      [username],
    );
    await database.query(insertCode, [rows[0].grant_id]);
    assert.equal((await knownOf(rows[0].grant_id)).ends, '-infinity', username);
  }
});

test('a use is noted on the family and its grant, once, however many requests find at once that it is time', async () => {
  const { grant_id } = await family();
  const { rows } = await database.query('select code_id from authorization_codes where grant_id = $1', [grant_id]);
  await database.query(`
    create table notes (noted text);
    create function count_note() returns trigger language plpgsql as $$
    begin
      insert into notes values (tg_table_name);
      return null;
    end $$;
    create trigger count after update of last_used_at on grants for each row execute function count_note();
    create trigger count after update of last_used_at on authorization_codes for each row execute function count_note()`);
  const notes = async () => (await database.query('delete from notes returning noted')).rows.map(({ noted }) => noted);
  const note = () => Promise.all(Array.from({ length: 8 }, () => noteUse(database, rows[0].code_id)));
  await note();
  assert.deepEqual((await notes()).sort(), ['authorization_codes', 'grants']);
  await note();
  assert.deepEqual(await notes(), []);
  await database.query("update authorization_codes set last_used_at = now() - interval '6 minutes'");
  await notes();
  await note();
  assert.deepEqual((await notes()).sort(), ['authorization_codes', 'grants']);
});

test('a use that is noted while the grant is being revoked does not stand in the way of that', async () => {
  const { grant_id, knows } = await family();
  const { rows } = await database.query('select code_id from authorization_codes where grant_id = $1', [grant_id]);
  await overlap(
    [['select from grants where grant_id = $1 for update', [grant_id]]],
    () => noteUse(database, rows[0].code_id),
    [['update grants set revoked_at = now() where grant_id = $1', [grant_id]]],
  );
  assert.equal((await knows()).ends, '-infinity');
});

const migrations = new URL('../../migrations', import.meta.url).pathname;

/** A database as the version before left it, and the way to bring it up to date. */
async function databaseOfBefore() {
  const before = mkdtempSync(join(tmpdir(), 'latchkey-migrations-'));
  after(() => rmSync(before, { recursive: true, force: true }));
  // what comes later may build on this one, so it is left out here as well
  const isOlder = (path: string) => !/^\d{3}_/.test(basename(path)) || basename(path) < '006';
  cpSync(migrations, before, { recursive: true, filter: isOlder });
  const address = { connectionString: await createDatabase({ migrated: false }) };
  await applyMigrations(address, before);
  const database = openDatabase(address);
  after(() => database.end());
  await registerPeople(database, ['alice', 'bob']);
  await registerPrinter(database);
  return { database, migrate: () => applyMigrations(address, migrations) };
}

test('the families that were there before know as much as new ones', async () => {
  const { database, migrate } = await databaseOfBefore();
  await database.query(`
    update users set disabled_at = now() where username = 'bob';
    insert into grants (user_id, client_id, scopes, redirect_uris, duration, expires_at, revoked_at)
    select user_id, 'photo-printer', array[word], '{}', duration, ends::timestamptz, revoked::timestamptz
    from (values
      ('standing', 'alice', 'always', null, null),
      ('limited', 'alice', 'once', '2999-01-01Z', null),
      ('revoked', 'alice', 'always', null, '2020-01-01Z'),
      ('of the disabled', 'bob', '30d', '2999-01-01Z', null)) given (word, username, duration, ends, revoked)
    join users using (username);
    insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes, expires_at)
    select int8send(grant_id), grant_id, client_id, '', false, scopes, now() from grants`);
  await migrate();
  const { rows } = await database.query({
    text: `select granted_scopes[1], username, for_once, (grant_ends_at at time zone 'utc')::text
       from authorization_codes join users using (user_id) order by code_id`,
    rowMode: 'array',
  });
  assert.deepEqual(rows.sort(), [
    ['limited', 'alice', true, '2999-01-01 00:00:00'],
    ['of the disabled', 'bob', false, '-infinity'],
    ['revoked', 'alice', false, '-infinity'],
    ['standing', 'alice', false, 'infinity'],
  ]);
  await database.query("update users set disabled_at = null where username = 'bob'");
  const enabled = await database.query(`select from authorization_codes where granted_scopes = '{of the disabled}'
    and grant_ends_at = '2999-01-01Z'`);
  assert.equal(enabled.rowCount, 1, 'the grants of before know their person, too');
});

test('the migration waits for the requests of an older process, and they never for it while it waits for them', async () => {
  const { database, migrate } = await databaseOfBefore();
  // as the statements of before open their tables: the code, the grant, the person
  const left: Question[] = [['select from grants'], ['select from users']];
  await overlap([['update authorization_codes set redeemed_at = now()']], migrate, left, database);
});
