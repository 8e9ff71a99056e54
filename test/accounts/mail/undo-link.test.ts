import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secureAccount } from '../../../src/accounts/activity/secured-accounts.sql.ts';
import { setPasswordByLink } from '../../../src/accounts/mail/mailed-links.sql.ts';
import { createLink } from '../../../src/accounts/mail/mailed-links.ts';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { removeOwnPassword } from '../../../src/identity/passwords.sql.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { cheapHash, password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { codeOf, codesOn, setUpApp } from '../../support/second-factor.ts';
import { versionNow } from '../../support/sessions-version.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SUPPORT_URL: 'https://help.example/' };
const { origin, database, deps, url } = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: origin }, url);
const new_password = 'mine again, and longer';

async function signIn(username: string, word = password, browser = new Browser(origin)): Promise<Page> {
  return browser.submit(await browser.visit('/login'), 'id="login"', { username, password: word });
}

async function mailTo(username: string, subject = /./) {
  while ((await sendWaitingMails(deps)) > 0);
  return box.next(`${username}@example.com`, subject);
}

test('“This was not me” sent twice, also after an answer that never arrived, leads to one new password each time', async () => {
  await registerPeople(database, ['ada']);
  await signIn('ada');
  const victim = new Browser(origin);
  const page = await victim.visit(linkIn(await mailTo('ada')));
  const [path, init] = formRequest(page, 'id="undo"');
  const answers = await Promise.all(
    [origin, two.origin, origin].map((at) => victim.open(path.replace(origin, at), init)),
  );
  for (const { location } of answers) assert.equal(location, '/reset-password');
  const again = await victim.visit(path, init);
  const saved = await victim.submit(again, 'id="save"', { new_password });
  assert.match(saved.text, /Your new password is set/);
  // used up with the password
  assert.equal((await victim.open(path, init)).status, 410);
  const { rows } = await database.query(
    "select count(*)::integer as times from audit_events where event = 'account_secured'",
  );
  assert.equal(rows[0].times, 1);
  assert.match((await signIn('ada', new_password)).text, /\/account/);
});

test('the page says which password removes a new second factor, and links to help for whoever does not know it', async () => {
  await registerPeople(database, ['lena']);
  const thief = new Browser(origin);
  await signIn('lena', password, thief);
  const link = linkIn(await mailTo('lena'));
  const victim = new Browser(origin);
  const plain = (await victim.visit(link)).text;
  assert.doesNotMatch(plain, /two-step verification|name="password"/i);
  await setUpApp(thief);
  const { text } = await victim.visit(link);
  assert.match(
    text,
    /Two-step verification was set up or changed since then:<\/h2><\/legend>\s*<ul>\s*<li>Authenticator app · <time[\s\S]*value="remove" required><span><strong>Remove this<[\s\S]*name="password"[\s\S]*value="keep" required><span><strong>Keep this for now<[\s\S]*If it is not yours, ask the operator of this server to remove it\.[^<]* <a href="https:\/\/help\.example\/">/,
  );
  // whoever reads the mailbox can have set this password
  await database.query("update users set password_reset_at = now() where username = 'lena'");
  const reset = (await victim.visit(link)).text;
  assert.match(
    reset,
    /<li>Two-step verification that was set up or changed since then stays: .* <a href="https:\/\/help\.example\/">/,
  );
  assert.doesNotMatch(reset, /name="password"/);
});

test('whoever removes a new second factor enters the password first, and whoever keeps it needs none', async () => {
  await registerPeople(database, ['liv']);
  const thief = new Browser(origin);
  await signIn('liv', password, thief);
  const { secret } = await setUpApp(thief);
  const victim = new Browser(origin);
  const page = await victim.visit(linkIn(await mailTo('liv', /second factor/)));
  const empty = await victim.submit(page, 'id="undo"', { second_factor: 'remove' });
  assert.equal(empty.status, 400);
  assert.match(empty.text, /value="remove" checked required/);
  assert.match(empty.text, /id="password-problem">Enter your current password, or choose “Keep this for now”\./);
  assert.equal((await thief.open('/account')).status, 200);
  const wrong = await victim.submit(empty, 'id="undo"', { second_factor: 'remove', password: 'not it' });
  assert.match(wrong.text, /This password is incorrect\. Try again, or choose “Keep this for now”\./);
  // a password manager can have filled in the hidden field
  const reset = await victim.submit(wrong, 'id="undo"', { second_factor: 'keep', password });
  await victim.submit(reset, 'id="save"', { new_password });
  const again = new Browser(origin);
  await again.submit(await signIn('liv', new_password, again), 'id="verify"', { code: codeOf(secret) });
  assert.equal((await again.open('/account')).status, 200);
});

