import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { noteSecretUse } from '../../src/clients/client-secrets.sql.ts';
import type { Browser, Page } from '../support/browser.ts';
import { basic, encode, getUser, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';
import { refusalStored } from '../support/refusals.ts';
import { metadata, register } from '../support/self-registration.ts';

const { origin, database } = await startWithPrinter({ REGISTRATION: 'open', REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database, ['bob', 'root']);
await database.query("update users set is_admin = true where username = 'root'");

const root = await signedInBrowser(origin, 'root');
const bob = await signedInBrowser(origin, 'bob');
const list = '/admin/applications';
const path = `${list}/${printer.client_id}`;

const own = (client_id: string, name: string, site: string, owner: string) =>
  database.query(
    `select register_client(client_id => $1, name => $2, site_domain => $3, redirect_uris => array['https://' || $3 || '/cb'],
     scopes => array['user'], vouched => false, owner => $4)`,
    [client_id, name, site, owner],
  );
await own('album', 'Photo Album 100%_sure\\', 'album.example', 'bob');

const press = async (button: string, fields: Record<string, string> = {}, browser: Browser = root, at = path) =>
  browser.submit(await browser.visit(at), `id="${button}"`, fields);

async function eventsSince(happening: () => Promise<unknown>): Promise<[string, number, string | null][]> {
  const { rows: before } = await database.query('select count(*)::integer as rows from audit_trail');
  await happening();
  const { rows } = await database.query(
    'select event, by_user_id, client_id from audit_trail order by happened_at offset $1',
    [before[0].rows],
  );
  return rows.map(({ event, by_user_id, client_id }) => [event, by_user_id, client_id]);
}
const { rows: admins } = await database.query("select user_id from users where username = 'root'");
const by = admins[0].user_id;

const found = async (find: string) => {
  const { text, status } = await root.visit(`${list}?${new URLSearchParams({ find })}`);
  assert.equal(status, 200);
  return [...text.matchAll(/href="\/admin\/applications\/([^"?]+)"/g)].map(([, id]) => id);
};

test('an application is found by the beginning of its id, of its site and of words of its name, the end of its site, and its owner', async () => {
  for (const [typed, expected] of [
    ['alb', 'album'],
    ['ALBUM', 'album'],
    ['photo alb', 'album'],
    ['100%', 'album'],
    ['album.ex', 'album'],
    ['album.example', 'album'],
    ['bob', 'album'],
    ['  bob ', 'album'],
  ] as const) {
    assert.deepEqual(await found(typed), [expected], typed);
  }
  assert.deepEqual((await found('')).sort(), ['album', printer.client_id].sort());
  for (const [query, isNewest] of [
    ['', true],
    ['?find=album', false],
  ] as const) {
    const { text } = await root.visit(`${list}${query}`);
    const [row = ''] = /<code>album<\/code>[^\n]*/.exec(text) ?? [];
    assert.match(
      row.replaceAll(/<[^>]*>/g, ''),
      isNewest ? /album · owner bob · Registered on / : /album · owner bob · Never/,
    );
  }
});

test('what is typed is taken literally, however long or strange it is', async () => {
  const strange = ['%', '_', '\\', '%'.repeat(500), "' or 1=1--", '.*', '^a', 'x'.repeat(10_000), '😀', '"><script>'];
  for (const typed of strange) assert.deepEqual(await found(typed), [], typed.slice(0, 20));
  assert.deepEqual(await found('Photo Album 100%_sure\\'), ['album']);
  assert.equal((await root.visit(`${list}?find=%00`)).status, 400);
  for (const query of ['limit=-1', 'limit=1e9', 'offset=1e9', 'order=password_hash', 'order=1;--', 'after=%27']) {
    assert.equal((await root.visit(`${list}?${query}`)).status, 200);
  }
});

test('the page of an application says whose it is, how many use it, and what was refused', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  await getUser(origin, body['access_token']);
  const refused = await redeem(origin, 'lk_ac_nonsense');
  await refusalStored(database, refused.headers.get('x-request-id') ?? '');
  const { text } = await root.visit(path);
  assert.match(text, /People who gave access<\/dt><dd>1 /);
  assert.match(text, /by the operator/);
  assert.match(text, new RegExp(`<dt>Redirection URIs</dt><dd><code dir="ltr">${printer.redirect_uri}</code>`));
  assert.match(text, /<dt>Scopes<\/dt><dd><code>[^<]*user:name/);
  assert.doesNotMatch(text, /id="states"|request scopes of a resource/);
  assert.match(text, /invalid_grant/);
  assert.match((await root.visit(`${list}/album`)).text, /<a href="\/admin\/people\/\d+"><bdi>bob<\/bdi><\/a>/);
  assert.equal((await root.visit(`${list}/nothing`)).status, 404);
});

test('an administrator disables, enables, vouches for and passes on an application, each once and named in the audit trail', async () => {
  const album = `${list}/album`;
  const events = (button: string, fields = {}) => eventsSince(() => press(button, fields, root, album));
  assert.deepEqual(await events('disable'), [['client_disabled', by, 'album']]);
  // its owner cannot undo that
  assert.doesNotMatch((await bob.visit('/developer/applications/album')).text, /\/enable"/);
  assert.deepEqual(await events('enable'), [['client_enabled', by, 'album']]);
  assert.deepEqual(await events('vouch'), [['client_changed', by, 'album']]);
  assert.match((await root.visit(album)).text, /<strong>Ban site<\/strong>[^|]*This application stays enabled/);
  assert.deepEqual(await events('vouch'), [['client_changed', by, 'album']]);
  assert.deepEqual(await events('pass-on', { owner: 'alice' }), [['client_passed_on', by, 'album']]);
  assert.equal((await bob.visit('/developer/applications/album')).status, 404);
  const dotted = await press('pass-on', { owner: 'a. b. c' }, root, album);
  assert.match(dotted.text, /<a href="#owner">New owner<\/a> – There is no such person\.<\/li>/);
  assert.match(dotted.text, /id="owner-problem">[^<]*subject “a\. b\. c”/, 'the field has the whole value');
  const refused = await press('pass-on', { owner: 'nobody' }, root, album);
  assert.deepEqual(
    [refused.status, /There is no person with the username, email address or subject “nobody”/.test(refused.text)],
    [400, true],
  );
  assert.match(refused.text, /name="owner" value="nobody"/, 'what was typed stays');
  assert.match(refused.text, /Current owner: <bdi[^>]*>alice<[\s\S]*id="pass-on" class="primary"/);
  assert.match(refused.text, /id="owner-problem">[^<]*<a href="\/admin\/people">/);
  await database.query(`update users set disabled_at = now() where username = 'bob'`);
  const disabled = await press('pass-on', { owner: 'bob' }, root, album);
  assert.deepEqual([disabled.status, /The account with this name is disabled/.test(disabled.text)], [400, true]);
  assert.doesNotMatch(disabled.text, /There is no such person/);
  await database.query(`update users set disabled_at = null where username = 'bob'`);
  assert.deepEqual(await events('pass-on', { owner: 'bob' }), [['client_passed_on', by, 'album']]);
  // sent twice, it acts once
  const page = await root.visit(album);
  const twice = () => Promise.all([1, 2].map(() => root.submit(page, 'id="disable"')));
  assert.deepEqual(await eventsSince(twice), [['client_disabled', by, 'album']]);
  assert.match(
    (await root.visit(album)).text,
    /id="while-disabled">Disabled since <time [^>]*>[^<]+<\/time>\. While the application is disabled, this server refuses/,
  );
  await press('enable', {}, root, album);
});

const secretIn = ({ text }: Page) => /id="client-secret">([^<]+)</.exec(text)?.[1] ?? assert.fail('no secret');
const accepts = async (client_secret: string) => {
  const headers = { authorization: basic(printer.client_id, client_secret) };
  return (await post(`${origin}/introspect`, { token: 'x' }, headers)).status !== 401;
};
const handleOf = (secret: string) => createHash('sha256').update(secret).digest('hex').slice(0, 8);

test('an administrator makes a second secret, sees it once, and withdraws the one that was lost, each named in the audit trail', async () => {
  const page = await root.visit(path);
  const events = await eventsSince(async () => {
    const [shown, again] = [await root.submit(page, 'id="add-secret"'), await root.submit(page, 'id="add-secret"')];
    const secret = secretIn(shown);
    assert.equal(secretIn(again), secret, 'a form that is sent twice makes one');
    assert.ok(shown.text.indexOf('id="client-secret"') < shown.text.indexOf('<dl class="facts">'), 'first of all');
    assert.ok(shown.text.includes(`SHA-256 begins with <code>${handleOf(secret)}…</code>`));
    assert.match(shown.headers.get('cache-control') ?? '', /no-store/);
    const seen = await root.visit(path);
    assert.doesNotMatch(seen.text, /id="client-secret"/);
    assert.doesNotMatch(seen.text, /id="add-secret"|add a new one/);
    assert.match(seen.text, /Both secrets are valid\. Delete the old secret/);
    for (const [one, tag] of [
      [secret, 'New'],
      [printer.client_secret, 'Old'],
    ] as const) {
      assert.match(seen.text, new RegExp(`${handleOf(one)}…</code></h3><p[^>]*><span class="tag">${tag}</span>`));
    }
    assert.deepEqual([await accepts(secret), await accepts(printer.client_secret)], [true, true]);
    const third = await root.submit(page, 'id="add-secret"', { ticket: 'x'.repeat(43) });
    assert.deepEqual([third.status, /already has two/.test(third.text)], [400, true]);
    const withdraw = `id="delete-${handleOf(printer.client_secret)}"`;
    assert.match((await root.submit(seen, withdraw)).text, /role="status"/);
    assert.deepEqual([await accepts(secret), await accepts(printer.client_secret)], [true, false]);
    // of two administrators the second finds it gone, and the last one stays
    assert.equal((await root.submit(seen, withdraw)).status, 400);
    assert.equal((await root.submit(seen, withdraw, { handle: handleOf(secret) })).status, 400);
    assert.equal(await accepts(secret), true);
  });
  assert.deepEqual(events, [
    ['client_secret_added', by, printer.client_id],
    ['client_secret_deleted', by, printer.client_id],
  ]);
  await database.query('update clients set secrets_sha256 = array[$2::bytea] where client_id = $1', [
    printer.client_id,
    createHash('sha256').update(printer.client_secret).digest(),
  ]);
});

test('before a secret that a program sends is withdrawn, the question says when it was used, also if that was after the page', async () => {
  await database.query('delete from client_secret_uses');
  const other = secretIn(await root.submit(await root.visit(path), 'id="add-secret"'));
  const open = await root.visit(path);
  assert.match(open.text, /Programs that still send this secret will be refused at once/);
  assert.doesNotMatch(open.text, /This secret is in use/);
  await noteSecretUse(database, printer.client_id, createHash('sha256').update(printer.client_secret).digest());
  const withdraw = `id="delete-${handleOf(printer.client_secret)}"`;
  assert.match(
    (await root.visit(path)).text,
    new RegExp(
      `${handleOf(printer.client_secret)}…</code></h3><p[^>]*><span class="tag">Old</span> · <span class="tag dot">In use</span> · Created`,
    ),
  );
  const warned = await root.submit(open, withdraw);
  assert.deepEqual([warned.status, /used this secret since you opened the page/.test(warned.text)], [400, true]);
  assert.match(warned.text, /This secret is in use: an application authenticated with it on/);
  assert.equal(await accepts(printer.client_secret), true);
  assert.match((await root.submit(warned, withdraw)).text, /role="status"/);
  assert.deepEqual([await accepts(printer.client_secret), await accepts(other)], [false, true]);
  await database.query('update clients set secrets_sha256 = array[$2::bytea] where client_id = $1', [
    printer.client_id,
    createHash('sha256').update(printer.client_secret).digest(),
  ]);
});

test('revoking all tokens of an application ends them, and not what people allowed', async () => {
  const { body } = await redeem(origin, await obtainCode(await signedInBrowser(origin)));
  assert.deepEqual(await eventsSince(() => press('revoke-tokens')), [['client_tokens_revoked', by, printer.client_id]]);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  const { rows } = await database.query('select count(*)::integer as alive from grants where revoked_at is null');
  assert.ok(rows[0].alive > 0);
});

test('a banned site is refused by the console and at /register, until the ban is lifted', async () => {
  const itself = () => register(origin, { ...metadata, redirect_uris: ['https://deep.album.example/cb'] });
  const sub = await itself();
  assert.equal(sub.status, 201);
  const forged = (await root.visit(`${list}/album?notice=site_banned`)).text;
  assert.doesNotMatch(forged, /are banned\./, 'a link claims nothing');
  const { text } = await press('ban', {}, root, `${list}/album`);
  assert.match(text, /<bdi class="parameter-site">album\.example<\/bdi> and its subdomains are banned\./);
  assert.match(text, /id="while-disabled">The ban disabled this application: /);
  const below = await root.visit(`${list}/${String(sub.body['client_id'])}`);
  for (const banned of [text, below.text]) {
    const [, event = ''] =
      /<bdi[^>]*>root<\/bdi> banned <bdi[^>]*>album\.example<\/bdi> and its subdomains on <time [^>]*>[^<]+<\/time>\. <a href="([^"]+)">Event in/.exec(
        banned,
      ) ?? [];
    const trail = (await root.visit(event)).text;
    assert.equal(trail.split('Site banned</').length - 1, 1, 'the event of the ban');
  }
  assert.match(text, /<a href="#enable">Go to “Enable”<\/a> · <a href="#unban">Go to “Lift ban”<\/a>/);
  assert.match(text, /Owners can then enable the applications that the ban disabled/);
  const [, states = ''] = /<p class="codes" id="states">(.*)<\/p>/.exec(text) ?? [];
  assert.deepEqual(
    [...states.matchAll(/dot (\w+)">([^<]+)/g)].map(([, look, state]) => [look, state]),
    [
      ['warning', 'Disabled'],
      ['error', 'Site banned'],
      ['off', 'Not vouched for'],
    ],
  );
  assert.match(text, /If an administrator bans its site, the application is disabled/);
  assert.match(text, /<strong>Enable<\/strong>[^|]*The ban of the site remains\.[^|]*<strong>Lift ban/);
  for (const action of ['Enable', 'Lift ban']) assert.match(text, new RegExp(`<strong>${action}</strong>`));
  const refused = await itself();
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_redirect_uri']);
  const { rows } = await database.query(
    "select count(*)::integer as enabled from clients where site_domain like '%album.example' and disabled_at is null",
  );
  assert.equal(rows[0].enabled, 0);
  // he was disabled above, which ended his session
  const bob = await signedInBrowser(origin, 'bob');
  const form = await bob.visit('/developer/applications/new');
  const fields = {
    name: 'X',
    site_domain: 'www.album.example',
    redirect_uris: 'https://www.album.example/cb',
    'use.user:name': 'optional',
  };
  const typed = await bob.submit(form, 'name="site_domain"', fields);
  assert.equal(typed.status, 400);
  assert.match(typed.text, /is banned here/);
  await press('unban', {}, root, `${list}/album`);
  assert.equal((await itself()).status, 201);
  await bob.submit(await bob.visit('/developer/applications/album'), '/enable"');
  assert.equal((await bob.visit('/developer/applications/album')).text.includes('/disable"'), true);
});

test('of two bans of a site and of one above it, the page names both, lifts the one that disabled the application, and then says what remains', async () => {
  await own('two-above', 'Above', 'two.example', 'bob');
  await own('two-sub', 'Below', 'sub.two.example', 'bob');
  const sub = `${list}/two-sub`;
  const bob = await signedInBrowser(origin, 'bob');
  await press('ban', {}, root, sub);
  await press('ban', {}, root, `${list}/two-above`);
  const page = await root.visit(sub);
  assert.match(
    page.text,
    /id="ban">\s*<p><bdi[^>]*>root<\/bdi> banned <bdi[^>]*>sub\.two\.example<[\s\S]*id="while-disabled">The ban disabled this application: [\s\S]*<bdi[^>]*>root<\/bdi> banned <bdi[^>]*>two\.example</,
  );
  assert.match(
    page.text,
    /If you lift the ban of <bdi[^>]*>sub\.two\.example<\/bdi>, the ban of <bdi[^>]*>two\.example<\/bdi> remains/,
  );
  assert.doesNotMatch(page.text, /can be registered again|Owners can then enable/);
  const lifted = await root.submit(page, 'id="unban"');
  assert.doesNotMatch(lifted.text, /The site is no longer banned/);
  assert.match(lifted.text, /role="status"><p>The ban of <bdi[^>]*>two\.example<\/bdi> remains\./);
  assert.match(lifted.text, /id="ban">\s*<p><bdi[^>]*>root<\/bdi> banned <bdi[^>]*>two\.example</);
  assert.match(lifted.text, /id="while-disabled">The ban disabled this application: /, 'the ban that remains');
  assert.doesNotMatch((await bob.visit('/developer/applications/two-sub')).text, /\/enable"/, 'while a ban remains');
  // pressed on the page from before
  await root.submit(page, 'id="unban"');
  assert.match((await root.visit(sub)).text, /id="ban"/, 'lifts no other ban than the page named');
  assert.match((await press('unban', {}, root, sub)).text, /role="status"><p>The site is no longer banned\./);
  assert.match((await bob.visit('/developer/applications/two-sub')).text, /\/enable"/);
});

test('a ban below the site of a lifted ban keeps applications that the lifted ban had disabled', async () => {
  const bob = await signedInBrowser(origin, 'bob');
  await own('kept-above', 'Above', 'kept.example', 'bob');
  await own('kept-sub', 'Below', 'sub.kept.example', 'bob');
  await press('ban', {}, root, `${list}/kept-above`);
  await database.query("insert into banned_sites (site_domain) values ('sub.kept.example')");
  await press('unban', {}, root, `${list}/kept-above`);
  assert.doesNotMatch((await bob.visit('/developer/applications/kept-sub')).text, /\/enable"/);
  assert.match((await bob.visit('/developer/applications/kept-above')).text, /\/enable"/);
  await press('unban', {}, root, `${list}/kept-sub`);
  assert.match((await bob.visit('/developer/applications/kept-sub')).text, /\/enable"/);
});

test('a ban that is not in the audit trail has a time only, and is not named as the cause of an earlier or later disabling', async () => {
  await own('quiet', 'Quiet', 'quiet.example', 'bob');
  await press('disable', {}, root, `${list}/quiet`);
  await database.query("insert into banned_sites (site_domain) values ('quiet.example')");
  const { text } = await root.visit(`${list}/quiet`);
  assert.match(text, /id="ban">\s*<p><bdi[^>]*>quiet\.example<\/bdi> and its subdomains have been banned since <time/);
  assert.doesNotMatch(text, /Event in the audit trail/);
  assert.match(text, /id="while-disabled">Disabled since/);
  assert.match(text, /Vouching neither enables the application nor lifts the ban\./);
  assert.match(
    text,
    /Claims to belong to <bdi[^>]*>quiet\.example<\/bdi>\.</,
    'the site as this page names who vouches',
  );
  const repairs = /<div class="risks">((?:(?!<div class="risks">)[\s\S])*id="unban"[\s\S]*?)<div class="risks">/;
  assert.doesNotMatch(repairs.exec(text)?.[1] ?? 'danger', /danger/);
  await press('enable', {}, root, `${list}/quiet`);
  assert.match((await root.visit(`${list}/quiet`)).text, /Vouching does not lift the ban\./);
});

test('a form without the key of the session, from another site or by GET changes nothing, and is recorded', async () => {
  const page = await root.visit(path);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
  const foreign = /name="csrf" value="([^"]+)"/.exec((await bob.visit('/account')).text)?.[1] ?? '';
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    root.open(path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin, ...headers },
      body: encode(fields),
    });
  const isDisabled = async () =>
    (await database.query('select disabled_at from clients where client_id = $1', [printer.client_id])).rows[0]
      .disabled_at !== null;
  for (const [fields, headers] of [
    [{ action: 'disable' }, {}],
    [{ action: 'disable', csrf: '' }, {}],
    [{ action: 'disable', csrf: foreign }, {}],
    [{ action: 'disable', csrf }, { origin: 'https://evil.example' }],
    [{ action: 'disable', csrf }, { 'sec-fetch-site': 'same-site' }],
    [{ action: 'disable', csrf }, { 'content-type': 'text/plain' }],
  ] as const) {
    const { status } = await post(fields, headers);
    assert.ok([400, 403, 415].includes(status), `${JSON.stringify([fields, headers])}: ${status}`);
    assert.equal(await isDisabled(), false);
  }
  assert.equal((await post({ action: 'nonsense', csrf })).status, 400);
  await root.visit(`${path}?action=disable&csrf=${csrf}`);
  assert.equal(await isDisabled(), false);
  assert.equal((await root.open(path, { method: 'PUT' })).status, 405);
});

test('for everybody but administrators these pages do not exist', async () => {
  const unknown = (await bob.visit('/admin/unknown')).status;
  for (const one of [list, path, `${list}/nothing`, '/admin/health', '/admin/charts']) {
    assert.equal((await bob.visit(one)).status, unknown, one);
  }
});

test('an application is registered from the list, and the page of one from a seed names the seed', async () => {
  const { text } = await root.visit(list);
  const [, href = ''] = /href="([^"]+)">Register an application</.exec(text) ?? [];
  assert.match((await root.visit(href)).text, /name="site_domain"/);
  await own('seeded-album', 'Seeded Album', 'seeded.example', 'bob');
  const before = await root.visit(`${list}/seeded-album`);
  assert.match(before.text, /<dt>Registered<\/dt><dd><time[^>]*>[^<]+<\/time><\/dd>/);
  await database.query(
    "insert into seeded_rows (kind, key, seed, state) values ('client', 'seeded-album', 'staff.sql', '{}')",
  );
  const shown = (await root.visit(`${list}/seeded-album`)).text;
  assert.match(shown, /Comes from the seed <bdi[^>]*><code>staff\.sql<\/code><\/bdi>/);
  for (const [origin, words] of [
    ['console', 'in the developer console'],
    ['application', 'by the application itself'],
  ]) {
    await database.query('update clients set origin = $1 where client_id = $2', [origin, 'album']);
    const { text: album } = await root.visit(`${list}/album`);
    assert.match(album, new RegExp(`</time>, ${words}</dd>`));
    assert.equal(/request scopes of a resource/.test(album), origin === 'application');
  }
});
