import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { chosen, identifiers, startWithOrganizations } from '../support/choices.ts';
import { authorizationQuery, challenge, codeIn, getUser, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, registerPrinter, registerResource, startLatchkey } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';
import { shownProgram, unescapeHtml } from '../support/shown-program.ts';

// The programs of the pages as they show them, with the application of their examples.

const latchkey = await startWithOrganizations();
const { origin, database } = latchkey;
const client_id = 'my-application';
const redirect_uri = 'http://localhost:8080/callback';
const resource = 'https://api.example';
const authorization = `Basic ${Buffer.from(`${client_id}:${printer.client_secret}`).toString('base64')}`;
await registerPrinter(database, {
  ...{ client_id, site_domain: 'localhost', redirect_uris: [redirect_uri] },
  scopes: ['user:name', 'org:read', 'org:write'],
});
const api_id = 'my-api';
await registerPrinter(database, { client_id: api_id });
await registerResource(database, resource, ['org:read', 'org:write'], api_id);
const asApi = { authorization: `Basic ${Buffer.from(`${api_id}:${printer.client_secret}`).toString('base64')}` };

const open = async (at = origin, path = '/developer/choices') => {
  const url = at + path;
  return { url, text: await (await fetch(url)).text() };
};
const page = await open();
const requestPage = await open(origin, '/developer/choices-request');
const program = (name: string, on = requestPage) => shownProgram(on, `code-${name}`);
const example = (name: string, on = requestPage) => JSON.parse(program(name, on));
/** The identifiers below the drawing, by the names that stand in it. */
const namedBelow = ({ text }: { text: string }) =>
  new Map([...text.matchAll(/<span class="whole">(\w+) <code>(\w+)<\/code>/g)].map(([, name, id]) => [name, id]));
const alice = await signedInBrowser(origin);

async function tokensFor(choice: string | string[], changes = {}) {
  const asked = { client_id, redirect_uri, scope: 'org:read', resource, prompt: 'consent', ...changes };
  const consent = await alice.visit(`/authorize?${authorizationQuery(asked)}`);
  const answer = await alice.submit(consent, 'id="allow"', { [chosen]: choice });
  return (await redeem(origin, codeIn(answer), { redirect_uri }, { authorization })).body;
}

const apiPage = await open(origin, '/developer/choices-program');
const file = writeFile('api.mjs', shownProgram(apiPage, 'code-choices-api'));

