import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { Browser, formRequest } from '../../support/browser.ts';
import { requestOf } from '../../support/client-documents.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { codeIn, getUser, post, refresh, signedInBrowser, verifier } from '../../support/flow.ts';
import { password, registerPeople, registerUser, startLatchkey } from '../../support/latchkey.ts';

const { origin, database, url } = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on', REGISTRATION: 'off' });
await registerPeople(database, ['alice', 'bob', 'root']);
await database.query("update users set is_admin = true where username = 'root'");
const [alice, bob] = [await signedInBrowser(origin), await signedInBrowser(origin, 'bob')];
const { latchkey } = commandLineFor(url);

const list = '/developer/documents';
const redirect_uri = 'http://127.0.0.1/callback';
const withoutSecret = { authorization: '' };

beforeEach(async () => {
  await database.query('delete from clients where only_for is not null');
  await database.query('delete from attempts');
});

const stated = { name: 'Inspector', redirect_uris: redirect_uri, scope: 'user' };

const fillIn = async (browser: Browser, changes: Record<string, string> = {}) =>
  browser.submit(await browser.visit(list), 'id="make"', { ...stated, ...changes });

/** The client_ids that the page of a person shows. */
async function shownTo(browser: Browser): Promise<string[]> {
  const { text } = await browser.visit(list);
  return [...text.matchAll(/<code class="value"[^>]*>([^<]*)</g)].map(([, id = '']) => id);
}

async function makeDocument(browser: Browser = alice, changes: Record<string, string> = {}): Promise<string> {
  const before = await shownTo(browser);
  const { text } = await fillIn(browser, changes);
  assert.match(text, /Document published\./);
  const [client_id = ''] = (await shownTo(browser)).filter((one) => !before.includes(one));
  return client_id;
}

const changePageOf = (client_id: string) => `${new URL(client_id).pathname}/change`;

const ask = (client_id: string, changes: Record<string, string | undefined> = {}) =>
  requestOf(client_id, { redirect_uri: 'http://127.0.0.1:4711/callback', ...changes });

async function signIn(client_id: string, browser: Browser = alice) {
  const code = codeIn(await browser.submit(await browser.visit(ask(client_id)), 'id="allow"'));
  const exchange = { grant_type: 'authorization_code', redirect_uri: 'http://127.0.0.1:4711/callback' };
  return post(`${origin}/token`, { ...exchange, client_id, code, code_verifier: verifier }, withoutSecret);
}

const documentAt = async (client_id: string) => {
  const answer = await fetch(client_id);
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
};

async function eventsOf(client_id: string): Promise<string[]> {
  const { rows } = await database.query(
    `select event, username
     from audit_events
     join users using (user_id)
     where client_id = $1
       and event like 'client%'
     order by happened_at`,
    [client_id],
  );
  return rows.map(({ event, username }) => `${username} ${event}`);
}

