import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setPasswordByLink } from '../../src/accounts/mail/mailed-links.sql.ts';
import { createLink, openLink } from '../../src/accounts/mail/mailed-links.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { atOnce } from '../support/at-once.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { authorizationQuery, codeIn, obtainCode, signedInBrowser } from '../support/flow.ts';
import { cheapHash, password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

// Somebody ends the sessions of a person, or replaces the password, while a statement of that person or a comparison is under way.

const { database, origin, deps, url } = await startLatchkey();
const { latchkey, directory } = commandLineFor(url);
await registerPrinter(database);
await registerPrinter(database, { client_id: 'portal', scopes: ['user:name'], consent: 'none' });
const trace = { request_id: 'test', address: null, notice: null };

const endOfSessions = 'update users set sessions_ended_at = clock_timestamp() where user_id = $1';

async function newPerson(username: string): Promise<number> {
  await registerPeople(database, [username]);
  return (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
}

const grantsOf = async (user_id: number) =>
  (await database.query('select count(*)::integer from grants where user_id = $1 and revoked_at is null', [user_id]))
    .rows[0].count;

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;

/** By a link that is there, as soon as another statement waits for the lock: a request gives up after half a second. */
async function resetBehind(user_id: number): Promise<() => Promise<undefined>> {
  const token_sha256 = digestOf((await createLink(deps, { purpose: 'reset', user_id })) ?? '');
  const link = { token_sha256, digests: [token_sha256], hash: cheapHash, ends_access: true };
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  return async () => {
    while ((await database.query(waiting)).rowCount === 0);
    assert.ok(await setPasswordByLink(database, link, trace));
    return undefined;
  };
}

test('a consent whose sessions end before its statement gives no code; the rightful one does', async () => {
  const user_id = await newPerson('consents');
  const browser = await signedInBrowser(origin, 'consents');
  const page = await browser.visit(`/authorize?${authorizationQuery()}`);
  const press = () => [browser.open(...formRequest(page, 'id="allow"'))];
  const [late] = await atOnce(database, user_id, press, endOfSessions);
  assert.match(late?.location ?? '', /^\/(authorize|login)\?/);
  assert.equal(await grantsOf(user_id), 0);
  const again = await signedInBrowser(origin, 'consents');
  const shown = await again.visit(`/authorize?${authorizationQuery()}`);
  const [rightful] = await atOnce(database, user_id, () => [again.open(...formRequest(shown, 'id="allow"'))]);
  assert.ok(rightful && codeIn(rightful));
  assert.equal(await grantsOf(user_id), 1);
});

/** What a person decides by a form beside a consent: where it stands, its button and what is chosen, and what it changes. */
const decisions: Record<string, { path: string; button: string; fields?: { scope: string[] }; changed: string }> = {
  'a change of permissions': {
    path: `/account/applications/${printer.client_id}`,
    button: 'id="save-choice"',
    fields: { scope: ['user:name'] },
    changed: 'select scopes from grants where user_id = $1',
  },
  'a refusal': {
    path: `/authorize?${authorizationQuery({ prompt: 'consent' })}`,
    button: 'id="deny"',
    changed: 'select client_id from own_decisions where user_id = $1',
  },
};

for (const [decision, { path, button, fields, changed }] of Object.entries(decisions)) {
  test(`${decision} whose sessions end before its statement changes nothing; the rightful one does`, async () => {
    const username = decision.replaceAll(' ', '-');
    const user_id = await newPerson(username);
    const state = async () => (await database.query(changed, [user_id])).rows;
    const press = async (end?: string) => {
      const browser = await signedInBrowser(origin, username);
      await obtainCode(browser);
      await database.query('delete from own_decisions where user_id = $1', [user_id]);
      const page = await browser.visit(path);
      const was = await state();
      const [answer] = await atOnce(database, user_id, () => [browser.open(...formRequest(page, button, fields))], end);
      return { was, is: await state(), location: answer?.location };
    };
    const late = await press(endOfSessions);
    assert.deepEqual(late.is, late.was);
    assert.match(late.location ?? '', /^\/(authorize|login|account)/);
    const rightful = await press();
    assert.notDeepEqual(rightful.is, rightful.was);
  });
}

test('an application that asks nobody gets no first code of a session that ends before its statement', async () => {
  const user_id = await newPerson('silent');
  const open = (browser: Browser) => [
    browser.open(`/authorize?${authorizationQuery({ client_id: 'portal', scope: undefined })}`),
  ];
  const browser = await signedInBrowser(origin, 'silent');
  const [late] = await atOnce(database, user_id, () => open(browser), endOfSessions);
  assert.doesNotMatch(late?.location ?? '', /code=/);
  assert.equal(await grantsOf(user_id), 0);
  const again = await signedInBrowser(origin, 'silent');
  const [rightful] = await atOnce(database, user_id, () => open(again));
  assert.ok(rightful && codeIn(rightful));
});

test('an end of all access also ends what was allowed at the same moment', async () => {
  const user_id = await newPerson('allows');
  const browser = await signedInBrowser(origin, 'allows');
  const page = await browser.visit(`/authorize?${authorizationQuery()}`);
  const reset = await resetBehind(user_id);
  const press = async () => browser.open(...formRequest(page, 'id="allow"'));
  const [pressed] = await atOnce<Page | undefined>(database, user_id, () => [press(), reset()]);
  assert.notEqual(pressed?.status, 503);
  assert.equal(await grantsOf(user_id), 0);
});

test('a deletion whose session ends before its statement deletes nothing; the rightful one does', async () => {
  const user_id = await newPerson('leaves');
  const press = async (browser: Browser) =>
    browser.open(...formRequest(await browser.visit('/account/delete'), 'class="danger"', { password }));
  const browser = await signedInBrowser(origin, 'leaves');
  await atOnce(database, user_id, () => [press(browser)], endOfSessions);
  const isDeleted = async () =>
    (await database.query('select deleted_at is not null as is_deleted from users where user_id = $1', [user_id]))
      .rows[0].is_deleted;
  assert.equal(await isDeleted(), false);
  const again = await signedInBrowser(origin, 'leaves');
  await atOnce(database, user_id, () => [press(again)]);
  assert.equal(await isDeleted(), true);
});

test('an end of all sessions also ends one that begins at the same moment', async () => {
  const user_id = await newPerson('enters');
  const browser = new Browser(origin);
  const page = await browser.visit('/login');
  // both begin before the other one is committed, and the end deletes the sessions that it sees
  const reset = await resetBehind(user_id);
  const press = async () => browser.open(...formRequest(page, 'id="login"', { username: 'enters', password }));
  const [pressed] = await atOnce<Page | undefined>(database, user_id, () => [press(), reset()]);
  assert.notEqual(pressed?.status, 503);
  assert.equal(await isSignedIn(browser), false);
  const again = await signedInBrowser(origin, 'enters');
  assert.equal(await isSignedIn(again), true);
});

test('a link of a mail that is made while its person is disabled is none, also when the person is enabled again', async () => {
  const user_id = await newPerson('returns');
  const make = () => [createLink(deps, { purpose: 'reset', user_id })];
  const [late] = await atOnce(database, user_id, make, 'update users set disabled_at = now() where user_id = $1');
  await database.query('update users set disabled_at = null where user_id = $1', [user_id]);
  assert.equal(late, undefined);
  const [rightful] = await atOnce(database, user_id, make);
  assert.ok(await openLink(deps, 'reset', rightful ?? ''));
});

test('ending one session, and all others, lets the remaining ones go on', async () => {
  await newPerson('several');
  const [here, there, elsewhere] = [
    await signedInBrowser(origin, 'several'),
    await signedInBrowser(origin, 'several'),
    await signedInBrowser(origin, 'several'),
  ];
  await here.submit(await here.visit('/account/sessions'), 'name="session"');
  const left = [await isSignedIn(there), await isSignedIn(elsewhere)];
  assert.equal(left.filter(Boolean).length, 1);
  assert.ok(await isSignedIn(here));
  await here.submit(await here.visit('/account/sessions'), 'name="others"');
  assert.deepEqual(
    [await isSignedIn(here), await isSignedIn(there), await isSignedIn(elsewhere)],
    [true, false, false],
  );
});

const otherHash = '$2b$04$uJf4W8qfm2N0CkWQZ9V9TeXkqk2n8V1yQ3J7bqP0m3r2o9pJX8hRe';

/** Doors that bring the password of a person from elsewhere. */
const doors: Record<string, (username: string) => Promise<unknown>> = {
  'a seed': (username) => database.query('select register_user($1, $2)', [username, otherHash]),
  'an import': async (username) => {
    const { rows } = await database.query('select subject from users where username = $1', [username]);
    const file = join(directory, 'people.jsonl');
    writeFileSync(file, JSON.stringify({ subject: rows[0].subject, username, password_hash: otherHash }));
    assert.equal((await latchkey(['user', 'import', file])).code, 0);
  },
  'the view': async (username) => {
    const { rows } = await database.query(
      "update users set source = 'view' where username = $1 returning subject, email",
      [username],
    );
    const account = { ...rows[0], username, password_hash: otherHash, email_verified: true, disabled: false };
    await database.query("select compare_with_view($1, '{}', true)", [JSON.stringify([account])]);
  },
};

for (const [door, replace] of Object.entries(doors)) {
  test(`${door} that replaces a password while the former one is compared lets nobody in by it`, async (t) => {
    const username = `by-${door.replaceAll(' ', '-')}`;
    await registerPeople(database, [username]);
    await database.query('update users set subject = $1 where username = $1', [username]);
    const before = await signedInBrowser(origin, username);
    const verify = deps.passwords.verify.bind(deps.passwords);
    t.mock.method(deps.passwords, 'verify', async (...compared: Parameters<typeof verify>) => {
      const found = await verify(...compared);
      await replace(username);
      return found;
    });
    const late = await signedInBrowser(origin, username);
    t.mock.restoreAll();
    assert.equal(await isSignedIn(late), false);
    // a session of before goes on
    assert.equal(await isSignedIn(before), true);
    await database
      .query('select register_user($1, $2)', [username, cheapHash])
      .catch(() =>
        database.query('update users set password_bcrypt = $2, registered_password_bcrypt = $2 where username = $1', [
          username,
          cheapHash,
        ]),
      );
    assert.equal(await isSignedIn(await signedInBrowser(origin, username)), true);
  });
}
