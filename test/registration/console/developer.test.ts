import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { findAnyClient } from '../../../src/clients/clients.sql.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { createClientId } from '../../../src/registration/console/registration.ts';
import { applicationPages } from '../../support/application-pages.ts';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { createClientKey, registerKeyClient } from '../../support/client-assertion.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, settle, startLatchkey } from '../../support/latchkey.ts';
import { refusalStored } from '../../support/refusals.ts';
import { unescapeHtml } from '../../support/shown-program.ts';

const { origin, database, logged } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['alice', 'bob', 'root', 'carol']);
await database.query("update users set is_admin = true where username = 'root'");

const alice = await signedInBrowser(origin);
const bob = await signedInBrowser(origin, 'bob');
const root = await signedInBrowser(origin, 'root');
const list = '/developer/applications';
const submit = 'class="primary"';
const description = {
  name: 'Post Cards',
  site_domain: 'cards.example',
  redirect_uris: 'https://cards.example/callback',
  'use:user:name': 'required',
  'reason:user:name': 'It is printed on the card.',
  'use:user:email': 'optional',
};

async function register(browser: Browser, changes: Record<string, string | string[] | undefined> = {}): Promise<Page> {
  await database.query('delete from attempts');
  return browser.submit(await browser.visit(`${list}/new`), submit, { ...description, ...changes });
}

/** A new application of alice: its console page, client_id and secret. */
async function registered(changes: Record<string, string> = {}) {
  const shown = await register(alice, changes);
  const client_id = decodeURIComponent(/applications\/([^/?]+)/.exec(shown.url)?.[1] ?? '');
  const secret = secretIn(shown) ?? '';
  return {
    client_id,
    secret,
    path: `${list}/${client_id}`,
    page: await applicationPages(alice, `${list}/${client_id}`),
  };
}

const secretIn = (page: Page) => /lk_cs_[\w-]{49}/.exec(page.text)?.[0];
const client = async (client_id: string) => (await findAnyClient(database, client_id)) ?? assert.fail('no client');
const events = async (client_id: string) =>
  (
    await database.query('select event from audit_trail where client_id = $1 order by happened_at', [client_id])
  ).rows.map(({ event }) => event);