test('whoever chose to remove a second factor that the link can no longer remove is told so, before anything changes', async () => {
  for (const fields of [{ password }, {}] as Record<string, string>[]) {
    const username = fields['password'] ? 'milo' : 'nora';
    await registerPeople(database, [username]);
    const thief = new Browser(origin);
    await signIn(username, password, thief);
    await setUpApp(thief);
    const victim = new Browser(origin);
    const page = await victim.visit(linkIn(await mailTo(username, /second factor/)));
    await database.query('update users set password_reset_at = now() where username = $1', [username]);
    const late = await victim.submit(page, 'id="undo"', { second_factor: 'remove', ...fields });
    assert.equal(late.status, 409);
    assert.match(late.text, /Nothing was saved, because your ways to sign in have changed in the meantime/);
    assert.match(late.text, /since then stays: this page cannot remove it/);
    assert.doesNotMatch(late.text, /email address\./);
    assert.equal((await thief.open('/account')).status, 200);
    const reset = await victim.submit(late, 'id="undo"');
    assert.match(reset.url, /\/reset-password$/);
  }
});

test('the page beside an event says that the password removes an authenticator app of since, and so it does', async () => {
  await registerPeople(database, ['theo']);
  const browser = new Browser(origin);
  await signIn('theo', password, browser);
  const pageOf = async () => {
    const { text } = await browser.visit('/account/activity');
    const hrefs = [...text.matchAll(/href="([^"]*not-me[^"]*)"/g)].map(([, href = '']) => href);
    return browser.visit(hrefs.at(-1) ?? '');
  };
  assert.doesNotMatch((await pageOf()).text, /authenticator app/);
  const { secret } = await setUpApp(browser);
  const page = await pageOf();
  assert.match(page.text, /<li>The authenticator app that was set up since then is removed\.<\/li>/);
  await browser.submit(page, 'id="undo"', { password, code: codeOf(secret) });
  const { rows } = await database.query("select from totp_factors join users using (user_id) where username = 'theo'");
  assert.deepEqual(rows, []);
});

