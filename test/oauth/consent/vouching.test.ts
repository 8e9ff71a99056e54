import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textsIn } from '../../../src/web/texts.ts';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';

const { origin, database } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['mallory', 'root', 'victim']);
await database.query("update users set is_admin = true where username = 'root'");
const mallory = await signedInBrowser(origin, 'mallory');
const root = await signedInBrowser(origin, 'root');
const victim = await signedInBrowser(origin, 'victim');

const redirect_uri = 'https://cards.example/callback?shop=1';
const description = {
  name: 'Post Cards',
  site_domain: 'cards.example',
  redirect_uris: redirect_uri,
  'use:user:name': 'optional',
};

async function register(browser: Browser, changes: Partial<typeof description> & Record<string, string> = {}) {
  const form = { ...description, ...changes };
  const page = await browser.submit(await browser.visit('/developer/applications/new'), 'class="primary"', form);
  return decodeURIComponent(/applications\/([^/?]+)/.exec(page.url)?.[1] ?? assert.fail(page.text));
}

const request = (client_id: string, changes = {}) =>
  `/authorize?${authorizationQuery({ client_id, redirect_uri, scope: 'user:name', ...changes })}`;
const errorIn = ({ location = '' }: Page) => new URL(location).searchParams.get('error');
const consoleOf = (client_id: string) => `/developer/applications/${client_id}`;

/** Asserts an error page that names the application and links to its redirection URI. */
function assertPage(page: Page, error: string, issuer = origin): void {
  assert.deepEqual([page.status, page.location], [400, undefined]);
  for (const said of ['Post Cards', 'cards.example']) assert.ok(page.text.includes(said), said);
  assert.match(page.text, new RegExp(`id="error"><code>${error}<`));
  const [, href = ''] = /<a id="continue"[^>]*href="([^"]+)"/.exec(page.text) ?? [];
  const url = new URL(href.replaceAll('&amp;', '&'));
  assert.ok(url.href.startsWith(`${redirect_uri}&error=${error}`));
  assert.deepEqual([url.searchParams.get('state'), url.searchParams.get('iss')], ['the-state', issuer]);
}

const faults: [title: string, error: string, changes: Record<string, string | undefined>][] = [
  ['prompt=none', 'consent_required', { prompt: 'none' }],
  ['an invalid scope', 'invalid_scope', { scope: 'non"sense' }],
  ['an invalid code_challenge', 'invalid_request', { code_challenge: 'short' }],
  ['an unknown response_type', 'unsupported_response_type', { response_type: 'token' }],
  ['an invalid prompt', 'invalid_request', { prompt: 'junk' }],
];

const strange = await register(mallory);
for (const [title, error, changes] of faults) {
  test(`${title} shows a page instead of redirecting to a client that no administrator vouched for [9700 §4.11.2] [A106]`, async () => {
    assertPage(await victim.open(request(strange, changes)), error);
    const nobody = new Browser(origin);
    assertPage(await nobody.open(request(strange, changes)), title === 'prompt=none' ? 'login_required' : error);
    const dialect = await victim.open(`/login/oauth${request(strange, changes)}`);
    assertPage(dialect, error, `${origin}/login/oauth`);
  });
}

for (const language of ['en', 'de', 'fr', 'es', 'zh'] as const) {
  test(`the consent page of a client that no administrator vouched for has the host first and the name as a quotation, in ${language} [A322]`, async () => {
    await database.query("update clients set logo_uri = 'https://cards.example/logo.png' where client_id = $1", [
      strange,
    ]);
    const texts = textsIn(language);
    const { text, headers } = await victim.visit(request(strange, { ui_locales: language, prompt: 'consent' }));
    // the choice stays
    await victim.visit('/?ui_locales=en');
    const [, heading = ''] = /<h1>([\s\S]*?)<\/h1>/.exec(text) ?? [];
    assert.equal(heading.replace(/<[^>]*>/g, ''), texts['consent.title_host'].replace('{host}', 'cards.example'));
    assert.ok(text.includes(texts['consent.unknown']));
    const [before = ''] = texts['consent.calls_itself'].split('{client}');
    assert.equal(text.split('Post Cards').length, 2, 'once');
    assert.ok(text.replace(/<[^>]*>/g, '').includes(`${before}Post Cards`));
    assert.doesNotMatch(text + headers.get('content-security-policy'), /logo\.png|<img|img-src[^;]*cards/);
    const login = (await new Browser(origin).visit(request(strange, { ui_locales: language }))).text;
    assert.ok(login.replace(/<[^>]*>/g, '').includes(texts['login.unknown'].replace('{client}', 'Post Cards')));
    for (const said of [texts['login.unverified'], texts['login.unknown_where']]) assert.ok(login.includes(said), said);
    assert.doesNotMatch(login, /cards\.example\)/);
  });
}

