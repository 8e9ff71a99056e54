import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeResource, deleteResource } from '../../src/catalogue/resources.sql.ts';
import { type Browser, formRequest, type Page } from '../support/browser.ts';
import { basic, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { password, printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';
import { unescapeHtml } from '../support/shown-program.ts';

const { origin, database } = await startWithPrinter();
await registerPeople(database, ['root']);
await database.query("update users set is_admin = true where username = 'root'");
let root = await signedInBrowser(origin, 'root');
const list = '/admin/resources';
const api = 'https://photos.example/api?tenant=a';
const pathOf = (resource: string) => `${list}/${encodeURIComponent(resource)}`;

const { rows: admins } = await database.query("select user_id from users where username = 'root'");
const by = admins[0].user_id;

const events = async () =>
  (
    await database.query(
      "select event, detail, by_user_id from audit_trail where event ~ '^resource_' order by happened_at",
    )
  ).rows.map(({ event, detail, by_user_id }) => [event, detail, by_user_id]);
const stored = async (resource: string) =>
  (await database.query('select scopes, client_id, token_format from resources where resource = $1', [resource]))
    .rows[0];
const register = async (fields: Record<string, string>) => root.submit(await root.visit(list), 'id="register"', fields);
const inputOf = (page: Page, name: string) =>
  new RegExp(`<input[^>]* name="${name}" value="([^"]*)"`).exec(page.text)?.[1];
const saidOf = (page: Page, id: string) => new RegExp(`id="${id}"[^>]*>([\\s\\S]*?)</p>`).exec(page.text)?.[1] ?? '';

test('an administrator registers a resource, and deletes it after a question; its tokens end, and the audit trail names who did it', async () => {
  const made = await register({ resource: api, scopes: 'user:name, repo', client_id: printer.client_id });
  assert.match(made.text, /role="status"><p>Resource registered\. The audit trail/);
  assert.equal(new URL(made.url).pathname, pathOf(api));
  assert.deepEqual(await stored(api), {
    scopes: ['user:name', 'repo:read', 'repo:write'],
    client_id: printer.client_id,
    token_format: 'opaque',
  });
  assert.match((await root.visit(list)).text, /photos\.example\/api\?tenant=a/);
  const { body } = await redeem(
    origin,
    await obtainCode(await signedInBrowser(origin), { resource: api, scope: 'user:name' }),
  );
  const isActive = async () => {
    const headers = { authorization: basic(printer.client_id, printer.client_secret) };
    return (await post(`${origin}/introspect`, { token: String(body['access_token']) }, headers)).body['active'];
  };
  assert.equal(await isActive(), true);
  const page = await root.visit(pathOf(api));
  assert.match(page.text, /<a href="\/admin\/scopes\/repo%3Aread"><code>repo:read</);
  assert.match(page.text, /<details class="question">\s*<summary[\s\S]*?id="delete"/);
  assert.match(page.text, /If you delete this resource, its tokens stop working at once/);
  const gone = await root.submit(page, 'id="delete"');
  assert.equal(new URL(gone.url).pathname, list);
  assert.equal(await isActive(), false);
  assert.equal((await root.open(pathOf(api))).status, 404);
  assert.equal((await root.submit(page, 'id="delete"')).status, 404);
  assert.deepEqual(await events(), [
    ['resource_registered', api, by],
    ['resource_deleted', api, by],
  ]);
});

test('the page says of a resource whose tokens are JWTs that it accepts them for a while', async () => {
  const made = await register({ resource: 'https://jwt.example', scopes: 'user:name', token_format: 'jwt' });
  assert.match(made.text, /accepts JWTs that were already issued, until they expire after at most ten minutes/);
  assert.doesNotMatch(made.text, /its tokens stop working/);
});

test('a refused resource says why at each field, keeps what was typed, and is not registered', async () => {
  await register({ resource: 'https://known.example', scopes: 'user:name' });
  const before = await events();
  for (const [fields, id, said] of [
    [{ resource: '' }, 'resource-problem', /required|not a URL/],
    [{ resource: 'photos' }, 'resource-problem', /https:\/\/host\/path/],
    [{ resource: 'http://photos.example' }, 'resource-problem', /must begin with https/],
    [{ resource: `https://photos.example/${'x'.repeat(500)}` }, 'resource-problem', /too long/],
    [{ resource: 'https://known.example' }, 'resource-problem', /already registered/],
    // an origin is one resource with and without its final slash
    [{ resource: 'https://known.example/', scopes: 'repo' }, 'resource-problem', /already registered/],
    [{ scopes: '' }, 'scopes-problem', /required/],
    [{ scopes: 'repo nope' }, 'scopes-problem', /no scope “nope”/],
    [{ client_id: 'nobody' }, 'client_id-problem', /the client ID “nobody”\. Leave this field empty for JWTs/],
  ] as const) {
    const typed = { resource: 'https://new.example', scopes: 'repo', token_format: 'jwt', ...fields };
    const page = await register(typed);
    assert.equal(page.status, 400, JSON.stringify(fields));
    assert.match(saidOf(page, id), said);
    assert.ok(page.text.indexOf('id="register"') < page.text.indexOf('<ul class="index">'), 'before the list');
    assert.equal(inputOf(page, 'resource'), typed.resource);
    assert.equal(inputOf(page, 'scopes'), typed.scopes);
    assert.match(page.text, /value="jwt" checked/);
  }
  assert.deepEqual(await events(), before);
  assert.deepEqual((await stored('https://known.example')).scopes, ['user:name']);
  assert.equal(await stored('https://new.example'), undefined);
});

test('an older tab does not delete a resource that was registered otherwise meanwhile', async () => {
  const older = await register({ resource: 'https://older.example', scopes: 'user:name' });
  await database.query("select register_resource(resource => 'https://older.example', scopes => array['repo'])");
  const refused = await root.submit(older, 'id="delete"');
  assert.deepEqual([refused.status, /changed after you opened/.test(refused.text)], [409, true]);
  assert.match(refused.text, /repo:read/);
  const shown = {
    resource: 'https://older.example',
    scopes: ['user:name'],
    client_id: null,
    token_format: 'opaque',
  } as const;
  // also if it changes after it was compared
  assert.equal(
    await deleteResource(database, shown.resource, recorded('resource_deleted'), {
      ...shown,
      scopes: [...shown.scopes],
    }),
    false,
  );
  assert.notEqual(await stored('https://older.example'), undefined);
  assert.equal((await root.submit(refused, 'id="delete"')).status, 200);
  assert.equal(await stored('https://older.example'), undefined);
});

const changeOf = (page: Page, fields: Record<string, string>) => root.submit(page, 'id="change"', fields);

test('an administrator changes a resource: its tokens lose a scope that is removed, and get no scope that is added', async () => {
  const resource = 'https://changed.example';
  const made = await register({ resource, scopes: 'user:name repo:read' });
  assert.equal(inputOf(made, 'scopes'), 'user:name repo:read');
  const browser = await signedInBrowser(origin);
  const { body } = await redeem(origin, await obtainCode(browser, { resource, scope: 'user:name repo:read' }));
  const scopeOf = async () => {
    const headers = { authorization: basic(printer.client_id, printer.client_secret) };
    return (await post(`${origin}/introspect`, { token: String(body['access_token']) }, headers)).body['scope'];
  };
  assert.equal(await scopeOf(), 'user:name repo:read');
  const before = await events();
  const saved = await changeOf(made, { scopes: 'repo', client_id: printer.client_id, token_format: 'jwt' });
  assert.match(saved.text, /role="status"><p>Resource saved\. The audit trail/);
  assert.equal(new URL(saved.url).pathname, pathOf(resource));
  assert.deepEqual(await stored(resource), {
    scopes: ['repo:read', 'repo:write'],
    client_id: printer.client_id,
    token_format: 'jwt',
  });
  assert.equal(inputOf(saved, 'scopes'), 'repo:read repo:write');
  assert.equal(await scopeOf(), 'repo:read');
  assert.deepEqual((await events()).slice(before.length), [['resource_changed', resource, by]]);
  // what changes nothing writes no event: the same form, and the group of the same scopes
  assert.match((await changeOf(saved, {})).text, /There was nothing to change/);
  for (const scopes of ['repo', 'repo:write repo:read', 'repo:read  repo:write']) {
    const same = await changeOf(saved, { scopes });
    assert.match(same.text, /There was nothing to change/, scopes);
    assert.doesNotMatch(same.text, /The audit trail records it/, scopes);
  }
  assert.equal((await events()).length, before.length + 1);
  await changeOf(saved, { client_id: '' });
  assert.equal((await stored(resource)).client_id, null);
});

test('a refused change says why at each field, keeps what was typed, and changes nothing', async () => {
  const resource = 'https://kept.example';
  const made = await register({ resource, scopes: 'user:name' });
  const before = await events();
  for (const [fields, id, said] of [
    [{ scopes: '' }, 'scopes-problem', /required/],
    [{ scopes: 'repo nope' }, 'scopes-problem', /no scope “nope”/],
    [{ client_id: 'nobody' }, 'client_id-problem', /no application with the client ID “nobody”/],
  ] as const) {
    const typed = { scopes: 'repo', client_id: '', token_format: 'jwt', ...fields };
    const page = await changeOf(made, typed);
    assert.equal(page.status, 400, JSON.stringify(fields));
    assert.match(saidOf(page, id), said);
    assert.match(page.text, /id="faults"/);
    assert.equal(inputOf(page, 'scopes'), typed.scopes);
    assert.match(page.text, /value="jwt" checked/);
  }
  const [url, init] = formRequest(made, 'id="change"', { scopes: 'repo' });
  const send = (browser: Browser, body: string) => browser.open(url, { ...init, body });
  assert.equal((await send(root, String(init.body).replace(/csrf=[^&]*/, 'csrf=x'))).status, 403);
  assert.equal((await send(root, String(init.body).replace('action=change', 'action=other'))).status, 400);
  assert.equal((await send(await signedInBrowser(origin), String(init.body))).status, 404);
  assert.deepEqual(await stored(resource), { scopes: ['user:name'], client_id: null, token_format: 'opaque' });
  assert.deepEqual(
    (await events()).slice(before.length).filter(([event]) => event !== 'administration_refused'),
    [],
  );
});

test('a change of a resource does not overwrite what was changed since its page was opened', async () => {
  const resource = 'https://two.example';
  const older = await register({ resource, scopes: 'user:name' });
  await changeOf(await root.visit(pathOf(resource)), { scopes: 'repo' });
  const refused = await changeOf(older, { scopes: 'user:email' });
  assert.equal(refused.status, 409);
  assert.match(refused.text, /data-field="scopes"[\s\S]*user:email[\s\S]*repo:read repo:write/);
  assert.deepEqual((await stored(resource)).scopes, ['repo:read', 'repo:write']);
  assert.equal((await changeOf(refused, {})).status, 200);
  assert.deepEqual((await stored(resource)).scopes, ['user:email']);
  // nor where another form was saved after this form was compared
  const shown = { resource, scopes: ['user:name'], client_id: null, token_format: 'opaque' } as const;
  const late = { ...shown, scopes: ['repo:read'] };
  const change = (seen: typeof late) => changeResource(database, late, recorded('resource_changed'), seen);
  assert.equal(await change({ ...shown, scopes: [...shown.scopes] }), undefined);
  assert.equal(await change({ ...shown, scopes: ['user:email'] }), 'changed');
  // a resource that its seed has stopped naming is not enabled by an older form
  const open = await root.visit(pathOf(resource));
  await database.query('update resources set disabled_at = now() where resource = $1', [resource]);
  await database.query("insert into seeded_rows (kind, key, seed, state) values ('resource', $1, 'old.sql', '{}')", [
    resource,
  ]);
  const disabled = await changeOf(open, { scopes: 'repo' });
  assert.equal(disabled.status, 409);
  assert.match(disabled.text, /Your change was not saved: this resource was disabled after you opened the page/);
  assert.match(
    disabled.text,
    /<dl class="facts" id="entered">\s*<dt>Scopes<\/dt><dd><ins><code>repo<\/code><\/ins> <\/dd>\s*<\/dl>/,
    'without what stays as it is, and what is new is marked',
  );
  assert.match(disabled.text, /id="statement">[^<]*scopes =&gt; array\[&#39;repo&#39;\]/, 'with what was entered');
  assert.match(disabled.text, /under “<a href="#way-back">Enable again<\/a>” contains your change/);
  assert.match(
    disabled.text,
    /Enable again<\/h2>\s*<p[^>]*>This resource came from a seed: a run of that seed enables it/,
  );
  assert.equal(await change(late), undefined);
  assert.deepEqual((await stored(resource)).scopes, ['repo:read']);
  assert.doesNotMatch((await root.visit(pathOf(resource))).text, /id="change"/);
});

test('of many changes of a resource at the same moment, each made from the same page, one is saved, also beside a seed', async () => {
  const resource = 'https://race.example';
  await register({ resource, scopes: 'user:name' });
  const shown = { resource, scopes: ['user:name'], client_id: null, token_format: 'opaque' as const };
  const changes = ['repo:read', 'repo:write', 'user:email', 'user:write'].map((scope) =>
    changeResource(database, { ...shown, scopes: [scope] }, recorded('resource_changed'), shown),
  );
  assert.equal((await Promise.all(changes)).filter((isDone) => isDone).length, 1);
  const seeded = Array.from({ length: 20 }, (_, at) =>
    at % 2 === 0
      ? database.query(`select register_resource($1, array['user:name'])`, [resource])
      : changeResource(database, { ...shown, scopes: ['repo:read'] }, recorded('resource_changed')),
  );
  // none of them is the victim of a deadlock
  await Promise.all(seeded);
});

test('a form for a resource that outlives its session is shown again after the sign-in', async () => {
  const resource = 'https://again.example';
  await register({ resource, scopes: 'user:name' });
  const browser = await signedInBrowser(origin, 'root');
  const page = await browser.visit(pathOf(resource));
  await database.query('delete from sessions where user_id = $1', [by]);
  const [url, init] = formRequest(page, 'id="change"', { scopes: 'user:email' });
  const led = await browser.visit(url, init);
  const again = await browser.submit(led, 'id="login"', { username: 'root', password });
  assert.match(again.text, /id="restored"/);
  assert.equal(inputOf(again, 'scopes'), 'user:email');
  assert.deepEqual((await stored(resource)).scopes, ['user:name']);
  await browser.submit(again, 'id="change"');
  assert.deepEqual((await stored(resource)).scopes, ['user:email']);
  root = await signedInBrowser(origin, 'root');
});

test('a resource that its seed no longer names is shown as disabled', async () => {
  await register({ resource: 'https://pruned.example', scopes: 'user:name' });
  await database.query("update resources set disabled_at = now() where resource = 'https://pruned.example'");
  await database.query(
    "insert into seeded_rows (kind, key, seed, state) values ('resource', 'https://pruned.example', 'old.sql', '{}')",
  );
  assert.match((await root.visit(list)).text, /class="tag dot warning">Disabled/);
  const { text } = await root.visit(pathOf('https://pruned.example'));
  assert.match(text, /the seed <bdi[^>]*><code>old\.sql<\/code><\/bdi> no longer contains it/);
  assert.match(text, /delete this resource, its settings are removed/);
  assert.match(text, /Access tokens already issued for this resource no longer work/);
  assert.match(
    text,
    /If the resource is registered again, access tokens that have not expired work again, and people are not asked again\.<\/span>/,
  );
  assert.match(text, /<dt>Client ID of the resource server<\/dt><dd>none</);
  await database.query("update resources set token_format = 'jwt' where resource = 'https://pruned.example'");
  const jwt = (await root.visit(pathOf('https://pruned.example'))).text;
  const until =
    /The resource still accepts JWTs that were already issued, until they expire, at the latest on\s*<time/g;
  assert.equal(jwt.match(until)?.length, 2, 'also where the resource can be deleted');
  await database.query(
    "update resources set disabled_at = now() - interval '11 minutes' where resource = 'https://pruned.example'",
  );
  const late = (await root.visit(pathOf('https://pruned.example'))).text;
  assert.doesNotMatch(late, until);
  assert.match(late, /JWTs that were issued before have expired/);
  assert.doesNotMatch(jwt, /<dt>Client ID/, 'whose server needs no client');
  assert.doesNotMatch(text, /overwrites changes/);
  const seedIs = async (seed: string) => {
    await database.query("update seeded_rows set seed = $1 where key = 'https://pruned.example'", [seed]);
    return unescapeHtml(/id="run">([^<]*)</.exec((await root.visit(pathOf('https://pruned.example'))).text)?.[1] ?? '');
  };
  assert.equal(await seedIs('my seed; rm -rf.sql'), "latchkey seed 'my seed; rm -rf.sql'");
  assert.equal(await seedIs("it's.sql"), "latchkey seed 'it'\\''s.sql'");
  await database.query("delete from seeded_rows where key = 'https://pruned.example'");
  const alone = (await root.visit(pathOf('https://pruned.example'))).text;
  assert.doesNotMatch(alone, /Enable again|latchkey seed|the seed/);
  assert.match(alone, /Since <time[^>]*>[^<]*<\/time>, no tokens are issued for this resource\./);
});

test('the statement on the page of a disabled resource registers it again as it was', async () => {
  const resource = "https://statement.example/it's?a=1";
  await register({ resource, scopes: 'user:name repo:read', client_id: printer.client_id, token_format: 'jwt' });
  const before = await stored(resource);
  await database.query('update resources set disabled_at = now() where resource = $1', [resource]);
  await database.query("insert into seeded_rows (kind, key, seed, state) values ('resource', $1, 'old.sql', '{}')", [
    resource,
  ]);
  const { text } = await root.visit(pathOf(resource));
  assert.match(text, /Since <time [^>]*>[^<]+<\/time>, no tokens are issued for this resource/);
  assert.match(
    text,
    /Enable again[\s\S]*id="statement"[\s\S]*id="run">latchkey seed old\.sql<[\s\S]*People are not asked again/,
  );
  const [, statement = ''] = /id="statement">([^<]*)</.exec(text) ?? [];
  await database.query('update resources set scopes = $2, token_format = $3, client_id = null where resource = $1', [
    resource,
    ['user:name'],
    'opaque',
  ]);
  await database.query(unescapeHtml(statement));
  assert.deepEqual(await stored(resource), before);
  assert.match((await root.visit(pathOf(resource))).text, /id="change"/, 'enabled');
});

test('the list of resources goes on page by page, also after the longest ones', async () => {
  await database.query(
    `insert into resources (resource, scopes, token_format)
     select rpad('https://many.example/' || n || '/', 500, 'x'), '{user:name}', 'opaque' from generate_series(100, 160) n`,
  );
  const seen: string[] = [];
  let path: string | undefined = list;
  while (path !== undefined) {
    const { text }: Page = await root.visit(path);
    assert.ok(text.length < 30 * 1024, `${text.length} bytes`);
    seen.push(
      ...[...text.matchAll(/href="\/admin\/resources\/https%3A%2F%2Fmany\.example%2F(\d+)/g)].map(([, n = '']) => n),
    );
    path = /rel="next" href="([^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual([seen.length, new Set(seen).size], [61, 61]);
});