test('a developer fills in a document, and signs in with its address as client_id', async () => {
  const client_id = await makeDocument();
  assert.match(client_id.slice(origin.length), /^\/developer\/documents\/[\w-]{22}$/);
  const { status, headers, body } = await documentAt(client_id);
  assert.equal(status, 200);
  assert.deepEqual(body, {
    client_id,
    client_name: 'Inspector',
    redirect_uris: [redirect_uri],
    scope: 'user:name user:email',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  assert.deepEqual(
    ['content-type', 'cache-control', 'access-control-allow-origin'].map((name) => headers.get(name)),
    ['application/json;charset=UTF-8', 'public, max-age=60', '*'],
  );
  const tokens = await signIn(client_id);
  assert.equal(tokens.status, 200, JSON.stringify(tokens.body));
  assert.equal((await getUser(origin, tokens.body['access_token'])).body['username'], 'alice');
  const refreshed = await refresh(origin, tokens.body['refresh_token'], { client_id }, withoutSecret);
  assert.equal((await getUser(origin, refreshed.body['access_token'])).status, 200);
  assert.deepEqual(await eventsOf(client_id), ['alice client_registered']);
});

test('nobody else gets a consent page, a code or a grant', async () => {
  const client_id = await makeDocument();
  const refused = await bob.open(ask(client_id));
  assert.equal(refused.status, 400);
  assert.equal(refused.location, undefined);
  assert.doesNotMatch(refused.text, /not registered here<\/h1>/);
  assert.match(refused.text, /id="for-another">This application is for local development\. Only the person who/);
  assert.match(refused.text, /<dd lang="en"[^>]*>the client is for local development: only its developer can use it</);

  // the page of alice, whose form bob sends
  const page = await alice.visit(ask(client_id));
  const answer = await bob.open(...formRequest(page, 'id="allow"'));
  assert.notEqual(answer.status, 302);
  assert.doesNotMatch(answer.text, /id="allow"/);
  const { rows } = await database.query('select 1 from grants where client_id = $1', [client_id]);
  assert.deepEqual(rows, []);
  assert.equal((await signIn(client_id)).status, 200, 'alice still can');
});

test('who is not signed in reads after the sign-in that the application is for another person', async () => {
  const client_id = await makeDocument();
  const stranger = new Browser(origin);
  const login = await stranger.visit(ask(client_id));
  const page = await stranger.submit(login, 'id="login"', { username: 'bob', password });
  assert.match(page.text, /id="for-another"/);
});

test('a pushed request of such a client is for its developer only', async () => {
  const client_id = await makeDocument();
  const request = Object.fromEntries(new URLSearchParams(ask(client_id).split('?')[1]));
  const { status, body } = await post(`${origin}/par`, request, withoutSecret);
  assert.equal(status, 201, JSON.stringify(body));
  const query = new URLSearchParams({ client_id, request_uri: String(body['request_uri']) });
  assert.match((await bob.open(`/authorize?${query}`)).text, /id="for-another"/);
  assert.match((await alice.visit(`/authorize?${query}`)).text, /id="allow"/);
});

test('the schema itself lets nobody else in, whichever release runs on it', async () => {
  const client_id = await makeDocument();
  await signIn(client_id);
  await assert.rejects(
    database.query(
      `insert into grants (user_id, client_id, scopes, redirect_uris)
       select bob.user_id, client_id, scopes, redirect_uris
       from grants
       join users bob on bob.username = 'bob'
       where client_id = $1`,
      [client_id],
    ),
    /is for another person/,
  );
});

for (const uri of [
  'https://app.example/callback',
  'http://app.example/callback',
  'https://localhost/callback',
  'http://localhost.app.example/callback',
  'http://127.0.0.1.app.example/callback',
  'http://127.0.0.2/callback',
  'http://[::2]/callback',
  'http://user@127.0.0.1/callback',
  'http://localhost@app.example/callback',
  'com.example.app:/callback',
  'localhost:/callback',
  'localhost.app:/callback',
  'http://localhost:99999/callback',
  'http://localhost/callback#top',
]) {
  test(`a redirection URI is a loopback address with http, not ${uri}`, async () => {
    const { status, text } = await fillIn(alice, { redirect_uris: `${redirect_uri}\n${uri}` });
    assert.equal(status, 400);
    assert.match(text, /id="redirect_uris-problem"/);
    assert.deepEqual(await shownTo(alice), []);
  });
}

test('all loopback addresses are taken', async () => {
  const uris = [redirect_uri, 'http://[::1]/callback', 'http://localhost/', 'http://localhost:8080/cb?x=1'];
  const client_id = await makeDocument(alice, { redirect_uris: uris.join('\n') });
  assert.deepEqual((await documentAt(client_id)).body.redirect_uris, uris);
});

test('a document without a scope may ask for what changes nothing; an unknown scope is named', async () => {
  const client_id = await makeDocument(alice, { scope: '' });
  const { scope } = (await documentAt(client_id)).body;
  assert.ok(scope.includes('user:name') && !scope.includes('user:write'), scope);
  const { status, text } = await fillIn(alice, { scope: 'user:name photos:eat' });
  assert.equal(status, 400);
  assert.match(text, /There is no scope “photos:eat”/);
});

test('a person has twenty documents at most, also by forms that are sent at once', async () => {
  for (let made = 0; made < 18; made += 1) await fillIn(alice);
  const forms = await Promise.all([1, 2, 3, 4].map(() => alice.visit(list)));
  const answers = await Promise.all(forms.map((page) => alice.open(...formRequest(page, 'id="make"', stated))));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 302, 400, 400]);
  assert.equal((await shownTo(alice)).length, 20);
  await database.query('delete from attempts');
  const { text } = await fillIn(alice);
  assert.match(text, /You already have 20 documents/);
  await makeDocument(bob);
});

test('a form that is sent twice makes one document', async () => {
  const page = await alice.visit(list);
  for (const _ of [1, 2]) {
    assert.match((await alice.submit(page, 'id="make"', stated)).text, /Document published\./);
  }
  assert.equal((await shownTo(alice)).length, 1);
  // the ticket of somebody else makes nothing
  const [, ticket] = /name="ticket" value="([^"]*)"/.exec(page.text) ?? [];
  assert.equal((await fillIn(bob, { name: 'Of bob', ticket: ticket ?? assert.fail() })).status, 400);
  assert.deepEqual(await shownTo(bob), []);
});