/** The photo printer, owned by alice, and tokens that bob has given it. */
async function tokens(username = 'bob', form: Record<string, string | string[]> = {}) {
  await registerPrinter(database);
  await database.query(
    "update clients set owner_id = (select user_id from users where username = 'alice'), disabled_at = null where client_id = $1",
    [printer.client_id],
  );
  const browser = await signedInBrowser(origin, username);
  const code = await obtainCode(browser, { prompt: 'consent' }, form);
  const { body } = await redeem(origin, code);
  return { browser, code, access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

async function historyOf(token: string, path = `${list}/${printer.client_id}`): Promise<string> {
  const page = await alice.submit(await applicationPages(alice, path), `action="${path}/token"`, { token });
  assert.equal(page.status, 200);
  const [, told = ''] =
    /<h2 id="token-history">[\s\S]*?<div class="notice" role="status">([\s\S]*?)<\/div>/.exec(page.text) ?? [];
  assert.ok(!page.text.includes(token));
  return told
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

test('registering a confidential application shows its secret once, and the secret works', async () => {
  const pages = { policy_uri: 'https://cards.example/privacy', tos_uri: 'https://www.cards.example/terms' };
  const shown = await register(alice, pages);
  assert.match(shown.url, /\/developer\/applications\/post-cards-[0-9a-f]{10}\/secrets\/new$/);
  const secret = secretIn(shown) ?? '';
  const client_id = /applications\/([^/]+)/.exec(shown.url)?.[1] ?? '';
  const again = await alice.visit(shown.url);
  assert.deepEqual([again.url, secretIn(again)], [`${origin}${list}/${client_id}`, undefined]);
  const { name, site_domain, scopes, required_scopes, scope_reasons, policy_uri, tos_uri } = await client(client_id);
  assert.deepEqual(
    { name, site_domain, scopes, required_scopes, scope_reasons, policy_uri, tos_uri },
    {
      ...pages,
      name: 'Post Cards',
      site_domain: 'cards.example',
      scopes: ['user:name', 'user:email'],
      required_scopes: ['user:name'],
      scope_reasons: { 'user:name': 'It is printed on the card.' },
    },
  );
  const redirect_uri = 'https://cards.example/callback';
  const code = await obtainCode(bob, { client_id, redirect_uri });
  const answer = await redeem(origin, code, { redirect_uri }, { authorization: basic(client_id, secret) });
  assert.equal(answer.status, 200);
  assert.match((await alice.visit(list)).text, /Post Cards[\s\S]*Confidential/);
  assert.ok(logged.every((line) => !line.includes(secret)));
});

test('registering a public application creates no secret', async () => {
  const page = await register(alice, {
    name: 'Pocket Cards',
    confidential: 'false',
    redirect_uris: 'example.cards.app:/callback\r\n\r\n  https://cards.example/app  \r\n',
  });
  const [, client_id = ''] = /\/(pocket-cards-[0-9a-f]{10})\/connect\?/.exec(page.url) ?? [];
  const { text } = await applicationPages(alice, `${list}/${client_id}`);
  assert.doesNotMatch(text, /id="secrets"/);
  assert.match(text, new RegExp(`public, so it has no secret\\. <a href="${list}/${client_id}/security"`));
  const { secrets_sha256, redirect_uris } = await client(client_id);
  assert.deepEqual(
    [secrets_sha256.length, redirect_uris],
    [0, ['example.cards.app:/callback', 'https://cards.example/app']],
  );
});

test('each kind of application fills in the form, names its page of the documentation, and can be registered so', async () => {
  const kinds = ((await alice.visit(`${list}/new`)).text.match(/name="preset" value="\w+/g) ?? []).map((one) =>
    one.slice(21),
  );
  assert.deepEqual(kinds, ['web', 'spa', 'native', 'api', 'mcp']);
  const filledIn: unknown[] = [];
  for (const kind of kinds) {
    await database.query('delete from attempts');
    const form = await alice.visit(`${list}/new?preset=${kind}`);
    const [, guide = ''] = /<p id="preset">[^<]+<a href="([^"]+)"/.exec(form.text) ?? [];
    assert.equal((await alice.visit(guide)).status, 200);
    const uris = unescapeHtml(/<textarea id="redirect_uris"[^>]*>([^<]*)/.exec(form.text)?.[1] ?? '');
    const [, example = ''] = /For example: ([^<,]+)/.exec(form.text) ?? [];
    const { redirect_uris: _, ...others } = { ...description, name: `Kind ${kind}`, site_domain: 'app.example.com' };
    const site = kind === 'api' ? { site_domain: 'api.example.com' } : {};
    const shown = await alice.submit(form, submit, { ...others, ...site, redirect_uris: uris || example });
    const client_id = decodeURIComponent(/applications\/([^/?]+)/.exec(shown.url)?.[1] ?? '');
    const { secrets_sha256, grant_types, redirect_uris } = await client(client_id);
    filledIn.push([kind, secrets_sha256.length > 0, grant_types.includes('refresh_token'), redirect_uris]);
  }
  assert.deepEqual(filledIn, [
    ['web', true, true, ['https://app.example.com/callback']],
    ['spa', false, true, ['https://app.example.com/callback']],
    ['native', false, true, ['com.example.app:/callback']],
    ['api', true, false, ['https://api.example.com/']],
    ['mcp', false, true, ['http://127.0.0.1/callback', 'http://localhost/callback']],
  ]);
  assert.doesNotMatch((await alice.visit(`${list}/new?preset=constructor`)).text, /id="preset"/);
});

test('the redirection URIs have an example, and the hint about private schemes is for public applications only', async () => {
  const field = /For example: [^<]+|Public applications can also use a private scheme/g;
  const shown = async (path: string) => (await alice.visit(path)).text.match(field);
  const hint = 'Public applications can also use a private scheme';
  assert.deepEqual(await shown(`${list}/new`), ['For example: https://app.example.com/callback']);
  assert.deepEqual(await shown(`${list}/new?preset=spa`), [hint, 'For example: https://app.example.com/callback']);
  for (const [preset, uris] of [
    ['web', 'https://shop.cards.example/callback'],
    ['native', 'example.cards.shop:/callback, http://127.0.0.1/callback'],
    ['api', 'https://shop.cards.example/'],
  ]) {
    const form = await alice.visit(`${list}/new?preset=${preset}`);
    const { text } = await alice.submit(form, submit, { site_domain: 'shop.cards.example' });
    assert.ok(text.includes(`For example: ${uris}<`), 'at the site that was typed');
  }
  const { client_id, path } = await registered();
  const example = 'For example: https://cards.example/callback';
  assert.deepEqual(await shown(`${path}/registration`), [example]);
  await database.query("update clients set secrets_sha256 = '{}', secrets_since = '{}' where client_id = $1", [
    client_id,
  ]);
  assert.deepEqual(await shown(`${path}/registration`), [hint, example]);
});

test('each page of an application has its own heading, and names the application above it', async () => {
  const { path } = await registered();
  assert.match((await alice.visit(path)).text, /<h1 class="name"><bdi>“Post Cards”<\/bdi><\/h1>/);
  for (const part of ['credentials', 'registration', 'connect', 'security', 'activity']) {
    const { text } = await alice.visit(`${path}/${part}`);
    assert.match(
      text,
      new RegExp(` › <a href="${path}"><bdi>“Post Cards”</bdi></a></p>[\\s\\S]*<h1 id="${part}">${part}</h1>`, 'i'),
      part,
    );
  }
});

test('the overview shows what is registered, and leads to the form that changes it', async () => {
  const { path } = await registered();
  const { text } = await alice.visit(path);
  assert.match(
    text,
    new RegExp(
      `<h2 id="registered">Registration</h2><a [^>]*href="${path}/registration"[^>]*>Edit</a>[\\s\\S]*cards\\.example/callback`,
    ),
  );
});

test('a registration starts as a web application, unless its address names another kind', async () => {
  const { text } = await alice.visit(`${list}/new`);
  assert.match(text, /value="web" formnovalidate aria-current="true"/);
  assert.match(text, /id="preset"/);
});

test('a reason of several lines is one line, and the reason of a permission that is not requested is kept in a refused form', async () => {
  const form = await alice.visit(`${list}/new`);
  const typed = { ...description, 'reason:user:name': ' It is\r\nprinted. ', 'use:user:email': 'no' };
  const refused = await alice.submit(form, submit, { ...typed, 'reason:user:email': 'Later.', name: '' });
  assert.match(refused.text, /name="reason:user:name"[^>]*>It is printed\.<\/textarea>/);
  assert.match(refused.text, /name="reason:user:email"[^>]*>Later\.<\/textarea>/);
});

test('a new registration requests the name of the person; without a permission it is refused, and its kind stays chosen', async () => {
  const form = await alice.visit(`${list}/new?preset=spa`);
  const [, chosen] = /name="use:user:name" value="optional"( checked)?/.exec(form.text) ?? [];
  assert.equal(chosen, ' checked');
  const none = {
    ...description,
    redirect_uris: 'https://cards.example/callback',
    ...Object.fromEntries([...form.text.matchAll(/name="(use:[^"]+)"/g)].map(([, name]) => [name ?? '', 'no'])),
  };
  const refused = await alice.submit(form, submit, none);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /<div class="problem" id="faults"[\s\S]*href="#use-0-0no"/);
  assert.match(refused.text, /value="spa" formnovalidate aria-current="true"/);
  assert.match(refused.text, /id="preset"/);
});

test('what a kind decides and what is rarely stated is folded, unless it is stated or at fault', async () => {
  const open = async (page: Page | Promise<Page>) =>
    [...(await page).text.matchAll(/<details id="(kind|links)" open/g)].map(([, name]) => name);
  assert.deepEqual(await open(alice.visit(`${list}/new`)), []);
  assert.deepEqual(await open(alice.visit(`${list}/new?preset=constructor`)), ['kind']);
  const form = await alice.visit(`${list}/new?preset=web`);
  assert.deepEqual(await open(form), []);
  assert.deepEqual(await open(alice.submit(form, submit, { ...description, logo_uri: 'http://x' })), ['links']);
  const unusual = { ...description, confidential: 'false', name: '' };
  assert.deepEqual(await open(alice.submit(form, submit, unusual)), ['kind']);
  assert.deepEqual(await open((await registered()).page), []);
  assert.deepEqual(await open((await registered({ homepage_uri: 'https://cards.example/' })).page), ['links']);
});

test('choosing another kind keeps what was typed and registers nothing, and a kind’s own URIs leave with it', async () => {
  const registrations = async () => (await database.query('select client_id from clients')).rowCount;
  const before = await registrations();
  const choose = (page: Page, kind: string, typed = {}) => alice.submit(page, `value="${kind}" formnovalidate`, typed);
  const uris = ({ text }: Page) => unescapeHtml(/<textarea id="redirect_uris"[^>]*>([^<]*)/.exec(text)?.[1] ?? '');
  const mcp = await choose(await alice.visit(`${list}/new`), 'mcp', { name: 'Cards', 'reason:user:name': 'Printed.' });
  assert.equal(mcp.status, 200);
  assert.match(mcp.text, /name="name" value="Cards"/);
  assert.match(mcp.text, /name="reason:user:name"[^>]*>Printed\.</);
  assert.match(mcp.text, /value="mcp" formnovalidate aria-current="true"/);
  assert.match(mcp.text, /id="public"[^>]* checked/);
  assert.match(mcp.text, /<form method="post" action="[^"]*\?preset=mcp"/);
  assert.match(uris(mcp), /^http:\/\/127\.0\.0\.1\/callback\n/);
  const api = await choose(mcp, 'api');
  assert.match(api.text, /id="refreshes-not"[^>]* checked/);
  assert.equal(uris(api), '');
  const typed = await choose(api, 'web', { redirect_uris: 'https://cards.example/callback' });
  assert.equal(uris(typed), 'https://cards.example/callback');
  assert.doesNotMatch(typed.text, /id="faults"/);
  assert.equal(await registrations(), before);
  const ended = new Browser(origin);
  const { location = '' } = await ended.open(...formRequest(typed, 'value="spa" formnovalidate'));
  const kept = new URL(location, origin).searchParams.get('kept');
  const restored = await alice.visit(`${list}/new?kept=${kept}`);
  assert.match(restored.text, /id="restored"/);
  assert.match(restored.text, /value="spa" formnovalidate aria-current="true"/);
  assert.match(restored.text, /name="name" value="Cards"/);
  assert.match(restored.text, /id="public"[^>]* checked/);
});

test('the form of an application says its type and whether it has refresh tokens, and why neither changes there', async () => {
  for (const refreshes of ['true', 'false']) {
    const { path } = await registered({ refreshes });
    const { text } = await alice.visit(`${path}/registration`);
    const [, kind = ''] = /<div class="field" id="kind">([\s\S]*?)<\/div>/.exec(text) ?? [];
    assert.match(kind, /Confidential: runs on a server/);
    assert.equal(/<p>Refresh tokens: /.test(kind), refreshes === 'true');
    assert.match(
      kind,
      new RegExp(`cannot be changed after the registration\\. The type .* authenticates: <a href="${path}/security"`),
    );
  }
});

test('an application that was registered without refresh tokens gets none', async () => {
  const { client_id, secret } = await registered({ refreshes: 'false' });
  const redirect_uri = 'https://cards.example/callback';
  const code = await obtainCode(bob, { client_id, redirect_uri });
  const { body } = await redeem(origin, code, { redirect_uri }, { authorization: basic(client_id, secret) });
  assert.deepEqual(
    ['access_token', 'refresh_token'].map((name) => name in body),
    [true, false],
  );
});

test('an application that proves a key is shown as confidential, without secrets', async () => {
  const { client_id, path } = await registered();
  assert.match((await applicationPages(alice, path)).text, /Add a client secret/);
  await database.query(
    `update clients set token_endpoint_auth_method = 'private_key_jwt', secrets_sha256 = '{}', secrets_since = '{}',
       jwks_uri = 'https://cards.example/jwks' where client_id = $1`,
    [client_id],
  );
  const { text } = await applicationPages(alice, path);
  assert.match(text, /class="soft">Confidential/);
  assert.doesNotMatch(text, /Add a client secret/);
});

for (const [what, spoil, sentence] of [
  ['no name', { name: ' ' }, /id="name-problem">This field is required/],
  ['no domain', { site_domain: undefined }, /id="site_domain-problem">This field is required/],
  [
    'a domain that is a URL',
    { site_domain: 'https://cards.example' },
    /id="site_domain-problem">This is not a domain name/,
  ],
  [
    'a domain that is no host because it is too long',
    { site_domain: 'a.'.repeat(7500) },
    /id="site_domain-problem">A host name has at most 253 characters/,
  ],
  [
    'a public suffix',
    { site_domain: 'github.io' },
    /id="site_domain-problem">Anyone can have a name under this domain/,
  ],
  ['no redirection URI', { redirect_uris: '\r\n' }, /id="redirect_uris-problem">This field is required/],
  [
    '51 redirection URIs',
    { redirect_uris: Array.from({ length: 51 }, (_, index) => `https://cards.example/${index}`).join('\r\n') },
    /id="redirect_uris-problem">There are too many entries. The limit is 50/,
  ],
  [
    'a redirection URI of another site',
    { redirect_uris: 'https://evil.example/' },
    /https:\/\/evil\.example\/ is not on cards\.example\. Change the URI or the site domain\./,
  ],
  ['http', { redirect_uris: 'http://cards.example/' }, /begin with https:\/\/[^<]*http:\/\/cards/],
  ['a fragment', { redirect_uris: 'https://cards.example/#a' }, /Fragments \(#…\) are not allowed[^<]*#a/],
  ['a wildcard', { redirect_uris: 'https://*.cards.example/' }, /Wildcards are not allowed/],
  ['no URI', { redirect_uris: 'callback' }, /neither the form https:[^<]*com\.example\.app:[^<]*callback/],
  [
    'a scheme without a dot',
    { redirect_uris: 'myapp:/callback' },
    /private scheme, which starts with your domain[^<]*myapp:\/callback/,
  ],
  [
    'http on localhost for another site',
    { redirect_uris: 'http://localhost:8080/callback' },
    /http only if its site is localhost, for trying things out on your computer: http:\/\/localhost:8080/,
  ],
  ['dots', { redirect_uris: 'https://cards.example/../' }, /was not accepted[^<]*path with/],
  ['a homepage without https', { homepage_uri: 'http://cards.example' }, /id="homepage_uri-problem">/],
  ['a logo with a javascript: URI', { logo_uri: 'javascript:alert(1)' }, /id="logo_uri-problem">/],
  [
    'a policy of another site',
    { policy_uri: 'https://evil.example/' },
    /id="policy_uri-problem">[^<]* is not on cards\.example/,
  ],
  ['terms without https', { tos_uri: 'http://cards.example/' }, /id="tos_uri-problem">/],
  [
    'a logo of another site',
    { logo_uri: 'https://evil.example/x.png' },
    /id="logo_uri-problem">[^<]* is not on cards\.example/,
  ],
  [
    'a private-use scheme that is not the reversed domain',
    { redirect_uris: 'com.evil.app:/callback', confidential: 'false' },
    /the site domain in reverse order[^<]*com\.evil\.app/,
  ],
  ['no permission', { 'use:user:name': 'no', 'use:user:email': 'no' }, /class="problem">Choose at least one\./],
  ['a quote', { redirect_uris: "https://cards.example/'\\" }, /was not accepted/],
] as const) {
  test(`${what} is refused next to its field, and the input is kept`, async () => {
    const before = (await database.query('select count(*) from clients')).rows[0].count;
    const page = await register(alice, spoil as Record<string, string>);
    assert.equal(page.status, 400);
    assert.match(page.text, sentence);
    if (!('name' in spoil)) assert.match(page.text, /value="Post Cards"/);
    assert.match(page.text, /name="reason:user:name"[^>]*>It is printed on the card\.</);
    assert.equal((await database.query('select count(*) from clients')).rows[0].count, before);
  });
}

test('a form with several mistakes shows each of them at its field, and all problems of the redirection URIs together', async () => {
  const page = await register(alice, {
    name: ' ',
    site_domain: 'cards.example',
    redirect_uris: 'https://cards.example/#a\r\nhttps://cards.example/callback\r\nhttps://evil.example/',
    logo_uri: 'https://evil.example/x.png',
    'use:user:name': 'no',
    'use:user:email': 'no',
  });
  assert.equal(page.status, 400);
  assert.match(page.text, /id="name-problem">This field is required/);
  assert.match(
    page.text,
    /id="redirect_uris-problem">[^<]*Fragment[^<]*#a [^<]*evil\.example\/ is not on cards\.example/,
  );
  assert.match(page.text, /id="logo_uri-problem">[^<]* is not on cards\.example/);
  assert.match(page.text, /class="problem">Choose at least one\./);
  assert.doesNotMatch(page.text, /id="site_domain-problem"/);
});

test('changing an application keeps its secret, type and owner', async () => {
  const { client_id, secret, page } = await registered();
  const before = await client(client_id);
  const saved = await alice.submit(page, submit, {
    name: 'Better Cards',
    redirect_uris: 'https://cards.example/callback\r\nhttps://www.cards.example/callback',
    'use:repo:read': 'optional',
    'use:user:email': 'no',
  });
  assert.equal(saved.url, `${origin}${list}/${client_id}/registration?notice=application_saved`);
  const after = await client(client_id);
  assert.deepEqual(
    [after.name, after.redirect_uris.length, after.scopes, after.owner_id],
    ['Better Cards', 2, ['user:name', 'repo:read'], before.owner_id],
  );
  assert.deepEqual(after.secrets_sha256, before.secrets_sha256);
  const redirect_uri = 'https://www.cards.example/callback';
  const code = await obtainCode(bob, { client_id, redirect_uri, scope: 'user:name' });
  assert.equal((await redeem(origin, code, { redirect_uri }, { authorization: basic(client_id, secret) })).status, 200);
  const refused = await alice.submit(saved, submit, { redirect_uris: 'https://evil.example/' });
  assert.equal(refused.status, 400);
  assert.match(refused.text, /is not on cards\.example/);
  assert.match(refused.text, />https:\/\/evil\.example\/<\/textarea>/);
  assert.deepEqual((await client(client_id)).redirect_uris, after.redirect_uris);
  assert.deepEqual(await events(client_id), ['client_registered', 'client_changed', 'consent_given', 'tokens_issued']);
});

test('pressing the button twice creates one secret, which is shown; resending the form does not restore a deleted one', async () => {
  const { client_id, secret, path, page } = await registered();
  const press = () => alice.open(...formRequest(page, `${path}/secrets"`));
  const answers = await Promise.all([press(), press(), press()]);
  for (const { status, location } of answers) assert.deepEqual([status, location], [302, `${path}/secrets/new`]);
  const made = secretIn(await alice.visit(`${path}/secrets/new`)) ?? '';
  const digests = async () => (await client(client_id)).secrets_sha256.map((digest) => digest.toString('hex'));
  const both = [made, secret].map((one) => digestOf(one).toString('hex'));
  assert.deepEqual(await digests(), both);
  await press();
  const later = await alice.visit(`${path}/secrets/new`);
  assert.equal(secretIn(later), made, 'also a while later');
  assert.match(later.text, /The previous secret of the application still works until you delete it/);
  assert.deepEqual(await events(client_id), ['client_registered', 'client_secret_added']);
  const handle = both[0]?.slice(0, 8) ?? '';
  await alice.submit(await alice.visit(`${path}/credentials?delete=${handle}`), `value="${handle}"`);
  assert.deepEqual(await digests(), both.slice(1));
  assert.equal((await press()).status, 400);
  assert.deepEqual(await digests(), both.slice(1));
});

test('sending a registration twice creates one application, whose secret is shown', async () => {
  const request = formRequest(await alice.visit(`${list}/new`), submit, { ...description, name: 'Sent Twice' });
  const answers = await Promise.all([alice.open(...request), alice.open(...request)]);
  const [location = ''] = answers.map((answer) => answer.location);
  assert.deepEqual(
    answers.map((answer) => answer.location),
    [location, location],
  );
  const { rows } = await database.query("select client_id, secrets_sha256 from clients where name = 'Sent Twice'");
  assert.equal(rows.length, 1);
  const secret = secretIn(await alice.visit(location)) ?? '';
  assert.deepEqual(rows[0].secrets_sha256, [digestOf(secret)]);
});

test('a ticket that was searched for, so that the client_id is that of another application, changes nothing of that', async () => {
  const ticket = 'x'.repeat(43);
  const name = 'Target';
  const client_id = createClientId(name, digestOf(ticket));
  await registerPrinter(database, { client_id });
  const before = await client(client_id);
  const page = await bob.visit(`${list}/new`);
  const answer = await bob.submit(page, submit, { ...description, name, ticket });
  assert.equal(answer.status, 403);
  assert.deepEqual(await client(client_id), before);
  assert.deepEqual(await events(client_id), []);
});

test('an application that proves a key is shown as confidential with its keys, which a change of its name keeps', async () => {
  const keys = [createClientKey('signs-now'), createClientKey('signs-next')];
  await registerKeyClient(database, { client_id: 'with-keys', keys });
  await registerKeyClient(database, { client_id: 'publishing', jwks_uri: 'https://printer.example/jwks' });
  await database.query("update clients set owner_id = 1 where client_id in ('with-keys', 'publishing')");
  const page = await applicationPages(alice, `${list}/with-keys`);
  assert.match(page.text, />Confidential</);
  assert.match(page.text, /<code>signs-now<[\s\S]*<code>signs-next</);
  assert.doesNotMatch(page.text, /Client secrets/);
  assert.match((await applicationPages(alice, `${list}/publishing`)).text, /<code>https:\/\/printer.example\/jwks</);
  const saved = await alice.submit(page, submit, { name: 'Renamed', redirect_uris: printer.redirect_uri });
  assert.equal(saved.url, `${origin}${list}/with-keys/registration?notice=application_saved`, saved.text);
  const { name, jwks, token_endpoint_auth_method } = (await findAnyClient(database, 'with-keys')) ?? {};
  assert.deepEqual(
    [name, jwks?.keys.map(({ kid }) => kid), token_endpoint_auth_method],
    ['Renamed', ['signs-now', 'signs-next'], 'private_key_jwt'],
  );
});

test('HEAD does not use up the single display of a secret', async () => {
  const { path, page } = await registered();
  const { location = '' } = await alice.open(...formRequest(page, `${path}/secrets"`));
  assert.equal((await alice.open(location, { method: 'HEAD' })).status, 405);
  assert.ok(secretIn(await alice.visit(location)));
});

test('a new secret is kept for its page in a cookie limited to that application', async () => {
  const { path, page } = await registered();
  const { headers } = await alice.open(...formRequest(page, `${path}/secrets"`));
  assert.match(headers.get('set-cookie') ?? '', new RegExp(`^new-secret=[\\w-]{43}; .*Path=${path}/secrets;`));
});

test('a second secret works beside the first, a third is refused, and any but the last can be deleted', async () => {
  const { client_id, secret, path, page } = await registered();
  const redirect_uri = 'https://cards.example/callback';
  const works = async (one: string) => {
    const code = await obtainCode(bob, { client_id, redirect_uri });
    return (await redeem(origin, code, { redirect_uri }, { authorization: basic(client_id, one) })).status === 200;
  };
  const inOtherTab = await applicationPages(alice, path);
  const shown = await alice.submit(page, `${path}/secrets"`);
  const second = secretIn(shown) ?? '';
  assert.ok(second !== secret && (await works(secret)) && (await works(second)));
  assert.match(
    shown.text,
    new RegExp(`class="button primary" href="${path}/credentials"`),
    'on to the deletion of the first',
  );
  const third = await alice.submit(inOtherTab, `${path}/secrets"`);
  assert.equal(third.status, 400);
  assert.match(third.text, /already has two client secrets/);
  const both = await alice.visit(`${path}/credentials`);
  const [handle, old] = [...both.text.matchAll(/<code>(\w{8})…/g)].map(([, one = '']) => one);
  assert.ok(handle && old && handle !== old);
  const asked = await alice.visit(`${path}/credentials?delete=${old}`);
  assert.equal((await alice.submit(asked, 'name="handle"', { handle: 'ffffffff' })).status, 404);
  const one = await alice.submit(asked, 'name="handle"');
  assert.equal(one.url, `${origin}${path}/credentials?notice=secret_deleted`);
  assert.ok(!(await works(secret)) && (await works(second)));
  assert.equal((await alice.submit(asked, 'name="handle"', { handle })).status, 404);
  assert.ok(await works(second));
});

test('of two secrets, the page says how to find out by its digest which of them a server has', async () => {
  const { secret, path, page } = await registered();
  assert.doesNotMatch(page.text, /sha256sum/);
  await alice.submit(page, `${path}/secrets"`);
  const { text } = await alice.visit(`${path}/credentials`);
  assert.match(text, /printf %s "\$CLIENT_SECRET" \| sha256sum/);
  assert.ok(text.includes(`<code>${digestOf(secret).toString('hex').slice(0, 8)}…`));
});

test('the overview of an application says what is registered: its site, its redirection URIs and what it requests', async () => {
  const { path } = await registered();
  const { text } = await alice.visit(path);
  const [, facts = ''] = /<h2 id="registered">([\s\S]*?)<\/dl>/.exec(text) ?? [];
  const told = facts.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  assert.match(told, /Site domain cards\.example Redirection URIs https:\/\/cards\.example\/callback Permissions /);
  assert.match(told, /See your name and username \(Required\) See your email address \(Optional\)/);
  assert.doesNotMatch(told, /repositories|Not requested/);
});

test('each secret is listed once; what deletes a secret is on a page of its own, and the only secret has none but says how it is replaced', async () => {
  const { path, page } = await registered();
  const shown = async () => (await alice.visit(`${path}/credentials`)).text.split('<h2 id="secrets">')[1] ?? '';
  const only = await shown();
  assert.equal(only.match(/<code>\w{8}…/g)?.length, 1);
  assert.doesNotMatch(only, /class="[^"]*danger/);
  assert.match(only, /The last secret cannot be deleted[\s\S]*<button class="primary">Add a client secret</);
  await alice.submit(page, `${path}/secrets"`);
  const both = await shown();
  const handles = [...both.matchAll(/<code>(\w{8})…/g)].map(([, handle]) => handle);
  assert.equal(handles.length, 2);
  const ways = [...both.matchAll(/<a class="[^"]*danger" href="([^"]*)"/g)].map(([, href]) => href);
  assert.deepEqual(
    ways,
    handles.map((handle) => `${path}/credentials?delete=${handle}`),
  );
  assert.doesNotMatch(both, /<form[^>]*\/secrets/, 'no form deletes at once, and none adds a third');
});

test('each secret shows when it was used last, by whatever request, and one in use is deleted only after a warning', async () => {
  const { client_id, secret, path, page } = await registered();
  await alice.submit(page, `${path}/secrets"`);
  const parts = async () => {
    const { text } = await alice.visit(`${path}/credentials`);
    return [...text.matchAll(/<li class="row">\s*<div><h3>SHA-256 begins with <code>(\w{8})…<\/code>[\s\S]*?<\/li>/g)];
  };
  const shows = async (pattern: RegExp) => (await parts()).map(([row]) => pattern.test(row));
  assert.deepEqual(await shows(/Never used/), [true, true]);

  // a refused request uses no secret
  await post(`${origin}/revoke`, { token: 'x' }, { authorization: basic(client_id, `${secret}x`) });
  await post(`${origin}/revoke`, { token: 'x' }, { authorization: basic(client_id, secret) });
  while (!(await shows(/Last used just now/)).includes(true)) await setImmediate();
  assert.deepEqual(await shows(/Last used just now/), [false, true]);

  const [[, unused = ''] = [], [, used = ''] = []] = await parts();
  const calm = await alice.visit(`${path}/credentials?delete=${unused}`);
  assert.match(calm.text, /Never used/);
  assert.doesNotMatch(calm.text, /id="in-use"/);
  // a page from before it was used does not delete it either
  const warned = await alice.submit(calm, 'name="handle"', { handle: used });
  assert.equal(warned.url, `${origin}${path}/credentials?delete=${used}`);
  assert.match(warned.text, /This secret is in use[\s\S]*Delete anyway/);
  assert.equal((await client(client_id)).secrets_sha256.length, 2);
  // what nobody has used for long is no longer in use
  await database.query("update client_secret_uses set last_used_at = now() - interval '31 days'");
  assert.doesNotMatch((await alice.visit(warned.url)).text, /is in use/);
  await database.query('update client_secret_uses set last_used_at = now()');
  const gone = await alice.submit(warned, 'name="handle"');
  assert.match(gone.url, /notice=secret_deleted/);
  assert.deepEqual(
    (await parts()).map(([, handle]) => handle),
    [unused],
  );
});

test('requests by one secret note its use once in five minutes, and the use of its successor ends what was noted', async () => {
  const { client_id, secret, path, page } = await registered();
  const redirect_uri = 'https://cards.example/callback';
  const authorization = basic(client_id, secret);
  const uses = async () =>
    (await database.query('select secret_sha256, xmin::text from client_secret_uses where client_id = $1', [client_id]))
      .rows;
  const code = await obtainCode(bob, { client_id, redirect_uri });
  const { body } = await redeem(origin, code, { redirect_uri }, { authorization });
  while ((await uses()).length === 0) await setImmediate();
  const [first] = await uses();
  assert.deepEqual(first?.['secret_sha256'], digestOf(secret));
  assert.equal((await refresh(origin, body['refresh_token'], {}, { authorization })).status, 200);
  await post(`${origin}/introspect`, { token: 'x' }, { authorization });
  assert.deepEqual(await uses(), [first]);

  const second = secretIn(await alice.submit(page, `${path}/secrets"`)) ?? '';
  await alice.submit(
    await alice.visit(`${path}/credentials?delete=${digestOf(secret).toString('hex', 0, 4)}`),
    'name="handle"',
  );
  await post(`${origin}/introspect`, { token: 'x' }, { authorization: basic(client_id, second) });
  while ((await uses())[0]?.['secret_sha256']?.equals(digestOf(second)) !== true) await setImmediate();
  assert.equal((await uses()).length, 1);
});

test('the secret of one application is shown neither on another application’s page nor in another browser', async () => {
  const shown = await register(alice);
  const other = await registered();
  assert.ok(secretIn(shown));
  const fresh = await signedInBrowser(origin);
  assert.equal(secretIn(await fresh.visit(shown.url)), undefined);
  assert.equal(secretIn(await alice.visit(`${other.path}/secrets/new`)), undefined);
});

test('disabling an application ends all its tokens at once, and enabling it restores them', async () => {
  const { access_token } = await tokens();
  const path = `${list}/${printer.client_id}`;
  const disabled = await alice.submit(await applicationPages(alice, path), `${path}/disable"`);
  assert.match(disabled.text, /Application disabled/);
  assert.equal((await getUser(origin, access_token)).status, 401);
  assert.match((await bob.visit(`/authorize?${authorizationQuery()}`)).text, /id="error"/);
  const enabled = await alice.submit(disabled, `${path}/enable"`);
  assert.equal(enabled.url, `${origin}${path}?notice=application_enabled`);
  assert.equal((await getUser(origin, access_token)).status, 200);
});

test('an application disabled by an administrator can be enabled by administrators only', async () => {
  const { path } = await registered();
  const disabled = await root.submit(await applicationPages(root, path), `${path}/disable"`);
  const page = await applicationPages(alice, path);
  assert.match(page.text, /Disabled/);
  assert.match(page.text, /only an administrator can enable it/);
  assert.doesNotMatch(page.text, new RegExp(`${path}/(en|dis)able"`), 'no button that would be refused');
  const [, form] = formRequest(page, `${path}/delete"`);
  assert.equal((await alice.open(`${path}/enable`, form)).status, 403);
  assert.match((await root.submit(disabled, `${path}/enable"`)).text, /Application enabled/);
});

test('an administrator can block an application that its owner disabled; the owner can then neither enable it nor lift the block', async () => {
  const { path, client_id } = await registered();
  await alice.submit(await applicationPages(alice, path), `${path}/disable"`);
  assert.doesNotMatch((await applicationPages(alice, path)).text, />Block</, 'nothing for the owner to block');
  const blocked = await root.submit(await applicationPages(root, path), `${path}/disable"`);
  assert.match(blocked.text, /Application disabled/);
  assert.doesNotMatch(blocked.text, />Block</);
  const [, form] = formRequest(await applicationPages(alice, path), `${path}/delete"`);
  await alice.open(`${path}/disable`, form);
  assert.equal((await alice.open(`${path}/enable`, form)).status, 403);
  assert.ok((await client(client_id)).disabled_at);
  assert.deepEqual((await events(client_id)).slice(-2), ['client_disabled', 'client_disabled']);
  assert.match((await root.submit(blocked, `${path}/enable"`)).text, /Application enabled/);
});

test('deleting an application requires its name, and removes its data', async () => {
  const { path, client_id, page, secret } = await registered();
  const redirect_uri = 'https://cards.example/callback';
  const code = await obtainCode(bob, { client_id, redirect_uri });
  const { body } = await redeem(origin, code, { redirect_uri }, { authorization: basic(client_id, secret) });
  const wrong = await alice.submit(page, 'name="confirm"', { confirm: 'Post Card' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /not the name of the application/);
  assert.match(wrong.text, /<details open>(?:(?!<\/details>)[\s\S])*name="confirm"/, 'the form is open again');
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  const gone = await alice.submit(page, 'name="confirm"', { confirm: 'Post Cards' });
  assert.equal(gone.url, `${origin}${list}?notice=application_deleted`);
  assert.match(gone.text, /Application deleted/);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await alice.open(path)).status, 404);
  assert.equal((await bob.visit('/account')).status, 200);
});

test('what disables or deletes stands last, each in a form that has to be opened first', async () => {
  const { path } = await registered();
  const { text } = await alice.visit(path);
  const [before = '', last = ''] = text.split('<h2 id="danger">');
  assert.deepEqual(
    [...last.matchAll(/<details>\s*<summary>[\s\S]*?<form method="post" action="([^"]*)"/g)].map(
      ([, action]) => action,
    ),
    [`${path}/disable`, `${path}/delete`],
  );
  assert.doesNotMatch(before, /\/(disable|delete)"/);
  assert.doesNotMatch(last, /<h2/);
});

test('other users’ applications and unknown ones get the same 404 at every address', async () => {
  const { path } = await registered();
  const [, init] = formRequest(await bob.visit(`${list}/new`), submit, description);
  for (const base of [path, `${list}/nobody`, `${list}/%00`, `${list}/${'x'.repeat(300)}`]) {
    assert.equal((await bob.open(base)).status, 404, base);
    for (const action of ['', '/secrets', '/secrets/delete', '/disable', '/enable', '/delete', '/token']) {
      assert.equal((await bob.open(base + action, init)).status, 404, base + action);
    }
    assert.equal((await bob.open(`${base}/secrets/new`)).status, 404);
  }
  assert.equal((await applicationPages(alice, path)).text.includes('Disabled'), false);
  assert.equal((await applicationPages(root, path)).status, 200);
  assert.match((await root.visit(list)).text, new RegExp(path));
  assert.doesNotMatch((await bob.visit(list)).text, new RegExp(path));
});

test('forged forms change nothing, and the page comes back', async () => {
  const { path, client_id, page } = await registered();
  const fresh = await alice.visit(`${list}/new`);
  for (const [from, button] of [
    [fresh, submit],
    [page, submit],
    [page, `${path}/secrets"`],
    [page, `${path}/disable"`],
    [page, 'name="confirm"'],
    [page, 'name="token"'],
  ] as const) {
    const fields = { ...description, confirm: 'Post Cards', name: 'Forged', token: 'x' };
    const expired = await alice.submit(from, button, { ...fields, csrf: undefined });
    assert.equal(expired.status, 403, button);
    assert.match(expired.text, /open for too long/);
    const [address, init] = formRequest(from, button, fields);
    const headers = { ...(init.headers as Record<string, string>), 'sec-fetch-site': 'same-site' };
    assert.equal((await alice.open(address, { ...init, headers })).status, 403);
  }
  const { name, disabled_at, secrets_sha256 } = await client(client_id);
  assert.deepEqual([name, disabled_at, secrets_sha256.length], ['Post Cards', null, 1]);
  assert.equal((await database.query("select 1 from clients where name = 'Forged'")).rows.length, 0);
});

test('a signed-out user who sends a form returns to its page after signing in', async () => {
  const { path } = await registered();
  const browser = new Browser(origin);
  const login = await browser.visit(`${path}/secrets/delete`);
  const page = await browser.submit(login, 'id="login"', { username: 'alice', password });
  assert.equal(page.url, origin + path);
});

for (const [registration, person, status] of [
  ['admins', 'carol', 403],
  ['admins', 'root', 200],
  ['off', 'root', 403],
  ['open', 'carol', 200],
] as const) {
  test(`with REGISTRATION=${registration}, ${person} gets ${status}`, async () => {
    const other = await startLatchkey({ REGISTRATION: registration, SUPPORT_URL: 'https://wonder.example/help' });
    await registerPeople(other.database, [person]);
    if (person === 'root') await other.database.query('update users set is_admin = true');
    const browser = await signedInBrowser(other.origin, person);
    const page = await browser.visit(`${list}/new`);
    assert.equal(page.status, status);
    const offered = await browser.visit(list);
    assert.equal(offered.text.includes(`href="${list}/new"`), status === 200);
    assert.doesNotMatch(offered.text, /id="refusals"/, 'nothing can be refused yet');
    assert.equal((await browser.visit('/account')).text.includes(`href="${list}"`), status === 200);
    if (status === 403) {
      for (const closed of [page, offered]) {
        assert.match(
          closed.text,
          /Only administrators can register applications[\s\S]*href="\/developer\/register">See what to send an administrator/,
        );
      }
      const chapter = await browser.visit('/developer/register');
      assert.match(chapter.text, /together with your username, so that you become its owner/);
      assert.match(chapter.text, /Ask the operator of .{1,40}: <a href="https:\/\/wonder\.example\/help"/);
      assert.equal((await browser.open(`${list}/new`, { method: 'POST' })).status, 403);
    }
  });
}

test('the sign-in leads back to the form of the kind that was chosen', async () => {
  const path = `${list}/new?preset=spa`;
  const { location } = await new Browser(origin).open(path);
  assert.equal(location, `/login?to=${encodeURIComponent(path)}`);
});

test('by default only administrators register applications, and owners keep what they have', async () => {
  const other = await startLatchkey();
  await registerPeople(other.database, ['carol']);
  await registerPrinter(other.database);
  await other.database.query('update clients set owner_id = (select user_id from users)');
  const browser = await signedInBrowser(other.origin, 'carol');
  assert.equal((await browser.visit(`${list}/new`)).status, 403);
  assert.match(
    (await browser.visit(list)).text,
    /Photo Printer[\s\S]*No request has been refused in the last seven days/,
  );
  assert.match((await browser.visit('/')).text, /href="\/developer\/applications"/);
});

test('a refused redirection URI is explained to the owner with the difference marked; another user gets a reference', async () => {
  await tokens();
  const request = `/authorize?${authorizationQuery({ redirect_uri: 'http://www.printer.example/callback/' })}`;
  const stranger = await bob.visit(request);
  const owner = await alice.visit(request);
  for (const page of [stranger, owner]) {
    assert.deepEqual([page.status, page.location], [400, undefined]);
    assert.match(page.text, /id="error"><code>invalid_request/);
    assert.ok(page.text.includes(page.headers.get('x-request-id') ?? '-'));
  }
  assert.doesNotMatch(stranger.text, /printer\.example/);
  const registration = `${list}/${printer.client_id}/registration`;
  assert.ok(owner.text.includes(`id="own-redirects" href="${registration}"`));
  assert.equal((await alice.visit(registration)).status, 200);
  assert.doesNotMatch(stranger.text, /own-redirects/);
  assert.match(owner.text, /<mark>www\.<\/mark>/);
  assert.match(owner.text, /http<mark>s<\/mark>:/);
  assert.match(owner.text, /Differs in: scheme, host, trailing slash/);
  const anonymous = await new Browser(origin).visit(request);
  assert.doesNotMatch(anonymous.text, /printer\.example/);
  const request_id = owner.headers.get('x-request-id') ?? '-';
  await refusalStored(database, request_id);
  const console = await applicationPages(alice, `${list}/${printer.client_id}`);
  assert.match(console.text, /<mark>www\.<\/mark>/);
  // the three are alike, so the list shows them as one
  const found = await alice.visit(`${list}/${printer.client_id}/activity?request_id=${request_id}`);
  assert.match(found.text, new RegExp(`<code>${request_id}</code>[\\s\\S]*<mark>www\\.</mark>`));
  assert.match((await alice.visit(list)).text, /<mark>www\.<\/mark>/);
  assert.doesNotMatch((await bob.visit(list)).text, /<mark>www/);
});

test('in the demo every user sees the difference', async () => {
  const demo = await startLatchkey({ DEMO: 'true' });
  await registerPrinter(demo.database);
  const hostile = 'https://printer.example/<script>alert(1)</script>\u202e';
  const page = await new Browser(demo.origin).visit(`/authorize?${authorizationQuery({ redirect_uri: hostile })}`);
  assert.match(page.text, /<mark>&lt;script&gt;[^<]*%E2%80%AE<\/mark>/);
  assert.doesNotMatch(page.text, /<script>alert/);
});

test('the history of a valid token is shown', async () => {
  const { access_token, refresh_token } = await tokens();
  assert.match(await historyOf(access_token), /^Access token\. It is valid\. .*redeemed .* Issued .* Still valid$/);
  assert.match(await historyOf(refresh_token), /^Refresh token\. It is valid\./);
});

test('the history of a rotated and of a reused refresh token is shown', async () => {
  const { code, access_token, refresh_token } = await tokens();
  const { body } = await refresh(origin, refresh_token);
  assert.match(await historyOf(refresh_token), /no longer valid\. .* Replaced by a new refresh token$/);
  assert.match(await historyOf(access_token), /It is valid\..* Refreshed .* Still valid$/);
  await database.query(
    "update authorization_codes set refresh_issued_at = refresh_issued_at - interval '2 minutes' where refresh_generation > 0",
  );
  await refresh(origin, refresh_token);
  assert.match(
    await historyOf(refresh_token),
    /Replaced by a new refresh token .* Used again .*perhaps by someone else/,
  );
  for (const other of [body['access_token'], body['refresh_token'], code]) {
    const history = await historyOf(String(other));
    assert.match(
      history,
      /no longer valid\. .*A refresh token of the same code was used again .*perhaps by someone else/,
    );
    assert.doesNotMatch(history, /Used again/);
  }
});

test('the history of a code that was redeemed twice is shown', async () => {
  const { browser, code, access_token } = await tokens();
  assert.match(await historyOf(code), /^Authorization code\. It is no longer valid\. .* Issued .* redeemed$/);
  await redeem(origin, code);
  assert.match(await historyOf(access_token), /no longer valid\. .*redeemed a second time/);
  assert.match(await historyOf(code), /no longer valid\. .* redeemed .*redeemed a second time/);
  // the person reads what happened, and that the application still has what they allowed
  assert.match(
    (await browser.visit('/account/activity')).text,
    /Tokens of[\s\S]{0,60}Photo Printer[\s\S]*A code that works only once was used twice[\s\S]*The permissions that you gave the application are unchanged[\s\S]*href="\/account\/applications\/photo-printer">Review access/,
  );
  assert.match((await browser.visit('/account/applications')).text, /Photo Printer/);
});

test('the history of a new code, of an expired one and of one with a wrong verifier is shown', async () => {
  const { browser } = await tokens();
  const code = await obtainCode(browser);
  assert.match(await historyOf(code), /^Authorization code\. It is valid\. .* Issued .* Still valid$/);
  await database.query('update authorization_codes set expires_at = now() where redeemed_at is null');
  assert.match(await historyOf(code), /no longer valid\. .* Issued .* Expired$/);
  const guessed = await obtainCode(browser);
  await redeem(origin, guessed, { code_verifier: 'x'.repeat(43) });
  assert.match(await historyOf(guessed), /no longer valid\. .* Issued .*wrong code_verifier/);
});

test('the history of a token that the user revoked, or whose permission the user withdrew, is shown', async () => {
  const { browser, access_token } = await tokens();
  const page = await browser.visit(`/account/applications/${printer.client_id}`);
  await browser.submit(page, submit, { scope: 'user:name' });
  assert.match(await historyOf(access_token), /It is valid\..*The user removed a permission .* Still valid$/);
  await browser.submit(page, 'class="revoke');
  assert.match(await historyOf(access_token), /no longer valid\..*Revoked by the user$/);
});

test('the history of a token whose registration lost a scope is shown', async () => {
  const { access_token, refresh_token } = await tokens();
  assert.doesNotMatch(await historyOf(access_token), /registered/);
  await registerPrinter(database, { scopes: ['user:name', 'repo'] });
  assert.match(
    await historyOf(access_token),
    /It is valid\..*A permission was removed from the registration .* Still valid$/,
  );
  assert.match(await historyOf(refresh_token), /A permission was removed from the registration/);
});

test('the history of a token that the application revoked, and of one that was reported as leaked, is shown', async () => {
  const one = await tokens();
  const headers = { authorization: basic(), 'content-type': 'application/x-www-form-urlencoded' };
  await fetch(`${origin}/revoke`, { method: 'POST', headers, body: `token=${one.access_token}` });
  assert.match(await historyOf(one.access_token), /Revoked by the application$/);
  assert.match(await historyOf(one.refresh_token), /It is valid/);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  await fetch(`${origin}/leaked`, { method: 'POST', headers: form, body: `token=${one.refresh_token}` });
  assert.match(await historyOf(one.refresh_token), /Reported as leaked/);
  assert.match(
    (await one.browser.visit('/account/activity')).text,
    /Tokens of[\s\S]*revoked[\s\S]*A token was reported as leaked/,
  );
});

test('the history of an expired token, and of a disabled user or application, is shown', async () => {
  const { access_token, refresh_token } = await tokens('carol');
  await database.query(
    "update access_tokens set issued_at = now() - interval '2 hours', expires_at = now() - interval '1 hour'",
  );
  assert.match(await historyOf(access_token), /no longer valid\..*Expired/);
  await database.query("update users set disabled_at = now() where username = 'carol'");
  assert.match(await historyOf(refresh_token), /no longer valid\..*User disabled/);
  await database.query('update clients set disabled_at = now() where client_id = $1', [printer.client_id]);
  assert.match(await historyOf(refresh_token), /Application disabled/);
});

test('unknown and foreign tokens get the same answer; a truncated token is recognised; no token is logged', async () => {
  const { access_token, refresh_token } = await tokens();
  const { path } = await registered();
  const { createCredential } = await import('../../../src/lib/secrets.ts');
  const unknown = await historyOf(createCredential('access_token'));
  assert.match(unknown, /^This application has no such code or token/);
  assert.equal(await historyOf(access_token, path), unknown);
  assert.equal(await historyOf(refresh_token, path), unknown);
  assert.match(await historyOf(access_token.slice(0, -1)), /format or checksum is wrong/);
  assert.match(await historyOf("x' or 1=1 --"), /format or checksum is wrong/);
  assert.ok(logged.every((line) => !line.includes(access_token) && !line.includes(refresh_token)));
});

test('an application that is used for sign-in only counts as used', async () => {
  await tokens();
  await settle({ database });
  await database.query('update clients set last_used_at = null where client_id = $1', [printer.client_id]);
  await database.query('update grants set last_used_at = null where client_id = $1', [printer.client_id]);
  const used = async () =>
    />printer\.example<\/bdi><\/p>\s*<p[^>]*>Confidential · ([^<]*)/.exec((await alice.visit(list)).text)?.[1];
  assert.match((await used()) ?? '', /^Never used/);
  await tokens();
  await settle({ database });
  assert.match((await used()) ?? '', /Last used just now/);
});

test('names, addresses and reasons of applications are escaped', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e\u200b\u{1F511}';
  const { page, client_id } = await registered({ name: hostile, 'reason:user:name': hostile });
  assert.ok(client_id.startsWith('img-src-x-onerror-alert-1-'));
  for (const shown of [page, await alice.visit(list), await root.visit(list)]) {
    assert.doesNotMatch(shown.text, /<img src=x/);
    assert.doesNotMatch(/<h[12][\s\S]*?<\/h[12]>/.exec(shown.text)?.[0] ?? '', /\u202e|\u200b/);
  }
});

test('the brand’s name, logo and colour are on every page', async () => {
  const branded = await startLatchkey({
    BRAND_NAME: 'Wonder & Co',
    BRAND_LOGO_URI: 'https://static.wonder.example/logo.svg',
    BRAND_COLOR: '#0a6',
  });
  const page = await new Browser(branded.origin).visit('/login');
  assert.match(page.text, /Wonder &amp; Co/);
  assert.match(page.headers.get('content-security-policy') ?? '', /img-src 'self' https:\/\/static\.wonder\.example/);
  const [, href = ''] = /href="(\/brand\.css\?v=[\w-]+)"/.exec(page.text) ?? [];
  const sheet = await fetch(branded.origin + href);
  assert.match(sheet.headers.get('content-type') ?? '', /^text\/css/);
  assert.match(sheet.headers.get('cache-control') ?? '', /immutable/);
  assert.match(await sheet.text(), /--fill:#00aa66/);
  assert.doesNotMatch((await new Browser(origin).visit('/login')).text, /brand\.css/);
});
