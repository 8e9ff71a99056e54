import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { Page } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { registerPeople, registerPrinter, registerResource, startLatchkey } from '../../support/latchkey.ts';

// A client that lacks a scope asks again with those that it has and those of the challenge, as MCP clients do.

const { origin, database } = await startLatchkey();
await registerPeople(database);
const tools = Array.from({ length: 30 }, (_, at) => `tool:${String(at).padStart(2, '0')}`);
// before the catalogue is read for the first time
await database.query(
  `insert into scopes (name, group_name, sentence)
   select name, case when name < 'tool:15' then 'first' else 'second' end, 'Use ' || name from unnest($1::text[]) name`,
  [tools],
);
const resource = 'https://mcp.example/mcp';
const client_id = 'agent';
const uris = ['http://127.0.0.1/callback'];
const redirect_uri = 'http://127.0.0.1:4711/callback';
const challenged = 'tool:17';
const before = tools.filter((name) => name !== challenged);
const browser = await signedInBrowser(origin);

beforeEach(async () => {
  await database.query('delete from grants');
  await registerPrinter(database, { client_id: 'mcp-server' });
  await registerPrinter(database, { client_id, client_secret: null, redirect_uris: uris, scopes: tools });
  await registerResource(database, resource, tools, 'mcp-server');
});

const visit = (scopes: readonly string[], more = {}) =>
  browser.visit(
    `/authorize?${authorizationQuery({ client_id, redirect_uri, resource, scope: scopes.join(' '), ...more })}`,
  );
const exchange = async (page: Page) =>
  (await redeem(origin, codeIn(page), { client_id, redirect_uri }, { authorization: '' })).body;
const scopesOf = (body: Record<string, unknown>) => String(body['scope']).split(' ').sort();

/** What a form shows: headings and boxes in their order, with a star for a tick. */
const shownOn = ({ text }: Page) =>
  [...text.matchAll(/<h2>([^<]*)<\/h2>|<input type="checkbox"[^>]*value="([^"]+)"([^>]*)>/g)].map(
    ([, heading, scope, rest]) => heading ?? `${scope}${/ checked/.test(rest ?? '') ? '*' : ''}`,
  );

async function allow(scopes: readonly string[], ticked: readonly string[] = scopes) {
  return exchange(await browser.submit(await visit(scopes), 'id="allow"', { scope: [...ticked] }));
}

test('the new permission stands first and apart from thirty others, which are ticked as they were [A556]', async () => {
  const refused = 'tool:03';
  await allow(
    before,
    before.filter((name) => name !== refused),
  );
  const earlier = before.map((name) => (name === refused ? name : `${name}*`));
  for (const more of [{}, { prompt: 'consent' }]) {
    assert.deepEqual(shownOn(await visit(tools, more)), [
      'New permissions',
      `${challenged}*`,
      'Permissions that you have decided on before',
      ...earlier,
    ]);
  }
  const granted = await exchange(await browser.submit(await visit(tools), 'id="allow"'));
  const first = tools.filter((name) => name < 'tool:15' && name !== refused);
  assert.deepEqual(scopesOf(granted), ['second', ...first], 'a group that is granted in full by its name');
  assert.deepEqual(
    shownOn(await visit(tools)).slice(0, 2),
    ['Requested permissions', 'tool:00*'],
    'nothing is new any more',
  );
});

test('whoever refuses what is new keeps what they allowed before, and so does the client [A556]', async () => {
  const tokens = await allow(before);
  const form = await visit(tools);
  const denied = await browser.submit(form, 'id="deny"');
  assert.equal(new URL(denied.location ?? '').searchParams.get('error'), 'access_denied');
  const again = await refresh(origin, tokens['refresh_token'], { client_id }, { authorization: '' });
  assert.deepEqual([again.status, scopesOf(again.body)], [200, before]);
  const authorization = basic('mcp-server');
  const { body } = await post(`${origin}/introspect`, { token: String(again.body['access_token']) }, { authorization });
  assert.deepEqual([body['active'], scopesOf(body)], [true, ['first', ...before.filter((name) => name >= 'tool:15')]]);
  assert.deepEqual(shownOn(await visit(tools)).slice(0, 2), ['New permissions', `${challenged}*`], 'asked again');
  await exchange(await browser.submit(await visit(tools), 'id="allow"', { scope: before }));
  assert.ok(shownOn(await visit(tools)).includes(challenged), 'shown as refused now');
});

test('each address that needs a scope names it, and takes the group that contains it instead', async () => {
  await registerPrinter(database);
  const tokenFor = async (scope: string) => {
    const page = await browser.visit(`/authorize?${authorizationQuery({ scope })}`);
    const answer = page.location === undefined ? await browser.submit(page, 'id="allow"') : page;
    return (await redeem(origin, codeIn(answer))).body;
  };
  const addresses = { '/user': undefined, '/api/v3/user': undefined, '/api/v3/user/emails': 'user:email' };
  const narrow = await tokenFor('user:name');
  for (const [path, needed] of Object.entries(addresses)) {
    const { status, headers } = await getUser(origin, narrow['access_token'], path);
    assert.equal(status, needed ? 403 : 200, path);
    const [, named] = / scope="([^"]*)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    assert.equal(named, needed, path);
  }
  // the second as a client writes it that adds what a challenge names
  for (const scope of ['user', 'user:name user:email', 'user user:email']) {
    const { access_token, scope: stated } = await tokenFor(scope);
    assert.equal(stated, scope);
    for (const path of Object.keys(addresses)) {
      const { status, body } = await getUser(origin, access_token, path);
      assert.equal(status, 200, `${path} with ${scope}`);
      assert.match(JSON.stringify(body), /alice@example\.com/, `${path} with ${scope}`);
    }
    const { body } = await post(`${origin}/introspect`, { token: String(access_token) });
    assert.equal(body['scope'], 'user', scope);
  }
});
