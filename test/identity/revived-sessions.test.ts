import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { secureAccount } from '../../src/accounts/activity/secured-accounts.sql.ts';
import { disableAccount, enableAccount, endSessions } from '../../src/accounts/administered-users.sql.ts';
import { setPasswordByLink } from '../../src/accounts/mail/mailed-links.sql.ts';
import { createLink } from '../../src/accounts/mail/mailed-links.ts';
import { changeOwnPassword, changeUserPassword } from '../../src/identity/passwords.sql.ts';
import { deleteOtherSessions, deleteOwnSession } from '../../src/identity/sessions.sql.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { cheapHash, password, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';
import { codeBefore, codesOn, secretOn, setUpApp } from '../support/second-factor.ts';
import { versionNow } from '../support/sessions-version.ts';

// A session that somebody has ended stays ended, whatever its browser still has on the screen or has just sent.

const { origin, database, deps, url } = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });
const optional = await startLatchkey({}, url);
await registerPrinter(database);
/** Of another password. */
const otherHash = `${cheapHash.slice(0, -1)}O`;
const trace = { request_id: 'r', address: null, notice: null };
const idOf = async (username: string): Promise<number> =>
  (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const sessions = async () => (await database.query('select 1 from sessions')).rowCount;

/** Somebody who has just set up an app in the middle of a sign-in, and sees the recovery codes. */
async function newPerson(username: string) {
  await registerPeople(database, [username]);
  const browser = new Browser(origin);
  const setup = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  const secret = secretOn(setup);
  const codes = await browser.submit(setup, 'id="verify"', { code: await codeBefore(secret) });
  assert.equal(codesOn(codes).length, 10);
  return { browser, codes, secret };
}

const offerTo = async (browser: Browser, username: string): Promise<Page> =>
  browser.submit(await browser.visit(`/authorize?${authorizationQuery({ acr_values: '2' })}`), 'id="login"', {
    username,
    password,
  });

/** Somebody who can set up an app for an application, or decline. */
async function offeredFactor(username: string) {
  await registerPeople(database, [username]);
  const browser = new Browser(optional.origin);
  return { browser, offer: await offerTo(browser, username), user_id: await idOf(username) };
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
  // a second one that arrives later finds the session ended
  const { verify } = deps.passwords;
  let asking = 0;
  deps.passwords.verify = async (...asked) => {
    for (asking += 1; asking < 2; ) await pause(5);
    return verify(...asked);
  };
  const answers = await Promise.all(
    [1, 2].map(() => browser.open(...formRequest(page, 'class="primary">Change password', form))),
  );
  deps.passwords.verify = verify;
  for (const answer of answers) assert.equal(answer.location, '/account/security?notice=password_changed');
  assert.ok(await isSignedIn(browser));
});

/** How sessions end from outside of the browser that has them. */
const ends: Record<string, (user_id: number, username: string) => Promise<unknown>> = {
  'the person elsewhere': async (user_id) => deleteOtherSessions(database, user_id, Buffer.alloc(32)),
  'the person elsewhere, one by one': async (user_id) => {
    const { rows } = await database.query('select sid_sha256 from sessions where user_id = $1', [user_id]);
    for (const { sid_sha256 } of rows) await deleteOwnSession(database, user_id, sid_sha256.subarray(0, 16));
  },
  'an operator': (user_id) => endSessions(database, user_id, recorded('sessions_ended')),
  'an operator who disables the account for a moment': async (user_id) => {
    await disableAccount(database, user_id, false, recorded('user_disabled'));
    await enableAccount(database, user_id, recorded('user_enabled'));
  },
  'a new password by mail': async (user_id) => {
    const token_sha256 = digestOf((await createLink(deps, { purpose: 'reset', user_id })) ?? '');
    await setPasswordByLink(
      database,
      { token_sha256, digests: [token_sha256], hash: cheapHash, ends_access: false },
      trace,
    );
  },
  '“This was not me”': async (user_id, username) => {
    const detail = { to: `${username}@example.com` };
    const token_sha256 = digestOf((await createLink(deps, { purpose: 'not_me', user_id, detail })) ?? '');
    await secureAccount(
      database,
      { token_sha256, has_proved_password: false, rp_id: undefined, next: undefined },
      trace,
    );
  },
};

for (const [index, [who, end]] of Object.entries(ends).entries()) {
  test(`neither the page with new recovery codes nor the one that offers a factor begins a session again that was ended by ${who}`, async () => {
    const username = `person-${index}`;
    const { browser, codes } = await newPerson(username);
    const user_id = await idOf(username);
    await browser.submit(codes, 'id="go-on"');
    assert.ok(await isSignedIn(browser));
    const decliner = await offeredFactor(`decliner-${index}`);
    await decliner.browser.submit(decliner.offer, 'id="decline"');
    assert.ok(await isSignedIn(decliner.browser));
    await end(user_id, username);
    await end(decliner.user_id, `decliner-${index}`);
    for (const [one, page, button] of [
      [browser, codes, 'id="go-on"'],
      [decliner.browser, decliner.offer, 'id="decline"'],
    ] as const) {
      const [path, init] = formRequest(page, button);
      const answer = await one.open(path, init);
      assert.equal(answer.status, 403, button);
      assert.ok(!(await isSignedIn(one)), button);
    }
    const left = 'select 1 from sessions where user_id = any ($1)';
    assert.equal((await database.query(left, [[user_id, decliner.user_id]])).rowCount, 0);
  });
}

