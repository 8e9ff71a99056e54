import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lengthenWaits } from '../support/attempts.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';

const { origin, database, url } = await startLatchkey();
await lengthenWaits(database);
await registerPeople(database, ['alice', 'bob']);
const { latchkey } = commandLineFor(url);

async function attempt(username: string, typed: string, path = '/login', browser = new Browser(origin)) {
  return browser.submit(await browser.visit(path), 'id="login"', { username, password: typed });
}

async function lock(username: string): Promise<void> {
  for (let count = 0; count < 6; count += 1) await attempt(username, 'a wrong guess');
  assert.equal((await attempt(username, password)).status, 429);
}

test('a wait below a minute is told in seconds, and a longer one in minutes, in each language', async () => {
  await lock('alice');
  await database.query('alter table attempts disable trigger lengthen_wait');
  await database.query("update attempts set blocked_until = now() + interval '59 seconds' where blocked_until > now()");
  for (const [language, sentence] of [
    ['en', /Too many failed sign-ins\. Try again in [1-9]\d? seconds?\./],
    ['de', /Versuchen Sie es in [1-9]\d? Sekunden? erneut\./],
    ['es', /Inténtelo de nuevo dentro de [1-9]\d? segundos?\./],
    ['fr', /Réessayez dans [1-9]\d?\s?secondes?\./],
    ['zh', /请在[1-9]\d?秒钟?后重试/],
  ] as const) {
    const { status, text } = await attempt('alice', password, `/login?ui_locales=${language}`);
    assert.equal(status, 429);
    assert.match(text, sentence);
  }
  await database.query("update attempts set blocked_until = now() + interval '61 seconds'");
  assert.match((await attempt('alice', password)).text, /Try again in 2 minutes\./);
  await database.query('alter table attempts enable trigger lengthen_wait');
});

test('user set-password ends the wait of the person, wherever the wrong passwords came from, and of nobody else', async () => {
  await database.query('delete from attempts');
  await lock('alice');
  await lock('bob');
  await database.query("update attempts set blocked_until = now() + interval '10 minutes' where blocked_until > now()");
  const chosen = 'a password of her own';
  assert.equal((await latchkey(['user', 'set-password', 'alice'], { input: `${chosen}\n` })).code, 0);
  assert.equal((await attempt('alice', chosen)).status, 200);
  assert.equal((await attempt('bob', password)).status, 429);
});

test('a password that a person or an operator chooses is none of the common ones, and a seed may have one', async () => {
  for (const [input, refusal] of [
    ['Password123', /one of the 10,000 most common ones/],
    ['carol@example.com', /the name or address of the user/],
    ['latchkey', /one of the 10,000|the name or address of the user, or the name of this server/],
    ['short', /fewer than 8 characters/],
  ] as const) {
    const created = await latchkey(['user', 'create', 'carol', '--email', 'carol@example.com'], { input });
    assert.deepEqual([created.code, refusal.test(created.err)], [1, true], created.err);
  }
  const { code } = await latchkey(['user', 'create', 'carol', '--email', 'carol@example.com'], {
    input: 'a lion in a tree',
  });
  assert.equal(code, 0);
  for (const input of ['Carol@Example.com', 'iloveyou']) {
    assert.equal((await latchkey(['user', 'set-password', 'carol'], { input })).code, 1, input);
  }
  assert.equal((await attempt('carol', 'a lion in a tree')).status, 200);
  await database.query("select register_user(username => 'dora', password => 'password')");
  assert.equal((await attempt('dora', 'password')).status, 200, 'a password that there is opens the account');
});
