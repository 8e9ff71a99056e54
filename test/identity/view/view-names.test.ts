import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { compareRound } from '../../../src/identity/view/view-comparison.ts';
import { Browser } from '../../support/browser.ts';
import { cheapHash, password, registerPeople, startLatchkey } from '../../support/latchkey.ts';

const { database, deps, origin } = await startLatchkey();
await registerPeople(database, ['alice']);
await database.query(`
  create table theirs (id bigint primary key, username text, email text, disabled boolean not null default false);
  create view latchkey_accounts as
  select id as subject, username, email, true as email_verified, null as name, '${cheapHash}' as password_hash, disabled from theirs`);

const holder = randomUUID();
const compare = () => compareRound(deps, holder);
const add = (id: number, username: string) =>
  database.query('insert into theirs (id, username, email) values ($1, $2, $3)', [
    id,
    username,
    `${username}@example.com`,
  ]);
const rename = (id: number, username: string) =>
  database.query('update theirs set username = $2, email = $3 where id = $1', [
    id,
    username,
    `${username}@example.com`,
  ]);
async function signIn(username: string): Promise<void> {
  const browser = new Browser(origin);
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  assert.ok(page.status === 200 && !page.text.includes('id="login"'), username);
}
const disable = (id: number, isDisabled: boolean) =>
  database.query('update theirs set disabled = $2 where id = $1', [id, isDisabled]);
const here = async (id: number) =>
  (
    await database.query(
      'select username, email_verified, disabled_at is null as is_enabled from users where subject = $1',
      [String(id)],
    )
  ).rows[0];

test('who has left the view gives name and address up to whoever has them there now', async () => {
  await add(101, 'leaver');
  await signIn('leaver');
  await database.query('delete from theirs where id = 101');
  await compare();
  await add(102, 'leaver');
  await signIn('leaver');
  assert.deepEqual(await here(102), { username: 'leaver', email_verified: true, is_enabled: true });
  const { username, ...left } = await here(101);
  assert.match(username, /^leaver-[0-9a-f]{4}$/);
  assert.deepEqual(left, { email_verified: false, is_enabled: false });
  await add(101, 'returned');
  await compare();
  await compare();
  assert.deepEqual(await here(101), { username: 'returned', email_verified: true, is_enabled: true });
  await signIn('leaver@example.com');
});

test('a person who is there and takes a name over keeps it, and nobody takes that of a person who has not left', async () => {
  await add(111, 'former');
  await add(112, 'present');
  await signIn('former');
  await signIn('present');
  await database.query('delete from theirs where id = 111');
  await compare();
  await rename(112, 'former');
  await compare();
  assert.deepEqual(await here(112), { username: 'former', email_verified: true, is_enabled: true });
  await rename(112, 'alice');
  await compare();
  assert.equal((await here(112)).username, 'former');
});

test('people of the view who exchange their names have them within two rounds', async () => {
  for (const [at, name] of ['ping', 'pong', 'pang'].entries()) {
    await add(121 + at, name);
    await signIn(name);
  }
  await database.query('truncate attempts');
  await rename(121, 'pong');
  await rename(122, 'pang');
  await rename(123, 'ping');
  for (let round = 0; round < 2; round += 1) await compare();
  const names = await Promise.all([121, 122, 123].map(here));
  assert.deepEqual(
    names.map(({ username, email_verified }) => [username, email_verified]),
    [
      ['pong', true],
      ['pang', true],
      ['ping', true],
    ],
  );
});

test('a round writes nobody of an unchanged view, also those whose name somebody has', async () => {
  await registerPeople(database, ['taken-1', 'taken-2']);
  await add(131, 'mover-1');
  await add(132, 'mover-2');
  await signIn('mover-1');
  await signIn('mover-2');
  await rename(131, 'taken-1');
  await rename(132, 'mover-1');
  for (let round = 0; round < 3; round += 1) await compare();
  const versions = async () =>
    (await database.query('select user_id, xmin::text, username from users order by 1')).rows;
  const before = await versions();
  await compare();
  assert.deepEqual(await versions(), before);
});

test('who is merely disabled in the view keeps name and address, also from a row that has the same', async () => {
  await add(141, 'paused');
  await signIn('paused');
  await disable(141, true);
  await compare();
  await add(142, 'other');
  await signIn('other');
  await rename(142, 'paused');
  await compare();
  assert.deepEqual(await here(141), { username: 'paused', email_verified: true, is_enabled: false });
  assert.match((await here(142)).username, /^paused-/);
  await add(143, 'paused');
  await database.query('delete from theirs where id = 142');
  const browser = new Browser(origin);
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'paused', password });
  assert.equal(page.status, 401);
  assert.equal(await here(143), undefined);
  await database.query('delete from theirs where id = 143');
  await disable(141, false);
  await compare();
  assert.deepEqual(await here(141), { username: 'paused', email_verified: true, is_enabled: true });
  await signIn('paused');
});

test('who is disabled in the view and leaves it later gives the name up', async () => {
  await add(151, 'going');
  await signIn('going');
  await disable(151, true);
  await compare();
  await database.query('delete from theirs where id = 151');
  await compare();
  await add(152, 'going');
  await signIn('going');
  assert.deepEqual(await here(152), { username: 'going', email_verified: true, is_enabled: true });
});

test('who is disabled and gets another name in the view has it here, and the former name is free', async () => {
  await add(161, 'earlier');
  await signIn('earlier');
  await disable(161, true);
  await compare();
  await rename(161, 'later');
  await add(162, 'earlier');
  await compare();
  assert.deepEqual(await here(161), { username: 'later', email_verified: true, is_enabled: false });
  await signIn('earlier');
  assert.deepEqual(await here(162), { username: 'earlier', email_verified: true, is_enabled: true });
});

test('whom an operator has disabled, too, gives the name up after leaving the view, and stays disabled', async () => {
  await add(171, 'barred');
  await signIn('barred');
  await database.query(`update users set disabled_at = now() where subject = '171'`);
  await database.query('delete from theirs where id = 171');
  await compare();
  await add(172, 'barred');
  await signIn('barred');
  await add(171, 'barred-once');
  await compare();
  assert.deepEqual(await here(171), { username: 'barred-once', email_verified: true, is_enabled: false });
});
