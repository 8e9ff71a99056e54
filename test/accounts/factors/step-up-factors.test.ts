import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { codeOf, secretOn, setUpApp } from '../../support/second-factor.ts';

const { origin, database } = await startWithPrinter();
const step = 'id="verify"';
const two = `/authorize?${authorizationQuery({ acr_values: '2' })}`;
const enterPassword = async (browser: Browser, username: string, path: string) =>
  browser.submit(await browser.visit(path), 'id="login"', { username, password });
const acrOf = async (code: string) => {
  const { access_token } = (await redeem(origin, code)).body;
  return (await post(`${origin}/introspect`, { token: String(access_token) })).body['acr'];
};
const allowed = (browser: Browser, page: Page) => browser.submit(page, 'id="allow"');

test('a password and a code of an app are the level that an application demands', async () => {
  await registerPeople(database, ['bob']);
  const { secret } = await setUpApp(await signedInBrowser(origin, 'bob'));
  const browser = new Browser(origin);
  const half = await enterPassword(browser, 'bob', two);
  assert.match(half.text, new RegExp(step));
  const consent = await browser.submit(half, step, { code: codeOf(secret) });
  assert.equal(await acrOf(codeIn(await allowed(browser, consent))), '2');
});

test('a trusted browser is asked for the code if an application demands two factors, or a change a new sign-in', async () => {
  await registerPeople(database, ['carol']);
  const { secret } = await setUpApp(await signedInBrowser(origin, 'carol'));
  const browser = new Browser(origin);
  const half = await enterPassword(browser, 'carol', '/login');
  await browser.submit(half, step, { code: codeOf(secret), trust: 'true' });
  await browser.submit(await browser.visit('/'), 'action="/logout"');
  await enterPassword(browser, 'carol', '/login');
  assert.equal((await browser.open('/account')).status, 200, 'without a code');
  const login = await browser.visit(two);
  assert.match(login.text, /id="step-up"/);
  assert.match((await browser.submit(login, 'id="login"', { username: 'carol', password })).text, new RegExp(step));
  const fresh = await enterPassword(browser, 'carol', '/login?to=%2Faccount&fresh=1');
  assert.match(fresh.text, new RegExp(step));
  const done = await browser.submit(fresh, step, { code: codeOf(secret, 1) });
  assert.equal(done.url, `${origin}/account`);
  assert.equal((await browser.open('/account/export')).status, 200);
  assert.equal(await acrOf(codeIn(await allowed(browser, await browser.visit(two)))), '2');
});

test('somebody without a factor is led to set one up, and the application gets its code; who declines brings it an error', async () => {
  await registerPeople(database, ['dora']);
  const browser = await signedInBrowser(origin, 'dora');
  const offer = await browser.submit(await browser.visit(two), 'id="login"', { username: 'dora', password });
  assert.match(offer.text, /<bdi[^>]*>Photo Printer<\/bdi> requires two-step verification/);
  assert.match(
    offer.text,
    /Is the app on this device\?[\s\S]*id="open-app" href="otpauth:\/\/totp\/Latchkey:dora\?secret=[A-Z2-7]+&amp;issuer=Latchkey"/,
  );
  assert.match(offer.text, /account name <bdi[^>]*>dora<\/bdi> and the type “time-based”/);
  assert.match(
    offer.text,
    /shows for <bdi[^>]*>Latchkey<\/bdi> \(<bdi[^>]*>dora<\/bdi>\)\. Next, you get recovery codes/,
  );
  assert.match(offer.text, />Turn on two-step verification<[\s\S]*Cancel and return to <bdi[^>]*>Photo Printer</);
  const { location } = await browser.submit(offer, 'id="decline"');
  assert.match(location ?? '', /^https:\/\/printer\.example\/callback\?.*error=unmet_authentication_requirements/);
  assert.equal((await browser.open('/account')).status, 200, 'signed in by one factor');
  const again = await browser.submit(await browser.visit(two), 'id="login"', { username: 'dora', password });
  const wrong = await browser.submit(again, 'id="verify"', { code: 'none' });
  assert.equal(wrong.status, 400);
  assert.match(
    wrong.text,
    /This code is wrong\.<\/li>[\s\S]*id="code"[\s\S]*check that the clock[^<]*<\/p>[\s\S]*<details>\s*<summary>Show the QR code and the key again<[\s\S]*id="verify"/,
  );
  assert.match(wrong.text, /id="decline"/);
  const codes = await browser.submit(wrong, 'id="verify"', { code: codeOf(secretOn(wrong)) });
  const consent = await browser.submit(codes, 'id="go-on"');
  assert.equal(await acrOf(codeIn(await allowed(browser, consent))), '2');
});

test('a factor that the operator demands cannot be declined, whatever the form says [A515]', async () => {
  const strict = await startLatchkey({ SECOND_FACTOR: 'everybody', SECOND_FACTOR_GRACE: '0' });
  await registerPeople(strict.database);
  const browser = new Browser(strict.origin);
  const setup = await enterPassword(browser, 'alice', '/login');
  assert.doesNotMatch(setup.text, /id="decline"/);
  const again = await browser.submit(setup, 'id="verify"', { decline: '1' });
  assert.match(again.text, /Everyone on this server signs in with a second factor/);
  assert.match((await browser.open('/account')).location ?? '', /^\/login/);
});

test('who declines, or sets a factor up, minutes after the password is signed in since the password', async () => {
  for (const [username, ends] of [
    ['elsa', (browser: Browser, page: Page) => browser.submit(page, 'id="decline"')],
    [
      'fred',
      async (browser: Browser, page: Page) =>
        browser.submit(await browser.submit(page, step, { code: codeOf(secretOn(page)) }), 'id="go-on"'),
    ],
  ] as const) {
    await registerPeople(database, [username]);
    const browser = new Browser(origin);
    const offer = await enterPassword(browser, username, two);
    const { rows } = await database.query('select clock_timestamp() as entered');
    // a wrong code in between makes it no younger
    await ends(browser, await browser.submit(offer, step, { code: 'none' }));
    const sessions = await database.query(
      'select auth_time from sessions join users using (user_id) where username = $1',
      [username],
    );
    assert.equal(sessions.rows.length, 1);
    assert.ok(sessions.rows[0].auth_time <= rows[0].entered, username);
  }
});

test('a declined setup signs nobody in again once the person has signed out', async () => {
  await registerPeople(database, ['gwen']);
  const browser = new Browser(origin);
  const offer = await enterPassword(browser, 'gwen', two);
  await browser.submit(offer, 'id="decline"');
  assert.equal((await browser.open('/account')).status, 200);
  await browser.submit(await browser.visit('/'), 'action="/logout"');
  await browser.submit(offer, 'id="decline"');
  assert.match((await browser.open('/account')).location ?? '', /^\/login/);
});
