import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { authorizationQuery, getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { register } from '../support/self-registration.ts';

// What a process keeps for a few seconds makes it answer sooner, and never wrongly: before it refuses something that is not among what it
// keeps, it looks.

const first = await startLatchkey({ REGISTRATION_ENDPOINT: 'open', REGISTRATION: 'open' });
const { origin, database, url } = first;
const other = await startLatchkey({}, url);
await registerPeople(database);
const alice = await signedInBrowser(origin);

/** A scope that a seed has just made, and the photo printer with it, after both processes have read what there was before. */
async function makeScope(name: string): Promise<string> {
  await registerPrinter(database);
  await obtainCode(alice);
  for (const { origin: at } of [first, other]) await fetch(`${at}/.well-known/oauth-authorization-server`);
  await database.query('select register_scope($1, $2)', [name, `Use ${name}`]);
  await registerPrinter(database, { scopes: ['user', name] });
  return name;
}

test('a scope that a seed has just made can be requested, by name or by asking for all', async () => {
  for (const [name, asked] of [
    ['just:one', 'just:one'],
    ['just:two', undefined],
  ] as const) {
    const scope = await makeScope(name);
    const page = await alice.visit(`/authorize?${authorizationQuery({ scope: asked, prompt: 'consent' })}`);
    assert.match(page.text, new RegExp(`Use ${scope}`), page.location);
  }
});

test('it can be registered, at /register and in the console', async () => {
  const scope = await makeScope('just:three');
  assert.equal((await register(origin, { scope })).body['scope'], scope);
  const page = await alice.visit('/developer/applications/new');
  const later = await makeScope('just:four');
  const made = await alice.submit(page, 'class="primary"', {
    ...{ name: 'Cards', site_domain: 'cards.example', redirect_uris: 'https://cards.example/cb' },
    [`use:${later}`]: 'required',
  });
  assert.equal(made.status, 200);
  const { rows } = await database.query("select scopes from clients where name = 'Cards'");
  // the form proposes the first
  assert.deepEqual(rows, [{ scopes: ['user:name', later] }]);
});

test('another process answers with it, and takes it in a refresh', async () => {
  const scope = await makeScope('just:five');
  const code = await obtainCode(alice, { scope, prompt: 'consent' });
  const { body } = await redeem(other.origin, code);
  assert.equal(body['scope'], scope);
  await makeScope('just:six');
  const again = await obtainCode(alice, { scope: 'just:six', prompt: 'consent' });
  const tokens = (await redeem(origin, again)).body;
  const refreshed = await refresh(other.origin, tokens['refresh_token'], { scope: 'just:six' });
  assert.deepEqual([refreshed.status, refreshed.body['scope']], [200, 'just:six']);
});

test('a token for a claim that a seed has just registered is not refused', async () => {
  await getUser(other.origin, (await redeem(origin, await obtainCode(alice))).body['access_token']);
  await database.query(
    `select register_claim(name => 'rooms', scope => 'just:rooms', sentence => 'See your rooms', query => 'select to_jsonb($1)')`,
  );
  await registerPrinter(database, { scopes: ['user', 'just:rooms'] });
  const { body } = await redeem(origin, await obtainCode(alice, { scope: 'just:rooms', prompt: 'consent' }));
  const answer = await getUser(other.origin, body['access_token']);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.ok('rooms' in answer.body);
});

/** How often the scopes are read while something is done. */
async function countLooks(act: () => Promise<void>): Promise<{ looks: number; seconds: number }> {
  let looks = 0;
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    if ((sent[0] as { name?: string }).name === 'list_scopes') looks += 1;
    return Reflect.apply(query, this, sent);
  } as typeof query;
  const start = performance.now();
  await act().finally(() => {
    pg.Client.prototype.query = query;
  });
  return { looks, seconds: (performance.now() - start) / 1000 };
}

test('a request for a scope that its application has not registered causes no look, and neither do the names of GitHub', async () => {
  await registerPrinter(database);
  const { body } = await redeem(origin, await obtainCode(alice));
  const ask = async (path: string, scope: string) =>
    (await fetch(`${origin}${path}?${authorizationQuery({ scope })}`, { redirect: 'manual' })).headers.get('location');
  const { looks, seconds } = await countLooks(async () => {
    for (let time = 0; time < 20; time += 1) {
      assert.match((await ask('/authorize', 'made:up')) ?? '', /error=invalid_scope/);
      assert.match((await ask('/login/oauth/authorize', 'read:user,read:org')) ?? '', /\/login\?/);
      const refused = await refresh(origin, body['refresh_token'], { scope: 'made:up' });
      assert.equal(refused.body['error'], 'invalid_scope');
    }
  });
  assert.ok(looks <= 1 + seconds / 5, `${looks} looks`);
});

test('strangers who register unknown scopes share a look in a tenth of a second', async () => {
  const { looks, seconds } = await countLooks(async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(origin, { scope: 'made:up' })));
    for (const { status } of answers) assert.equal(status, 400);
  });
  assert.ok(looks >= 1 && looks <= 2 + seconds * 10, `${looks} looks`);
});
