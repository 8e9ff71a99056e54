import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventKey } from '../../../src/audit/event-key.sql.ts';
import { findUser } from '../../../src/identity/users.sql.ts';
import { textsIn } from '../../../src/web/texts.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { basic, getUser, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { registerProvider } from '../../support/providers.ts';
import { setUpApp } from '../../support/second-factor.ts';
import { unescapeHtml } from '../../support/shown-program.ts';

const { origin, database, deps } = await startLatchkey();
await lengthenWaits(database);
await registerPeople(database, ['alice', 'bob', 'carol', 'dave', 'erin', 'frank', 'grace', 'heidi']);

const profile = 'name="email"';
const notConfirmed = /This address is not confirmed, so it is not given to applications/;
const profileOf = async (username: string) => {
  const { rows } = await database.query('select name, email, email_verified from users where username = $1', [
    username,
  ]);
  return rows[0];
};
const passwordForm = 'name="old_password"';
const newPassword = 'a much better one';
const change = { old_password: password, new_password: newPassword, repeat_password: newPassword };

const signIn = async (username: string, secret: string) => {
  const browser = new Browser(origin);
  const page = await browser.submit(await browser.visit('/login'), 'id="login"', { username, password: secret });
  return { browser, status: page.status };
};
const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const handles = (page: Page) => [...page.text.matchAll(/name="session" value="([^"]*)"/g)].map(([, handle]) => handle);

for (const path of ['/account', '/account/password', '/account/sessions', '/account/applications']) {
  test(`${path}: a signed-out user signs in first and comes back`, async () => {
    const browser = new Browser(origin);
    const method = path.endsWith('applications') ? 'GET' : 'POST';
    assert.equal((await browser.open(path, { method })).location, `/login?to=${encodeURIComponent(path)}`);
    const login = await browser.visit(path);
    const page = await browser.submit(login, 'id="login"', { username: 'alice', password });
    assert.equal(page.url.replace('#password', ''), origin + path.replace('password', 'security'));
    assert.equal(page.status, 200);
  });
}

test('the home page welcomes, counts sessions and applications, and says whether a second factor is on', async () => {
  await registerPeople(database, ['walter']);
  await registerPrinter(database);
  await signedInBrowser(origin, 'walter');
  const browser = await signedInBrowser(origin, 'walter');
  const before = (await browser.visit('/')).text;
  assert.match(before, /<title>Welcome, walter/i);
  assert.match(
    before,
    /Two-step verification is off\.[\s\S]*Active sessions: 2<[\s\S]*No application has access to your account/,
  );
  await obtainCode(browser, { prompt: 'consent' }, { duration: 'once' });
  await obtainCode(browser, { prompt: 'consent' }, { duration: 'always' });
  assert.match((await browser.visit('/')).text, /Applications with access: 1</);
  await setUpApp(browser);
  assert.match((await browser.visit('/')).text, /Two-step verification is on\./);
});

test('the name can be changed without a password', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  const page = await browser.visit('/account');
  assert.match(page.text, /value="bob Liddell"/);
  assert.match(page.text, /You cannot change your username/);
  assert.doesNotMatch(page.text, notConfirmed);
  const saved = await browser.submit(page, profile, { name: '  Bob <b>B</b> ' });
  assert.equal(saved.url, `${origin}/account?notice=profile_saved`);
  assert.match(saved.text, /Profile saved\./);
  assert.match(saved.text, /value="Bob &lt;b&gt;B&lt;\/b&gt;"/);
  assert.match((await browser.visit('/account/activity')).text, /Profile changed/);
  assert.deepEqual(await profileOf('bob'), { name: 'Bob <b>B</b>', email: 'bob@example.com', email_verified: true });
});

