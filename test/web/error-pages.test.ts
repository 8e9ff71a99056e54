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
  ['an unknown address', '/nowhere', 404],
  ['an unknown application', '/developer/applications/none', 404],
  ['an authorization request of an unknown client', '/authorize?client_id=nobody', 400],
  ['the explanation of an unknown error', '/errors/none', 404],
];

for (const [what, path, status] of errors) {
  test(`the error page for ${what} shows the signed-in user, offers other languages, and links to the home page`, async () => {
    const page = await alice.open(path);
    assert.equal(page.status, status);
    assert.match(page.text, /<header[\s\S]*alice Liddell[\s\S]*Sign out[\s\S]*<\/header>/);
    assert.ok(linksOf(page).includes('/'));
    assert.match(page.text, /class="button primary" href="\/">Go to the home page/);
    const [, german = ''] = /<a href="([^"]+)" lang="de"/.exec(page.text) ?? [];
    const translated = await alice.open(new URL(german.replaceAll('&amp;', '&'), page.url).href);
    assert.match(translated.text, /<html lang="de"/);
    // the choice stays
    await alice.open('/?ui_locales=en');
  });
}

test('the error page for an application without access shows the signed-in user and offers other languages', async () => {
  const page = await alice.open('/account/applications/none');
  assert.equal(page.status, 404);
  assert.match(page.text, /<header[\s\S]*alice Liddell[\s\S]*Sign out[\s\S]*<\/header>/);
  assert.match(page.text, /<a href="\?ui_locales=de" lang="de"/);
});

test('error pages offer a signed-out user to sign in', async () => {
  for (const path of ['/nowhere', '/authorize?client_id=nobody', '/errors/invalid_grant']) {
    const page = await stranger.open(path);
    assert.ok(linksOf(page).includes('/login'), path);
    assert.doesNotMatch(page.text, /Sign out/);
  }
});

test('the language links of an error page repeat nothing of a possibly hostile request', async () => {
  const page = await alice.open(`/authorize?${authorizationQuery({ redirect_uri: 'https://evil.example/' })}`);
  assert.equal(page.status, 400);
  assert.match(page.text, /lang="fr"/);
  assert.doesNotMatch(page.text, /evil\.example|the-state/);
});

test('the refusal of a form without a valid token is a page with links', async () => {
  const page = await alice.open('/logout', { method: 'POST' });
  assert.equal(page.status, 403);
  assert.match(page.text, /alice Liddell/);
  assert.ok(linksOf(page).includes('/'));
});

test('the home page links only to pages that the user may open, and offers to sign in', async () => {
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

test('the error of a disabled application leads its signed-in owner to it, and tells nobody else', async () => {
  const client_id = 'own-and-disabled';
  await registerPrinter(database, { client_id, name: 'My Cards' });
  await database.query(
    `update clients set owner_id = (select user_id from users where username = 'alice'), disabled_at = now() where client_id = $1`,
    [client_id],
  );
  const request = `/authorize?${authorizationQuery({ client_id })}`;
  const own = await alice.visit(request);
  assert.equal(own.status, 400);
  assert.match(
    own.text,
    /<h1>This application is disabled<\/h1>[\s\S]*You own [\s\S]*My Cards[\s\S]*id="own-disabled" href="\/developer\/applications\/own-and-disabled"/,
  );
  assert.match(own.text, /The application is disabled\./);
  assert.match(own.text, /Only an administrator can enable it\./);
  await database.query('update clients set disabled_by_owner = true where client_id = $1', [client_id]);
  assert.match((await alice.visit(request)).text, /You can enable it in the developer console\./);
  assert.doesNotMatch(own.text, /not registered|no application/);
  const unknown = '<h1>This application is not registered here</h1>';
  assert.ok(!own.text.includes(unknown));
  for (const other of [stranger, root]) {
    const { text } = await other.visit(request);
    assert.doesNotMatch(text, /My Cards|You own/);
    assert.ok(text.includes(unknown));
    assert.match(
      text,
      /id="request-id">[\w-]+<\/code>&ensp;<button type="button" class="minor" hidden data-copy="request-id"/,
    );
  }
});

test('the details for developers repeat a client_id that names no application, if it could be one', async () => {
  const browser = new Browser(origin);
  const named = (await browser.visit('/authorize?client_id=no-such%3Cb%3E')).text;
  assert.match(named, />client_id names no application registered here<\/dd>/);
  assert.match(named, /<code id="client-id">no-such&lt;b&gt;<\/code>/);
  const long = (await browser.visit(`/authorize?client_id=${'x'.repeat(150)}`)).text;
  assert.match(long, /<code id="client-id">x{60,80}…?<\/code>/);
  const text = (await browser.visit('/authorize?client_id=call%20this%20number')).text;
  assert.doesNotMatch(text, /id="client-id"|call this number/);
});
