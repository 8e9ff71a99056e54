import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secondFactorFindings } from '../../../src/doctor/second-factors.ts';
import { seal, unseal } from '../../../src/lib/sealing.ts';
import { dumpDatabase, eventsOf } from '../../support/attack.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { authorizationQuery, codeIn, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { codeOf, codesOn, secretOn, setUpApp } from '../../support/second-factor.ts';

const one = await startLatchkey();
const { origin, database, url } = one;
const two = await startLatchkey({ ISSUER: origin }, url);
await registerPrinter(database);

const step = 'id="verify"';
async function idOf(username: string): Promise<number> {
  return (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
}
/** Somebody who has set up an app, and a browser in which nobody is signed in. */
async function personWithApp(username: string) {
  await registerPeople(database, [username]);
  const own = await signedInBrowser(origin, username);
  return { own, ...(await setUpApp(own)), user_id: await idOf(username), stranger: new Browser(origin) };
}
const enterPassword = async (browser: Browser, username: string, path = '/login') =>
  browser.submit(await browser.visit(path), 'id="login"', { username, password });
/** Half signed in, every other one at the second instance. */
async function twentyBrowsers(username: string) {
  const browsers: { browser: Browser; half: Page }[] = [];
  for (let index = 0; index < 20; index += 1) {
    const to = index % 2 ? two.origin : origin;
    const browser = new Browser(origin, (path, init) => fetch(String(path).replace(origin, to), init));
    browsers.push({ browser, half: await enterPassword(browser, username) });
  }
  return browsers;
}
const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const sessionsOf = async (user_id: number) =>
  (await database.query('select methods from sessions where user_id = $1', [user_id])).rows.map(
    ({ methods }) => methods,
  );

test('after the right password nobody is signed in before the code, and the application gets its code after it', async () => {
  const { secret, stranger, user_id, own } = await personWithApp('ada');
  assert.ok(await isSignedIn(own), 'who has set up the app stays signed in');
  const query = authorizationQuery({ state: 'after two steps' });
  const half = await enterPassword(stranger, 'ada', `/authorize?${query}`);
  assert.match(half.text, new RegExp(step));
  assert.equal(stranger.cookies().has('session'), false);
  for (const path of ['/account', '/account/security', `/authorize?${query}`, '/developer/applications']) {
    assert.match((await stranger.open(path)).location ?? '', /^\/login/, path);
  }
  const none = await stranger.open(`/authorize?${authorizationQuery({ prompt: 'none' })}`);
  assert.match(none.location ?? '', /error=login_required/);
  const consent = await stranger.submit(half, step, { code: codeOf(secret) });
  const tokens = await redeem(origin, codeIn(await stranger.submit(consent, 'id="allow"')));
  assert.equal(tokens.status, 200);
  const methods = await sessionsOf(user_id);
  assert.deepEqual(methods.sort(), [
    ['password', 'totp'],
    ['password', 'totp'],
  ]);
});

test('an application that demands a sign-in gets it with both steps', async () => {
  const { secret, own } = await personWithApp('demanded');
  const query = authorizationQuery({ prompt: 'login' });
  const half = await own.submit(await own.visit(`/authorize?${query}`), 'id="login"', {
    username: 'demanded',
    password,
  });
  assert.match(half.text, new RegExp(step));
  assert.match(
    half.text,
    /<bdi class="parameter-username">demanded<\/bdi>[\s\S]*you will continue to <bdi[^>]*>Photo Printer</,
  );
  const [, another = ''] = /id="switch" href="([^"]+)"/.exec(half.text) ?? [];
  const login = await own.visit(another.replaceAll('&amp;', '&'));
  for (const shown of [/id="login"/, /Photo Printer/]) assert.match(login.text, shown, 'somebody else can continue');
  const consent = await own.submit(half, step, { code: codeOf(secret) });
  assert.match(consent.text, /id="allow"/);
});

test('each code counts once, on two instances too, and none of a step before it', async () => {
  const { secret, stranger } = await personWithApp('bob');
  const browsers = await twentyBrowsers('bob');
  const [code, before] = [codeOf(secret), codeOf(secret, -1)];
  const answers = await Promise.all(
    browsers.map(({ browser, half }) => browser.open(...formRequest(half, step, { code }))),
  );
  assert.equal(answers.filter(({ status }) => status === 302).length, 1);
  await database.query('delete from attempts');
  const half = await enterPassword(stranger, 'bob');
  for (const used of [code, before]) {
    const again = await stranger.submit(half, step, { code: used });
    assert.equal(again.status, 401);
    assert.match(again.text, /has already been used|is wrong/);
  }
  assert.ok((await isSignedIn(stranger)) === false);
  // the next one, of a clock that is a little ahead
  assert.equal((await stranger.open(...formRequest(half, step, { code: codeOf(secret, 1) }))).status, 302);
});

