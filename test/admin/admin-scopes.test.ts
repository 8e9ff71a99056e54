import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { deleteScope, describeScope } from '../../src/catalogue/scopes.sql.ts';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { formRequest, type Page } from '../support/browser.ts';
import { signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';

const { origin, database, url } = await startLatchkey();
await registerPeople(database, ['alice', 'root']);
await registerPrinter(database);
await database.query("update users set is_admin = true where username = 'root'");
const root = await signedInBrowser(origin, 'root');
const alice = await signedInBrowser(origin);
const list = '/admin/scopes';
const pathOf = (name: string) => `${list}/${encodeURIComponent(name)}`;

const { rows: admins } = await database.query("select user_id from users where username = 'root'");
const by = admins[0].user_id;

let eventsSeen = 0;
/** Events of scopes since the last call, with who did it. */
async function newEvents(): Promise<[string, string, number][]> {
  const { rows } = await database.query(
    "select event, detail, by_user_id from audit_trail where event ~ '^scope_' order by happened_at offset $1",
    [eventsSeen],
  );
  eventsSeen += rows.length;
  return rows.map(({ event, detail, by_user_id }) => [event, detail, by_user_id]);
}

const stored = async (name: string) => (await database.query('select * from scopes where name = $1', [name])).rows[0];
const make = async (fields: Record<string, string>) => root.submit(await root.visit(list), 'id="register"', fields);
const inputOf = (page: Page, name: string) =>
  new RegExp(`<input[^>]* name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
const saidOf = (page: Page, id: string) => new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</p>`).exec(page.text)?.[1] ?? '';

test('an administrator makes a scope, describes it and its group in two languages, and deletes it, each named in the audit trail', async () => {
  const made = await make({ name: 'photos:read', sentence: ' See your photos ', group_name: 'photos' });
  assert.match(made.text, /role="status"/);
  assert.equal(new URL(made.url).pathname, pathOf('photos:read'));
  assert.deepEqual(await newEvents(), [['scope_registered', 'photos:read', by]]);
  const { group_name, sentence, changes } = await stored('photos:read');
  assert.deepEqual([group_name, sentence, changes], ['photos', 'See your photos', null]);

  assert.match(made.text, /<details>\s*<summary>Translations\s*<\/summary>/, 'folded');
  const described = await root.submit(made, 'id="describe"', { 'sentence:de': 'Ihre Fotos sehen', sentence: '' });
  assert.match(described.text, /role="status"><p>Description saved/);
  await root.submit(described, 'id="describe"', { 'sentence:fr': 'Voir vos photos' });
  const now = await stored('photos:read');
  assert.deepEqual(
    [now.sentence, now.sentences],
    ['See your photos', { de: 'Ihre Fotos sehen', fr: 'Voir vos photos' }],
  );
  const page = await root.submit(described, 'id="describe_group"', {
    sentence: 'Your photos',
    'sentence:de': 'Ihre Fotos',
  });
  const group = await database.query("select sentence, sentences from scope_groups where name = 'photos'");
  assert.deepEqual(group.rows, [{ sentence: 'Your photos', sentences: { de: 'Ihre Fotos' } }]);
  assert.deepEqual(await newEvents(), [
    ['scope_changed', 'photos:read', by],
    ['scope_changed', 'photos:read', by],
    ['scope_changed', 'photos', by],
  ]);

  // a question first: the button is inside what the summary opens
  assert.match(page.text, /<details class="question">\s*<summary[\s\S]*?id="delete"/);
  assert.match(
    page.text,
    /request <bdi[^>]*><code>photos:read<\/code><\/bdi>, and all permissions that people gave for it are withdrawn\. This cannot be undone: people are asked again for a later scope with the same name/,
  );
  const gone = await root.submit(page, 'id="delete"');
  assert.equal(new URL(gone.url).pathname, list);
  assert.deepEqual(await newEvents(), [['scope_deleted', 'photos:read', by]]);
  assert.equal(await stored('photos:read'), undefined);
  assert.equal((await root.open(pathOf('photos:read'))).status, 404);
});

test('a form that changes nothing says so, and writes no event', async () => {
  const made = await make({ name: 'idle', sentence: 'Do nothing', changes: 'true' });
  assert.equal((await stored('idle')).changes, true);
  await newEvents();
  for (const fields of [{}, { sentence: '' }, { sentence: ' Do nothing ' }]) {
    const page = await root.submit(made, 'id="describe"', fields);
    assert.deepEqual([page.status, /There was nothing to change/.test(page.text)], [200, true]);
  }
  assert.deepEqual(await newEvents(), []);
});

test('a refused scope says why at each field, keeps what was typed, and is not made', async () => {
  await make({ name: 'files:read', sentence: 'Read your files', group_name: 'files' });
  await newEvents();
  for (const [fields, id, said] of [
    [{ name: 'A B' }, 'name-problem', /A B/],
    [{ name: '' }, 'name-problem', /lower-case/],
    [{ name: 'files' }, 'name-problem', /^files is already a group\./],
    [{ name: 'files:read' }, 'name-problem', /already registered/],
    [{ name: 'x', group_name: 'files:read' }, 'group_name-problem', /^files:read is already a scope\./],
    [{ name: 'x', group_name: 'B C' }, 'group_name-problem', /B C/],
    [{ name: 'x', sentence: ' ' }, 'sentence-problem', /required/],
    [{ name: 'x', sentence: 'y'.repeat(201) }, 'sentence-problem', /200/],
    [{ name: 'x', sentence: 'a\nb' }, 'sentence-problem', /a single line/],
  ] as const) {
    const page = await make({ sentence: 'Typed', group_name: 'typed', ...fields });
    assert.equal(page.status, 400, JSON.stringify(fields));
    assert.match(saidOf(page, id), said);
    assert.equal(inputOf(page, 'name'), fields.name);
    if (!('group_name' in fields)) assert.equal(inputOf(page, 'group_name'), 'typed');
  }
  const wrong = await make({ name: 'A B', sentence: '', group_name: 'C D' });
  assert.equal([...wrong.text.matchAll(/aria-invalid/g)].length, 3, 'all problems at once');
  assert.deepEqual(await newEvents(), []);
  assert.equal(await stored('x'), undefined);
  const long = await root.submit(await root.visit(pathOf('files:read')), 'id="describe"', {
    'sentence:es': 'y'.repeat(201),
  });
  assert.deepEqual([long.status, /at most 200 characters/.test(long.text)], [400, true]);
  assert.equal(inputOf(long, 'sentence:es'), 'y'.repeat(201));
  const saved = await root.submit(long, 'id="describe"', { 'sentence:es': 'Leer sus archivos' });
  assert.equal(saved.status, 200);
  assert.deepEqual((await stored('files:read')).sentences, { es: 'Leer sus archivos' });
});

test('an older tab overwrites no sentence: it shows what is stored beside what was typed, and a second press saves', async () => {
  await make({ name: 'older', sentence: 'Of before' });
  const older = await root.visit(pathOf('older'));
  await root.submit(await root.visit(pathOf('older')), 'id="describe"', { sentence: 'Of another tab' });
  await newEvents();
  const refused = await root.submit(older, 'id="describe"', { sentence: 'Of the older tab', 'sentence:de': 'Neu' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /<details open>\s*<summary>Translations/);
  assert.match(refused.text, /data-field="sentence"[\s\S]*Of the older tab[\s\S]*Of another tab/);
  assert.deepEqual([(await stored('older')).sentence, await newEvents()], ['Of another tab', []]);
  await root.submit(refused, 'id="describe"');
  const { sentence, sentences } = await stored('older');
  assert.deepEqual([sentence, sentences], ['Of the older tab', { de: 'Neu' }]);
  // a field that the older tab left alone stays as it is now
  const page = await root.visit(pathOf('older'));
  await root.submit(await root.visit(pathOf('older')), 'id="describe"', { 'sentence:de': 'Neuer' });
  assert.equal((await root.submit(page, 'id="describe"', { 'sentence:fr': 'Nouveau' })).status, 409);
  // nor is it deleted by a tab that shows another one
  const stale = await root.submit(older, 'id="delete"');
  assert.deepEqual([stale.status, /changed after you opened/.test(stale.text)], [409, true]);
  assert.equal((await root.submit(stale, 'id="delete"')).status, 200);
  assert.equal(await stored('older'), undefined);
});

test('a description counts only for what was shown, also if that has changed since it was compared', async () => {
  await make({ name: 'shown', sentence: 'Of before', group_name: 'shown_group' });
  const describe = (kind: 'scope' | 'group', name: string, sentence: string | null) =>
    describeScope(
      database,
      kind,
      { name, sentences: { de: 'Neu' }, shown: { sentence, sentences: sentence === null ? null : {} } },
      recorded('scope_changed'),
    );
  assert.equal(await describe('scope', 'shown', 'Of another time'), false);
  assert.equal(await describe('group', 'shown_group', 'Of another time'), false);
  assert.deepEqual((await stored('shown')).sentences, {});
  assert.equal(await describe('scope', 'shown', 'Of before'), true);
  assert.equal(await describe('group', 'shown_group', null), true);
  // those who have seen nothing, at the command line, describe it in any case
  assert.equal(
    await describeScope(database, 'scope', { name: 'shown', sentences: { fr: 'Neuf' } }, recorded('scope_changed')),
    true,
  );
  assert.deepEqual((await stored('shown')).sentences, { de: 'Neu', fr: 'Neuf' });
});

test('an emptied translation is removed, of a scope and of a group; an emptied default text stays', async () => {
  await make({ name: 'emptied', sentence: 'See it', group_name: 'emptied_group' });
  for (const [button, table, name] of [
    ['id="describe"', 'scopes', 'emptied'],
    ['id="describe_group"', 'scope_groups', 'emptied_group'],
  ] as const) {
    const said = async () =>
      (await database.query(`select sentence, sentences from ${table} where name = $1`, [name])).rows[0];
    const save = async (fields: Record<string, string>) =>
      root.submit(await root.visit(pathOf('emptied')), button, fields);
    await save({ sentence: 'See all', 'sentence:de': 'Sehen', 'sentence:fr': 'Voir' });
    const saved = await save({ sentence: '', 'sentence:de': '', 'sentence:fr': 'Tout voir' });
    assert.equal(saved.status, 200);
    assert.deepEqual(await said(), { sentence: 'See all', sentences: { fr: 'Tout voir' } });
    assert.match(saved.text, /name="sentence:de" value=""[^>]* placeholder="Default: See all"/);
  }
});

test('descriptions at the same moment all stay', async () => {
  await make({ name: 'at_once', sentence: 'Be described' });
  const languages = Array.from({ length: 8 }, (_, n) => `x${String.fromCharCode(97 + n)}`);
  for (const [kind, table] of [
    ['scope', 'scopes'],
    ['group', 'scope_groups'],
  ] as const) {
    const describe = (language: string) =>
      describeScope(
        database,
        kind,
        { name: 'at_once', sentences: { [language]: language } },
        recorded('scope_changed'),
      );
    // so that there is a row to wait for
    await describe('de');
    await Promise.all(languages.map(describe));
    const { rows } = await database.query(`select sentences from ${table} where name = 'at_once'`);
    assert.deepEqual(Object.keys(rows[0].sentences).sort(), ['de', ...languages]);
  }
});

test('a scope in use is not deleted: the page says who uses it, also in a form of before', async () => {
  const made = await make({ name: 'used', sentence: 'Be used' });
  await database.query("select register_resource(resource => 'https://used.example', scopes => array['used'])");
  await database.query("insert into claims (name, scope) values ('of_it', 'used'), ('too', 'used')");
  await database.query("insert into seeded_rows (kind, key, seed, state) values ('claim', 'of_it', 'own.sql', '{}')");
  await database.query(
    "select register_choice(name => 'parts', scopes => array['used'], sentence => 'Which parts?', query => 'select $1 as value, $1 as label')",
  );
  await database.query("update clients set scopes = scopes || array['used'] where client_id = $1", [printer.client_id]);
  await newEvents();
  const refused = await root.submit(made, 'id="delete"');
  assert.equal(refused.status, 400);
  assert.match(refused.text, /<strong>Nothing was deleted: the scope is in use\.<\/strong>/);
  assert.match(refused.text, /<dt>Application<\/dt><dd><a href="\/admin\/applications\/photo-printer">/);
  assert.match(refused.text, /<dt>Resource<\/dt><dd><a href="\/admin\/resources\/https%3A%2F%2Fused\.example">/);
  assert.match(
    refused.text,
    /<dt>Claim<\/dt><dd><code>of_it<\/code> <span[^>]*>From the seed <bdi[^>]*><code>own\.sql</,
  );
  assert.match(refused.text, /<\/h1>\s*<div class="problem"[\s\S]*Allowed by/, 'first of all');
  assert.match(refused.text, /<dt>Choice<\/dt><dd><code>parts</);
  assert.equal(refused.text.match(/remove the scope from/g)?.length, 2, 'each seed once');
  const named = (name: string) => `<bdi[^>]*><code>${name}</code></bdi>`;
  assert.match(
    refused.text,
    new RegExp(`In <code>own.sql</code>, remove the scope from the claim ${named('of_it')}\\.<`),
  );
  assert.match(
    refused.text,
    new RegExp(
      `In the seed, remove the scope from the claim ${named('too')} and from the choice ${named('parts')}\\.<`,
    ),
  );
  assert.match(refused.text, /id="run-0">latchkey seed own\.sql<\/code><button/, 'to copy');
  await database.query("update seeded_rows set seed = 'my seed; rm -rf.sql' where key = 'of_it'");
  assert.match(
    (await root.visit(pathOf('used'))).text,
    /id="run-0">latchkey seed &#39;my seed; rm -rf\.sql&#39;<\/code>/,
    'as a shell reads it',
  );
  await database.query("update seeded_rows set seed = 'own.sql' where key = 'of_it'");
  assert.match(
    refused.text,
    /remove the scope from[\s\S]*Run the seed\.[\s\S]*still listed under “<a href="#uses">Used by<\/a>”[\s\S]*appears under “<a href="#end">Delete scope<\/a>”/,
    'in this order: a run of the seed brings back what the seed still names',
  );
  assert.match(refused.text, /once nothing uses it\.<[\s\S]*all permissions that people gave for it are withdrawn/);
  assert.match(
    refused.text,
    /<h2 id="end">Delete scope<\/h2>\s*<div class="risks">\s*<p>The scope can be deleted once/,
  );
  assert.doesNotMatch(refused.text, /id="delete"/);
  assert.doesNotMatch(refused.text, /five of each kind/);
  assert.match((await root.visit(list)).text, /Used by <bdi[^>]*>photo-printer, https:\/\/used\.example, of_it</);
  assert.deepEqual(await newEvents(), []);
  await database.query('delete from claims; delete from resources');
  await database.query("update clients set scopes = array_remove(scopes, 'used')");
  const still = await root.submit(made, 'id="delete"');
  assert.equal(still.status, 400);
  assert.match((await root.visit(list)).text, /Used by <bdi[^>]*>parts</);
  await database.query('delete from choices');
  assert.equal((await root.submit(await root.visit(pathOf('used')), 'id="delete"')).status, 200);
  assert.equal(await stored('used'), undefined);
});

test('scopes of this server have no form for their sentences, and one that is sent all the same changes nothing', async () => {
  const page = await root.visit(pathOf('user:name'));
  assert.match(page.text, /class="tag">Built in<[\s\S]*This scope is built in/);
  assert.doesNotMatch(page.text, /id="describe/);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(page.text) ?? [];
  const before = await stored('user:name');
  for (const action of ['describe', 'describe_group', 'constructor']) {
    const body = new URLSearchParams({ csrf, action, sentence: 'Mine' }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
    const { status } = await root.open(pathOf('user:name'), { method: 'POST', headers, body });
    assert.ok(status >= 400 && status < 500, `${action}: ${status}`);
  }
  assert.deepEqual(await stored('user:name'), before);
});

test('a scope without which this server shows no profiles is not deleted', async () => {
  await database.query('delete from clients');
  const [url, init] = formRequest(await make({ name: 'short', sentence: 'Be short' }), 'id="delete"');
  for (const name of ['user:name', 'user:email', 'user:write']) {
    const page = await root.visit(pathOf(name));
    assert.match(page.text, /Used by<\/h2>\s*<p[^>]*>This server<[\s\S]*This server itself uses this scope/);
    assert.doesNotMatch(page.text, /Not in use/);
    assert.doesNotMatch(page.text, /id="delete"/);
    assert.ok((await root.open(url.replace('short', encodeURIComponent(name)), init)).status >= 400);
    assert.equal(await deleteScope(database, name, recorded('scope_deleted')), false);
    assert.notEqual(await stored(name), undefined);
  }
  await registerPrinter(database);
});

test('a scope of the demo can be deleted, after a question that says that nothing brings it back, and the demo does without', async () => {
  await database.query("update clients set scopes = array_remove(scopes, 'repo:write')");
  const page = await root.visit(pathOf('repo:write'));
  assert.match(page.text, /neither this page nor a command can create it again/);
  await root.submit(page, 'id="delete"');
  assert.equal(await stored('repo:write'), undefined);
  await database.query("delete from scopes where group_name = 'repo'");
  const demo = await startLatchkey({ DEMO: 'true' }, url);
  await registerPlayground(demo.deps);
  assert.equal((await demo.deps.database.query("select from clients where client_id = 'playground'")).rowCount, 1);
  const refused = await make({ name: 'repo:write', sentence: 'Mine' });
  assert.match(saidOf(refused, 'name-problem'), /is a built-in scope/);
  await database.query("insert into scopes (name, group_name, sentence) values ('repo:write', 'repo', 'X')");
});

test('a scope of a seed says so, and what was changed until its next run brings it back', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'latchkey-scopes-'));
  after(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 'production.sql');
  writeFileSync(path, "select register_scope(name => 'seeded', sentence => 'Of a seed', group_name => 'of_seed');");
  await applySeed({ connectionString: url }, path);
  assert.match((await root.visit(list)).text, /From the seed <bdi[^>]*><code>production\.sql/);
  const shown = async () => {
    const [, text = ''] = /<p id="origin"[^>]*>(.*?)<\/p>/s.exec((await root.visit(pathOf('seeded'))).text) ?? [];
    return text.replaceAll(/<[^>]*>/g, '');
  };
  assert.equal(await shown(), 'Comes from the seed production.sql. Each run of the seed overwrites changes made here.');
  await root.submit(await root.visit(pathOf('seeded')), 'id="describe"', { 'sentence:de': 'Aus einem Seed' });
  assert.match(await shown(), /Changed since the last run: translations\.$/);
  assert.match(
    (await root.visit(pathOf('seeded'))).text,
    /<div class="notice warning"><p id="origin">.*?<\/p>\s*<p>To keep these changes, make them in\s*<bdi[^>]*><code>production\.sql<\/code><\/bdi> too\.<\/p><\/div>\s*<div class="narrow"><div class="field">\s*<label for="describe-sentence">/s,
    'before the fields that the next run overwrites',
  );
  await applySeed({ connectionString: url }, path);
  assert.doesNotMatch(await shown(), /Changed/);
});

test('for everybody but administrators there is no such page, and a form without its key changes nothing', async () => {
  for (const path of [list, pathOf('user:name'), '/admin/resources']) {
    assert.equal((await alice.open(path)).status, 404);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin };
    const body = 'name=mine&sentence=Mine&action=delete';
    assert.equal((await alice.open(path, { method: 'POST', headers, body })).status, 404);
    assert.equal((await root.open(path, { method: 'POST', headers, body })).status, 403);
  }
  assert.equal(await stored('mine'), undefined);
  assert.notEqual(await stored('user:name'), undefined);
});

