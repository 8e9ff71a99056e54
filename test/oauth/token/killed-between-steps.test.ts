// ci: kills servers
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createLink } from '../../../src/accounts/mail/mailed-links.ts';
import { createInvitationLink } from '../../../src/accounts/sign-up/sign-up.ts';
import { told } from '../../../src/audit/notices.ts';
import { Browser } from '../../support/browser.ts';
import { cheapHash, password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, passkeyIssuer } from '../../support/passkeys.ts';
import { startServing } from '../../support/process.ts';
import { recorded } from '../../support/recorded.ts';
import { setUpApp } from '../../support/second-factor.ts';

// to a mail server that is not there, so that all mails stay in the queue
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'accounts@id.example' };
const env = { ISSUER: passkeyIssuer, SESSION_SECRET: 'x'.repeat(40), SIGN_UP: 'invited', ...mail };
const { origin, database, deps, url } = await startLatchkey(env);
const { issuer } = deps.config;
await database.query("alter table mails alter due_at set default 'infinity'");
const new_password = 'nine lives and a hat';

let count = 0;
async function newPerson(): Promise<{ username: string; user_id: number }> {
  count += 1;
  const username = `person-${count}x`;
  await registerPeople(database, [username]);
  const { rows } = await database.query('select user_id from users where username = $1', [username]);
  return { username, user_id: rows[0].user_id };
}

async function signIn(at: string, username: string): Promise<Browser> {
  const browser = new Browser(at);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
  return browser;
}

/** Links to set a password that were not used up by the time of the last answer. */
const resets: { token: string; username: string }[] = [];

/** What people do; each is killed at another moment. */
const journeys: Record<string, (at: string) => Promise<unknown>> = {
  async app(at) {
    const browser = await signIn(at, (await newPerson()).username);
    await setUpApp(browser);
    const page = await browser.visit('/account/security');
    await browser.submit(page, 'id="new-codes"', { password });
    await browser.submit(await browser.visit('/account/security'), 'id="remove"', { password });
  },
  async securityKey(at) {
    const browser = await signIn(at, (await newPerson()).username);
    await addPasskey(browser, {}, { path: '/account/passkeys/new-key' });
    await addPasskey(browser);
  },
  async password(at) {
    const browser = await signIn(at, (await newPerson()).username);
    const form = { old_password: password, new_password, repeat_password: new_password };
    await browser.submit(await browser.visit('/account/security'), 'class="primary">Change password', form);
  },
  async reset(at) {
    const { username, user_id } = await newPerson();
    const token = (await createLink({ database }, { purpose: 'reset', user_id })) ?? '';
    resets.push({ token, username });
    const browser = new Browser(at);
    await browser.submit(await browser.visit(`/reset-password?token=${token}`), 'id="save"', { new_password });
  },
  async undo(at) {
    const { username, user_id } = await newPerson();
    await signIn(at, username);
    const token = await createLink(
      { database },
      { purpose: 'not_me', user_id, detail: { to: `${username}@example.com` } },
    );
    const browser = new Browser(at);
    await browser.submit(await browser.visit(`/not-me?token=${token}`), 'id="undo"');
  },
  async address(at) {
    const { username, user_id } = await newPerson();
    const browser = await signIn(at, username);
    const address = `${username}@proved.example`;
    await database.query('update users set pending_email = $2 where user_id = $1', [user_id, address]);
    const detail = { to: `${username}@example.com` };
    const token = await createLink({ database }, { purpose: 'address', user_id, address, detail });
    await browser.submit(await browser.visit(`/account/confirm-address?token=${token}`), 'id="confirm"');
  },
  async signUp(at) {
    count += 1;
    const [username, browser] = [`invited-${count}x`, new Browser(at)];
    const invitation = { address: `${username}@new.example`, is_handed_over: true };
    const link = (await createInvitationLink(deps, invitation, recorded('user_invited'))).replace(issuer, at);
    await browser.submit(await browser.visit(link), 'id="save"', { username, new_password });
  },
};

/** Whoever chooses a password behind a link is signed in by the same request, and no mail tells of that. */
const notByLink = `and not (event = 'signed_in' and exists (select from audit_events c
  where c.user_id = e.user_id and c.request_id = e.request_id and c.event in ('password_reset', 'user_registered')))`;