test('a code may have spaces and full-width digits; one of another step, length or kind is wrong', async () => {
  const { secret, stranger } = await personWithApp('carol');
  const half = await enterPassword(stranger, 'carol');
  const right = codeOf(secret);
  for (const code of [
    codeOf(secret, -2),
    codeOf(secret, 2),
    right.slice(1),
    `${right}0`,
    `+${right.slice(1)}`,
    '1e5',
  ]) {
    assert.equal((await stranger.submit(half, step, { code })).status, 401, code);
    await database.query('delete from attempts');
  }
  assert.equal((await stranger.submit(half, step, { code: [right, right] })).status, 401);
  const wide = [...right].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('');
  assert.equal(
    (await stranger.open(...formRequest(half, step, { code: `${wide.slice(0, 3)} ${wide.slice(3)}` }))).status,
    302,
  );
});

test('a recovery code counts once, from twenty requests at two instances, and the page says how many are left', async () => {
  const { codes, own, stranger } = await personWithApp('dora');
  const [code = ''] = codes;
  const browsers = await twentyBrowsers('dora');
  const typed = code.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  const answers = await Promise.all(
    browsers.map(({ browser, half }) => browser.open(...formRequest(half, 'id="recover"', { code: typed }))),
  );
  assert.equal(answers.filter(({ status }) => status === 302).length, 1);
  await database.query('delete from attempts');
  assert.match(
    (await own.visit('/account/security')).text,
    /Turned on, with an authenticator app\.<\/span><\/p>\s*<p[^>]*>Recovery codes left: 9\./,
  );
  const again = await stranger.submit(await enterPassword(stranger, 'dora'), 'id="recover"', { code });
  assert.equal(again.status, 401);
});

test('the ticket of a half sign-in is worth nothing in another browser, after ten minutes, a new password, another factor or for somebody else', async (t) => {
  const { secret, codes, user_id, stranger } = await personWithApp('eve');
  const code = () => codes.pop() ?? '';
  const refusedWith = async (half: Page, browser = stranger) => {
    await database.query('delete from attempts');
    const answer = await browser.open(...formRequest(half, 'id="recover"', { code: code() }));
    assert.equal(answer.status, 403);
    assert.match(answer.text, /sign in again|submit it again/i);
    return true;
  };
  await t.test('in another browser', async () => {
    const half = await enterPassword(stranger, 'eve');
    const other = new Browser(origin);
    const own = await other.visit('/login');
    const [to, init] = formRequest(half, 'id="recover"', {
      code: code(),
      csrf: /name="csrf" value="([^"]+)"/.exec(own.text)?.[1],
    });
    const answer = await other.open(to, init);
    assert.equal(answer.status, 403);
    assert.match(answer.text, /sign in again/i);
  });
  await t.test('after ten minutes', async () => {
    const half = await enterPassword(stranger, 'eve');
    const [secret = ''] = one.deps.sessionSecrets;
    const shown = /name="ticket" value="([^"]+)"/.exec(half.text)?.[1] ?? '';
    const content = unseal([secret], 'sign-in ticket', Buffer.from(shown, 'base64url'));
    const ticket = JSON.parse(String(content));
    const old = (seconds: number) =>
      seal(secret, 'sign-in ticket', Buffer.from(JSON.stringify({ ...ticket, issued_at: ticket.issued_at - seconds })));
    const send = async (seconds: number) => {
      const changes = { code: '000000', ticket: old(seconds).toString('base64url') };
      return (await stranger.open(...formRequest(half, step, changes))).status;
    };
    assert.deepEqual([await send(590), await send(610)], [401, 403]);
  });
  await t.test('after a new password', async () => {
    const half = await enterPassword(stranger, 'eve');
    const other = '$2b$04$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy';
    await database.query('update users set password_bcrypt = $2 where user_id = $1', [user_id, other]);
    assert.ok(await refusedWith(half));
    await database.query('update users set password_bcrypt = $2 where user_id = $1', [user_id, cheapHash]);
  });
  await t.test('after another factor', async () => {
    const half = await enterPassword(stranger, 'eve');
    await database.query('update users set factors_changed_at = clock_timestamp() where user_id = $1', [user_id]);
    assert.ok(await refusedWith(half));
  });
  await t.test('disabled meanwhile', async () => {
    const half = await enterPassword(stranger, 'eve');
    await database.query('update users set disabled_at = now() where user_id = $1', [user_id]);
    assert.ok(await refusedWith(half));
    await database.query('update users set disabled_at = null where user_id = $1', [user_id]);
  });
  await t.test('with the code of somebody else', async () => {
    const mallory = await personWithApp('mallory');
    const half = await enterPassword(stranger, 'eve');
    const answer = await stranger.submit(half, step, { code: codeOf(mallory.secret) });
    assert.equal(answer.status, 401);
    assert.equal((await stranger.submit(half, step, { code: codeOf(secret) })).status, 200);
  });
});