test('the page of a scope without a group says nothing of one', async () => {
  const alone = await make({ name: 'diary:read', sentence: 'Read your diary' });
  assert.doesNotMatch(alone.text, /id="group"/);
  const grouped = await make({ name: 'diary:list', sentence: 'List your diaries', group_name: 'diary' });
  assert.match(grouped.text, /id="group">Group: /);
});

test('what was typed is there again after a sign-in that the form has asked for, and is saved then', async () => {
  await make({ name: 'typed', sentence: 'Be typed', group_name: 'typing' });
  for (const [path, button, fields] of [
    [list, 'id="register"', { name: 'kept', sentence: 'Be kept' }],
    [pathOf('typed'), 'id="describe"', { 'sentence:de': 'Getippt' }],
    [pathOf('typed'), 'id="describe_group"', { 'sentence:de': 'Gruppe' }],
    ['/admin/resources', 'id="register"', { resource: 'https://kept.example', scopes: 'typed', token_format: 'jwt' }],
  ] as const) {
    const browser = await signedInBrowser(origin, 'root');
    const page = await browser.visit(path);
    await database.query("update sessions set auth_time = now() - interval '16 minutes'");
    const asked = await browser.submit(page, button, fields);
    const shown = await browser.submit(asked, 'id="login"', { username: 'root', password });
    assert.match(shown.text, /id="restored"/, path);
    assert.match((await browser.submit(shown, button)).text, /role="status"/);
  }
  await database.query('update sessions set auth_time = now()');
  assert.equal((await stored('kept')).sentence, 'Be kept');
  assert.deepEqual((await stored('typed')).sentences, { de: 'Getippt' });
  const { rows } = await database.query("select sentences ->> 'de' as de from scope_groups where name = 'typing'");
  assert.deepEqual(rows, [{ de: 'Gruppe' }]);
  const made = await database.query(
    "select scopes, token_format from resources where resource = 'https://kept.example'",
  );
  assert.deepEqual(made.rows, [{ scopes: ['typed'], token_format: 'jwt' }]);
});