test('a new e-mail address needs the current password, and waits beside the confirmed one, by which the person still signs in', async () => {
  const browser = await signedInBrowser(origin, 'bob');
  const page = await browser.visit('/account');
  const email = 'bob@example.org';
  const kept = await profileOf('bob');
  for (const [current_password, problem] of [
    ['', /Enter your current password to change the email address/],
    ['wrong', /current password is incorrect/],
  ] as const) {
    const refused = await browser.submit(page, profile, { email, current_password });
    assert.doesNotMatch(refused.text, /data-edited/, 'the field of the password stays visible');
    assert.equal(refused.status, 400);
    assert.match(refused.text, problem);
    assert.match(refused.text, /value="bob@example\.org"/);
    assert.deepEqual(await profileOf('bob'), kept);
  }
  const saved = await browser.submit(page, profile, { email, current_password: password });
  assert.equal(saved.url, `${origin}/account?notice=profile_saved`);
  assert.match(saved.text, /value="bob@example\.org"/);
  assert.match(saved.text, /not confirmed yet\. Until then, bob@example\.com remains your address/);
  assert.doesNotMatch(saved.text, /A new address is given to applications only/, 'which is said already');
  assert.doesNotMatch(saved.text, /Failed sign-in: wrong password/);
  assert.deepEqual(await profileOf('bob'), kept);
  await signedInBrowser(origin, 'bob@example.com');
  const renamed = await browser.submit(saved, profile, { name: 'Bob' });
  assert.equal(renamed.url, `${origin}/account?notice=profile_saved`, 'the same address needs no password');
  assert.match(renamed.text, /value="bob@example\.org"/);
  await database.query(`select register_user(username => 'bob', email => $1)`, [email]);
  assert.doesNotMatch((await browser.visit('/account')).text, /remains your address/, 'the operator has registered it');
});

test('the password cannot be guessed with the form of the profile either', async () => {
  const browser = await signedInBrowser(origin, 'grace');
  const page = await browser.visit('/account');
  const guess = (current_password: string) =>
    browser.submit(page, profile, { email: 'grace@example.org', current_password });
  const statuses = [];
  for (let number = 0; number < 6; number += 1) statuses.push((await guess(`guess ${number}`)).status);
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
  assert.match((await guess(password)).text, /Too many|too many/);
  const { rowCount } = await database.query("select from audit_events where event = 'sign_in_delayed'");
  assert.equal(rowCount, 1);
  assert.equal((await profileOf('grace')).email, 'grace@example.com');
});

for (const language of ['de', 'fr', 'es', 'zh'] as const) {
  test(`the page says in ${language} that an address is not confirmed`, async () => {
    await database.query("update users set email_verified = false where username = 'alice'");
    const browser = await signedInBrowser(origin);
    const { text } = await browser.visit(`/account?ui_locales=${language}`);
    // the choice stays
    await browser.visit('/?ui_locales=en');
    assert.ok(unescapeHtml(text).includes(textsIn(language)['account.email_unconfirmed']));
    await database.query("update users set email_verified = true where username = 'alice'");
  });
}

test('an invalid name or e-mail address is refused with a message, and the input is kept', async () => {
  const browser = await signedInBrowser(origin, 'carol');
  const page = await browser.visit('/account');
  for (const [spoil, problem] of [
    [{ name: ' ' }, /1 to 200 characters/],
    [{ name: 'x'.repeat(201) }, /1 to 200 characters/],
    [{ name: 'a\nb' }, /1 to 200 characters/],
    [{ email: 'carol' }, /Enter an email address like/],
    [{ email: undefined }, /Enter an email address like/],
    [{ email: ['a@example.com', 'b@example.com'] }, /Enter an email address like/],
  ] as const) {
    const answer = await browser.submit(page, profile, { name: 'Typed Name', ...spoil } as never);
    assert.equal(answer.status, 400);
    assert.match(answer.text, problem);
    if (!('name' in spoil)) assert.match(answer.text, /value="Typed Name"/);
  }
  const { rows } = await database.query("select name, email, email_verified from users where username = 'carol'");
  assert.deepEqual(rows[0], { name: 'carol Liddell', email: 'carol@example.com', email_verified: true });
});

test('a new password replaces the old one, and all other sessions are signed out', async () => {
  const [here, elsewhere] = [await signedInBrowser(origin, 'dave'), await signedInBrowser(origin, 'dave')];
  const before = here.cookies().get('session');
  const page = await here.submit(await here.visit('/account/security'), passwordForm, change);
  assert.equal(page.url, `${origin}/account/security?notice=password_changed`);
  assert.match(page.text, /Password changed\. All your other sessions have ended/);
  assert.notEqual(here.cookies().get('session'), before);
  assert.deepEqual([await isSignedIn(here), await isSignedIn(elsewhere)], [true, false]);
  assert.equal((await signIn('dave', password)).status, 401);
  assert.equal((await signIn('dave', newPassword)).status, 200);
  const { rows } = await database.query("select password_bcrypt from users where username = 'dave'");
  assert.match(rows[0].password_bcrypt, /^\$2b\$04\$/);
});