/** Each says of whom it is not true: nobody is half enrolled, and no link is spent without its effect. */
const broken: Record<string, string> = {
  'has a second step that nobody can take': `select username from users where second_factor_since is not null
    and not exists (select from totp_factors t where t.user_id = users.user_id)
    and not exists (select from passkeys p where p.user_id = users.user_id)`,
  'has an app, and no second step or no codes': `select username from users join totp_factors using (user_id)
    where second_factor_since is null or (select count(*) from recovery_codes c where c.user_id = users.user_id) <> 10`,
  'has codes without a second step': `select username from users
    where second_factor_since is null and exists (select from recovery_codes c where c.user_id = users.user_id)`,
  'has a second step, and a session without': `select username from users join sessions using (user_id)
    where second_factor_since is not null and not methods && '{totp,security_key,passkey,recovery_code}'`,
  'has another password, and the link is left': `select username from users join mailed_links using (user_id)
    where purpose = 'reset' and password_bcrypt <> '${cheapHash}'
    and not exists (select from audit_events e where e.user_id = users.user_id and event = 'signed_in')`,
  'has another factor or a session of which no event tells': `select username from users
    where (second_factor_since is not null
      and not exists (select from audit_events e where e.user_id = users.user_id and event = 'second_factor_added'))
    or (second_factor_since is null and exists (select from audit_events e where e.user_id = users.user_id and event = 'second_factor_added')
      and not exists (select from audit_events e where e.user_id = users.user_id and event = 'second_factor_removed'))
    or (exists (select from sessions s where s.user_id = users.user_id)
      and not exists (select from audit_events e where e.user_id = users.user_id and event = 'signed_in'))`,
  'was changed, and no mail tells': `select username from users where
    (select count(*) from mails m where m.user_id = users.user_id and m.kind = 'notice')
    <> (select count(*) from audit_events e where e.user_id = users.user_id and event in (${Object.keys(told)
      .map((event) => `'${event}'`)
      .join(', ')})
      ${notByLink})`,
  'has set a password by a link, and no event tells': `select username from users where password_reset_at is not null
    and not exists (select from audit_events e where e.user_id = users.user_id and event = 'password_reset')`,
  'has proved an address, and no event tells': `select username from users where email like '%@proved.example'
    and not exists (select from audit_events e where e.user_id = users.user_id and event = 'address_confirmed')`,
  'has the old address, and the link is spent': `select username from users where pending_email is not null
    and not exists (select from mailed_links l where l.user_id = users.user_id and purpose = 'address')
    and exists (select from audit_events e where e.user_id = users.user_id and event = 'address_confirmed')`,
  'has an account, and the invitation is left': 'select username from users join sign_up_links on address = email',
  'has nothing after “This was not me”': `select username from users
    where exists (select from audit_events e where e.user_id = users.user_id and event = 'account_secured')
    and not exists (select from mailed_links l where l.user_id = users.user_id and purpose = 'reset')`,
};

/** Ends when the server is gone. A step that it was too busy for ends one journey; the next one begins. */
async function keepBusy(at: string, journey: (at: string) => Promise<unknown>, ended: string[]): Promise<void> {
  for (;;) {
    try {
      await journey(at);
      ended.push(journey.name);
    } catch (error) {
      // what fetch throws when a connection breaks
      if (error instanceof TypeError) return;
    }
  }
}

test('kill -9 while people set up factors, prove addresses, make accounts and use links: nobody is left half way [F55]', async () => {
  const ended: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const child = await startServing({ ...env, DATABASE_URL: url, NODE_ENV: 'production' });
    await database.query('delete from attempts');
    const traffic = Promise.all(Object.values(journeys).map((journey) => keepBusy(child.origin, journey, ended)));
    // in the first round after each journey has come to its end, then at any moment
    const isDone = () => new Set(ended).size === Object.keys(journeys).length;
    for (const end = performance.now() + 60_000; !isDone() && performance.now() < end; ) await pause(50);
    await pause(Math.random() * 1500);
    child.child.kill('SIGKILL');
    await traffic;
    for (const [what, statement] of Object.entries(broken)) {
      assert.deepEqual((await database.query(statement)).rows, [], what);
    }
    // whoever was interrupted goes on at another instance: the link is open, or the new password is right
    for (const { token, username } of resets.splice(0).slice(-3)) {
      const browser = new Browser(origin);
      const page = await browser.visit(`/reset-password?token=${token}`);
      if (page.status === 200) continue;
      await browser.submit(await browser.visit('/login'), 'id="login"', { username, password: new_password });
      assert.equal((await browser.open('/account')).status, 200, username);
    }
  }
  assert.deepEqual([...new Set(ended)].sort(), Object.keys(journeys).sort());
});