/** Starts the API of the page; where it answers, and what it writes for whoever runs it. */
async function startApi(CLIENT_SECRET: string) {
  const env = { PATH: process.env['PATH'], CLIENT_SECRET, PORT: '0' };
  const api = spawn('node', [file], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  after(() => api.kill());
  const [said] = await once(api.stdout, 'data');
  const [, port] = /at (\d+)/.exec(String(said)) ?? [];
  return { address: `http://127.0.0.1:${port}`, errors: api.stderr };
}

const api = await startApi(printer.client_secret);

async function items(token: unknown, path = '/items', { address } = api) {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const response = await fetch(address + path, { headers });
  const found = response.ok ? [await response.json()].flat().map(({ id }) => id) : [];
  return [response.status, ...found];
}

test('the API of the page shows what was chosen and nothing else, also where all of it was chosen', async () => {
  const { access_token: one } = await tokensFor('12');
  assert.deepEqual(await items(one), [200, '12']);
  assert.deepEqual(await items(one, '/items/12'), [200, '12']);
  assert.deepEqual(await items(one, '/items/13'), [404]);
  assert.deepEqual(await items(one, '/other'), [404]);
  const { access_token: all } = await tokensFor('*');
  assert.deepEqual(await items(all), [200, '12', '13', '15']);
  assert.deepEqual(await items(all, '/items/14'), [404]);
});

test('the API of the page refuses other tokens, and without an answer about a token it is not available', async () => {
  assert.deepEqual(await items(undefined), [401]);
  assert.deepEqual(await items('nothing'), [401]);
  const { access_token, refresh_token } = await tokensFor([], { scope: 'user:name', resource: undefined });
  assert.deepEqual(await items(access_token), [401]);
  assert.deepEqual(await items(refresh_token), [401]);
  const { access_token: lacking } = await tokensFor('12', { scope: 'org:write' });
  const headers = { authorization: `Bearer ${lacking}` };
  const refused = await fetch(`${api.address}/items`, { headers });
  assert.equal(refused.status, 403);
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="org:read"');
  const { access_token: good } = await tokensFor('12');
  await database.query('alter table access_tokens rename to away');
  assert.deepEqual(await items(good), [503]);
  await database.query('alter table away rename to access_tokens');
});

test('with a wrong secret, the API of the page says why it cannot ask', async () => {
  const mistaken = await startApi('lk_cs_wrong');
  const said = once(mistaken.errors, 'data');
  assert.deepEqual(await items((await tokensFor('12'))['access_token'], '/items', mistaken), [503]);
  assert.match(String(await said), /^401 .*invalid_client/);
});

test('the command of the page gets a token for one item, and the next refresh has all that were chosen', async () => {
  const tokens = await tokensFor(['12', '13']);
  const env = {
    PATH: process.env['PATH'],
    CLIENT_SECRET: printer.client_secret,
    REFRESH_TOKEN: String(tokens['refresh_token']),
  };
  const { stdout } = await promisify(execFile)('sh', ['-c', program('choices-narrow')], { env });
  const narrowed = JSON.parse(stdout);
  assert.deepEqual(narrowed.authorization_details, identifiers('12'));
  assert.deepEqual(await items(narrowed.access_token), [200, '12']);
  const form = { grant_type: 'refresh_token', refresh_token: narrowed.refresh_token };
  const refused = await post(
    `${origin}/token`,
    { ...form, authorization_details: JSON.stringify(identifiers('14')) },
    { authorization },
  );
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_authorization_details']);
  const { body } = await post(`${origin}/token`, form, { authorization });
  assert.deepEqual(body['authorization_details'], identifiers('12', '13'));
});

test('the messages of the page have the members of real ones, and its request leads to the choice', async () => {
  const tokens = await tokensFor(['12', '13']);
  const names = (members: object) => Object.keys(members).sort();
  assert.deepEqual(names(example('choices-answer')), names(tokens));
  assert.deepEqual(example('choices-answer').authorization_details, tokens['authorization_details']);
  const { body } = await post(`${origin}/introspect`, { token: String(tokens['access_token']) }, asApi);
  const introspection = example('choices-introspection', page);
  assert.deepEqual(names(introspection), names(body));
  assert.deepEqual(introspection.authorization_details, body['authorization_details']);
  const plain = new URL(program('choices-plain').replace('CHALLENGE', challenge));
  assert.equal(plain.searchParams.get('authorization_details'), null);
  const request = new URL(program('choices-request').replace('CHALLENGE', challenge));
  const asked = request.searchParams.get('authorization_details') ?? '';
  assert.deepEqual(JSON.parse(asked), identifiers('12'));
  assert.ok(
    unescapeHtml(requestPage.text).includes(`<code>${asked}</code>, URL-encoded:`),
    'decoded above the request',
  );
  const consentTo = async ({ pathname, search }: URL) =>
    (await alice.visit(`${pathname}${search}&prompt=consent`)).text;
  // the first offers what the page draws, and the answer has what is ticked there
  const drawn = [...namedBelow(page).values()];
  const offered = [...(await consentTo(plain)).matchAll(/name="choice\.organizations" value="([^"]+)"/g)];
  assert.deepEqual(drawn, ['12', '13', '15']);
  assert.deepEqual(
    offered.map(([, value]) => value),
    ['*', '12', '13'],
  );
  // the second, what it names
  const named = await consentTo(request);
  assert.match(named, /Acme/);
  assert.doesNotMatch(named, /Bakery/);
  assert.equal((await getUser(origin, tokens['access_token'])).status, 401);
});

test('the consent page of each request in the table offers what the table says', async () => {
  const rows = [...requestPage.text.matchAll(/<dt><code>(\[\{.*?\}\])<\/code><\/dt>/g)].map(([, json = '']) =>
    unescapeHtml(json),
  );
  const offered = async (details: string) => {
    const asked = { client_id, redirect_uri, scope: 'org:read', resource, prompt: 'consent' };
    const bob = await signedInBrowser(origin, 'bob');
    const { text } = await bob.visit(`/authorize?${authorizationQuery({ ...asked, authorization_details: details })}`);
    return [
      ...text.matchAll(/<input type="checkbox"[^>]*name="choice\.organizations" value="([^"]*)"( checked)?/g),
    ].map(([, value, ticked]) => [value, ticked !== undefined]);
  };
  await database.query("insert into company.members values (12, '2'), (13, '2')");
  const all = ['*', '12', '13', '14'];
  assert.deepEqual(await Promise.all(rows.map(offered)), [
    all.map((value) => [value, false]),
    [],
    all.map((value) => [value, value === '*']),
  ]);
  const two = await offered(JSON.stringify(identifiers('12', '13')));
  assert.deepEqual(two, [
    ['12', true],
    ['13', true],
  ]);
});