/**
 * Lets no password be compared before this many are about to be, so that none of these requests is over when another begins. What it
 * returns ends that: a request that is answered without a comparison leaves no other one waiting.
 */
function gatherComparisons(count: number): () => void {
  const { passwords } = deps;
  const { verify } = passwords;
  const waiting: (() => void)[] = [];
  const end = () => {
    passwords.verify = verify;
    for (const go of waiting.splice(0)) go();
  };
  passwords.verify = async (...given) => {
    await new Promise<void>((resolve) => {
      if (waiting.push(resolve) >= count) end();
    });
    return verify(...given);
  };
  return end;
}

for (const [title, more] of [
  ['', {}],
  [', which also ends the access of applications', { end_access: 'true' }],
] as const) {
  test(`the second of two clicks on Change password, while the first is processed, says that it is done${title}`, async () => {
    await database.query("update users set password_bcrypt = $1 where username = 'heidi'", [cheapHash]);
    const browser = await signedInBrowser(origin, 'heidi');
    const page = await browser.visit('/account/security');
    const end = gatherComparisons(2);
    const answers = await Promise.all(
      [1, 2].map(() => browser.open(...formRequest(page, passwordForm, { ...change, ...more })).finally(end)),
    );
    const notice = 'end_access' in more ? 'password_changed_access_ended' : 'password_changed';
    for (const { status, location, text } of answers) {
      assert.equal(
        location,
        `/account/security?notice=${notice}`,
        `${status} ${/class="problem"[^<]*<[^>]*>[^<]*/.exec(text)?.[0]}`,
      );
    }
    assert.ok(await isSignedIn(browser));
    assert.equal((await signIn('heidi', newPassword)).status, 200);
    assert.doesNotMatch((await browser.visit('/account/activity')).text, /Failed sign-in/);
  });
}

test('the second of two clicks, which also ends the access of applications, leaves the session that the first has renewed', async () => {
  await database.query("update users set password_bcrypt = $1 where username = 'heidi'", [cheapHash]);
  const browser = await signedInBrowser(origin, 'heidi');
  const page = await browser.visit('/account/security');
  const { verify } = deps.passwords;
  deps.passwords.verify = async (candidate, ...given) => {
    // the second click finds the new password stored, after the answer to the first
    if (candidate === newPassword) await Promise.race(clicks);
    return verify(candidate, ...given);
  };
  const end = gatherComparisons(2);
  const clicks = [1, 2].map(() =>
    browser.open(...formRequest(page, passwordForm, { ...change, end_access: 'true' })).finally(end),
  );
  await Promise.race(clicks);
  const renewed = browser.cookies().get('session') ?? '';
  await Promise.all(clicks);
  deps.passwords.verify = verify;
  browser.setCookie('session', renewed);
  assert.ok(await isSignedIn(browser));
});

test('of two different changes at the same moment one succeeds, and the other one says that the password is not right', async () => {
  await database.query("update users set password_bcrypt = $1 where username = 'heidi'", [cheapHash]);
  const browser = await signedInBrowser(origin, 'heidi');
  const page = await browser.visit('/account/security');
  const end = gatherComparisons(2);
  const answers = await Promise.all(
    [newPassword, 'an even better one'].map((secret) =>
      browser
        .open(...formRequest(page, passwordForm, { ...change, new_password: secret, repeat_password: secret }))
        .finally(end),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 400]);
});

test('the current password as the new one does not take the place of the old one', async () => {
  await database.query("update users set password_bcrypt = $1 where username = 'heidi'", [cheapHash]);
  const browser = await signedInBrowser(origin, 'heidi');
  const guess = { old_password: 'a wrong guess', new_password: password, repeat_password: password };
  assert.equal((await browser.submit(await browser.visit('/account/security'), passwordForm, guess)).status, 400);
});