test('an unvouched app on the device is called that, whatever its name and scheme claim [A322]', async () => {
  const claims = { name: 'Bank of Example', site_domain: 'bank.example', confidential: 'false' };
  const uris = ['example.bank:/callback', 'http://127.0.0.1:33418/callback'];
  const client_id = await register(mallory, { ...claims, redirect_uris: uris[0] ?? '' });
  await database.query('update clients set redirect_uris = $1 where client_id = $2', [uris, client_id]);
  for (const redirect_uri of uris) {
    const { text } = await victim.visit(request(client_id, { redirect_uri }));
    assert.match(text, /<h1>Allow an application on this device to access your account\?<\/h1>/);
    assert.doesNotMatch(text, /bank\.example/);
  }
});

test('the pages of connected applications quote the name of one that nobody vouches for [A322]', async () => {
  const client_id = await register(mallory, { name: 'Your Bank', site_domain: 'cards.example' });
  await victim.submit(await victim.visit(request(client_id)), 'id="allow"');
  const pages = ['/account/applications', `/account/applications/${client_id}`];
  for (const path of pages) assert.match((await victim.visit(path)).text, /<bdi>“Your Bank”<\/bdi>/, path);
  const german = await victim.visit('/account/applications?ui_locales=de');
  assert.match(german.text, /<bdi>„Your Bank“<\/bdi>/);
  await victim.visit('/account/applications?ui_locales=en');
  await database.query('update clients set vouched = true where client_id = $1', [client_id]);
  for (const path of pages) assert.match((await victim.visit(path)).text, /<bdi>Your Bank<\/bdi>/, path);
});

/** The text of a page without its markup. */
const wordsOf = ({ text }: Page) =>
  text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' .', '.');

test('an application for localhost claims to run on the device of the person, and belongs to no site', async () => {
  const redirect_uri = 'http://localhost:5173/callback';
  const client_id = await register(mallory, { name: 'Web', site_domain: 'localhost', redirect_uris: redirect_uri });
  await victim.submit(await victim.visit(request(client_id, { redirect_uri })), 'id="allow"');
  const words = wordsOf(await victim.visit(`/account/applications/${client_id}`));
  assert.match(
    words,
    /Claims to run on your device \( ?localhost ?\)\. This server has not verified the application\./,
  );
  assert.doesNotMatch(words, /Claims to belong/);
  const administered = wordsOf(await root.visit(`/admin/applications/${client_id}`));
  assert.match(
    administered,
    /Claims to run on a device \( ?localhost ?\)\.[\s\S]*All ports of localhost count as one site\./,
  );
  assert.match((await mallory.visit(consoleOf(client_id))).text, /All ports of localhost count as one site\./);
});

test('no page for a person states the domain of one that nobody vouches for as a fact, or links to an address that it names [A322]', async () => {
  const redirect_uri = 'https://sure.example/callback';
  const links = {
    homepage_uri: 'https://sure.example/home',
    policy_uri: 'https://sure.example/privacy',
    tos_uri: 'https://sure.example/terms',
  };
  const site = { site_domain: 'sure.example', redirect_uris: redirect_uri };
  const client_id = await register(mallory, { ...site, ...links, name: 'Sure Bank' });
  const consent = await victim.visit(request(client_id, { redirect_uri }));
  await victim.submit(consent, 'id="allow"');
  const application = await victim.visit(`/account/applications/${client_id}`);
  const list = await victim.visit('/account/applications');
  const pages = { consent, application, list, console: await root.visit('/developer/applications') };
  for (const [name, page] of Object.entries(pages))
    assert.doesNotMatch(page.text, /href="https:[^"]*sure\.example/, name);
  const claim = /Claims to belong to sure\.example\. This server has not verified it\./;
  for (const page of [application, list, pages.console]) assert.match(wordsOf(page), claim);
  for (const page of [list, pages.console]) {
    assert.doesNotMatch(wordsOf(page).replaceAll(new RegExp(claim, 'g'), ''), /sure\.example/);
  }
  for (const page of [consent, application]) {
    assert.match(
      wordsOf(page),
      /This server has not verified that they belong to the application:\s*Privacy policy: https:\/\/sure\.example\/privacy/,
    );
  }
  const account = await victim.visit('/account/activity');
  assert.match(wordsOf(account), /Access allowed: “Sure Bank”/);
  await database.query('update clients set vouched = true where client_id = $1', [client_id]);
  assert.match(wordsOf(await victim.visit('/account/activity')), /Access allowed: Sure Bank/);
  const trusted = await victim.visit(`/account/applications/${client_id}`);
  for (const uri of Object.values(links)) assert.ok(trusted.text.includes(`href="${uri}"`), uri);
  assert.doesNotMatch(wordsOf(trusted), claim);
});