test('wrong codes are counted for the person, in whatever tab or browser, and keep nobody out of a browser that the person has used', async () => {
  const own = await startLatchkey();
  await lengthenWaits(own.database);
  await registerPeople(own.database, ['frank']);
  const known = await signedInBrowser(own.origin, 'frank');
  const { secret, codes } = await setUpApp(known);
  let waits = 0;
  for (let attempt = 0; attempt < 14; attempt += 1) {
    const stranger = new Browser(own.origin);
    const half = await enterPassword(stranger, 'frank');
    const answer = await stranger.submit(half, step, { code: '000000' });
    if (answer.status !== 429) continue;
    waits += 1;
    assert.ok(answer.headers.get('retry-after'));
    const right = await stranger.submit(half, 'id="recover"', { code: codes[0] });
    assert.equal(right.status, 429, 'a right code is not compared either');
  }
  assert.ok(waits > 5, `${waits} of 14 were not compared`);
  const half = await enterPassword(known, 'frank', '/login?to=/account&fresh=1');
  const answer = await known.open(...formRequest(half, step, { code: codeOf(secret) }));
  assert.equal(answer.status, 302);
  assert.match(
    (await known.visit('/account/activity')).text,
    /<strong class="danger">[^<]*wrong code<\/strong><p[^>]*>The password was right\. [\s\S]*?class="button[^>]*href="\/account\/security#password">Change password</,
  );
});

test('browsers that knew only the password, before the app was set up, get no guesses of their own each', async () => {
  const own = await startLatchkey();
  await lengthenWaits(own.database);
  await registerPeople(own.database, ['fred']);
  const earlier: Browser[] = [];
  for (let index = 0; index < 8; index += 1) earlier.push(await signedInBrowser(own.origin, 'fred'));
  await setUpApp(await signedInBrowser(own.origin, 'fred'));
  let compared = 0;
  for (const browser of earlier) {
    const half = await enterPassword(browser, 'fred');
    for (let guess = 0; guess < 3; guess += 1) {
      if ((await browser.submit(half, step, { code: '000000' })).status === 401) compared += 1;
    }
  }
  assert.ok(compared > 0 && compared <= 11, `${compared} guesses of 24 were compared`);
});

test('the form below new recovery codes, sent again, makes no sign-in younger', async () => {
  const strict = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });
  await registerPeople(strict.database, ['rita']);
  const browser = new Browser(strict.origin);
  const setup = await enterPassword(browser, 'rita');
  const codes = await browser.submit(setup, 'id="verify"', { code: codeOf(secretOn(setup)) });
  const send = async () => {
    await strict.database.query('delete from sessions');
    assert.equal((await browser.open(...formRequest(codes, 'id="go-on"'))).status, 302);
    const { rows } = await strict.database.query('select auth_time from sessions');
    return rows[0].auth_time.getTime();
  };
  const first = await send();
  browser.setCookie('session', '');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.equal(await send(), first);
});

test('the ticket of a setup in the account ends no sign-in that an application demands', async () => {
  const { own } = await personWithApp('ruth');
  const setup = await own.submit(await own.visit('/account/security'), 'id="add-code"', { password });
  assert.match(setup.text, /id="verify" class="primary">Use this app</, 'two-step verification is on already');
  const login = await own.visit(`/login?${authorizationQuery({ prompt: 'login' })}`);
  const ticket = /name="ticket" value="([^"]+)"/.exec(setup.text)?.[1];
  const code = codeOf(secretOn(setup));
  const answer = await own.submit(login, 'id="login"', { ticket, code });
  assert.equal(answer.status, 403);
  assert.doesNotMatch(answer.text, /id="allow"/);
  assert.match((await own.submit(setup, step, { code })).text, /recovery-code/);
});