test('an unacceptable password is refused with a clear message, and no session ends', async () => {
  const [here, elsewhere] = [await signedInBrowser(origin, 'erin'), await signedInBrowser(origin, 'erin')];
  const page = await here.visit('/account/security');
  const long = 'ä'.repeat(37);
  for (const [spoil, problem] of [
    [{ old_password: 'wrong' }, /current password is incorrect/],
    [{ old_password: undefined }, /current password is incorrect/],
    [{ new_password: 'short', repeat_password: 'short' }, /at least 8 characters/],
    [{ new_password: long, repeat_password: long }, /72 bytes/],
    [{ repeat_password: 'another one' }, /do not match/],
    [{ new_password: 'Princess1', repeat_password: 'Princess1' }, /one of the 10,000 most common ones/],
    [{ new_password: 'erin@example.com', repeat_password: 'erin@example.com' }, /must not be your username or address/],
  ] as const) {
    const answer = await here.submit(page, passwordForm, { ...change, ...spoil });
    assert.equal(answer.status, 400);
    assert.match(answer.text, problem);
    assert.doesNotMatch(answer.text, /a much better one|wonderland/);
  }
  assert.ok((await isSignedIn(here)) && (await isSignedIn(elsewhere)));
  assert.equal((await signIn('erin', password)).status, 200);
  const { rows } = await database.query(
    "select event, count(*)::integer from audit_events join users using (user_id) where username = 'erin' and event ~ 'refused|wrong' group by event",
  );
  assert.deepEqual(rows, [{ event: 'current_password_wrong', count: 2 }], 'which is no failed sign-in');
});

test('the old password cannot be guessed on the password page either', async () => {
  const browser = await signedInBrowser(origin, 'frank');
  const page = await browser.visit('/account/security');
  const statuses = [];
  for (let guess = 0; guess < 6; guess += 1) {
    statuses.push((await browser.submit(page, passwordForm, { ...change, old_password: `guess ${guess}` })).status);
  }
  assert.deepEqual(statuses, [400, 400, 400, 400, 400, 429]);
  assert.equal((await browser.submit(page, passwordForm, change)).status, 429);
  await database.query('delete from attempts');
  assert.equal(
    (await browser.submit(page, passwordForm, change)).url,
    `${origin}/account/security?notice=password_changed`,
  );
});

test('sessions are listed with device and address, and each can be ended by its handle', async () => {
  await database.query('delete from sessions');
  const here = await signedInBrowser(origin);
  const phone = new Browser(origin);
  const [path, init] = formRequest(await phone.visit('/login'), 'id="login"', { username: 'alice', password });
  const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';
  await phone.open(path, { ...init, headers: { ...(init.headers as Record<string, string>), 'user-agent': agent } });
  const page = await here.visit('/account/sessions');
  assert.match(page.text, /Safari · iPhone/);
  assert.match(page.text, /127\.0\.0\.1/);
  assert.equal(handles(page).length, 1);
  const { rows } = await database.query("select encode(sid_sha256, 'hex') as sid from sessions");
  assert.ok(rows.every(({ sid }) => !page.text.includes(sid)));
  const ended = await here.submit(page, 'name="session"');
  assert.equal(ended.url, `${origin}/account/sessions?notice=session_ended`);
  assert.deepEqual([await isSignedIn(here), await isSignedIn(phone)], [true, false]);
});

test('a user has at most a hundred sessions: another one ends the least recently used', async () => {
  await database.query('delete from sessions');
  const [used, unused] = [await signedInBrowser(origin), await signedInBrowser(origin)];
  await database.query("update sessions set last_used_at = now() - interval '10 minutes'");
  await isSignedIn(used);
  await database.query(
    `insert into sessions (sid_sha256, user_id, data) select int8send(n), user_id, '{}' from users, generate_series(1, 98) n where username = 'alice'`,
  );
  const one = await signedInBrowser(origin);
  assert.deepEqual(await Promise.all([used, unused, one].map(isSignedIn)), [true, false, true]);
  const { rows } = await database.query('select count(*)::integer as sessions from sessions');
  assert.equal(rows[0].sessions, 100);
});

test('earlier activity is linked, and every event is on exactly one page, also those that one statement has written', async () => {
  // 25 of one moment at the end of the first page, and pairs at the ends of others
  await database.query(
    `insert into audit_events (event, user_id, request_id, happened_at)
     select 'profile_changed', user_id, 'r', now() - case when n between 11 and 35 then 11 else n / 2 * 2 end * interval '1 microsecond'
     from users, generate_series(1, 85) n where username = 'frank'`,
  );
  await database.query("update users set password_bcrypt = $1 where username = 'frank'", [cheapHash]);
  const browser = await signedInBrowser(origin, 'frank');
  let [page, shown] = [await browser.visit('/account/activity'), 0];
  for (let pages = 0; pages < 9; pages += 1) {
    shown += [...page.text.matchAll(/Profile changed/g)].length;
    const [, next] = /rel="next" href="([^"]*)"/.exec(page.text) ?? [];
    if (next === undefined) break;
    page = await browser.visit(next);
  }
  assert.equal(shown, 85);
  const { activity } = JSON.parse((await browser.open('/account/export')).text);
  assert.equal(activity.filter(({ event }: { event: string }) => event === 'profile_changed').length, 85);
  assert.match(page.text, /href="\/account\/activity">Back to the first page/);
  assert.match(
    page.text,
    /secure your account: <a href="[^"]+#password">Change password<\/a> · <a href="\/account\/sessions">/,
  );
});

