import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { applySeed } from '../../src/postgres/migrations.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { signedInBrowser } from '../support/flow.ts';
import { cheapHash, registerUser, startLatchkey } from '../support/latchkey.ts';

// bcrypt reads 72 bytes, and takes a password of so many for each that begins with it
const longest = 'correct horse '.repeat(6).slice(0, 72);

const { origin, database, url } = await startLatchkey({ SIGN_UP: 'invited' });
const { latchkey: run, directory } = commandLineFor(url);
const latchkey = async (words: string[], input = '') => {
  const { code, out, err } = await run(words, { input, env: { ISSUER: origin, SIGN_UP: 'invited' } });
  assert.equal(code, 0, err);
  return out;
};

async function seed(username: string, password: string): Promise<void> {
  const path = join(directory, 'seed.sql');
  writeFileSync(path, `select register_user(username => '${username}', password => '${password}');`);
  await applySeed({ connectionString: url }, path);
}

async function saveBehind(link: string, fields: Record<string, string>): Promise<void> {
  const browser = new Browser(origin);
  assert.equal((await browser.submit(await browser.visit(link), 'id="save"', fields)).status, 200);
}

const register = (username: string) => registerUser(database, { username, password: cheapHash });
const doors: Record<string, (username: string, password: string) => Promise<unknown>> = {
  'a seed': seed,
  async 'a seed that is applied again'(username, password) {
    await seed(username, password);
    await seed(username, password);
  },
  'user create': (username, password) => latchkey(['user', 'create', username], `${password}\n`),
  async 'user set-password'(username, password) {
    await register(username);
    await latchkey(['user', 'set-password', username], `${password}\n`);
  },
  async 'the account page'(username, new_password) {
    await register(username);
    const browser = await signedInBrowser(origin, username);
    const page = await browser.visit('/account/security');
    const saved = await browser.submit(page, 'name="new_password"', {
      old_password: 'wonderland',
      new_password,
      repeat_password: new_password,
    });
    assert.equal(saved.status, 200, saved.text);
  },
  async 'a link of user reset-link'(username, new_password) {
    await register(username);
    const { url: link } = JSON.parse(await latchkey(['user', 'reset-link', username, '--json']));
    await saveBehind(link, { new_password });
  },
  async 'an invitation'(username, new_password) {
    const { url: link } = JSON.parse(await latchkey(['user', 'invite', `${username}@example.com`, '--json']));
    await saveBehind(link, { username, new_password });
  },
};

async function signsIn(username: string, password: string): Promise<boolean> {
  await database.query('delete from attempts');
  const browser = new Browser(origin);
  const { status } = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  assert.ok([200, 401].includes(status));
  return status === 200;
}

for (const [at, [door, set]] of Object.entries(doors).entries()) {
  test(`a password of 72 bytes is no other one with something behind it, and stays right: ${door}`, async () => {
    const username = `edge-${at}`;
    await set(username, longest);
    for (const longer of [`${longest}x`, longest.repeat(2)]) {
      assert.equal(await signsIn(username, longer), false);
      assert.ok(await signsIn(username, longest));
    }
  });
}

test('a repeated seed leaves a password of 72 bytes that the person has changed, and mends a hash of before', async () => {
  const hash = (await database.query(`select crypt($1, gen_salt('bf', 4)) as hash`, [longest])).rows[0].hash;
  for (const [username, now] of [
    ['changed', cheapHash],
    ['unchanged', hash],
  ])
    await database.query(
      'insert into users (username, password_bcrypt, registered_password_bcrypt) values ($1, $2, $3)',
      [username, now, hash],
    );
  await seed('changed', longest);
  assert.deepEqual([await signsIn('changed', longest), await signsIn('changed', 'wonderland')], [false, true]);
  await seed('unchanged', longest);
  assert.deepEqual([await signsIn('unchanged', `${longest}x`), await signsIn('unchanged', longest)], [false, true]);
});

test('a plan with a password of 72 bytes can be applied as it was printed', async () => {
  const path = join(directory, 'planned.sql');
  writeFileSync(path, `select register_user(username => 'planned', password => '${longest}');`);
  const [, digest = ''] = /^Plan (\w+):/m.exec(await latchkey(['seed', path, '--plan'])) ?? [];
  await latchkey(['seed', path, '--expect', digest]);
  assert.ok(await signsIn('planned', longest));
});