const ticketOn = ({ text }: Page, purpose = 'sign-in ticket') => {
  const sealed = Buffer.from(/name="ticket" value="([^"]+)"/.exec(text)?.[1] ?? '', 'base64url');
  return JSON.parse(String(unseal(one.deps.sessionSecrets, purpose, sealed)));
};

/** The ticket of a page as it would be, had it been issued so many seconds earlier. */
function olderTicket(page: Page, seconds: number, purpose = 'sign-in ticket'): string {
  const ticket = ticketOn(page, purpose);
  const content = Buffer.from(JSON.stringify({ ...ticket, issued_at: ticket.issued_at - seconds }));
  return seal(one.deps.sessionSecrets[0] ?? '', purpose, content).toString('base64url');
}

test('a sign-in that is half done for longer than max_age is begun anew, and a wrong code makes it no younger', async () => {
  const { secret, stranger } = await personWithApp('sam');
  const path = `/authorize?${authorizationQuery({ max_age: '60' })}`;
  const half = await enterPassword(stranger, 'sam', path);
  const late = await stranger.submit(half, step, { ticket: olderTicket(half, 120), code: codeOf(secret) });
  assert.equal(late.status, 403);
  const wrong = await stranger.submit(half, step, { ticket: olderTicket(half, 50), code: '000000' });
  assert.equal(ticketOn(wrong).issued_at, ticketOn(half).issued_at - 50);
  assert.match((await stranger.submit(wrong, step, { code: codeOf(secret) })).text, /id="allow"/);
});

test('a wrong code makes the setup of an app no younger, neither in a sign-in nor in the account', async () => {
  await registerPeople(database, ['tess']);
  const path = `/authorize?${authorizationQuery({ acr_values: '2' })}`;
  const own = await signedInBrowser(origin, 'tess');
  const setups = {
    'sign-in ticket': [new Browser(origin), (browser: Browser) => enterPassword(browser, 'tess', path)],
    'ticket of a setup': [
      own,
      async () => own.submit(await own.visit('/account/security'), 'id="add-code"', { password }),
    ],
  } as const;
  for (const [purpose, [browser, begin]] of Object.entries(setups)) {
    const page = await begin(browser);
    const code = codeOf(secretOn(page), 5);
    const wrong = await browser.submit(page, 'id="verify"', { ticket: olderTicket(page, 590, purpose), code });
    assert.equal(ticketOn(wrong, purpose).issued_at, ticketOn(page, purpose).issued_at - 590, purpose);
    const late = await browser.submit(page, 'id="verify"', { ticket: olderTicket(page, 610, purpose), code });
    assert.equal(late.status, 403, purpose);
  }
});

test('a browser that is trusted is asked for the password only, until the password or the factor changes', async () => {
  const { secret, stranger, user_id } = await personWithApp('gina');
  const half = await enterPassword(stranger, 'gina');
  await stranger.submit(half, step, { code: codeOf(secret), trust: 'true' });
  assert.ok(await isSignedIn(stranger));
  const trusted = stranger.cookies().get('trusted') ?? '';
  const withTrust = async (value: string) => {
    const browser = new Browser(origin);
    browser.setCookie('trusted', value);
    await enterPassword(browser, 'gina');
    return isSignedIn(browser);
  };
  assert.ok(await withTrust(trusted));
  assert.ok((await sessionsOf(user_id)).some((methods) => String(methods) === 'password,trusted_browser'));
  const [end = '', hmac = ''] = [trusted.slice(0, 10), trusted.slice(11)];
  assert.equal(await withTrust(`${Number(end) + 1}-${hmac}`), false);
  const other = await personWithApp('gil');
  const foreign = new Browser(origin);
  foreign.setCookie('trusted', trusted);
  assert.match((await enterPassword(foreign, 'gil')).text, new RegExp(step));
  assert.ok(other);
  await database.query('update users set factors_changed_at = clock_timestamp() where user_id = $1', [user_id]);
  assert.equal(await withTrust(trusted), false);
});

