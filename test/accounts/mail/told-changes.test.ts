import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createLink } from '../../../src/accounts/mail/mailed-links.ts';
import { told } from '../../../src/audit/notices.ts';
import { linkIdentity } from '../../../src/people/providers/identities.sql.ts';
import { makePasskey, optionsIn } from '../../support/authenticator.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { authorizationQuery, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, newPasskeyPage, passkeyIssuer } from '../../support/passkeys.ts';
import { codeOf, secretOn, setUpApp } from '../../support/second-factor.ts';
import { versionNow } from '../../support/sessions-version.ts';

// Of a change that a person is told of by mail, there is all or nothing: the change, its event and the mail are one statement.

const env = {
  ISSUER: passkeyIssuer,
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'accounts@id.example',
  SESSION_SECRET: 'x'.repeat(40),
};
const { origin, database, deps, url } = await startLatchkey(env);
await registerPrinter(database);
await database.query(
  `select register_provider(name => 'acme', title => 'Acme', issuer => 'https://op.example', client_id => 'us', client_secret => 'a-secret-of-the-provider')`,
);
await database.query(`
  create function refuse_row() returns trigger language plpgsql as $$ begin raise exception 'as if killed here'; end $$`);
const new_password = 'nine lives and a hat';

let count = 0;
async function newPerson(): Promise<{ username: string; user_id: number; browser: Browser }> {
  count += 1;
  const username = `person-${count}x`;
  await registerPeople(database, [username]);
  const { rows } = await database.query('select user_id from users where username = $1', [username]);
  return { username, user_id: rows[0].user_id, browser: await signedInBrowser(origin, username) };
}

type Person = Awaited<ReturnType<typeof newPerson>>;
type Send = () => Promise<Page | { status: number }>;

const press =
  (browser: Browser, page: Page, button: string, changes: Record<string, string> = {}): Send =>
  () =>
    browser.open(...formRequest(page, button, changes));

const withSecurityForm = async (browser: Browser, button: string, changes: Record<string, string>) =>
  press(browser, await browser.visit('/account/security'), button, changes);

const byCommand =
  (words: string[], input = ''): Send =>
  async () => ({ status: (await commandLineFor(url).latchkey(words, { input, env })).code === 0 ? 200 : 500 });

async function newPasskey({ browser }: Person, path: string): Promise<Send> {
  const page = await newPasskeyPage(browser, path);
  return press(browser, page, 'id="create"', makePasskey(passkeyIssuer, optionsIn(page), {}, 'ES256').fields);
}

/** What is ready to be sent; by the events that it leaves. */
const changes: [string[], (person: Person) => Promise<Send>][] = [
  [
    ['signed_in'],
    async ({ username }) => {
      const browser = new Browser(origin);
      return press(browser, await browser.visit('/login'), 'id="login"', { username, password });
    },
  ],
  [
    ['password_changed'],
    ({ browser }) => {
      const form = { old_password: password, new_password, repeat_password: new_password };
      return withSecurityForm(browser, 'class="primary">Change password', form);
    },
  ],
  [['password_changed'], async ({ username }) => byCommand(['user', 'set-password', username], `${new_password}\n`)],
  [
    ['password_changed'],
    async ({ browser }) => {
      await addPasskey(browser);
      return press(browser, await browser.visit('/account/password/remove'), 'id="remove"', { password });
    },
  ],
  [
    ['password_changed'],
    async ({ browser, username }) => {
      await addPasskey(browser);
      await database.query('update users set password_bcrypt = null where username = $1', [username]);
      const page = await browser.visit('/account/password/set');
      return press(browser, page, 'id="save"', { new_password, repeat_password: new_password });
    },
  ],
  [
    ['password_reset'],
    async ({ user_id }) => {
      const browser = new Browser(origin);
      const token = await createLink(deps, { purpose: 'reset', user_id });
      return press(browser, await browser.visit(`/reset-password?token=${token}`), 'id="save"', { new_password });
    },
  ],
  [
    ['identity_linked'],
    async ({ user_id, username }) =>
      async () => {
        const facts = { issuer: 'https://op.example', subject: username, label: null, provider: 'acme' };
        const identity = { ...facts, user_id, sessions_version: await versionNow(database, user_id) };
        const trace = { request_id: 'r', address: null, notice: Buffer.from('sealed') };
        const isLinked = await linkIdentity(database, identity, trace).catch(() => false);
        return { status: isLinked ? 200 : 500 };
      },
  ],
  [['passkey_added'], (person) => newPasskey(person, '/account/passkeys/new')],
  [['passkey_added', 'second_factor_added'], (person) => newPasskey(person, '/account/passkeys/new-key')],
  [
    ['passkey_removed'],
    async ({ browser }) => {
      await addPasskey(browser);
      const [path = ''] =
        /\/account\/passkeys\/(?!new)[\w-]+/.exec((await browser.visit('/account/security')).text) ?? [];
      return press(browser, await browser.visit(path), 'name="remove"');
    },
  ],
  [
    ['second_factor_added'],
    async ({ browser }) => {
      const page = await browser.submit(await browser.visit('/account/security'), 'id="add-code"', { password });
      return press(browser, page, 'id="verify"', { code: codeOf(secretOn(page)) });
    },
  ],
  [
    ['recovery_codes_renewed'],
    async ({ browser }) => {
      await setUpApp(browser);
      return withSecurityForm(browser, 'id="new-codes"', { password });
    },
  ],
  [
    ['second_factor_removed'],
    async ({ browser }) => {
      await setUpApp(browser);
      return withSecurityForm(browser, 'id="remove"', { password });
    },
  ],
  [
    ['second_factor_removed'],
    async ({ browser, username }) => {
      await setUpApp(browser);
      return byCommand(['user', 'reset-factors', username]);
    },
  ],
  [
    ['second_factor_removed'],
    async ({ browser, username, user_id }) => {
      await setUpApp(browser);
      const detail = { to: `${username}@example.com`, since: new Date(Date.now() - 60_000).toISOString() };
      const token = await createLink(deps, { purpose: 'not_me', user_id, detail });
      const victim = new Browser(origin);
      return press(victim, await victim.visit(`/not-me?token=${token}`), 'id="undo"', { password });
    },
  ],
  [
    ['consent_given'],
    async ({ browser }) => press(browser, await browser.visit(`/authorize?${authorizationQuery()}`), 'id="allow"'),
  ],
];