test('the console quotes the name of one that nobody vouches for, also where an administrator reads it [A322]', async () => {
  const client_id = await register(mallory, { name: 'Official Payroll' });
  await victim.open(request(client_id, { scope: 'nonsense' }));
  const paths = ['', '/connect', '/security'].map((path) => consoleOf(client_id) + path);
  for (const path of ['/developer/applications', ...paths]) {
    for (const browser of [root, mallory]) {
      const words = wordsOf(await browser.visit(path));
      assert.match(words, /“Official Payroll”/, path);
      // where a person copies the name
      const others = words.replaceAll(/“Official Payroll”|type the name of the application: Official Payroll/g, '');
      assert.doesNotMatch(others, /Official Payroll/, path);
    }
  }
});

test('scripts of a site read answers only if an administrator vouches for its client', async () => {
  const client_id = await register(mallory, {
    site_domain: 'scripts.example',
    redirect_uris: 'https://scripts.example/',
  });
  const allowed = async () => {
    const { headers } = await fetch(`${origin}/token`, {
      method: 'POST',
      headers: { origin: 'https://scripts.example' },
    });
    return headers.get('access-control-allow-origin');
  };
  assert.equal(await allowed(), null);
  await database.query('update clients set vouched = true where client_id = $1', [client_id]);
  assert.equal(await allowed(), 'https://scripts.example');
});

test('the user’s decision redirects straight to the client, for Deny and Allow alike', async () => {
  assert.equal(errorIn(await victim.submit(await victim.visit(request(strange)), 'id="deny"')), 'access_denied');
  assert.ok(codeIn(await victim.submit(await victim.visit(request(strange)), 'id="allow"')));
  assert.ok(codeIn(await victim.open(request(strange, { prompt: 'none' }))), 'who agreed before has seen who it is');
});

test('a client registered by an administrator is vouched for', async () => {
  const trusted = await register(root);
  assert.equal(errorIn(await victim.open(request(trusted, { scope: 'nonsense' }))), 'invalid_scope');
});

test('an administrator can vouch later and withdraw it; the developer can see it and not change it', async () => {
  const client_id = await register(mallory);
  const own = await mallory.visit(consoleOf(client_id));
  assert.match(own.text, /No administrator vouches for this application/);
  assert.doesNotMatch(own.text, /All ports of localhost/, 'it belongs to another site');
  for (const { text } of [own, await root.visit(consoleOf(client_id))]) {
    assert.match(text, /<dd id="owner"><bdi>mallory</, 'whose it is');
  }
  assert.doesNotMatch(own.text, /\/vouch"/);
  // mallory makes the form of an administrator
  const forged = own.text.replace(`${consoleOf(client_id)}/disable`, `${consoleOf(client_id)}/vouch`);
  const refused = await mallory.submit({ ...own, text: forged }, '/vouch"', { vouched: 'true' });
  assert.equal(refused.status, 403);
  const fault = request(client_id, { scope: 'nonsense' });
  assertPage(await victim.open(fault), 'invalid_scope');

  const vouching = await root.submit(await root.visit(consoleOf(client_id)), 'name="vouched"');
  assert.match(vouching.text, /vouch/);
  assert.equal(errorIn(await victim.open(fault)), 'invalid_scope');
  assert.doesNotMatch(
    (await mallory.visit(consoleOf(client_id))).text,
    /No administrator vouches for this application/,
  );
  await root.submit(await root.visit(consoleOf(client_id)), 'name="vouched"');
  assertPage(await victim.open(fault), 'invalid_scope');
  const { rows } = await database.query(
    "select detail from audit_events where event = 'client_changed' and client_id = $1 order by happened_at",
    [client_id],
  );
  assert.deepEqual(
    rows.map(({ detail }) => detail),
    ['vouched for', 'no longer vouched for'],
  );
});

test('moving a client to another site domain ends the vouching, unless an administrator moves it', async () => {
  const client_id = await register(root);
  await database.query(
    "update clients set owner_id = (select user_id from users where username = 'mallory') where client_id = $1",
    [client_id],
  );
  const isVouched = async () =>
    (await database.query('select vouched from clients where client_id = $1', [client_id])).rows[0].vouched;
  const save = async (browser: Browser, changes: Record<string, string>) =>
    browser.submit(await browser.visit(`${consoleOf(client_id)}/registration`), 'name="site_domain"', changes);
  await save(mallory, { name: 'Better Cards', redirect_uris: 'https://cards.example/other' });
  assert.equal(await isVouched(), true, 'within the site it was vouched for');
  await save(root, { site_domain: 'cards.test', redirect_uris: 'https://cards.test/callback' });
  assert.equal(await isVouched(), true);
  await save(mallory, { site_domain: 'evil.example', redirect_uris: 'https://evil.example/callback' });
  assert.equal(await isVouched(), false);
});