test('a trusted browser proves nothing before a change: the code is asked for there', async () => {
  const { secret, codes, stranger } = await personWithApp('hugo');
  await stranger.submit(await enterPassword(stranger, 'hugo'), step, { code: codeOf(secret), trust: 'true' });
  const browser = new Browser(origin);
  browser.setCookie('trusted', stranger.cookies().get('trusted') ?? '');
  await enterPassword(browser, 'hugo');
  const page = await browser.visit('/account/security');
  assert.match(page.text, /name="code"/);
  for (const code of ['', '000000']) {
    const refused = await browser.submit(page, 'id="remove"', { password, code });
    assert.equal(refused.status, 400);
  }
  const deletion = await browser.submit(await browser.visit('/account/delete'), 'class="danger"', { password });
  assert.equal(deletion.status, 400);
  const removed = await browser.submit(page, 'id="remove"', { password, code: codes[0] });
  assert.match(removed.text, /Two-step verification is off/);
  const afterwards = new Browser(origin);
  await enterPassword(afterwards, 'hugo');
  assert.ok(await isSignedIn(afterwards));
});

test('a change of the password or the address asks for the code too, once the sign-in is a quarter of an hour old', async () => {
  const { codes, own, user_id } = await personWithApp('ines');
  await database.query(`update sessions set auth_time = now() - interval '16 minutes' where user_id = $1`, [user_id]);
  const page = await own.visit('/account/security');
  const fields = { old_password: password, new_password: 'a longer password', repeat_password: 'a longer password' };
  const button = 'Change password';
  const refused = await own.submit(page, `<button class="primary">${button}`, fields);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /Enter a code from your authenticator app\./);
  const address = await own.submit(await own.visit('/account'), '<button class="primary">Save', {
    email: 'other@example.com',
    current_password: password,
  });
  assert.equal(address.status, 400);
  const changed = await own.submit(page, `<button class="primary">${button}`, { ...fields, password_code: codes[0] });
  assert.match(changed.text, /Password changed/);
});

test('setting up needs the password a quarter of an hour after the sign-in, shows the secret once, and ends the other sessions', async () => {
  await registerPeople(database, ['jane']);
  const [own, elsewhere] = [await signedInBrowser(origin, 'jane'), await signedInBrowser(origin, 'jane')];
  assert.doesNotMatch((await own.visit('/account/security')).text, /name="password"/);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes' where user_id = $1`, [
    await idOf('jane'),
  ]);
  const page = await own.visit('/account/security');
  for (const typed of ['', 'wrong'])
    assert.equal((await own.submit(page, 'id="add-code"', { password: typed })).status, 400);
  const setup = await own.submit(page, 'id="add-code"', { password });
  const secret = secretOn(setup);
  assert.match(setup.headers.get('cache-control') ?? '', /no-store/);
  assert.match(setup.text, /<svg class="qr"/);
  const wrong = await own.submit(setup, 'id="verify"', { code: codeOf(secret, 5) });
  assert.equal(wrong.status, 400);
  assert.deepEqual(secretOn(wrong), secret, 'the secret stays while the person types again');
  assert.ok(await isSignedIn(elsewhere));
  const code = codeOf(secret);
  const done = await own.submit(wrong, 'id="verify"', { code });
  assert.equal(codesOn(done).length, 10);
  assert.equal(await isSignedIn(elsewhere), false);
  assert.ok(await isSignedIn(own));
  const stranger = new Browser(origin);
  const half = await enterPassword(stranger, 'jane');
  assert.equal((await stranger.submit(half, step, { code })).status, 401, 'the code of the setup is used');
  const stored = await dumpDatabase(database);
  assert.equal(stored.includes(secret.toString('hex')), false);
  for (const recovery of codesOn(done)) assert.equal(stored.includes(recovery.replaceAll('-', '')), false);
  assert.deepEqual(await eventsOf(database, 'second_factor_added').then((events) => events.length > 0), true);
});

test('a setup counts in the session that began it only, and one of two at once', async () => {
  await registerPeople(database, ['kim', 'lee']);
  const [kim, lee] = [await signedInBrowser(origin, 'kim'), await signedInBrowser(origin, 'lee')];
  const begin = async (browser: Browser) =>
    browser.submit(await browser.visit('/account/security'), 'id="add-code"', { password });
  const [first, second, foreign] = [await begin(kim), await begin(kim), await begin(lee)];
  const ticket = /name="ticket" value="([^"]+)"/.exec(foreign.text)?.[1];
  const stolen = await kim.submit(first, 'id="verify"', { ticket, code: codeOf(secretOn(foreign)) });
  assert.equal(stolen.status, 403);
  const answers = await Promise.all(
    [first, second].map((page) => kim.open(...formRequest(page, 'id="verify"', { code: codeOf(secretOn(page)) }))),
  );
  assert.equal(answers.filter((answer) => codesOn(answer).length === 10).length, 1);
  const codes = await database.query('select count(*)::integer from recovery_codes where user_id = $1', [
    await idOf('kim'),
  ]);
  assert.equal(codes.rows[0].count, 10);
});