test('all other sessions can be ended at once', async () => {
  await database.query('delete from sessions');
  const browsers = [
    await signedInBrowser(origin),
    await signedInBrowser(origin),
    await signedInBrowser(origin),
  ] as const;
  const stranger = await signedInBrowser(origin, 'bob');
  const page = await browsers[0].submit(await browsers[0].visit('/account/sessions'), 'name="others"');
  assert.match(page.text, /All other sessions ended/);
  assert.deepEqual(await Promise.all([...browsers, stranger].map(isSignedIn)), [true, false, false, true]);
});

test('another user’s session is answered like one that does not exist', async () => {
  const [alice, bob] = [await signedInBrowser(origin), await signedInBrowser(origin, 'bob')];
  await signedInBrowser(origin, 'bob');
  await signedInBrowser(origin);
  const [foreign] = handles(await bob.visit('/account/sessions'));
  const page = await alice.visit('/account/sessions');
  for (const session of [foreign, '0'.repeat(16), '', 'x', "' or true --"]) {
    assert.equal((await alice.submit(page, 'name="session"', { session })).status, 404, session);
  }
  assert.ok(await isSignedIn(bob));
});

test('a forged form changes nothing, and the page comes back with a message', async () => {
  const browser = await signedInBrowser(origin);
  const other = await signedInBrowser(origin);
  for (const [part, button, fields] of [
    ['/account', profile, { name: 'Mallory' }],
    ['/account/security', passwordForm, change],
    ['/account/sessions', 'name="others"', {}],
  ] as const) {
    const page = await browser.visit(part);
    const expired = await browser.submit(page, button, { ...fields, csrf: undefined });
    assert.equal(expired.status, 403);
    assert.match(expired.text, /open for too long/);
    const [path, init] = formRequest(page, button, fields);
    const headers = { ...(init.headers as Record<string, string>), 'sec-fetch-site': 'cross-site' };
    const crossSite = await browser.open(path, { ...init, headers });
    assert.equal(crossSite.status, 403);
    assert.match(crossSite.text, /from another website/);
  }
  assert.ok(await isSignedIn(other));
  assert.equal((await signIn('alice', password)).status, 200);
  const { rows } = await database.query("select user_id from users where username = 'alice'");
  assert.equal((await findUser(database, rows[0].user_id))?.name, 'alice Liddell');
});

test('the form token of another user is refused', async () => {
  const [alice, bob] = [await signedInBrowser(origin), await signedInBrowser(origin, 'bob')];
  const csrf = /name="csrf" value="([^"]*)"/.exec((await bob.visit('/account')).text)?.[1];
  assert.equal((await alice.submit(await alice.visit('/account'), profile, { csrf })).status, 403);
});

test('recent activity names the events, and unknown notices are not shown', async () => {
  await database.query("update users set password_bcrypt = $1 where username = 'alice'", [cheapHash]);
  const browser = await signedInBrowser(origin);
  await database.query(
    "insert into audit_events (event, user_id, request_id) select e, user_id, 'r' from users, unnest('{tokens_issued,from_the_future}'::text[]) e where username = 'alice'",
  );
  const page = await browser.visit('/account/activity?notice=%3Cb%3E');
  assert.equal(page.status, 200);
  assert.match(page.text, /<h1><bdi>Recent activity<\/bdi><\/h1>[\s\S]*Signed in/);
  assert.doesNotMatch(page.text, /notice\.|from_the_future|<b>/);
});

