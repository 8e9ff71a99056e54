import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slotsOfMachine } from '../../src/grants/hashing-queue.ts';
import { catalogues } from '../../src/pages/language.ts';
import { Browser } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { password, startWithPrinter } from '../support/latchkey.ts';

const { origin, deps, logged } = await startWithPrinter();

/** Fills the queue of passwords that wait to be hashed, for about two seconds. */
function fillQueue(): Promise<unknown> {
  const nobody = { password_bcrypt: null, highest_cost: 14 };
  const hashes = [true, false].flatMap((isKnown) =>
    Array.from({ length: 20 * slotsOfMachine }, () =>
      deps.passwords.verify('guess', nobody, isKnown).catch(() => undefined),
    ),
  );
  return Promise.all(hashes);
}

const refusals = () => logged.filter((line) => line.includes('too many people are signing in at this moment'));

test('a sign-in while too many others wait: the form comes back with the username, in the language of the reader', async () => {
  const browser = new Browser(origin);
  const request = `/authorize?${authorizationQuery({ state: 'kept', ui_locales: 'de' })}`;
  const login = await browser.visit(request);
  const emptied = fillQueue();
  const page = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');
  assert.match(page.text, /id="username"[^>]* value="alice"/);
  assert.ok(page.text.includes(catalogues.de['problem.too_busy']));
  assert.doesNotMatch(page.text, new RegExp(password));
  assert.equal(refusals().length, 1);
  assert.match(refusals()[0] ?? '', /"status":503,.*"error":"temporarily_unavailable".*"client_id":"photo-printer"/);
  await emptied;
  const consent = await browser.submit(page, 'id="login"', { password });
  assert.equal(consent.url, origin + request);
});

test('a change of the password while too many sign in: the form comes back, and the password stays', async () => {
  const browser = await signedInBrowser(origin);
  const account = await browser.visit('/account');
  const form = { old_password: password, new_password: 'looking-glass', repeat_password: 'looking-glass' };
  const emptied = fillQueue();
  const page = await browser.submit(account, 'action="/account/password"', form);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');
  assert.ok(page.text.includes(catalogues.en['problem.too_busy']));
  assert.doesNotMatch(page.text, /looking-glass/);
  assert.equal(refusals().length, 2);
  await emptied;
  const changed = await browser.submit(page, 'action="/account/password"', form);
  assert.equal(changed.url, `${origin}/account?notice=password_changed`);
});