test('the list of scopes goes on page by page, whatever their number', async () => {
  await database.query(
    `insert into scopes (name, group_name, sentence)
     select rpad('many:' || n, 64, 'x'), 'many', rpad('Be one of many ' || n, 200, 'x') from generate_series(100, 999) n`,
  );
  let path: string | undefined = list;
  const seen: string[] = [];
  let pages = 0;
  while (path !== undefined) {
    const { text }: Page = await root.visit(path);
    assert.ok(text.length < 30 * 1024, `${text.length} bytes`);
    seen.push(...[...text.matchAll(/href="\/admin\/scopes\/(many%3A\d+)x*"/g)].map(([, name = '']) => name));
    path = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    pages += 1;
  }
  assert.deepEqual([seen.length, new Set(seen).size, pages > 30], [900, 900, true]);
});

test('the page of a scope says how many people allow the scope, up to a thousand', async () => {
  await make({ name: 'counted', sentence: 'Be counted' });
  const people = async () => /id="allowed-by">([^<]*)</.exec((await root.visit(pathOf('counted'))).text)?.[1];
  assert.equal(await people(), '0 people');
  const grant = (user: string, scopes: string, more = 'null, null') =>
    database.query(
      `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration, expires_at, revoked_at)
       select user_id, '${printer.client_id}', '${scopes}', '{}', '{}', 'once', ${more} from users where username like $1`,
      [user],
    );
  const few = async () => {
    await grant('alice', '{user:name,counted}');
    await grant('alice', '{counted}', `now() + interval '1 day', null`);
    assert.equal(await people(), '1 person', 'who has two grants counts once');
    await grant('root', '{user:name}');
    await grant('root', '{counted}', `now() - interval '1 day', null`);
  };
  await few();
  await database.query("insert into users (username) select 'counted-' || n from generate_series(1, 1100) n");
  await grant('counted-%', '{counted}', 'null, now()');
  await grant('counted-%', '{user:name}');
  assert.equal(await people(), '1 person', 'neither a refused nor an ended permission');
  await grant('root', '{counted}');
  assert.equal(await people(), '2 people');
  await grant('counted-%', '{counted}');
  assert.equal(await people(), 'at least 1,000 people');
  await database.query(
    "update grants set expires_at = now() where user_id in (select user_id from users where username like 'counted-9%')",
  );
  assert.equal(await people(), '991 people', 'nor an expired one');
  await database.query("delete from grants where 'counted' = any (scopes)");
});