const toldTables = ['users', 'totp_factors', 'recovery_codes', 'passkeys', 'identities', 'sessions', 'grants'];
async function stateOf(user_id: number): Promise<string[]> {
  const states = toldTables.map(
    (table) => `(select coalesce(string_agg(t::text, E'\\n' order by t::text), '') from ${table} t where user_id = $1)`,
  );
  const { rows } = await database.query(`select array[${states.join(', ')}] as state`, [user_id]);
  return rows[0].state;
}

const countOf = async (statement: string, user_id: number) =>
  Number((await database.query(`select count(*) ${statement} and user_id = $1`, [user_id])).rows[0].count);

for (const [events, prepare] of changes) {
  test(`${events.join(' and ')}: where the mail or the event cannot be written, nothing is changed; else there is one of each`, async () => {
    await database.query('delete from attempts');
    const person = await newPerson();
    const { user_id } = person;
    const send = await prepare(person);
    const [before, names] = [await stateOf(user_id), events.map((event) => `'${event}'`).join(', ')];
    const events_ = () => countOf(`from audit_events where event in (${names})`, user_id);
    const mails = () => countOf(`from mails where kind = 'notice'`, user_id);
    const [eventsBefore, mailsBefore] = [await events_(), await mails()];
    for (const table of ['mails', 'audit_events']) {
      await database.query(
        `create trigger refuse before insert on ${table} for each row execute function refuse_row()`,
      );
      const { status } = await send();
      await database.query(`drop trigger refuse on ${table}`);
      assert.equal(status, 500, table);
      assert.deepEqual(await stateOf(user_id), before, table);
    }
    const { status } = await send();
    assert.ok(status < 400, `${status}`);
    assert.notDeepEqual(await stateOf(user_id), before);
    assert.equal(await events_(), eventsBefore + events.length);
    assert.equal(await mails(), mailsBefore + events.length);
  });
}

test('every event that is told is one of these, and each statement that writes one queues its mail', () => {
  assert.deepEqual([...new Set(changes.flatMap(([events]) => events))].sort(), Object.keys(told).sort());
  const folder = new URL('../../postgres/statements/', import.meta.url);
  const writing = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8'));
  for (const event of Object.keys(told)) {
    const own = writing.filter((text) =>
      new RegExp(`insert into\\s+audit_events[^)]*\\)\\s*select\\s*'${event}'`).test(text),
    );
    assert.ok(own.length > 0, event);
    for (const text of own) assert.match(text, new RegExp(`${event}_notice as \\(\\s*insert into\\s+mails`), text);
  }
});
