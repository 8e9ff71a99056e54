import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingMails } from '../../../src/accounts/mail/mailing.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import {
  cheapHash,
  password,
  registerPeople,
  registerPrinter,
  registerUser,
  startLatchkey,
} from '../../support/latchkey.ts';
import { linkIn, startSmtpServer } from '../../support/smtp-server.ts';

const box = await startSmtpServer();
const env = { SMTP_URL: box.url, MAIL_FROM: 'accounts@id.example', SUPPORT_URL: 'https://help.example/' };
const one = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: one.origin }, one.url);
const { origin, database, deps } = one;
await registerPrinter(database);

/** People of each test have names of their own. */
let count = 0;
async function newPerson(): Promise<{ name: string; browser: Browser }> {
  count += 1;
  const name = `person-${count}`;
  await registerPeople(database, [name]);
  await database.query('delete from attempts');
  box.mails.length = 0;
  return { name, browser: await signedInBrowser(origin, name) };
}

/** The form of the profile has no id. */
const saveButton = 'class="primary">Save profile</button>';
const save = async (browser: Browser, email: string, changes = {}): Promise<Page> =>
  browser.submit(await browser.visit('/account'), saveButton, { email, current_password: password, ...changes });

const warned = /about to change/;

async function mailTo(address: string, subject?: RegExp) {
  while ((await sendWaitingMails(deps)) > 0);
  return box.next(address, subject);
}

const stored = async (username: string) => {
  const { rows } = await database.query('select email, email_verified, pending_email from users where username = $1', [
    username,
  ]);
  return rows[0];
};

test('a new address counts when its mail was answered where the person is signed in; until then nothing changes', async () => {
  const { name, browser } = await newPerson();
  const old = `${name}@example.com`;
  const saved = await save(browser, ' New@Bücher.example ');
  assert.match(saved.text, /takes effect as soon as you open the link/);
  assert.match(saved.text, /id="send-again"[\s\S]*id="name"/, 'before the form');
  const pending = 'New@xn--bcher-kva.example';
  assert.deepEqual(await stored(name), { email: old, email_verified: true, pending_email: pending });
  const mail = await mailTo(pending);
  assert.doesNotMatch(
    mail.text + mail.html,
    new RegExp(name),
    'nothing that somebody has chosen goes to an address that may be anybody’s',
  );
  const link = linkIn(mail);
  // a program that looks at the link, and another browser, change nothing
  for (const visitor of [new Browser(origin), new Browser(origin)]) {
    assert.match((await visitor.visit(link)).url, /\/login\?to=%2Faccount%2Fconfirm-address/);
  }
  const page = await browser.visit(link);
  assert.match(page.text, new RegExp(`New@xn--bcher-kva.example.*${name}`));
  assert.equal((await stored(name)).email, old);
  const done = await browser.submit(page, 'id="confirm"');
  assert.match(done.text, /Address confirmed/);
  assert.deepEqual(await stored(name), { email: pending, email_verified: true, pending_email: null });
  assert.match((await browser.submit(page, 'id="confirm"')).text, /Address confirmed/, 'a second click');
  await database.query('delete from used_proofs');
  assert.equal((await browser.submit(page, 'id="confirm"')).status, 410);
});

test('opened elsewhere, the link leads through the sign-in; signed in as somebody else, it does nothing', async () => {
  const { name, browser } = await newPerson();
  await save(browser, 'elsewhere@example.net');
  const link = linkIn(await mailTo('elsewhere@example.net'));
  await registerPeople(database, ['mallory']);
  const mallory = await signedInBrowser(origin, 'mallory');
  const refused = await mallory.visit(link);
  assert.equal(refused.status, 403);
  assert.match(refused.text, /is for another account/);
  assert.equal((await stored('mallory')).email, 'mallory@example.com');
  const other = new Browser(origin);
  const page = await other.submit(await other.visit(link), 'id="login"', { username: name, password });
  assert.match(page.text, /elsewhere@example\.net/);
  await other.submit(page, 'id="confirm"');
  assert.equal((await stored(name)).email, 'elsewhere@example.net');
});

