import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedSoFar } from '../../src/process/counting.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { password, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter();
await registerPeople(database, ['bob', 'carol', 'dora']);
const { latchkey } = commandLineFor(url);

const json = async (...words: string[]) => {
  const { code, out, err } = await latchkey([...words, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
};
const signIn = async (username: string, typed = password) => {
  const browser = new Browser(origin);
  return browser.submit(await browser.open('/login'), 'id="login"', { username, password: typed });
};

test('the trail says why a sign-in was refused, and whose it was, also of a disabled account', async () => {
  await database.query("update users set disabled_at = now() where username = 'carol'");
  await database.query("update users set password_bcrypt = null, password_hash = null where username = 'dora'");
  const before = countedSoFar().get('sign-in refused: disabled') ?? 0;
  const pages = [
    await signIn('bob', 'wrong'),
    await signIn('Carol'),
    await signIn('carol@example.com'),
    await signIn('dora'),
    await signIn('nobody'),
  ];
  assert.deepEqual([...new Set(pages.map(({ status }) => status))], [401]);
  const events: { username: string | null; detail: string }[] = await json('audit', '--event', 'sign_in_refused');
  assert.deepEqual(events.map(({ username, detail }) => [username, detail]).reverse(), [
    ['bob', 'wrong password'],
    ['carol', 'disabled'],
    ['carol', 'disabled'],
    ['dora', 'no password'],
    [null, 'unknown name'],
  ]);
  assert.equal((await json('audit', '--user', 'carol')).length, 2);
  assert.equal(countedSoFar().get('sign-in refused: disabled'), before + 2);
});

test('attempts that are not compared any more are counted', async () => {
  for (let attempt = 0; attempt < 7; attempt += 1) await signIn('bob', 'wrong');
  assert.ok((countedSoFar().get('sign-in refused: too many attempts') ?? 0) >= 1);
});
