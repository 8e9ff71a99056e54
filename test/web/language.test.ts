import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey({
  SUPPORT_URL: 'mailto:help@printer.example',
  IMPRINT_URL: 'https://printer.example/imprint',
  PRIVACY_URL: 'https://printer.example/privacy',
});
await registerPeople(database, ['alice', 'bob', 'carol', 'dave']);
await registerPrinter(database);

const languageOf = ({ text }: Page) => /<html lang="(\w+)"/.exec(text)?.[1];
/** The link of the switch on this page. */
const switchTo = (page: Page, language: string) =>
  new URL(
    new RegExp(`<a href="([^"]+)" lang="${language}"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&') ??
      assert.fail(`no link to ${language} on ${page.url}`),
    page.url,
  ).href;

test('the language of the switch stays, for a browser in which nobody is signed in', async () => {
  const browser = new Browser(origin);
  assert.equal(languageOf(await browser.visit('/')), 'en');
  const page = await browser.visit(switchTo(await browser.visit('/'), 'de'));
  assert.equal(languageOf(page), 'de');
  assert.equal(languageOf(await browser.visit('/login')), 'de');
  assert.equal(languageOf(await browser.visit('/no-such-page')), 'de');
  assert.equal(languageOf(await new Browser(origin).visit('/login')), 'en');
});

test('what a client asks for by ui_locales stays, too, and a language that nobody knows changes nothing', async () => {
  const browser = new Browser(origin);
  await browser.visit(`/authorize?${authorizationQuery({ ui_locales: 'xx fr-CA' })}`);
  assert.equal(languageOf(await browser.visit('/')), 'fr');
  await browser.visit('/?ui_locales=xx');
  assert.equal(languageOf(await browser.visit('/')), 'fr');
});

test('the cookie is HttpOnly, for the whole site, and a value that is no language is no language', async () => {
  const browser = new Browser(origin);
  const [cookie = ''] = (await browser.open('/?ui_locales=es')).headers.getSetCookie();
  assert.match(cookie, /^language=es; Max-Age=31536000; Path=\/; Expires=[^;]+; HttpOnly; SameSite=Lax$/);
  assert.deepEqual((await browser.open('/?ui_locales=es')).headers.getSetCookie(), []);
  browser.setCookie('language', '"><script>');
  assert.equal(languageOf(await browser.visit('/')), 'en');
  assert.match((await browser.visit('/')).headers.get('vary') ?? '', /Cookie/);
});

test('a signed-in person finds the language on another browser', async () => {
  const alice = await signedInBrowser(origin, 'alice');
  await alice.visit(switchTo(await alice.visit('/account'), 'zh'));
  const elsewhere = await signedInBrowser(origin, 'alice');
  assert.equal(languageOf(await elsewhere.visit('/account')), 'zh');
  // chosen after the other browser had signed in
  await alice.visit('/account?ui_locales=es');
  assert.equal(languageOf(await elsewhere.visit('/account')), 'es');
  assert.equal(languageOf(await (await signedInBrowser(origin, 'bob')).visit('/account')), 'en');
});

test('what a client asks for changes no account, neither of somebody signed in nor by a sign-in on the way', async () => {
  const request = `/authorize?${authorizationQuery({ ui_locales: 'fr' })}`;
  const signedIn = await signedInBrowser(origin, 'bob');
  assert.equal(languageOf(await signedIn.visit(request)), 'fr');
  const onTheWay = new Browser(origin);
  const consent = await onTheWay.submit(await onTheWay.visit(request), 'id="login"', {
    username: 'bob',
    password: 'wonderland',
  });
  assert.equal(languageOf(consent), 'fr');
  assert.equal(languageOf(await (await signedInBrowser(origin, 'bob')).visit('/account')), 'en');
});

test('a language chosen before the sign-in goes to the account, unless that has one', async () => {
  const chosenBefore = async (language: string) => {
    const browser = new Browser(origin);
    await browser.visit(`/?ui_locales=${language}`);
    await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'carol', password: 'wonderland' });
    return browser;
  };
  await chosenBefore('de');
  assert.equal(languageOf(await (await signedInBrowser(origin, 'carol')).visit('/account')), 'de');
  const french = await chosenBefore('fr');
  assert.equal(languageOf(await french.visit('/account')), 'fr');
  assert.equal(languageOf(await (await signedInBrowser(origin, 'carol')).visit('/account')), 'de');
});

test('every page has the switch, and it leads nowhere else', async () => {
  const dave = await signedInBrowser(origin, 'dave');
  const pages = [
    '/',
    '/account',
    '/account/applications',
    '/account/security',
    '/errors/invalid_request',
    '/nowhere?to=x',
  ];
  for (const path of pages) {
    const page = await dave.visit(path);
    assert.equal(new URL(switchTo(page, 'de')).origin, origin);
    assert.equal(languageOf(await dave.visit(switchTo(page, 'fr'))), 'fr', path);
  }
  // a button there, since a link would tick boxes again
  await dave.visit('/?ui_locales=de');
  const consent = await dave.visit(`/authorize?${authorizationQuery()}`);
  const [, action = ''] = /formaction="([^"]*)" name="language" value="es"/.exec(consent.text) ?? [];
  const [, init] = formRequest(consent, 'id="allow"', { decision: undefined, language: 'es' });
  assert.equal(languageOf(await dave.visit(action.replaceAll('&amp;', '&'), init)), 'es');
  assert.equal(languageOf(await dave.visit('/')), 'es');
  const hostile = await (await fetch(`${origin}//evil.example/x`)).text();
  assert.doesNotMatch(hostile, /<a href="[^"]*evil/);
});

test('every page has the links of the operator in its footer', async () => {
  for (const path of ['/', '/login', '/nowhere']) {
    const { text } = await new Browser(origin).visit(path);
    const footer = text.slice(text.indexOf('<footer>'));
    assert.match(footer, /<a id="imprint" href="https:\/\/printer.example\/imprint" rel="noreferrer">Imprint</);
    assert.match(footer, /<a id="privacy" href="https:\/\/printer.example\/privacy" rel="noreferrer">Privacy</);
    assert.match(footer, /<a id="support" href="mailto:help@printer.example" rel="noreferrer">Help</);
  }
});
