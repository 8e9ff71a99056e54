import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { authorizationQuery, codeIn, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SIGN_UP: 'open' };
const one = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: one.origin }, one.url);
const { origin, database, deps, url } = one;
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const { latchkey } = commandLineFor(url);
const new_password = 'nine lives and a hat';

async function ask(address: string, browser = new Browser(origin), path = '/sign-up'): Promise<Page> {
  await database.query('delete from attempts');
  return browser.submit(await browser.visit(path), 'id="send"', { address });
}

async function mailTo(address: string) {
  while ((await sendWaitingMails(deps)) > 0);
  return box.next(address);
}

async function linkFor(address: string, browser?: Browser, path?: string): Promise<string> {
  await ask(address, browser, path);
  return linkIn(await mailTo(address));
}

const save = (browser: Browser, page: Page, username: string, changes = {}) =>
  browser.submit(page, 'id="save"', { username, new_password, ...changes });

const userOf = async (username: string) =>
  (await database.query('select * from users where username = $1', [username])).rows[0];

test('from an address to a token: the person chooses a name behind the mailed link, and the request goes on', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit(`/authorize?${authorizationQuery()}`);
  const [, href = ''] = /id="sign-up" href="([^"]+)"/.exec(login.text) ?? [];
  const link = await linkFor('carol@example.net', browser, href.replaceAll('&amp;', '&'));
  assert.equal(await userOf('carol'), undefined);
  const page = await browser.visit(link);
  assert.doesNotMatch(page.url, /token/);
  assert.match(page.text, /id="way-on">Next, you will continue to <bdi class="parameter-client">Photo Printer<\/bdi>/);
  const planted = 's%3Aplanted.by-somebody';
  browser.setCookie('session', planted);
  const consent = await save(browser, page, 'carol', {
    admin: 'true',
    is_admin: 'true',
    address: 'root@bank.example',
    email: 'x@y.example',
  });
  const { email, email_verified, is_admin, source } = await userOf('carol');
  assert.deepEqual(
    { email, email_verified, is_admin, source },
    { email: 'carol@example.net', email_verified: true, is_admin: false, source: 'here' },
  );
  assert.notEqual(browser.cookies().get('session') ?? planted, planted, 'a session of its own');
  assert.ok(codeIn(await browser.submit(consent, 'id="allow"')));
  assert.ok(codeIn(await save(browser, page, 'carol')), 'a second click');
  assert.equal((await save(browser, page, 'carol-2')).status, 410, 'once');
});

test('the home page leads to the sign-up, where there is one', async () => {
  assert.match((await new Browser(origin).visit('/')).text, /class="button" href="\/sign-up"/);
  const invited = await startLatchkey({ SIGN_UP: 'invited' }, url);
  assert.doesNotMatch((await new Browser(invited.origin).visit('/')).text, /sign-up/);
});

test('of 20 forms of one link at two instances, one makes an account', async () => {
  const browser = new Browser(origin);
  const page = await browser.visit(await linkFor('many@example.net'));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const [path, init] = formRequest(page, 'id="save"', { username: `many-${at}x`, new_password });
      return browser.open(path.replace(origin, at % 2 ? two.origin : origin), init);
    }),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [302, ...Array(19).fill(410)]);
  const { rows } = await database.query(
    "select count(*)::integer as accounts from users where email = 'many@example.net'",
  );
  assert.equal(rows[0].accounts, 1);
});

test('whoever signs up is signed in, also by a second click; the browser is no new one, and nobody is told of it', async () => {
  const browser = new Browser(origin);
  const page = await browser.visit(
    await linkFor('fay@example.net', new Browser(origin), `/sign-up?${authorizationQuery()}`),
  );
  assert.doesNotMatch(page.text, /id="way-on"/, 'an application of another browser has no business here');
  const clicks = await Promise.all(
    [0, 1].map(() => browser.open(...formRequest(page, 'id="save"', { username: 'fay', new_password }))),
  );
  for (const { status, location, headers } of clicks) {
    assert.deepEqual([status, location], [302, '/account?notice=signed_up']);
    assert.match(headers.get('set-cookie') ?? '', /session=/);
  }
  assert.match((await browser.visit('/account?notice=signed_up')).text, /Your account has been created/);
  const again = new Browser(origin);
  for (const name of ['browser', 'form']) again.setCookie(name, browser.cookies().get(name) ?? '');
  const signIn = (one: Browser, login: Page) =>
    one.submit(login, 'id="login"', { username: 'fay', password: new_password });
  await signIn(again, await again.visit('/login'));
  const told = () =>
    database.query(
      "select 1 from mails where kind = 'notice' and user_id = (select user_id from users where username = 'fay')",
    );
  assert.equal((await told()).rowCount, 0);
  const other = new Browser(origin);
  await signIn(other, await other.visit('/login'));
  assert.equal((await told()).rowCount, 1, 'another browser is new');
});

