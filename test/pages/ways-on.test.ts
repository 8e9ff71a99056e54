import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, type Page } from '../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database, ['alice', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
await registerPrinter(database);
const alice = await signedInBrowser(origin);
const root = await signedInBrowser(origin, 'root');
const stranger = new Browser(origin);

/** Where the links of a page lead. */
const linksOf = ({ text }: Page) =>
  [...text.matchAll(/<a\b[^>]*?\shref="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));

const errors: [what: string, path: string, status: number][] = [
  ['an address where nothing is', '/nowhere', 404],
  ['an application that is not there', '/developer/applications/none', 404],
  ['an authorization request of an unknown client', '/authorize?client_id=nobody', 400],
  ['an explanation of no error', '/errors/none', 404],
];

for (const [what, path, status] of errors) {
  test(`${what}: the page says who is signed in, speaks other languages, and leads home`, async () => {
    const page = await alice.open(path);
    assert.equal(page.status, status);
    assert.match(page.text, /<header[\s\S]*alice Liddell[\s\S]*Sign out[\s\S]*<\/header>/);
    assert.ok(linksOf(page).includes('/'));
    assert.match(page.text, /class="button primary" href="\/">Go to the home page/);
    const [, german = ''] = /<a href="([^"]+)" lang="de"/.exec(page.text) ?? [];
    const translated = await alice.open(new URL(german.replaceAll('&amp;', '&'), page.url).href);
    assert.match(translated.text, /<html lang="de"/);
  });
}

test('an application without access: the page says so, who is signed in, and speaks other languages', async () => {
  const page = await alice.open('/account/applications/none');
  assert.equal(page.status, 404);
  assert.match(page.text, /<header[\s\S]*alice Liddell[\s\S]*Sign out[\s\S]*<\/header>/);
  assert.match(page.text, /<a href="\?ui_locales=de" lang="de"/);
});

test('who is not signed in finds the way to sign in on an error page, unless it is not known', async () => {
  for (const path of ['/nowhere', '/authorize?client_id=nobody', '/errors/invalid_grant']) {
    const page = await stranger.open(path);
    assert.ok(linksOf(page).includes('/login'), path);
    assert.doesNotMatch(page.text, /Sign out/);
  }
});

test('the languages of an error page repeat nothing of a request that may be hostile', async () => {
  const page = await alice.open(`/authorize?${authorizationQuery({ redirect_uri: 'https://evil.example/' })}`);
  assert.equal(page.status, 400);
  assert.match(page.text, /lang="fr"/);
  assert.doesNotMatch(page.text, /evil|the-state/);
});

test('a form that cannot be trusted ends on a page with ways on, too', async () => {
  const page = await alice.open('/logout', { method: 'POST' });
  assert.equal(page.status, 403);
  assert.match(page.text, /alice Liddell/);
  assert.ok(linksOf(page).includes('/'));
});

test('the start page offers to sign in, and only what this person may open', async () => {
  const paths = ['/account', '/account/applications', '/developer/applications', '/playground'];
  const offered = async (browser: Browser) => {
    const links = linksOf(await browser.open('/'));
    return paths.filter((path) => links.includes(path));
  };
  assert.deepEqual(await offered(stranger), []);
  assert.deepEqual(await offered(alice), ['/account', '/account/applications']);
  assert.deepEqual(await offered(root), ['/account', '/account/applications', '/developer/applications']);
  const page = await stranger.open('/');
  assert.match(page.text, /class="button primary" href="\/login">Sign in/);
  assert.doesNotMatch((await alice.open('/')).text, /href="\/login"/);
  for (const href of linksOf(page).filter((link) => link.startsWith('/'))) {
    assert.equal((await stranger.open(href)).status, 200, href);
  }
});
