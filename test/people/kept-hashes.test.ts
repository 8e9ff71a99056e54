import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSignUp } from '../../src/accounts/sign-up/sign-up.ts';
import { inviteUser } from '../../src/accounts/sign-up/sign-ups.sql.ts';
import { compareRound } from '../../src/identity/view/view-comparison.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { cheapHash, password, registerUser, startLatchkey } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';

const off = { PASSWORDS: 'off' };
const before = await startLatchkey();
const { database, url } = before;
const after = await startLatchkey(off, url);
const { latchkey, directory } = commandLineFor(url);
await database.query(`
  create table theirs (subject text, username text, hash text);
  create view latchkey_accounts as
  select subject, username, null as email, true as email_verified, null as name, hash as password_hash, false as disabled from theirs`);

const hashesOf = async (username: string): Promise<string[]> => {
  const { rows } = await database.query(
    `select array_remove(array[password_bcrypt, password_hash, registered_password_bcrypt], null) as hashes from users where username = $1`,
    [username],
  );
  return rows[0]?.hashes ?? assert.fail(`there is no ${username}`);
};

const postForm = (path: string, fields: Record<string, string>) =>
  new Browser(after.origin).open(path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

/** A person of before, with a session at both; every form of `paths` is sent where nobody has a password. */
async function sendOwnForms(username: string, hash: string | null): Promise<void> {
  await registerUser(database, { username, password });
  const browser = new Browser(before.origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await browser.visit('/account')).text) ?? [];
  await database.query(
    'update users set password_bcrypt = $2, password_hash = null, registered_password_bcrypt = null where username = $1',
    [username, hash],
  );
  const fields = {
    csrf,
    password,
    old_password: password,
    new_password: 'another one 7',
    repeat_password: 'another one 7',
  };
  for (const path of ['/account/password', '/account/password/set', '/account/password/remove']) {
    const { status } = await browser.open(`${after.origin}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields).toString(),
    });
    assert.ok(status === 403 || status === 404, `${path} ${status}`);
  }
  assert.deepEqual(await hashesOf(username), hash === null ? [] : [hash]);
}

const importFile = async (username: string) => {
  const path = join(directory, 'people.jsonl');
  const person = { subject: username, username, password_hash: cheapHash };
  writeFileSync(path, `${JSON.stringify(person)}\n`);
  const { code, err } = await latchkey(['user', 'import', path], { env: off });
  assert.equal(code, 0, err);
};

/** By the file with the statement that could keep a hash: how it is tried where nobody has a password. */
const doors: Record<string, () => Promise<void>> = {
  'src/people/import/imported-people.sql.ts': async () => {
    await importFile('imported');
    assert.deepEqual(await hashesOf('imported'), []);
    await importFile('imported');
    assert.deepEqual(await hashesOf('imported'), []);
  },
  'migrations/functions/compare_with_view.sql': async () => {
    await database.query(`insert into users (username, subject, source) values ('followed', 'f-1', 'view')`);
    await database.query(`insert into theirs values ('f-1', 'followed', $1)`, [cheapHash]);
    await compareRound(after.deps, randomUUID());
    assert.deepEqual(await hashesOf('followed'), []);
    await database.query(`update view_comparison set held_until = '-infinity', after_user = 0`);
    await compareRound(before.deps, randomUUID());
    assert.deepEqual(await hashesOf('followed'), [cheapHash, cheapHash], 'the control');
  },
  'migrations/functions/copy_from_view.sql': async () => {
    await database.query(`insert into theirs values ('c-1', 'copied', $1)`, [cheapHash]);
    const browser = new Browser(before.origin);
    const { text } = await browser.visit('/login');
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(text) ?? [];
    await postForm('/login', { csrf, username: 'copied', password });
    const { rowCount } = await database.query(`select from users where username = 'copied'`);
    assert.equal(rowCount, 0);
  },
  'migrations/functions/register_user.sql': async () => {
    const seed = join(directory, 'seed.sql');
    writeFileSync(
      seed,
      `select register_user(username => 'seeded', password => 'correct horse battery');
       select register_user(username => 'seeded-hash', password_hash => '${cheapHash}');`,
    );
    await applySeed({ connectionString: url }, seed, { passwords: false });
    assert.deepEqual([await hashesOf('seeded'), await hashesOf('seeded-hash')], [[], []]);
    assert.equal((await latchkey(['user', 'create', 'created'], { env: off })).code, 0);
    assert.deepEqual(await hashesOf('created'), []);
  },
  'src/identity/passwords.sql.ts': async () => {
    await sendOwnForms('with-one', cheapHash);
    await sendOwnForms('without-one', null);
    const set = await latchkey(['user', 'set-password', 'without-one'], { env: off, input: 'correct horse battery\n' });
    assert.equal(set.code, 1);
    assert.deepEqual(await hashesOf('without-one'), []);
  },
  'src/accounts/mail/mailed-links.sql.ts': async () => {
    await database.query(`insert into users (username) values ('forgetful')`);
    const made = await latchkey(['user', 'reset-link', 'forgetful'], { env: { ISSUER: before.origin } });
    const link = new URL(made.out.split('\n')[0] ?? '');
    const browser = new Browser(before.origin);
    const form = await browser.visit(link.href);
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(form.text) ?? [];
    const refused = await new Browser(after.origin).visit(`${after.origin}${link.pathname}${link.search}`);
    assert.equal(refused.status, 410);
    const fields = { csrf, link: link.searchParams.get('token') ?? '', new_password: 'another one 7' };
    const sent = await postForm('/reset-password', fields);
    assert.equal(sent.status, 410);
    assert.deepEqual(await hashesOf('forgetful'), []);
    await browser.submit(form, 'name="new_password"', { new_password: 'another one 7' });
    assert.equal((await hashesOf('forgetful')).length, 1, 'the control');
  },
  'src/accounts/sign-up/sign-ups.sql.ts': async () => {
    const token = `lk_ml_${'a'.repeat(43)}`;
    const link = { token_sha256: digestOf(token), address: 'new@example.com', is_handed_over: true };
    await inviteUser(database, { ...link, valid_for: 60 }, recorded('user_invited'));
    assert.equal(
      await openSignUp({ ...after.deps, config: { ...after.deps.config, sign_up: 'invited' } }, token),
      undefined,
    );
  },
};
/** What only takes hashes away. */
const removers = ['src/accounts/leaving/deleted-users.sql.ts'];

for (const [file, tryDoor] of Object.entries(doors)) {
  test(`where nobody has a password, no statement keeps a hash: ${file}`, tryDoor);
}

test('every file with a statement that could keep a hash has a door here', () => {
  const writes =
    /(?:set|,)\s+password_(?:bcrypt|hash)\s*=(?!>)|insert into users[^()]*\([^)]*password_bcrypt|\(password_bcrypt,[^)]*\) = \(/;
  const files = ['src', 'migrations/functions'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => join(folder, path))
      .filter((path) => /^src\/(?:postgres|operations)\/.*\.ts$|\.sql(?:\.ts)?$/.test(path))
      .filter((path) => writes.test(readFileSync(path, 'utf8'))),
  );
  assert.deepEqual(files.sort(), [...Object.keys(doors), ...removers].sort());
});
