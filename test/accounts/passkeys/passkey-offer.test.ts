import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flags, makePasskey, optionsIn, signInWith } from '../../support/authenticator.ts';
import { Browser, type Page } from '../../support/browser.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, newPasskeyPage, passkeyIssuer } from '../../support/passkeys.ts';

const { origin, database } = await startLatchkey({
  ISSUER: passkeyIssuer,
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'accounts@id.example',
});
await registerPeople(database, ['ann', 'ben', 'cleo', 'dora', 'egon', 'fritz', 'gina']);

const isOffered = ({ text }: Page) => text.includes('data-passkey="offer"');
/** What a password manager answers that asks nobody: no touch, and no verified person. */
const unasked = { flags: flags.credential };

/** Whether the home page of this person offers a passkey, after this change of the database. */
async function isOfferedAfter(browser: Browser, change: string): Promise<boolean> {
  await database.query(change);
  return isOffered(await browser.visit('/'));
}

test('a password manager adds a passkey by itself after a sign-in with the password: it is told like any other, and signs in', async () => {
  const browser = await signedInBrowser(origin, 'ann');
  const home = await browser.visit('/');
  const options = optionsIn(home);
  assert.match(JSON.stringify(options), /"residentKey":"required".*"userVerification":"preferred"/);
  await database.query('delete from mails');
  const { passkey, fields } = makePasskey(passkeyIssuer, options, unasked);
  const answer = await browser.submit(home, 'data-passkey="offer"', fields);
  assert.match(answer.url, /\/\?notice=passkey_saved$/);
  assert.match(answer.text, /Your password manager saved a passkey/);
  assert.ok(!isOffered(answer), 'whoever has a passkey gets no offer');
  const { rows } = await database.query(`select
    (select count(*)::integer from audit_events where event = 'passkey_added') as events,
    (select count(*)::integer from mails where kind = 'notice') as mails`);
  assert.deepEqual(rows, [{ events: 1, mails: 1 }]);
  assert.match((await browser.visit('/account/activity')).text, /passkey/i);
  const refused = await signInWith(new Browser(origin), passkeyIssuer, passkey, { flags: flags.present });
  assert.equal(refused.status, 401, 'the sign-in verifies the person');
  assert.equal((await signInWith(new Browser(origin), passkeyIssuer, passkey)).url, `${origin}/account`);
});

test('an answer without a touch counts for the offer alone, and the challenge of the offer for no other page', async () => {
  const browser = await signedInBrowser(origin, 'ben');
  const page = await newPasskeyPage(browser);
  const untouched = makePasskey(passkeyIssuer, optionsIn(page), unasked);
  assert.equal((await browser.submit(page, 'id="create"', untouched.fields)).status, 400);
  const offered = makePasskey(passkeyIssuer, optionsIn(await browser.visit('/')), unasked);
  assert.equal((await browser.submit(page, 'id="create"', offered.fields)).status, 400);
  const other = makePasskey(passkeyIssuer, optionsIn(page));
  assert.equal((await browser.submit(await browser.visit('/'), 'data-passkey="offer"', other.fields)).status, 400);
  const cleo = await signedInBrowser(origin, 'cleo');
  const own = makePasskey(passkeyIssuer, optionsIn(await browser.visit('/')), unasked);
  assert.equal((await cleo.submit(await cleo.visit('/'), 'data-passkey="offer"', own.fields)).status, 400);
  const forged = { ...own.fields, csrf: 'x' };
  assert.equal((await browser.submit(await browser.visit('/'), 'data-passkey="offer"', forged)).status, 403);
  assert.equal((await browser.submit(await browser.visit('/'), 'data-passkey="offer"', own.fields)).status, 200);
});

test('nothing is offered after “Not now” in this browser, nor after a quarter of an hour', async () => {
  const browser = await signedInBrowser(origin, 'dora');
  assert.ok(isOffered(await browser.visit('/')));
  assert.ok(!(await isOfferedAfter(browser, `update sessions set auth_time = now() - interval '16 minutes'`)));
  assert.ok(await isOfferedAfter(browser, 'update sessions set auth_time = now()'));
  const forged = await browser.submit(await browser.visit('/'), 'id="decline"', { csrf: 'x' });
  assert.ok(isOffered(forged), 'a page of another site declines nothing');
  const declined = await browser.submit(forged, 'id="decline"');
  assert.equal(declined.url, `${origin}/`);
  assert.ok(!isOffered(declined));
  assert.ok(!isOffered(await (await signedInAgain(browser, 'dora')).visit('/')));
  assert.ok(isOffered(await (await signedInBrowser(origin, 'dora')).visit('/')), 'another browser is asked');
});

/** Signs in anew in a browser that remembers what it was told. */
async function signedInAgain(browser: Browser, username: string): Promise<Browser> {
  const again = await signedInBrowser(origin, username);
  again.setCookie('__Host-passkey-offer', browser.cookies().get('__Host-passkey-offer') ?? assert.fail('no cookie'));
  return again;
}

test('nothing is offered to whoever is not signed in, signed in with a passkey, has one, or comes from elsewhere', async () => {
  assert.ok(!isOffered(await new Browser(origin).visit('/')));
  const egon = await signedInBrowser(origin, 'egon');
  const { passkey } = await addPasskey(egon);
  assert.ok(!isOffered(await egon.visit('/')));
  const byPasskey = new Browser(origin);
  await signInWith(byPasskey, passkeyIssuer, passkey);
  assert.ok(!(await isOfferedAfter(byPasskey, 'delete from passkeys')));
  assert.ok(isOffered(await egon.visit('/')));
  const fritz = await signedInBrowser(origin, 'fritz');
  assert.ok(isOffered(await fritz.visit('/')));
  assert.ok(!(await isOfferedAfter(fritz, `update users set source = 'website' where username = 'fritz'`)));
});

test('a second look at the offer writes nothing', async () => {
  const browser = await signedInBrowser(origin, 'gina');
  const written = async () => {
    assert.ok(isOffered(await browser.visit('/')));
    const { rows } = await database.query(`select xmin from users where username = 'gina'`);
    return rows[0].xmin;
  };
  assert.equal(await written(), await written());
});

test('where there are no passkeys, none is offered', async () => {
  const numbered = await startLatchkey();
  await registerPeople(numbered.database, ['alice']);
  assert.ok(!isOffered(await (await signedInBrowser(numbered.origin, 'alice')).visit('/')));
});