test('the page names the choices of this server; where there are none, it says who registers them', async () => {
  assert.match(requestPage.text, /<code>organizations<\/code><\/dt><dd>[^<]*<code>org:read org:write<\/code>/);
  assert.doesNotMatch(page.text + requestPage.text + apiPage.text, /albums|Connect page/);
  const without = await startLatchkey();
  const { text } = await open(without.origin, '/developer/choices-request');
  assert.doesNotMatch(text, /The choices on this server/);
  assert.match(text, /This server has no choice yet\. [^<]*<code>albums<\/code>/);
});

test('the page shows the question of the consent page with the items that the answers have, and nobody can press anything there', async () => {
  const seen = ({ text }: { text: string }) => /<div class="seen" inert>[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
  const legend = (html: string) => /<legend>([^<]*)<\/legend>/.exec(html)?.[1];
  const consent = await alice.visit(
    `/authorize?${authorizationQuery({ client_id, redirect_uri, scope: 'org:read', resource, prompt: 'consent' })}`,
  );
  const [, written = ''] = /<fieldset class="choose"[^>]*>\s*<legend>(.*?)<\/legend>/.exec(consent.text) ?? [];
  const asked = written.replaceAll(/<\/?bdi>/g, '');
  const { rows } = await database.query('select name from clients where client_id = $1', [client_id]);
  assert.equal(legend(seen(page)), asked.replaceAll(rows[0]?.['name'], 'My application'));
  const named = namedBelow(page);
  const ticked = [...seen(page).matchAll(/ checked>([^<]*)</g)].map(([, label = '']) => named.get(label));
  const details = example('choices-answer').authorization_details;
  assert.deepEqual(
    // the first box is that of the permission
    ticked.slice(1),
    details.map(({ identifier }: { identifier: string }) => identifier),
  );
  assert.match(
    (await open(origin, '/developer/docs.txt')).text,
    /may My application see\?\n\n- \[ \] All, including future ones\n- \[x\] Riverside \(12\)\n/,
  );
  assert.match(seen(page), /All, including future ones/);
  // people do not see identifiers
  assert.doesNotMatch(seen(page), /<code|\d/);
  // the permission above its question, as on the consent page
  const [permission = ''] = /(?<=<span class="sentence" id="scope-0-0-text">)[^<]*/.exec(consent.text) ?? [];
  assert.match(seen(page), new RegExp(`checked>${permission}</label>\\s*<fieldset>`));
  await latchkey.registerChoice({ may_be_all: false });
  const another = await startLatchkey({}, latchkey.url);
  for (const path of ['/developer/choices', '/developer/choices-request']) {
    const { text } = await open(another.origin, path);
    assert.doesNotMatch(text, /All, including future ones|(&#34;|")all(&#34;|"):true\}\]/, path);
  }
});

test('the view of the page is one that a choice can read, and its SQL for the operator registers that choice', async () => {
  await database.query('create schema api; create table api.organizations (person integer, id integer, title text)');
  await database.query("insert into api.organizations values (7, 12, 'Riverside')");
  await database.query(program('choices-view', page));
  const plain = await open(origin, '/developer/docs.txt');
  assert.ok(plain.text.includes(`\n   ${program('choices-view', page).replaceAll('\n', '\n   ')}\n`), 'below its step');
  const { rows } = await database.query("select identifier, name from my_organizations where sub = '7'");
  assert.deepEqual(rows, [{ identifier: '12', name: 'Riverside' }]);
  await database.query("select register_scope(name => 'view:read', sentence => 'Look')");
  await database.query(`select register_choice(name => 'viewed', scopes => array['view:read'], sentence => 'Which?',
    query => $$ select identifier as value, name as label from my_organizations where sub = $1 $$)`);
  await database.query("insert into api.organizations values (1, 21, 'Lakeside')");
  await database.query(program('choices-registration', page));
  const asked = { client_id, redirect_uri, scope: 'org:read org:write', resource, prompt: 'consent' };
  const { text } = await alice.visit(`/authorize?${authorizationQuery(asked)}`);
  assert.match(text, /Lakeside/);
  assert.doesNotMatch(text, /Acme|Riverside/);
});