test('a person without a confirmed address proves the first one; it is given to applications from then on', async () => {
  const { name } = await newPerson();
  await database.query('update users set email = null, email_verified = false where username = $1', [name]);
  const browser = await signedInBrowser(origin, name);
  const token = (await redeem(origin, await obtainCode(browser))).body['access_token'];
  await save(browser, 'first@example.net');
  const waiting = (await browser.visit('/account')).text;
  assert.match(
    waiting,
    /If the address is wrong, change it below\.[\s\S]*This address is not confirmed, so it is not given/,
  );
  assert.deepEqual(await stored(name), { email: null, email_verified: false, pending_email: 'first@example.net' });
  assert.equal((await getUser(origin, token)).body['email'], null);
  const link = linkIn(await mailTo('first@example.net'));
  assert.ok(!box.mails.some(({ subject }) => /about to change/.test(subject)), 'no confirmed address could be told');
  await browser.submit(await browser.visit(link), 'id="confirm"');
  assert.equal((await getUser(origin, token)).body['email'], 'first@example.net');
});

test('an address that nobody has confirmed can be proved as it is', async () => {
  const { name } = await newPerson();
  await database.query('update users set email_verified = false where username = $1', [name]);
  const browser = await signedInBrowser(origin, name);
  const before = await browser.visit('/account');
  assert.match(before.text, />Send link<\/button>/, 'no mail was sent so far');
  const sent = await browser.submit(before, 'id="send-again"');
  assert.match(sent.text, />Send the link again<\/button>/);
  assert.match(sent.text, /takes effect as soon as/);
  await browser.submit(await browser.visit(linkIn(await mailTo(`${name}@example.com`))), 'id="confirm"');
  assert.deepEqual(await stored(name), { email: `${name}@example.com`, email_verified: true, pending_email: null });
});

const ends: [string, (browser: Browser, name: string) => Promise<unknown>][] = [
  ['of an address that was withdrawn', (browser, name) => save(browser, `${name}@example.com`)],
  ['of an address that was replaced by another', (browser) => save(browser, 'third@example.net')],
  ['after a day', () => database.query("update mailed_links set expires_at = now() - interval '1 second'")],
];
for (const [what, end] of ends) {
  test(`the link ${what} is over`, async () => {
    const { name, browser } = await newPerson();
    await save(browser, 'second@example.net');
    const link = linkIn(await mailTo('second@example.net'));
    const page = await browser.visit(link);
    assert.equal(page.status, 200);
    await end(browser, name);
    while ((await sendWaitingMails(deps)) > 0);
    assert.equal((await browser.submit(page, 'id="confirm"')).status, 410);
    assert.equal((await stored(name)).email, `${name}@example.com`);
  });
}

test('a new address needs the password, and a form of this browser', async () => {
  const { name, browser } = await newPerson();
  assert.equal((await save(browser, 'thief@example.net', { current_password: '' })).status, 400);
  assert.equal((await save(browser, 'thief@example.net', { current_password: 'wrong' })).status, 400);
  await save(browser, 'right@example.net');
  const page = await browser.visit(linkIn(await mailTo('right@example.net')));
  assert.equal((await browser.submit(page, 'id="confirm"', { csrf: 'x' })).status, 403);
  assert.equal((await stored(name)).email, `${name}@example.com`);
});

test('of two people who prove one address at the same moment, at two instances, one gets it, and the other is told', async () => {
  const [first, second] = [await newPerson(), await newPerson()];
  const forms: { browser: Browser; page: Page }[] = [];
  for (const { browser } of [first, second]) {
    await save(browser, 'shared@example.net');
    forms.push({ browser, page: await browser.visit(linkIn(await mailTo('shared@example.net'))) });
  }
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      const form = forms[at % 2];
      assert.ok(form);
      const [path, init] = formRequest(form.page, 'id="confirm"');
      return form.browser.open(path.replace(origin, at % 4 < 2 ? two.origin : origin), init);
    }),
  );
  const statuses = answers.map(({ status }) => status);
  // all clicks of one person, and none of the other
  const whose = statuses.flatMap((status, at) => (status === 302 ? [at % 2] : []));
  assert.equal(new Set(whose).size, 1, statuses.join());
  assert.ok(statuses.includes(409) && statuses.every((status) => [302, 409, 410].includes(status)), statuses.join());
  const at = answers.findIndex(({ status }) => status === 409);
  const refused = answers[at]?.text ?? '';
  const [{ browser, name }, winner] = at % 2 ? [second, first] : [first, second];
  assert.match(refused, new RegExp(`>shared@example\\.net</bdi> was not set [^<]*<bdi[^>]*>${name}</bdi>`));
  assert.match(refused, /contact the operator of this server\. <a href="https:\/\/help\.example\/">Get help</);
  assert.doesNotMatch(refused, /id="support"/, 'help is linked where it is needed');
  assert.match(refused, new RegExp(`signed out of <bdi[^>]*>${name}<`));
  assert.match(refused, /href="\/account#email">Use a different address</);
  const href = /href="([^"]+)">Sign in to the other account</.exec(refused)?.[1] ?? '';
  const signIn = await browser.visit(href.replaceAll('&amp;', '&'));
  assert.match(signIn.text, /name="username" value="shared@example\.net"/);
  const other = await browser.submit(signIn, 'id="login"', { password });
  assert.deepEqual([other.text.includes(winner.name), other.text.includes(name)], [true, false]);
  const { rows } = await database.query(
    "select count(*)::integer as owners from users where email = 'shared@example.net' and email_verified",
  );
  assert.equal(rows[0].owners, 1);
});

