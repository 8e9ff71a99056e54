import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '../../src/store/database.ts';
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

/** Runs both, the second while the first has happened but is not committed. */
async function overlap(first: [string, unknown[]], second: [string, unknown[]]): Promise<void> {
  const [one, other] = [await database.connect(), await database.connect()];
  try {
    await one.query('begin');
    await one.query(...first);
    let isOver = false;
    const waiting = other.query(...second).then(() => {
      isOver = true;
    });
    await pause(50);
    assert.equal(isOver, false, 'the second waits for the first');
    await one.query('commit');
    await waiting;
  } finally {
    one.release();
    other.release();
  }
}

test('a code that is issued while its grant is being revoked is dead, whichever came first', async () => {
  const revoke = 'update grants set revoked_at = now() where grant_id = $1';
  const [one, other] = [await grant(), await grant()];
  await overlap([revoke, [one]], [insertCode, [one]]);
  assert.equal((await knownOf(one)).ends, '-infinity');
  await overlap([insertCode, [other]], [revoke, [other]]);
  assert.equal((await knownOf(other)).ends, '-infinity');
});

test('a grant that is given while its person is being disabled gives nothing, whichever came first', async () => {
  const give = `insert into grants (user_id, client_id, scopes, redirect_uris, duration)
    select user_id, 'photo-printer', '{}', '{}', 'once' from users where username = $1`;
  const disable = 'update users set disabled_at = now() where username = $1';
  for (const order of ['disabled first', 'given first']) {
    await database.query('insert into users (username, password_bcrypt) values ($1, $2)', [order, cheapHash]);
    const statements: [string, unknown[]][] = [
      [disable, [order]],
      [give, [order]],
    ];
    const [first, second] = order === 'given first' ? statements.reverse() : statements;
    assert.ok(first && second);
    await overlap(first, second);
    const { rows } = await database.query(
      'select grant_ends_at(grants)::text as ends from grants join users using (user_id) where username = $1',
      [order],
    );
    assert.deepEqual(rows, [{ ends: '-infinity' }], order);
  }
});