test('a passkey of a former address of this server is no factor that the link leaves', async () => {
  await registerPeople(database, ['bob']);
  const thief = new Browser(origin);
  await signIn('bob', password, thief);
  await setUpApp(thief);
  // Bob's own factor was a passkey, which died with the old address
  await database.query(
    "update users set second_factor_since = now() - interval '1 day', passkey_handle = sha256('bob') where username = 'bob'",
  );
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name, created_at)
     select sha256('old'), user_id, '{}', 0, '{}', true, false, 'old.example', 'Old', now() - interval '1 day' from users where username = 'bob'`,
  );
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(linkIn(await mailTo('bob', /second factor/))), 'id="undo"', {
    password,
  });
  await victim.submit(reset, 'id="save"', { new_password });
  assert.match((await signIn('bob', new_password)).url, /\/$/);
  assert.equal((await victim.open('/account')).status, 200);
});

test('whoever has nothing but recovery codes left keeps them', async () => {
  await registerPeople(database, ['eve']);
  const own = new Browser(origin);
  await signIn('eve', password, own);
  await database.query(
    `with changed as (update users set second_factor_since = now() - interval '1 day' where username = 'eve' returning user_id)
     insert into recovery_codes (user_id, code_sha256, created_at) select user_id, sha256('one'), now() - interval '1 day' from changed`,
  );
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(linkIn(await mailTo('eve'))), 'id="undo"', { password });
  await victim.submit(reset, 'id="save"', { new_password });
  assert.match((await signIn('eve', new_password, victim)).text, /<details open>[\s\S]*id="recover"/);
});

/** Makes what the person has look a day old, and continues the session as one that has proved it. */
const ageFactors = (username: string) =>
  database.query(
    `with old as (
       update users set second_factor_since = now() - interval '1 day' where username = $1 returning user_id
     ), app as (
       update totp_factors set created_at = now() - interval '1 day' from old where totp_factors.user_id = old.user_id
     )
     update sessions set methods = '{password,totp}' from old where sessions.user_id = old.user_id`,
    [username],
  );

async function renewCodesOf(thief: Browser, username: string): Promise<string[]> {
  while ((await sendWaitingMails(deps)) > 0);
  await box.next(`${username}@example.com`, /second factor/);
  const codes = codesOn(await thief.submit(await thief.visit('/account/security'), 'id="new-codes"'));
  assert.equal(codes.length, 10);
  return codes;
}

async function undoByMail(username: string, fields: Record<string, string>): Promise<void> {
  const victim = new Browser(origin);
  const page = await victim.visit(linkIn(await mailTo(username, /second factor/)));
  await victim.submit(await victim.submit(page, 'id="undo"', fields), 'id="save"', { new_password });
}

test('recovery codes that somebody else has made end with “This was not me”, with the password and without; the app of before stays', async () => {
  for (const [username, fields] of [
    ['carl', { password }],
    ['dora', {}],
  ] as const) {
    await registerPeople(database, [username]);
    const thief = new Browser(origin);
    await signIn(username, password, thief);
    const { secret } = await setUpApp(thief);
    await ageFactors(username);
    const [stolen = ''] = await renewCodesOf(thief, username);
    await undoByMail(username, fields);
    const again = new Browser(origin);
    const step = await signIn(username, new_password, again);
    assert.match((await again.submit(step, 'id="verify"', { code: stolen })).text, /not right|wrong/);
    await again.submit(step, 'id="verify"', { code: codeOf(secret) });
    const security = await again.visit('/account/security');
    assert.equal(codesOn(await again.submit(security, 'id="new-codes"')).length, 10);
  }
});

test('whoever had nothing but the recovery codes that somebody else has replaced signs in without a second factor, and only after the password', async () => {
  for (const [username, fields, answer] of [
    ['finn', { password }, /\/account/],
    ['gina', {}, /id="recover"/],
  ] as const) {
    await registerPeople(database, [username]);
    const thief = new Browser(origin);
    await signIn(username, password, thief);
    await setUpApp(thief);
    await ageFactors(username);
    await database.query(
      'delete from totp_factors using users where users.user_id = totp_factors.user_id and username = $1',
      [username],
    );
    await renewCodesOf(thief, username);
    await undoByMail(username, fields);
    assert.match((await signIn(username, new_password)).text, answer);
  }
});

test('codes of before their time was stored count as older', async () => {
  await registerPeople(database, ['hugo']);
  const own = new Browser(origin);
  await signIn('hugo', password, own);
  const { codes } = await setUpApp(own);
  await ageFactors('hugo');
  await database.query(
    'update recovery_codes set created_at = null from users where users.user_id = recovery_codes.user_id and username = $1',
    ['hugo'],
  );
  await undoByMail('hugo', { password });
  const again = new Browser(origin);
  await again.submit(await signIn('hugo', new_password, again), 'id="verify"', { code: codes[0] ?? '' });
  assert.equal((await again.open('/account')).status, 200);
});

test('the statement that sets a password by a link, or undoes, writes its event, so that no fault leaves it unsaid', async () => {
  await registerPeople(database, ['ivy']);
  const { rows } = await database.query("select user_id, email from users where username = 'ivy'");
  const [{ user_id, email: to }] = rows;
  const trace = { request_id: 'r', address: null, notice: null };
  const reset = digestOf((await createLink(deps, { purpose: 'reset', user_id })) ?? '');
  await setPasswordByLink(
    database,
    { token_sha256: reset, digests: [reset], hash: cheapHash, ends_access: false },
    trace,
  );
  const token_sha256 = digestOf((await createLink(deps, { purpose: 'not_me', user_id, detail: { to } })) ?? '');
  const undoing = { token_sha256, has_proved_password: false, rp_id: undefined, next: undefined };
  assert.ok(await secureAccount(database, undoing, trace));
  const events = await database.query('select event from audit_events where user_id = $1 order by happened_at', [
    user_id,
  ]);
  assert.deepEqual(
    events.rows.map(({ event }) => event),
    ['password_reset', 'account_secured'],
  );
});

test('whoever has removed the password and added a passkey has not locked the person out: the link leads to a new password', async () => {
  await registerPeople(database, ['jack']);
  await signIn('jack');
  const link = linkIn(await mailTo('jack'));
  const { rows } = await database.query("select user_id from users where username = 'jack'");
  const [{ user_id }] = rows;
  await database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     values (sha256('jack'), $1, '{}', 0, '{}', true, false, 'id.example', 'of a thief')`,
    [user_id],
  );
  const trace = { request_id: 'r', address: null, notice: null };
  const sessions_version = await versionNow(database, user_id);
  assert.ok(await removeOwnPassword(database, { user_id, rp_id: 'id.example', sessions_version }, trace));
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(link), 'id="undo"');
  await victim.submit(reset, 'id="save"', { new_password });
  assert.match((await signIn('jack', new_password)).text, /\/account/);
  assert.equal((await database.query('select from passkeys where user_id = $1', [user_id])).rowCount, 0);
});

