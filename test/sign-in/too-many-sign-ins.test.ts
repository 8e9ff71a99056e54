import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createHashingQueue, type HashingQueue } from '../../src/identity/hashing-queue.ts';
import { createPasswords } from '../../src/identity/password-hashing.ts';
import { textsIn } from '../../src/web/texts.ts';
import { Browser, formRequest } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { password, startWithPrinter } from '../support/latchkey.ts';

const { origin, deps, logged } = await startWithPrinter();

/** Neighbours wait in the queue until it refuses the next of them. */
function fill(queue: HashingQueue, isKnown: boolean): Promise<void>[] {
  const waiting: Promise<void>[] = [];
  for (let isFull = false; !isFull; ) {
    const length = queue.waiting();
    waiting.push(
      queue.enter({ isKnown, prefix: '127.0.0.0/24' }).then(
        (leaveSlot) => leaveSlot(),
        () => {},
      ),
    );
    isFull = queue.waiting() === length;
  }
  return waiting;
}

/** Fills the queue of passwords that wait to be hashed, until the function is called. */
async function fillQueue(): Promise<() => Promise<unknown>> {
  const queue = createHashingQueue(1, 60_000);
  Object.assign(deps.passwords, createPasswords(queue, 4));
  const leave = await queue.enter({ isKnown: false, prefix: '' });
  const waiting = [false, true].flatMap((isKnown) => fill(queue, isKnown));
  return () => {
    leave();
    return Promise.all(waiting);
  };
}

const refusals = () => logged.filter((line) => line.includes('too many people are signing in at this moment'));

test('a sign-in while too many others wait: the form comes back with the username, in the language of the reader', async () => {
  const browser = new Browser(origin);
  const request = `/authorize?${authorizationQuery({ state: 'kept', ui_locales: 'de' })}`;
  const login = await browser.visit(request);
  const empty = await fillQueue();
  const page = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');
  assert.match(page.text, /id="username"[^>]* value="alice"/);
  assert.ok(page.text.includes(textsIn('de')['problem.too_busy']));
  assert.doesNotMatch(page.text, new RegExp(password));
  assert.equal(refusals().length, 1);
  assert.match(refusals()[0] ?? '', /"status":503,.*"error":"temporarily_unavailable".*"client_id":"photo-printer"/);
  await empty();
  const consent = await browser.submit(page, 'id="login"', { password });
  assert.equal(consent.url, origin + request);
});

test('a change of the password while too many sign in: the form comes back, and the password stays', async () => {
  const browser = await signedInBrowser(origin);
  // a client has asked for German before
  await browser.visit('/?ui_locales=en');
  const account = await browser.visit('/account/security');
  const form = { old_password: password, new_password: 'looking-glass', repeat_password: 'looking-glass' };
  const empty = await fillQueue();
  const page = await browser.submit(account, 'action="/account/password"', form);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '2');
  assert.ok(page.text.includes(textsIn('en')['problem.too_busy']));
  assert.doesNotMatch(page.text, /looking-glass/);
  assert.equal(refusals().length, 2);
  await empty();
  const changed = await browser.submit(page, 'action="/account/password"', form);
  assert.equal(changed.url, `${origin}/account/security?notice=password_changed`);
});

/** A server with one hashing slot, which is taken until `leave` is called. */
async function startBusy() {
  const busy = await startWithPrinter();
  const queue = createHashingQueue(1, 60_000);
  Object.assign(busy.deps.passwords, createPasswords(queue, 4));
  const leave = await queue.enter({ isKnown: false, prefix: '' });
  const browser = new Browser(busy.origin);
  const login = await browser.visit('/login');
  const attempt = (username: string, signal?: AbortSignal) => {
    const [path, init] = formRequest(login, 'id="login"', { username, password });
    return browser.open(path, { ...init, ...(signal && { signal }) });
  };
  return { ...busy, queue, leave, attempt };
}

test('sign-ins whose connections end while they wait leave the queue: they cost no hash, and count as no attempt [F49]', async () => {
  const { queue, leave, attempt, database } = await startBusy();
  const hangUp = new AbortController();
  const hungUp = Array.from({ length: 3 }, () =>
    assert.rejects(attempt('alice', hangUp.signal), { name: 'AbortError' }),
  );
  const honest = attempt('alice');
  while (queue.waiting() < 4) await pause(5);
  hangUp.abort();
  await Promise.all(hungUp);
  while (queue.waiting() > 1) await pause(5);
  leave();
  assert.equal((await honest).status, 302);
  const counted = 'select from attempts where attempts > 0';
  while ((await database.query(counted)).rowCount !== 0) await pause(5);
});

test('a sign-in that finds the queue full is refused in the same words whether or not there is such an account [F49]', async () => {
  const { queue, leave, attempt } = await startBusy();
  const waiting = fill(queue, false);
  const texts = new Set<string>();
  for (const username of ['alice', 'nobody-here']) {
    const { status, text, headers } = await attempt(username);
    assert.deepEqual([status, headers.get('retry-after')], [503, '2']);
    texts.add(text.replaceAll(username, '…').replace(/name="csrf" value="[^"]*"/, ''));
  }
  assert.equal(texts.size, 1);
  leave();
  await Promise.all(waiting);
  assert.equal((await attempt('alice')).status, 302);
});