test('whether somebody has the address makes no difference before it is proved', async () => {
  await registerPeople(database, ['owner']);
  const answers = [];
  for (const address of ['owner@example.com', 'nobod@example.com']) {
    const { name, browser } = await newPerson();
    const { status, text } = await save(browser, address);
    assert.equal((await stored(name)).email, `${name}@example.com`);
    answers.push([
      status,
      text
        .replaceAll(name, '')
        .replaceAll(address, '')
        .replace(/value="[^"]*"/g, '').length,
    ]);
  }
  assert.deepEqual(answers[0], answers[1]);
});

test('the confirmed address is told at once; its link brings it back, ends sessions and what was added since, and leads to a new password', async () => {
  const { name, browser: thief } = await newPerson();
  const old = `${name}@example.com`;
  await save(thief, 'thief@example.net');
  const proof = linkIn(await mailTo('thief@example.net'));
  const warning = await box.next(old, warned);
  await thief.submit(await thief.visit(proof), 'id="confirm"');
  assert.equal((await stored(name)).email, 'thief@example.net');
  const token = (await redeem(origin, await obtainCode(thief))).body['access_token'];
  await database.query(
    "update mailed_links set created_at = created_at - interval '6 days', expires_at = expires_at - interval '6 days' where purpose = 'not_me'",
  );
  const victim = new Browser(origin);
  const page = await victim.visit(linkIn(warning));
  assert.match(page.text, new RegExp(`${name}[\\s\\S]*is set back to <bdi[^>]*>${old}`));
  assert.equal((await stored(name)).email, 'thief@example.net', 'looking changes nothing');
  const reset = await victim.submit(page, 'id="undo"');
  assert.deepEqual(await stored(name), { email: old, email_verified: true, pending_email: null });
  assert.match((await thief.open('/account')).location ?? '', /^\/login/);
  assert.equal((await getUser(origin, token)).status, 401);
  assert.match(reset.text, /Set a new password/);
  assert.match(
    (await victim.submit(reset, 'id="save"', { new_password: 'mine again, and longer' })).text,
    /Your new password is set/,
  );
  assert.equal((await victim.submit(page, 'id="undo"')).status, 410, 'once');
});

test('no mail proves an address of which the confirmed one was not told: a fault between the two, or another mail later, changes nothing about that', async () => {
  const { name, browser } = await newPerson();
  const refuse = (kind: string) =>
    database.query(`alter table mails add constraint fault check (kind <> '${kind}') not valid`);
  const heal = () => database.query('alter table mails drop constraint fault');
  await refuse('address_changing');
  const failed = await save(browser, 'thief@two.example').finally(heal);
  assert.equal(failed.status, 500);
  assert.equal((await stored(name)).pending_email, 'thief@two.example');
  while ((await sendWaitingMails(deps)) > 0);
  assert.ok(!box.mails.some(({ to }) => to.includes('thief@two.example')));
  await browser.submit(await browser.visit('/account'), 'id="send-again"');
  await mailTo('thief@two.example');
  const asked = linkIn(await box.next(`${name}@example.com`, warned));
  assert.match(asked, /\/not-me/);
  assert.match((await new Browser(origin).visit(asked)).text, /address stays <bdi[^>]*>[^<]*@example\.com</);
  await refuse('confirm_address');
  await browser.submit(await browser.visit('/account'), 'id="send-again"').finally(heal);
  await mailTo(`${name}@example.com`, warned);
});