test('recent activity says what was wrong, and names what concerns the security of the account', async () => {
  await registerPeople(database, ['ursula']);
  const browser = await signedInBrowser(origin, 'ursula');
  await database.query(
    `insert into audit_events (event, user_id, request_id, detail, address)
     select split_part(e, ':', 1), user_id, 'r', nullif(split_part(e, ':', 2), ''), '192.0.2.9'
     from users, unnest($1::text[]) e where username = 'ursula'`,
    [
      [
        ...[
          'sign_in_refused',
          'sign_in_refused:second factor',
          'sign_in_refused:passkey because',
          'sign_in_refused:disabled',
        ],
        ...[
          'current_password_wrong:deletion',
          'password_reset',
          'reset_link_issued',
          'address_confirmed',
          'account_secured',
        ],
        ...[
          'second_factor_added',
          'second_factor_removed',
          'recovery_codes_renewed',
          'identity_linked',
          'identity_unlinked',
        ],
        ...['passkey_added:My phone', 'passkey_removed:My key', 'passkey_refused:because'],
      ],
    ],
  );
  const { text } = await browser.visit('/account/activity');
  for (const said of [
    ...[
      'wrong password',
      'wrong code',
      'passkey refused',
      'the account was disabled',
      'Wrong current password before a change',
      'Password set with a link',
    ],
    ...[
      'created by the operator',
      'Email address confirmed',
      '“This was not me”: signed out everywhere',
      'Account at another site connected',
    ],
    ...[
      'Account at another site disconnected',
      'turned on or changed',
      'turned off',
      'Recovery codes renewed',
      'My phone',
      'My key',
    ],
    ...['Passkey added', 'Passkey removed', 'Passkey not accepted'],
  ]) {
    assert.ok(text.includes(said), said);
  }
  assert.match(text, /wrong code(?:(?!<\/li>)[\s\S])*<a [^>]*href="\/account\/security#password">Change password/);
  // of what somebody else can have done, not of what failed
  assert.equal([...text.matchAll(/class="not-me"/g)].length, 10);
});

test('“This was not me” beside an event asks who it is, ends all sessions, takes back what came since, and leads to a new password', async () => {
  await registerPeople(database, ['vera']);
  const thief = await signedInBrowser(origin, 'vera');
  await setUpApp(thief);
  await database.query(`update sessions set methods = '{password,totp}'`);
  const { rows } = await database.query(
    `select ${eventKey('happened_at', 'audit_events.tableoid', 'audit_events.ctid')} as key
     from audit_events join users using (user_id) where username = 'vera' and event = 'signed_in' order by happened_at limit 1`,
  );
  const path = `/account/not-me?event=${rows[0].key}`;
  assert.ok((await thief.visit('/account/activity')).text.includes(`href="${path}"`));
  const page = await thief.visit(path);
  assert.match(
    page.text,
    /<strong>Signed in<\/strong><br><time[\s\S]*<bdi>(::ffff:)?127\.0\.0\.1<\/bdi>[\s\S]*You are signed out everywhere/,
  );
  assert.match(page.text, /forgotten your password, contact the operator/);
  const late = await signedInBrowser(origin, 'bob');
  const own = await late.open(...formRequest(page, 'id="undo"', {}));
  assert.equal(own.status, 404, 'of another person');
  late.forgetCookies();
  const gone = await late.open(...formRequest(page, 'id="undo"', { password }));
  assert.equal(gone.location, `/login?to=${encodeURIComponent(path)}`);
  const stranger = await signedInBrowser(origin, 'bob');
  assert.equal((await stranger.visit(path)).status, 404);
  assert.equal((await thief.visit('/account/not-me?event=x')).status, 404);
  for (const fields of [{ csrf: '' }, {}, { password: 'wrong' }]) {
    assert.ok((await thief.submit(page, 'id="undo"', fields)).status >= 400);
    assert.ok(await isSignedIn(thief));
  }
  const reset = await thief.submit(page, 'id="undo"', { password });
  assert.match(reset.text, /id="save"/);
  assert.deepEqual(await Promise.all([thief, stranger].map(isSignedIn)), [false, true]);
  await thief.submit(reset, 'id="save"', { new_password: 'mine again, and longer' });
  const again = new Browser(origin);
  await again.submit(await again.visit('/login'), 'id="login"', {
    username: 'vera',
    password: 'mine again, and longer',
  });
  assert.ok(await isSignedIn(again), 'without the factor of the thief');
});

test('of several events that one statement has written, each has a link “This was not me” of its own', async () => {
  await registerPeople(database, ['nora']);
  const nora = await signedInBrowser(origin, 'nora');
  await database.query(
    `insert into audit_events (event, user_id, client_id, request_id)
     select 'consent_given', user_id, 'application-' || n, 'r' from users, generate_series(1, 30) n where username = 'nora'`,
  );
  const { text } = await nora.visit('/account/activity');
  const links = new Set([...text.matchAll(/href="([^"]*not-me[^"]*)"/g)].map(([, href = '']) => href));
  assert.equal(links.size, 20);
  for (const link of [...links].slice(-2)) assert.equal((await nora.visit(link)).status, 200);
});