test('a changed document counts at once; saved without a change it has no event', async () => {
  const client_id = await makeDocument();
  const tokens = await signIn(client_id);
  const change = async (changes: Record<string, string>) =>
    alice.submit(await alice.visit(changePageOf(client_id)), 'id="save"', changes);
  assert.match((await change({})).text, /Changes saved\./);
  assert.deepEqual(await eventsOf(client_id), ['alice client_registered']);
  await change({ name: 'Probe', redirect_uris: 'http://localhost/other' });
  assert.deepEqual(await eventsOf(client_id), ['alice client_registered', 'alice client_changed']);
  const { client_name, redirect_uris } = (await documentAt(client_id)).body;
  assert.deepEqual([client_name, redirect_uris], ['Probe', ['http://localhost/other']]);
  assert.equal((await alice.open(ask(client_id))).status, 400);
  assert.match(
    (await alice.visit(ask(client_id, { redirect_uri: 'http://localhost:9/other' }))).text,
    /Probe[\s\S]*id="allow"/,
  );
  assert.equal((await getUser(origin, tokens.body['access_token'])).status, 200);
  const outside = await change({ redirect_uris: 'https://app.example/callback' });
  assert.equal(outside.status, 400);
  assert.match(outside.text, /not an http address of your own computer/);
});

test('a client may ask an MCP server for more than its document names, also after a change of the document', async () => {
  const resource = 'https://mcp.example/mcp';
  await database.query(`select register_scope('mcp:write', 'Use the tools')`);
  await database.query('select register_resource(resource => $1, scopes => $2)', [resource, ['mcp:write']]);
  const client_id = await makeDocument();
  const narrow = async () =>
    alice.submit(await alice.visit(changePageOf(client_id)), 'id="save"', { ...stated, scope: 'user:name' });
  await narrow();
  assert.equal((await documentAt(client_id)).body.scope, 'user:name');
  assert.match((await alice.visit(ask(client_id, { resource, scope: 'mcp:write' }))).text, /id="allow"/);
  await database.query('select save_client($1, $2, by_admin => true)', [client_id, { scopes: ['user:email'] }]);
  await narrow();
  assert.match((await alice.visit(ask(client_id, { resource, scope: 'mcp:write' }))).text, /invalid_scope/);
});

test('an older tab does not bring back what was changed meanwhile', async () => {
  const client_id = await makeDocument();
  const page = await alice.visit(changePageOf(client_id));
  await alice.submit(page, 'id="save"', { redirect_uris: 'http://localhost/new' });
  const renamed = await alice.submit(page, 'id="save"', { name: 'Probe' });
  assert.equal(renamed.status, 409);
  assert.match(renamed.text, /id="changed-meanwhile"/);
  assert.deepEqual((await documentAt(client_id)).body.redirect_uris, ['http://localhost/new']);
  await alice.submit(renamed, 'id="save"');
  const { client_name, redirect_uris } = (await documentAt(client_id)).body;
  assert.deepEqual([client_name, redirect_uris], ['Probe', ['http://localhost/new']]);
});

test('the document of another person cannot be seen in a form, changed or deleted', async () => {
  const client_id = await makeDocument();
  const path = changePageOf(client_id);
  assert.equal((await bob.open(path)).status, 404);
  const page = await alice.visit(path);
  const own = await bob.visit(changePageOf(await makeDocument(bob)));
  const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(own.text) ?? [];
  for (const [button, fields] of [
    ['id="save"', { name: 'Stolen', csrf }],
    ['id="delete"', { csrf }],
  ] as const) {
    assert.equal((await bob.open(...formRequest(page, button, fields))).status, 404);
  }
  assert.equal((await documentAt(client_id)).body.client_name, 'Inspector');
});

test('without the form key nothing happens', async () => {
  const client_id = await makeDocument();
  assert.equal((await fillIn(alice, { csrf: 'wrong' })).status, 403);
  const page = await alice.visit(changePageOf(client_id));
  for (const button of ['id="save"', 'id="delete"']) {
    assert.equal((await alice.submit(page, button, { csrf: 'wrong', name: 'X' })).status, 403, button);
  }
  assert.deepEqual(await shownTo(alice), [client_id]);
  assert.equal((await documentAt(client_id)).body.client_name, 'Inspector');
});

