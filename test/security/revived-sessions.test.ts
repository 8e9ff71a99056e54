import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest } from '../support/browser.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { codeOf, codesOn, secretOn } from '../support/second-factor.ts';

// A session that somebody has ended stays ended, whatever its browser still has on the screen or has just sent.

const { origin, database, deps } = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const sessions = async () => (await database.query('select 1 from sessions')).rowCount;

/** Somebody who has just set up an app in the middle of a sign-in, and sees the recovery codes. */
async function newPerson(username: string) {
  await registerPeople(database, [username]);
  const browser = new Browser(origin);
  const setup = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  const secret = secretOn(setup);
  const codes = await browser.submit(setup, 'id="verify"', { code: codeOf(secret, -1) });
  assert.equal(codesOn(codes).length, 10);
  return { browser, codes, secret };
}

test('the page with new recovery codes signs nobody in again once the person has signed out', async () => {
  const { browser, codes } = await newPerson('ada');
  await browser.submit(codes, 'id="go-on"');
  assert.ok(await isSignedIn(browser));
  await browser.submit(await browser.visit('/account'), 'action="/logout"');
  assert.equal(await sessions(), 0);
  const [path, init] = formRequest(codes, 'id="go-on"');
  assert.equal((await browser.open(path, init)).status, 403);
  assert.equal(await sessions(), 0);
});

test('a session that is ended while its browser asks for a new password comes back for nobody who only knows the present one', async () => {
  const { browser: thief, codes } = await newPerson('eve');
  await thief.submit(codes, 'id="go-on"');
  const page = await thief.visit('/account/security');
  const { verify } = deps.passwords;
  deps.passwords.verify = async (...asked) => {
    await database.query('delete from sessions');
    return verify(...asked);
  };
  const form = { old_password: 'a wrong one', new_password: password, repeat_password: password };
  const change = 'class="primary">Change password';
  const answer = await thief.open(...formRequest(page, change, form));
  assert.equal(answer.status, 400);
  assert.equal(await sessions(), 0);
  deps.passwords.verify = verify;
});

test('the same form sent twice changes the password once, and both answers leave the person signed in', async () => {
  const { browser, codes } = await newPerson('flora');
  await browser.submit(codes, 'id="go-on"');
  const page = await browser.visit('/account/security');
  const new_password = 'another word to remember';
  const form = { old_password: password, new_password, repeat_password: new_password };
  const answers = await Promise.all(
    [1, 2].map(() => browser.open(...formRequest(page, 'class="primary">Change password', form))),
  );
  for (const answer of answers) assert.equal(answer.location, '/account/security?notice=password_changed');
  assert.ok(await isSignedIn(browser));
});