test('the secret of one person in the row of another is no factor, and the page says so', async () => {
  const [mia, ned] = [await personWithApp('mia'), await personWithApp('ned')];
  await database.query(
    'update totp_factors set secret = (select secret from totp_factors where user_id = $1) where user_id = $2',
    [mia.user_id, ned.user_id],
  );
  const half = await enterPassword(ned.stranger, 'ned');
  const answer = await ned.stranger.submit(half, step, { code: codeOf(mia.secret) });
  assert.equal(answer.status, 401);
  assert.match(answer.text, /cannot be checked at the moment/);
  assert.ok(one.logged.some((line) => line.includes('second factor of a person cannot be read')));
});

test('a secret that was sealed with the former SESSION_SECRET is read, and sealed anew when a code is used', async () => {
  const [former, present] = ['former-secret-former-secret-former', 'present-secret-present-secret-pres'];
  const before = await startLatchkey({ SESSION_SECRET: former });
  await registerPeople(before.database, ['olga']);
  const own = await signedInBrowser(before.origin, 'olga');
  const { secret } = await setUpApp(own);
  const enter = async (SESSION_SECRET: string, steps: number) => {
    const { origin } = await startLatchkey({ SESSION_SECRET }, before.url);
    const browser = new Browser(origin);
    const half = await enterPassword(browser, 'olga');
    return (await browser.open(...formRequest(half, step, { code: codeOf(secret, steps) }))).status;
  };
  assert.equal(await enter(present, 0), 401, 'without the former one it cannot be read');
  assert.equal(await enter(`${present},${former}`, 0), 302);
  assert.equal(await enter(present, 1), 302);
});

test('the previous release, which asks for no second factor, gives no session', async () => {
  const { user_id } = await personWithApp('pia');
  const before = await sessionsOf(user_id);
  // its statement
  await database.query(
    `insert into sessions (sid_sha256, user_id, data, user_agent, methods, auth_time)
     values (decode(repeat('aa', 32), 'hex'), $1, '{}', null, '{password}', now())`,
    [user_id],
  );
  assert.deepEqual(await sessionsOf(user_id), before);
});

test('a session of before the factor is none any more, also one that a sign-in stored at that moment', async () => {
  await registerPeople(database, ['quinn']);
  const own = await signedInBrowser(origin, 'quinn');
  await database.query(`update users set second_factor_since = now() where username = 'quinn'`);
  assert.equal(await isSignedIn(own), false);
});

test('SECOND_FACTOR=everybody gives days to set it up, then a sign-in leads to the setup and to nothing else [A515]', async () => {
  const strict = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '3' });
  await registerPeople(strict.database, ['rosa']);
  await registerPrinter(strict.database);
  const first = await signedInBrowser(strict.origin, 'rosa');
  assert.ok(await isSignedIn(first));
  await strict.database.query(`update users set second_factor_demanded_at = now() - interval '4 days'`);
  const browser = new Browser(strict.origin);
  const setup = await enterPassword(browser, 'rosa', `/authorize?${authorizationQuery()}`);
  assert.match(setup.text, /Everyone on this server signs in with a second factor/);
  assert.equal(await isSignedIn(browser), false);
  const secret = secretOn(setup);
  assert.equal((await browser.submit(setup, 'id="verify"', { code: '000000' })).status, 400);
  const codes = await browser.submit(setup, 'id="verify"', { code: codeOf(secret) });
  assert.equal(codesOn(codes).length, 10);
  assert.equal(await isSignedIn(browser), false);
  const consent = await browser.submit(codes, 'id="go-on"');
  assert.match(consent.text, /id="allow"/);
  const page = await browser.visit('/account/security');
  assert.doesNotMatch(page.text, /id="remove"/);
  const [to, init] = formRequest(page, 'id="add-code"', { password, remove: '1' });
  assert.equal((await browser.open(to, init)).status, 403);
  assert.ok(await obtainCode(browser));
});