test('a form that waits for the first session is over, too, once sessions were ended; a new sign-in is not', async () => {
  const { browser, offer, user_id } = await offeredFactor('late');
  await endSessions(database, user_id, recorded('sessions_ended'));
  assert.equal((await browser.open(...formRequest(offer, 'id="decline"'))).status, 403);
  const again = await offerTo(browser, 'late');
  await browser.submit(again, 'id="decline"');
  assert.ok(await isSignedIn(browser));
});

test('a session that is ended while its browser turns the second factor off does not go on in another one', async () => {
  await registerPeople(database, ['gina']);
  const thief = await signedInBrowser(optional.origin, 'gina');
  const { codes } = await setUpApp(thief);
  const user_id = await idOf('gina');
  await database.query("update sessions set auth_time = now() - interval '1 hour' where user_id = $1", [user_id]);
  const page = await thief.visit('/account/security');
  const { passwords } = optional.deps;
  const { verify } = passwords;
  passwords.verify = async (...asked) => {
    await endSessions(database, user_id, recorded('sessions_ended'));
    return verify(...asked);
  };
  const answer = await thief.open(...formRequest(page, 'id="remove"', { password, code: codes[0] ?? '' }));
  passwords.verify = verify;
  assert.equal(answer.status, 409);
  assert.ok(!(await isSignedIn(thief)));
  assert.equal((await database.query('select 1 from sessions where user_id = $1', [user_id])).rowCount, 0);
});

/** Something happens while the password of a form is compared, which takes a quarter of a second, and longer in a queue. */
async function whileCompared(meanwhile: () => Promise<unknown>, send: () => Promise<Page>): Promise<Page> {
  const { passwords } = optional.deps;
  const { verify } = passwords;
  passwords.verify = async (...asked) => {
    passwords.verify = verify;
    const compared = await verify(...asked);
    await meanwhile();
    return compared;
  };
  try {
    return await send();
  } finally {
    passwords.verify = verify;
  }
}

const changeOwn = async (user_id: number) => {
  const sessions_version = await versionNow(database, user_id);
  const change = { user_id, oldHash: cheapHash, newHash: otherHash, ends_access: false, sessions_version };
  assert.notEqual(await changeOwnPassword(database, change, trace), undefined);
};

const endsOfSignIns: typeof ends = {
  ...ends,
  'a new password on the account page': changeOwn,
  'a new password by an operator': (user_id) =>
    changeUserPassword(database, { user_id, password_hash: otherHash }, trace),
};

for (const [index, [who, end]] of Object.entries(endsOfSignIns).entries()) {
  test(`a sign-in whose password was compared before sessions were ended by ${who} begins none`, async () => {
    const username = `early-${index}`;
    await registerPeople(database, [username]);
    const user_id = await idOf(username);
    // somebody has a session, or there is nothing to end
    await signedInBrowser(optional.origin, username);
    const browser = new Browser(optional.origin);
    const login = formRequest(await browser.visit('/login'), 'id="login"', { username, password });
    await whileCompared(
      () => end(user_id, username),
      () => browser.open(...login),
    );
    assert.ok(!(await isSignedIn(browser)));
    assert.equal((await database.query('select 1 from sessions where user_id = $1', [user_id])).rowCount, 0);
    const [again, nothing] = [
      formRequest(await browser.visit('/login'), 'id="login"', { username, password }),
      async () => {},
    ];
    await database.query('update users set password_bcrypt = $2 where user_id = $1', [user_id, cheapHash]);
    await whileCompared(nothing, () => browser.open(...again));
    assert.ok(await isSignedIn(browser));
  });
}

test('a password is not changed in a session that is ended while the present one is compared', async () => {
  await registerPeople(database, ['henry']);
  const user_id = await idOf('henry');
  const thief = await signedInBrowser(optional.origin, 'henry');
  const page = await thief.visit('/account/security');
  const form = { old_password: password, new_password: 'a long new word', repeat_password: 'a long new word' };
  const change = formRequest(page, 'class="primary">Change password', form);
  await whileCompared(
    () => endSessions(database, user_id, recorded('sessions_ended')),
    () => thief.open(...change),
  );
  assert.ok(!(await isSignedIn(thief)));
  const stored = await database.query('select password_bcrypt from users where user_id = $1', [user_id]);
  assert.equal(stored.rows[0].password_bcrypt, cheapHash);
});