test('an account at a provider that is disabled, or not registered, is no way to sign in on the page, which promises no removal', async () => {
  await registerPeople(database, ['otto']);
  const browser = await signedInBrowser(origin, 'otto');
  await registerProvider(database, { title: 'Acme' });
  await database.query(
    "insert into identities (issuer, subject, user_id) select 'https://login.acme.example', 'otto', user_id from users where username = 'otto'",
  );
  const isWay = /You can sign in here with your accounts/;
  const isDead = /<p class="small">This server no longer supports sign-in with this account\.<\/p>/;
  const enabled = (await browser.visit('/account/security')).text;
  assert.match(enabled, isWay);
  assert.doesNotMatch(enabled, isDead);
  await database.query('update providers set disabled_at = now()');
  const disabled = (await browser.visit('/account/security')).text;
  assert.match(disabled, /<bdi>Acme<\/bdi>/);
  assert.doesNotMatch(disabled, isWay);
  assert.match(disabled, isDead);
  await database.query('delete from providers');
  const gone = (await browser.visit('/account/security')).text;
  assert.doesNotMatch(gone, isWay);
  assert.match(gone, isDead);
  assert.match(gone, /<h3><bdi>login\.acme\.example<\/bdi><\/h3>/);
});

test('account pages carry the common Content-Security-Policy, with form-action', async () => {
  const page = await (await signedInBrowser(origin)).visit('/account');
  assert.match(
    page.headers.get('content-security-policy') ?? '',
    /default-src 'none'.*frame-ancestors 'none'.*form-action 'self'/,
  );
  assert.equal(page.headers.get('cache-control'), 'no-store');
});

test('with an issuer that has a path, every address keeps that path', async () => {
  const below = await startLatchkey({ ISSUER: 'http://localhost:3000/id' });
  await registerPeople(below.database, ['alice']);
  const browser = new Browser(below.origin);
  const login = await browser.visit('/id/account/address');
  assert.equal(login.url, `${below.origin}/id/login?to=%2Faccount`);
  const page = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(page.url, `${below.origin}/id/account`);
  const saved = await browser.submit(page, profile, { name: 'Alice' });
  assert.equal(saved.url, `${below.origin}/id/account?notice=profile_saved`);
});

test('changing the password keeps the access of applications unless the user ticks otherwise, and the page says so', async () => {
  await registerPrinter(database);
  await registerPrinter(database, { client_id: 'other-printer' });
  const tokensOf = async (browser: Browser, client_id: string) =>
    (await redeem(origin, await obtainCode(browser, { client_id }), {}, { authorization: basic(client_id) })).body;
  await registerPeople(database, ['keeping', 'ending', 'neighbour']);
  const neighbour = await tokensOf(await signedInBrowser(origin, 'neighbour'), 'photo-printer');
  for (const [username, fields, status] of [
    ['keeping', {}, 200],
    ['ending', { end_access: 'true' }, 401],
  ] as const) {
    const browser = await signedInBrowser(origin, username);
    const tokens = [await tokensOf(browser, 'photo-printer'), await tokensOf(browser, 'other-printer')];
    const page = await browser.visit('/account/security');
    assert.match(page.text, /Otherwise they keep it\./);
    const wrong = await browser.submit(page, passwordForm, { ...change, ...fields, old_password: 'wrong' });
    assert.equal(wrong.status, 400);
    for (const { access_token } of tokens) assert.equal((await getUser(origin, access_token)).status, 200);
    const done = await browser.submit(page, passwordForm, { ...change, ...fields });
    assert.match(
      done.text,
      status === 200 ? /All your other sessions have ended\.</ : /the access of all applications was revoked/,
    );
    for (const { access_token } of tokens) assert.equal((await getUser(origin, access_token)).status, status);
    const { rows } = await database.query(
      "select client_id from audit_events join users using (user_id) where username = $1 and event = 'consent_revoked' order by 1",
      [username],
    );
    assert.deepEqual(rows, status === 200 ? [] : [{ client_id: 'other-printer' }, { client_id: 'photo-printer' }]);
  }
  assert.equal((await getUser(origin, neighbour['access_token'])).status, 200);
});