test('a session, and a form opened in it, ends when SECOND_FACTOR is set or the grace is over; the next sign-in leads to the setup [A515]', async () => {
  await registerPeople(database, ['vera', 'walt']);
  const settings = { ISSUER: origin, SECOND_FACTOR: 'everybody' };
  const strict = await startLatchkey({ ...settings, SECOND_FACTOR_GRACE: '0' }, url);
  const patient = await startLatchkey({ ...settings, SECOND_FACTOR_GRACE: '3' }, url);
  let to = origin;
  const browser = new Browser(origin, (path, init) => fetch(String(path).replace(origin, to), init));
  await enterPassword(browser, 'vera');
  const consent = await browser.visit(`/authorize?${authorizationQuery()}`);
  const ticket = await browser.visit('/account/security');
  to = strict.origin;
  for (const path of [
    '/account',
    '/account/security',
    '/developer/applications',
    `/authorize?${authorizationQuery()}`,
  ]) {
    assert.match((await browser.open(path)).location ?? '', /^\/login/, path);
  }
  assert.match((await browser.open('/account/export')).location ?? '', /^\/login/);
  assert.match((await browser.open(...formRequest(ticket, 'id="add-code"', { password }))).location ?? '', /^\/login/);
  const refused = await browser.open(...formRequest(consent, 'id="allow"'));
  assert.doesNotMatch(refused.location ?? '', /code=/);
  to = patient.origin;
  assert.ok(await isSignedIn(browser), 'within the days, which begin with a sign-in');
  await database.query(
    `update users set second_factor_demanded_at = now() - interval '2 days' where username = 'vera'`,
  );
  assert.ok(await isSignedIn(browser));
  await database.query(
    `update users set second_factor_demanded_at = now() - interval '4 days' where username = 'vera'`,
  );
  assert.equal(await isSignedIn(browser), false);
  const setup = await enterPassword(browser, 'vera', `/authorize?${authorizationQuery()}`);
  const codes = await browser.submit(setup, 'id="verify"', { code: codeOf(secretOn(setup)) });
  assert.match((await browser.submit(codes, 'id="go-on"')).text, /id="allow"/);
  to = strict.origin;
  assert.ok(await isSignedIn(browser));
  const elsewhere = await signedInBrowser(origin, 'walt');
  await database.query(`update sessions set methods = '{website}' where user_id = $1`, [await idOf('walt')]);
  const there = new Browser(strict.origin);
  there.setCookie('session', elsewhere.cookies().get('session') ?? '');
  assert.ok(await isSignedIn(there), 'who signs in elsewhere has a second factor there');
});

test('the days to set it up begin anew where a clock that was ahead began them, and no days are none', async () => {
  await registerPeople(database, ['yuri']);
  const settings = { ISSUER: origin, SECOND_FACTOR: 'everybody' };
  const none = await startLatchkey({ ...settings, SECOND_FACTOR_GRACE: '0' }, url);
  const days = await startLatchkey({ ...settings, SECOND_FACTOR_GRACE: '3' }, url);
  const demanded = (when: string) =>
    database.query(`update users set second_factor_demanded_at = ${when} where username = 'yuri'`);
  const signIn = async (to: string) =>
    enterPassword(new Browser(origin, (path, init) => fetch(String(path).replace(origin, to), init)), 'yuri');
  await demanded(`now() + interval '1 year'`);
  assert.match((await signIn(none.origin)).text, /Everyone on this server signs in with a second factor/);
  await demanded(`now() + interval '1 year'`);
  assert.doesNotMatch((await signIn(days.origin)).text, /Everyone on this server signs in with a second factor/);
  const { rows } = await database.query(
    `select second_factor_demanded_at <= now() as is_past from users where username = 'yuri'`,
  );
  assert.deepEqual(rows, [{ is_past: true }]);
});

test('SECOND_FACTOR=admins demands it of administrators only, at once without days of grace [A515]', async () => {
  const strict = await startLatchkey({ SECOND_FACTOR: 'admins', SECOND_FACTOR_GRACE: '0' });
  await registerPeople(strict.database, ['sue', 'root']);
  await strict.database.query(`update users set is_admin = true where username = 'root'`);
  const open = await signedInBrowser(strict.origin, 'sue');
  assert.ok(await isSignedIn(open));
  await strict.database.query(`update users set is_admin = true where username = 'sue'`);
  assert.equal((await open.open('/developer/applications')).status, 302, 'an administrator since a moment ago');
  assert.equal(await isSignedIn(open), false);
  const browser = new Browser(strict.origin);
  assert.match((await enterPassword(browser, 'root')).text, /id="verify"/);
});

