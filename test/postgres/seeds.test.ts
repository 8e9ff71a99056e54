import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import bcrypt from 'bcrypt';
import { deleteUser } from '../../src/accounts/leaving/deleted-users.sql.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { createDatabase } from '../support/database.ts';
import { cheapHash } from '../support/latchkey.ts';

const connectionString = await createDatabase();
const database = openDatabase({ connectionString }, 2);
const scratch = mkdtempSync(join(tmpdir(), 'latchkey-seeds-'));
after(async () => {
  await database.end();
  rmSync(scratch, { recursive: true });
});

// every bcrypt is counted, also in a transaction that is undone; and cheap, if the cost that is asked for is right
before(async () => {
  const { pathname } = new URL(connectionString);
  await database.query(`
    create schema counting;
    create sequence counting.hashed;
    create function counting.crypt(text, text) returns text language sql
    return case when $1 is null or $2 is null or nextval('counting.hashed') > 0 then public.crypt($1, $2) end;
    create function counting.gen_salt(text, integer) returns text language sql
    return case when $2 = 12 then public.gen_salt($1, 4) end;
    alter database ${pathname.slice(1)} set search_path = counting, public`);
});

const people = ['ada', 'bea', 'cleo'];
const passwordOf = (name: string) => `the password of ${name}`;
const register = (name: string, password = passwordOf(name)) =>
  `select register_user(username => '${name}', password => '${password}');\n`;
const seed = people.map((name) => register(name)).join('');

/** How many bcrypts it costs to apply this seed. */
async function apply(text: string, name = 'seed.sql'): Promise<number> {
  const path = join(scratch, name);
  writeFileSync(path, text);
  await database.query(`select setval('counting.hashed', 1)`);
  await applySeed({ connectionString }, path);
  const { rows } = await database.query('select last_value::integer - 1 as hashed from counting.hashed');
  return rows[0].hashed;
}

async function hasPassword(name: string, password: string): Promise<boolean> {
  const { rows } = await database.query('select password_bcrypt from users where username = $1', [name]);
  return bcrypt.compare(password, rows[0].password_bcrypt);
}

beforeEach(async () => {
  await database.query(`truncate users cascade; delete from settings where name = 'seed_passwords'`);
  await apply(seed);
});

test('applying a seed again costs one bcrypt, however many plain passwords it has', async () => {
  for (const name of people) assert.ok(await hasPassword(name, passwordOf(name)));
  assert.equal(await apply(seed), 1);
  assert.equal(await apply(`-- another comment\n${seed}`), 1);
  for (const name of people) assert.ok(await hasPassword(name, passwordOf(name)));
});

test('a seed without plain passwords costs no bcrypt', async () => {
  assert.equal(await apply(register('ada', cheapHash)), 0);
  assert.equal(await apply(`update users set name = 'Ada' where username = 'ada'`), 0);
});

test('a password that its user has changed survives the same seed', async () => {
  await database.query(`update users set password_bcrypt = $1 where username = 'ada'`, [cheapHash]);
  assert.equal(await apply(seed), 1);
  assert.ok(await hasPassword('ada', 'wonderland'));
});

test('a changed password in the seed replaces the old one, and other users keep theirs', async () => {
  const other = seed.replace(passwordOf('ada'), 'another password of ada');
  await database.query(`update users set password_bcrypt = $1 where username = 'bea'`, [cheapHash]);
  await apply(other);
  assert.ok(await hasPassword('ada', 'another password of ada'));
  assert.ok(await hasPassword('bea', 'wonderland'));
  assert.equal(await apply(other), 1);
  assert.ok(await hasPassword('ada', 'another password of ada'));
});

test('an unchanged seed replaces a password that was registered elsewhere in the meantime', async () => {
  await database.query(register('ada', 'registered elsewhere'));
  assert.ok(await hasPassword('ada', 'registered elsewhere'));
  await apply(seed);
  assert.ok(await hasPassword('ada', passwordOf('ada')));
  await apply(register('ada', 'of another seed'), 'other.sql');
  assert.ok(await hasPassword('ada', 'of another seed'));
  await apply(seed);
  assert.ok(await hasPassword('ada', passwordOf('ada')));
});

test('a password that the seed reads from elsewhere is applied when it changes, although the file is unchanged', async () => {
  await database.query('create table if not exists vault (password text)');
  await database.query(`delete from vault; insert into vault values ('the first of the vault')`);
  const fromVault = `select register_user(username => 'ada', password => (select password from vault));`;
  await apply(fromVault);
  await database.query(`update vault set password = 'the second of the vault'`);
  await apply(fromVault);
  assert.ok(await hasPassword('ada', 'the second of the vault'));
});

test('two users who exchange their passwords in the seed get them, and so does a new user', async () => {
  const exchanged = register('ada', passwordOf('bea')) + register('bea', passwordOf('ada')) + register('eve');
  await apply(exchanged);
  assert.ok(await hasPassword('ada', passwordOf('bea')));
  assert.ok(await hasPassword('bea', passwordOf('ada')));
  assert.ok(await hasPassword('eve', passwordOf('eve')));
});

test('the fingerprint of a seed reveals no more to a reader of the database than the password hashes do', async () => {
  const { rows } = await database.query(`select value from settings where name = 'seed_passwords'`);
  assert.match(rows[0].value, /^\$2[ab]\$04\$/);
});

test('a seed that registers clients for public suffixes names all of them, and changes nothing', async () => {
  const site = (name: string, site_domain: string) =>
    `select register_client(client_id => '${name}', name => 'Site', site_domain => '${site_domain}',
      redirect_uris => array['https://me.${site_domain}/cb'], scopes => array['user']);\n`;
  const changed = seed.replace(passwordOf('ada'), 'another password of ada');
  await assert.rejects(apply(changed + site('a', 'github.io') + site('b', 'me.github.io') + site('c', 'co.uk')), {
    message:
      /^seed\.sql: site_domain 'github\.io' is a public suffix[^;]*; site_domain 'co\.uk' is a public suffix[^;]*$/,
  });
  assert.ok(await hasPassword('ada', passwordOf('ada')));
  assert.equal((await database.query('select from clients')).rowCount, 0);
  await apply(seed + site('b', 'me.github.io'));
  await assert.rejects(apply(seed + site('b', 'github.io')), /public suffix/);
  const { rows } = await database.query('select site_domain from clients');
  assert.deepEqual(rows, [{ site_domain: 'me.github.io' }]);
});

test('a seed that names a deleted user registers a new account: another number, and the password of the seed', async () => {
  const idOf = async () => (await database.query("select user_id from users where username = 'ada'")).rows[0]?.user_id;
  const user_id = await idOf();
  await deleteUser(database, { user_id, password_hash: null, request_id: 'r', address: null });
  assert.equal(await idOf(), undefined);
  await apply(seed);
  assert.ok((await idOf()) > user_id);
  assert.ok(await hasPassword('ada', passwordOf('ada')));
  const { rows } = await database.query('select deleted_at is not null as is_deleted from users where user_id = $1', [
    user_id,
  ]);
  assert.deepEqual(rows, [{ is_deleted: true }]);
});