test('an account that a provider has made, whose identity somebody has exchanged, is opened by a new password again', async () => {
  await registerPeople(database, ['kim']);
  await signIn('kim');
  const link = linkIn(await mailTo('kim'));
  await database.query(
    `with person as (
       update users set source = 'provider:acme', password_bcrypt = null where username = 'kim' returning user_id
     )
     insert into identities (issuer, subject, user_id) select 'https://login.acme.example', 'of a thief', user_id from person`,
  );
  const victim = new Browser(origin);
  const reset = await victim.submit(await victim.visit(link), 'id="undo"');
  await victim.submit(reset, 'id="save"', { new_password });
  assert.match((await signIn('kim', new_password)).text, /\/account/);
  const { rows } = await database.query("select from identities where subject = 'of a thief'");
  assert.deepEqual(rows, []);
});

/** Adds a passkey of now, at the host of this server. */
const addKey = (username: string, name: string, user_verified: boolean) =>
  database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
     select sha256($2::text::bytea), user_id, '{}', 0, '{}', $3, false, '127.0.0.1', $2 from users where username = $1`,
    [username, name, user_verified],
  );

/** Adds a passkey of yesterday, at a former host of this server. */
const addDeadKey = (username: string) =>
  database.query(
    `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name, created_at)
     select sha256($1::text::bytea), user_id, '{}', 0, '{}', true, false, 'old.example', 'Old', now() - interval '1 day' from users where username = $1`,
    [username],
  );

const keysOf = async (username: string) => {
  const { rows } = await database.query(
    "select passkeys.name from passkeys join users using (user_id) where username = $1 and rp_id = '127.0.0.1'",
    [username],
  );
  return rows.map(({ name }) => name);
};

test('a new passkey that stays because nobody could take the second step without it is no passkey that the page says to remove', async () => {
  for (const [username, fields, left] of [
    ['lara', {}, ['Key of lara']],
    ['mona', { password }, []],
  ] as const) {
    await registerPeople(database, [username]);
    await signIn(username);
    const link = linkIn(await mailTo(username));
    await database.query(
      "update users set second_factor_since = now(), passkey_handle = sha256('x') where username = $1",
      [username],
    );
    await addDeadKey(username);
    await addKey(username, `Key of ${username}`, true);
    const victim = new Browser(origin);
    const page = await victim.visit(link);
    assert.match(
      page.text,
      /<li>Passkeys, [^<]* are removed\. You decide below whether to keep two-step verification\.<\/li>[\s\S]*Two-step verification was set up or changed since then:<\/h2><\/legend>\s*<ul>\s*<li>Passkey added · <bdi>Key of \w+<\/bdi> · <time[\s\S]*name="password"/,
    );
    await victim.submit(page, 'id="undo"', fields);
    assert.deepEqual(await keysOf(username), left);
  }
});

test('a new passkey that ends because an app or another passkey is left for the second step is one that the page says to remove', async () => {
  await registerPeople(database, ['nils']);
  const own = new Browser(origin);
  await signIn('nils', password, own);
  await setUpApp(own);
  await ageFactors('nils');
  const link = linkIn(await mailTo('nils', /second factor/));
  await addKey('nils', 'Key of nils', true);
  const victim = new Browser(origin);
  const page = await victim.visit(link);
  assert.match(page.text, /<li>Passkeys, [^<]* that were added since then are removed\.<\/li>/);
  assert.doesNotMatch(page.text, /set up or changed since|stays/);
  await victim.submit(page, 'id="undo"');
  assert.deepEqual(await keysOf('nils'), []);
});

test('recovery codes that stay because nothing else is left for the second step are a new factor, which the password removes', async () => {
  await registerPeople(database, ['olga']);
  await signIn('olga');
  const link = linkIn(await mailTo('olga'));
  await database.query(
    `with changed as (update users set second_factor_since = now() - interval '1 day' where username = 'olga' returning user_id)
     insert into recovery_codes (user_id, code_sha256) select user_id, sha256('two') from changed`,
  );
  await addDeadKey('olga');
  const page = await new Browser(origin).visit(link);
  assert.match(
    page.text,
    /Two-step verification was set up or changed since then:<\/h2><\/legend>\s*<ul>\s*<li>Recovery codes renewed · <time[\s\S]*name="password"/,
  );
});

test('“This was not me” beside the event of a passkey names the passkey only if it is removed, with a password of since and without one', async () => {
  const pageOf = async (browser: Browser) => {
    const { text } = await browser.visit('/account/activity');
    const [, href = ''] = /Passkey added(?:(?!<\/li>)[\s\S])*href="([^"]*not-me[^"]*)"/.exec(text) ?? [];
    return browser.visit(href.replaceAll('&amp;', '&'));
  };
  const named = /<li>The passkey <bdi[^>]*>Key of \w+<\/bdi> is removed/;
  const stays =
    /<li>Passkeys, [^<]* are removed\.<\/li>\s*<li>Two-step verification that was set up or changed since then stays: this page cannot remove it\./;
  for (const [username, change, left] of [
    ['paul', '', []],
    ['rosa', 'password_reset_at = now()', ['Key of rosa']],
    ['sara', 'password_bcrypt = null, password_hash = null', ['Key of sara']],
  ] as const) {
    await registerPeople(database, [username]);
    const browser = new Browser(origin);
    await signIn(username, password, browser);
    const { secret } = await setUpApp(browser);
    await ageFactors(username);
    await addKey(username, `Key of ${username}`, false);
    await database.query(
      `insert into audit_events (event, user_id, detail, request_id)
       select 'passkey_added', user_id, $2, 'r' from users where username = $1`,
      [username, `Key of ${username}`],
    );
    if (change) await database.query(`update users set ${change} where username = $1`, [username]);
    const page = await pageOf(browser);
    assert.match(page.text, left.length > 0 ? stays : named, username);
    assert.doesNotMatch(page.text, left.length > 0 ? named : stays, username);
    assert.doesNotMatch(page.text, /Is it yours\?/);
    const hasPassword = !change.includes('null');
    // a recent sign-in proves somebody without a password, who confirms nothing
    assert.equal(page.text.includes('Confirm that it is you'), hasPassword);
    await browser.submit(page, 'id="undo"', hasPassword ? { password, code: codeOf(secret) } : {});
    assert.deepEqual(await keysOf(username), left);
    const { rows } = await database.query(
      "select from audit_events join users using (user_id) where username = $1 and event = 'account_secured'",
      [username],
    );
    assert.equal(rows.length, 1);
  }
});