test('who adds or deletes a secret of an application has signed in within the last quarter of an hour, or proves it once more', async () => {
  const { own, codes, user_id } = await personWithApp('tess');
  await database.query(
    `update clients set owner_id = $1, secrets_sha256 = secrets_sha256[1:1] where client_id = 'photo-printer'`,
    [user_id],
  );
  const page = () => own.visit('/developer/applications/photo-printer/credentials');
  assert.doesNotMatch((await page()).text, /type="password"/);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes' where user_id = $1`, [user_id]);
  const secrets = async () =>
    (await database.query(`select cardinality(secrets_sha256) from clients where client_id = 'photo-printer'`)).rows[0]
      .cardinality;
  const add = 'secrets"';
  for (const fields of [{}, { password: 'wrong' }, { password }, { password, code: '000000' }]) {
    const refused = await own.submit(await page(), add, fields);
    assert.equal(refused.status, 400, JSON.stringify(fields));
    assert.equal(await secrets(), 1);
  }
  assert.equal((await own.submit(await page(), add, { password, code: codes[0] })).status, 200);
  assert.equal(await secrets(), 2);
  const handle = /\?delete=([^"&]+)"/.exec((await page()).text)?.[1] ?? '';
  const deletion = () => own.visit(`/developer/applications/photo-printer/credentials?delete=${handle}`);
  assert.equal((await own.submit(await deletion(), `value="${handle}"`, { password })).status, 400);
  assert.equal(await secrets(), 2);
  await own.submit(await deletion(), `value="${handle}"`, { password, code: codes[1] });
  assert.equal(await secrets(), 1);
});

test('the operator turns off the factor of somebody who has lost it: sessions, tickets and trusted browsers end, and the audit trail has it', async () => {
  const { secret, own, stranger, user_id } = await personWithApp('uma');
  const half = await enterPassword(stranger, 'uma');
  const trusted = new Browser(origin);
  await trusted.submit(await enterPassword(trusted, 'uma'), step, { code: codeOf(secret), trust: 'true' });
  const { latchkey } = commandLineFor(url);
  const { code, out, err } = await latchkey(['user', 'reset-factors', 'uma']);
  assert.equal(code, 0, err);
  assert.match(out, /Turned off the second factor of "uma"/);
  assert.equal(await isSignedIn(own), false);
  assert.equal((await stranger.open(...formRequest(half, step, { code: codeOf(secret, 1) }))).status, 403);
  const events = await eventsOf(database, 'second_factor_removed');
  assert.ok(events.some((event) => event.user_id === user_id && String(event.request_id).startsWith('command-')));
  const again = await latchkey(['user', 'reset-factors', 'uma']);
  assert.equal(again.code, 0);
  assert.match(again.out, /has no second factor: nothing was changed/);
  await setUpApp(await signedInBrowser(origin, 'uma'));
  const browser = new Browser(origin);
  browser.setCookie('trusted', trusted.cookies().get('trusted') ?? '');
  assert.match((await enterPassword(browser, 'uma')).text, new RegExp(step), 'the new factor is not spared');
});

test('the doctor says that second factors cannot be read with this SESSION_SECRET', async () => {
  const own = await startLatchkey();
  await registerPeople(own.database, ['vera']);
  await setUpApp(await signedInBrowser(own.origin, 'vera'));
  assert.deepEqual(await secondFactorFindings(own.database, own.deps.sessionSecrets), []);
  const [found] = await secondFactorFindings(own.database, ['another-secret-another-secret-anoth']);
  assert.deepEqual([found?.check, found?.severity], ['second_factor_unreadable', 'error']);
  assert.equal(found?.value, '1 of the 1 that were looked at');
});

test('somebody who has no password any more still gets recovery codes and turns the factor off, after a fresh sign-in', async () => {
  const { own, user_id } = await personWithApp('wanda');
  await database.query('update users set password_bcrypt = null, password_hash = null where user_id = $1', [user_id]);
  const page = await own.visit('/account/security');
  assert.equal(codesOn(await own.submit(page, 'id="new-codes"')).length, 10);
  await database.query(`update sessions set auth_time = now() - interval '16 minutes' where user_id = $1`, [user_id]);
  assert.match((await own.visit('/account/security')).text, /id="again"/);
  assert.equal((await own.open(...formRequest(page, 'id="remove"'))).status, 403);
  await database.query('update sessions set auth_time = now() where user_id = $1', [user_id]);
  assert.match((await own.submit(page, 'id="remove"')).text, /Two-step verification is off/);
  assert.match((await own.visit('/account/security')).text, /no password here/);
  assert.equal((await own.open(...formRequest(page, 'id="add-code"'))).status, 403);
});