test('the link of the warning is over after a week', async () => {
  const { name, browser } = await newPerson();
  await save(browser, 'slow@example.net');
  const warning = await mailTo(`${name}@example.com`, warned);
  const { rows } = await database.query(
    "select extract(epoch from expires_at - created_at)::integer as seconds from mailed_links where purpose = 'not_me' order by created_at desc limit 1",
  );
  assert.equal(rows[0].seconds, 7 * 86_400);
  await database.query("update mailed_links set expires_at = now() - interval '1 second' where purpose = 'not_me'");
  assert.equal((await new Browser(origin).visit(linkIn(warning))).status, 410);
});

test('PATCH /user does the same, in the language in which the person signed in last', async () => {
  const { name } = await newPerson();
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login?ui_locales=de'), 'id="login"', { username: name, password });
  const token = (await redeem(origin, await obtainCode(browser, { scope: 'user user:write' }))).body['access_token'];
  const patch = (email: string) =>
    fetch(`${origin}/user`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
  const answer = await patch('patched@example.net');
  assert.deepEqual([answer.status, ((await answer.json()) as { email_pending: boolean }).email_pending], [200, true]);
  const proof = await mailTo('patched@example.net');
  assert.match(proof.subject, /Bestätigen/);
  assert.match((await box.next(`${name}@example.com`, /soll sich ändern/)).text, new RegExp(name));
  await browser.submit(await browser.visit(linkIn(proof)), 'id="confirm"');
  assert.equal((await stored(name)).email, 'patched@example.net');
  assert.equal((await patch('a@localhost')).status, 400);
  const statuses = [];
  for (let at = 0; at < 6; at += 1) statuses.push((await patch(`p${at}@example.net`)).status);
  assert.deepEqual(statuses, [200, 200, 200, 200, 429, 429]);
});

test('whoever has no address, or no name, saves the other', async () => {
  for (const [left, typed] of [
    ['email', { name: 'Ada', email: '' }],
    ['name', { name: '', email: 'unnamed@example.net' }],
  ] as const) {
    const { name, browser } = await newPerson();
    await database.query(
      `update users set ${left} = null, email_verified = email_verified and $2 where username = $1`,
      [name, left === 'name'],
    );
    const page = await save(browser, typed.email, {
      name: typed.name,
      ...(left === 'email' && { current_password: '' }),
    });
    assert.equal(page.status, 200, page.text);
    const { rows } = await database.query('select name, email, pending_email from users where username = $1', [name]);
    const expected =
      left === 'email'
        ? { name: 'Ada', email: null, pending_email: null }
        : { name: null, email: `${name}@example.com`, pending_email: typed.email };
    assert.deepEqual(rows[0], expected);
  }
});

test('several accounts cannot fill one mailbox', async () => {
  const statuses = [];
  for (let at = 0; at < 7; at += 1) {
    count += 1;
    await registerUser(database, { username: `many-${at}`, password: cheapHash });
    statuses.push(
      (await save(await signedInBrowser(origin, `many-${at}`), 'victim@example.net', { name: 'x' })).status,
    );
  }
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
});

test('without a mail server an address is as it was: entered, and not confirmed', async () => {
  const without = await startLatchkey({}, one.url);
  const { name } = await newPerson();
  await database.query('update users set email_verified = false where username = $1', [name]);
  const browser = await signedInBrowser(without.origin, name);
  const saved = await save(browser, 'plain@example.net');
  assert.match(saved.text, /Profile saved/);
  assert.doesNotMatch(saved.text, /send-again/);
  assert.deepEqual(await stored(name), { email: 'plain@example.net', email_verified: false, pending_email: null });
});

test('one address gets a few mails, from several accounts and in every spelling', async () => {
  await database.query('delete from attempts');
  const before = box.mails.length;
  const spellings = [
    'bücher',
    'BÜCHER',
    'bu\u0308cher',
    'xn--bcher-kva',
    'Xn--Bcher-Kva',
    'ｂücher',
    'büCHer',
    'bücheR',
  ];
  const browsers = [];
  for (const _ of spellings) browsers.push((await newPerson()).browser);
  for (const [at, browser] of browsers.entries()) await save(browser, `target@${spellings[at]}.example`);
  while ((await sendWaitingMails(deps)) > 0);
  const sent = box.mails.slice(before).filter(({ to }) => /target@/i.test(to.join()));
  assert.equal(sent.length, 5);
});