test('a sign-up leads nowhere but to an application or a page here, and survives a pushed request that is over', async () => {
  for (const [at, query] of [
    `to=//evil.example`,
    'to=https://evil.example',
    'client_id=x&request_uri=urn:ietf:params:oauth:request_uri:x',
  ].entries()) {
    const browser = new Browser(origin);
    await browser.visit('/login');
    const page = await browser.visit(await linkFor(`way-${at}@example.net`, browser, `/sign-up?${query}`));
    const { location } = await browser.open(...formRequest(page, 'id="save"', { username: `way-${at}`, new_password }));
    assert.equal(location, '/account?notice=signed_up', query);
  }
});

test('a second factor that everybody must have is set up before there is a session', async () => {
  const strict = await startLatchkey(
    { ...env, ISSUER: origin, SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' },
    url,
  );
  const browser = new Browser(strict.origin);
  const link = await linkFor('gil@example.net');
  const page = await browser.visit(link.replace(origin, strict.origin));
  const setup = await save(browser, page, 'gil');
  assert.match(setup.text, /id="verify"/);
  assert.doesNotMatch(setup.text, /ui_locales/, 'the link is used up, so no other language leads here');
  assert.ok(!browser.cookies().has('session'));
});

test('an existing account is never touched: its name is taken, in every spelling, and the link stays good', async () => {
  const browser = new Browser(origin);
  let page = await browser.visit(await linkFor('eve@example.net'));
  const before = await userOf('alice');
  for (const name of ['alice', 'ALICE', ' alice ']) {
    page = await save(browser, page, name);
    assert.equal(page.status, 409, name);
  }
  assert.deepEqual(await userOf('alice'), before);
  assert.equal((await save(browser, page, 'eve', { new_password: 'short' })).status, 400);
  assert.equal((await save(browser, page, 'eve')).status, 200);
});

test('an address that has an account gets the same page, and a mail that says so; it gets no second account', async () => {
  const answers = [];
  for (const address of ['alice@example.com', 'nobod@example.com']) {
    const { status, text } = await ask(address);
    answers.push([status, text.replace(/value="[^"]*"/g, '').length]);
  }
  assert.deepEqual(answers[0], answers[1]);
  const known = await mailTo('alice@example.com');
  assert.match(known.subject, /You already have an account/);
  assert.equal(linkIn(known), `${origin}/login`);
  // somebody proves the address meanwhile
  const browser = new Browser(origin);
  const page = await browser.visit(await linkFor('late@example.net'));
  await database.query("update users set email = 'late@example.net' where username = 'bob'");
  const late = await save(browser, page, 'late');
  assert.equal(late.status, 409);
  assert.match(
    late.text,
    /Another account has this address[\s\S]*>late@example\.net<\/bdi> is also yours[\s\S]*href="\/login"/,
    'no other name would help',
  );
  assert.equal(await userOf('late'), undefined);
});

test('a session of somebody else neither helps nor changes, and a form of another browser is refused', async () => {
  const link = await linkFor('dan@example.net');
  const bob = await signedInBrowser(origin, 'alice');
  const page = await bob.visit(link);
  const stranger = await new Browser(origin).open(...formRequest(page, 'id="save"', { username: 'dan', new_password }));
  assert.equal(stranger.status, 403);
  const done = await save(bob, page, 'dan');
  assert.equal(done.status, 200);
  assert.match(done.text, /Your account has been created[\s\S]*href="\/login"/);
  assert.match((await bob.visit('/account')).text, /alice/);
});

test('one network asks for some, all together for more, and one address gets a few mails', async () => {
  await database.query('delete from attempts');
  await database.query('delete from mails');
  const browser = new Browser(origin);
  const statuses = [];
  for (let at = 0; at < 12; at += 1) {
    const page = await browser.visit('/sign-up');
    statuses.push((await browser.submit(page, 'id="send"', { address: 'same@example.net' })).status);
  }
  assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429]);
  const { length } = box.mails;
  while ((await sendWaitingMails(deps)) > 0);
  assert.equal(box.mails.length - length, 5);
  assert.equal((await ask('a@b.example,c@evil.example')).status, 400);
});

test('thousands of sign-ups, of one neighbourhood and of many networks, leave a few hundred rows [A526]', async () => {
  const proxied = await startLatchkey({ ...env, ISSUER: origin, TRUST_PROXY: '1' }, url);
  await database.query('delete from attempts');
  await database.query('delete from mails');
  const browser = new Browser(proxied.origin);
  const [path, init] = formRequest(await browser.visit('/sign-up'), 'id="send"', { address: 'ADDRESS@flood.example' });
  const ask = (at: number, network: string) =>
    browser.open(path, {
      ...init,
      body: String(init.body).replace('ADDRESS', `a${at}`),
      headers: { ...(init.headers as Record<string, string>), 'x-forwarded-for': network },
    });
  const waiting = async () => (await database.query('select 1 from mails')).rowCount ?? 0;
  const flood = async (count: number, networkOf: (at: number) => string) => {
    for (let at = 0; at < count; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, one) => ask(at + one, networkOf(at + one))));
  };
  await flood(600, (at) => `2001:db8:7:${at.toString(16)}::1`);
  assert.ok((await waiting()) >= 50 && (await waiting()) < 80, `${await waiting()} of one /48`);
  await flood(600, (at) => `198.${18 + (at >> 8)}.${at & 255}.1`);
  assert.ok((await waiting()) >= 500 && (await waiting()) < 600, `${await waiting()} of many networks`);
  const { rows } = await database.query('select count(*)::integer as kept from attempts');
  assert.ok(rows[0].kept < 1300, `${rows[0].kept} counts`);
  await database.query('delete from mails');
});