test('a deleted document is gone: its address, its client, and its tokens', async () => {
  const client_id = await makeDocument();
  const tokens = await signIn(client_id);
  const page = await alice.visit(changePageOf(client_id));
  assert.match((await alice.submit(page, 'id="delete"')).text, /Document deleted\./);
  assert.equal((await documentAt(client_id)).status, 404);
  assert.equal((await alice.open(ask(client_id))).status, 400);
  assert.equal((await getUser(origin, tokens.body['access_token'])).status, 401);
  const refreshed = await refresh(origin, tokens.body['refresh_token'], { client_id }, withoutSecret);
  assert.deepEqual([refreshed.status, refreshed.body['error']], [401, 'invalid_client']);
  assert.deepEqual(await eventsOf(client_id), ['alice client_registered', 'alice client_deleted']);
  assert.deepEqual(await shownTo(alice), []);
});

test('the documents of a person go with the account', async () => {
  await registerUser(database, { username: 'carol', password });
  const carol = await signedInBrowser(origin, 'carol');
  const client_id = await makeDocument(carol);
  assert.equal((await latchkey(['user', 'delete', 'carol'])).code, 0);
  assert.equal((await documentAt(client_id)).status, 404);
  const { rows } = await database.query(
    'select deleted_at is not null as is_deleted from clients where client_id = $1',
    [client_id],
  );
  assert.deepEqual(rows, [{ is_deleted: true }]);
});

test('an unknown document is 404, and as client_id unknown; nothing is fetched from this server itself', async () => {
  for (const id of ['x', 'A'.repeat(22), 'A'.repeat(300), '%00', 'https:%2F%2Fx.example']) {
    const { status, body } = await documentAt(`${origin}${list}/${id}`);
    assert.deepEqual([status, body.error], [404, 'not_found'], id);
  }
  const { status, text } = await alice.open(ask(`${origin}${list}/${'A'.repeat(22)}`));
  assert.equal(status, 400);
  assert.match(text, /client_id names no application registered here/);
});

test('an https issuer reads its documents without fetching them, and knows which there are', async () => {
  const issuer = 'https://id.example.com';
  const there = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on', ISSUER: issuer }, url);
  const browser = await signedInBrowser(there.origin);
  const page = await browser.visit(list);
  const made = await browser.submit(page, 'id="make"', stated);
  const [, client_id = ''] = /<code class="value"[^>]*>([^<]*)</.exec(made.text) ?? [];
  assert.match(client_id, /^https:\/\/id\.example\.com\/developer\/documents\/[\w-]{22}$/);
  const { text } = await browser.visit(ask(client_id));
  assert.match(text, /id="allow"/);
  assert.match(text, /id\.example\.com/);
  const unknown = await browser.open(ask(`${issuer}${list}/${'A'.repeat(22)}`));
  assert.match(unknown.text, /client_id names no application registered here/);
  assert.ok(!there.logged.some((line) => line.includes('metadata document fetched')));
});

test('an ordinary client has no document here', async () => {
  const client_id = `${origin}${list}/of-the-operator`;
  await database.query(
    `select register_client(client_id => $1, name => 'Own', site_domain => 'localhost', redirect_uris => array['http://127.0.0.1/callback'], scopes => array['user'])`,
    [client_id],
  );
  assert.equal((await documentAt(client_id)).status, 404);
  await database.query('delete from clients where client_id = $1', [client_id]);
});

test('the console leads to the documents, where there are any', async () => {
  for (const [setting, isThere] of [
    ['on', true],
    ['off', false],
  ] as const) {
    const console = await startLatchkey({ CLIENT_ID_DOCUMENTS: setting, REGISTRATION: 'open' }, url);
    const { text } = await (await signedInBrowser(console.origin)).visit('/developer/applications');
    assert.equal(text.includes(`<a href="${list}">Documents for local development</a>`), isThere);
  }
});

test('where documents are switched off, neither the pages are there nor do the clients get in', async () => {
  const client_id = await makeDocument();
  const tokens = await signIn(client_id);
  const off = await startLatchkey({ ISSUER: origin }, url);
  const there = await signedInBrowser(off.origin);
  assert.equal((await there.open(list)).status, 404);
  assert.equal((await fetch(client_id.replace(origin, off.origin))).status, 404);
  assert.equal((await there.open(ask(client_id))).status, 400);
  const refreshed = await refresh(off.origin, tokens.body['refresh_token'], { client_id }, withoutSecret);
  assert.deepEqual([refreshed.status, refreshed.body['error']], [401, 'invalid_client']);
  assert.equal((await refresh(origin, tokens.body['refresh_token'], { client_id }, withoutSecret)).status, 200);
});

test('a document is no part of an export, and an administrator sees whose it is', async () => {
  const client_id = await makeDocument();
  assert.doesNotMatch((await latchkey(['export'])).out, /developer\/documents/);
  const root = await signedInBrowser(origin, 'root');
  const { text } = await root.visit(`/admin/applications/${encodeURIComponent(client_id)}`);
  assert.match(text, /alice/);
});