test('what nobody has finished is gone after a day', async () => {
  const link = await linkFor('half@example.net');
  const { rows } = await database.query(
    "select extract(epoch from expires_at - created_at)::integer as seconds from sign_up_links where address = 'half@example.net'",
  );
  assert.equal(rows[0].seconds, 86_400);
  await database.query("update sign_up_links set expires_at = now() - interval '1 second'");
  assert.equal((await new Browser(origin).visit(link)).status, 410);
  await createSweep(database)();
  assert.equal((await database.query('select 1 from sign_up_links')).rowCount, 0);
});

test('an invitation is mailed, or printed without a mail server; a newer one, a withdrawal and SIGN_UP=off end it', async () => {
  const mailed = await latchkey(['user', 'invite', 'guest@example.net'], {
    env: { ...env, ISSUER: origin, SESSION_SECRET: deps.sessionSecrets[0] ?? '' },
  });
  assert.match(mailed.out, /in the queue/);
  const mail = await mailTo('guest@example.net');
  assert.match(mail.subject, /Invitation/);
  const invited = await startLatchkey({ SIGN_UP: 'invited' }, url);
  const cli = { ISSUER: invited.origin, SIGN_UP: 'invited' };
  const invite = async (...words: string[]) =>
    JSON.parse((await latchkey(['user', 'invite', 'guest@example.net', '--json', ...words], { env: cli })).out) as {
      url: string;
    };
  assert.equal((await new Browser(origin).visit(linkIn(mail))).status, 200);
  const { url: link } = await invite();
  assert.equal((await new Browser(origin).visit(linkIn(mail))).status, 410);
  assert.ok(link.startsWith(`${invited.origin}/sign-up/finish?token=lk_ml_`));
  // who asks for the same address by themselves ends no invitation, and where one needs an invitation their link opens nothing
  const own = await linkFor('guest@example.net');
  assert.equal((await new Browser(invited.origin).visit(own.replace(origin, invited.origin))).status, 410);
  const browser = new Browser(invited.origin);
  assert.match((await browser.open('/sign-up')).location ?? '', /^\/login/);
  const page = await browser.visit(link);
  await invite('--withdraw');
  assert.equal((await save(browser, page, 'gustav')).status, 410);
  const again = await invite();
  const off = await startLatchkey({}, url);
  assert.equal((await new Browser(off.origin).visit(again.url.replace(invited.origin, off.origin))).status, 410);
  assert.match((await save(browser, await browser.visit(again.url), 'gustav')).text, /Your account has been created/);
  const refused = await latchkey(['user', 'invite', 'guest@example.net'], { env: cli });
  assert.match(refused.err, /There is already an account with the address/);
  const closed = await latchkey(['user', 'invite', 'guest2@example.net'], { env: { ISSUER: origin } });
  assert.match(closed.err, /SIGN_UP=invited/);
});

test('where people sign in elsewhere only, or no mail goes out, sign-up stops the start; the demo shows its mails', () => {
  const open = { SIGN_UP: 'open', DATABASE_URL: url };
  assert.throws(() => loadConfig(open), /SIGN_UP: open needs SMTP_URL and MAIL_FROM/);
  assert.throws(() => loadConfig({ ...open, DEMO: 'true', HOST: '0.0.0.0' }), /SIGN_UP: open needs SMTP_URL/);
  assert.equal(loadConfig({ ...open, DEMO: 'true' }).sign_up, 'open');
  assert.equal(loadConfig({ SIGN_UP: 'invited' }).sign_up, 'invited');
  assert.throws(() => loadConfig({ SIGN_UP: 'open', PASSWORDS: 'off' }), /SIGN_UP: needs PASSWORDS=on/);
});

test('a second click, on the button and on the link, leads to the application as the first one does', async () => {
  const browser = new Browser(origin);
  await browser.visit('/login');
  const link = await linkFor('gus@example.net', browser, `/sign-up?${authorizationQuery()}`);
  const form = await browser.visit(link);
  for (const page of [await save(browser, form, 'gus'), await save(browser, form, 'gus'), await browser.visit(link)])
    assert.match(page.text, /id="allow"/);
  assert.match((await new Browser(origin).visit(link)).text, /no longer valid/);
});
