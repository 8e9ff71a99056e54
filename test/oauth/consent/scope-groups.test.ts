import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery, basic, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const { origin, database, url } = await startLatchkey();
await registerPeople(database);
await registerPrinter(database, { client_id: 'early', scopes: ['user', 'repo:read'] });
const early = { authorization: basic('early') };
const browser = await signedInBrowser(origin);
const earlier = (await redeem(origin, await obtainCode(browser, { client_id: 'early', scope: undefined }), {}, early))
  .body;

// a group grows, as the README invites to, long after a client has registered it
await database.query(
  "insert into scopes (name, group_name, sentence) values ('user:phone', 'user', 'See your number')",
);
const grown = await startLatchkey({}, url);
const visitor = await signedInBrowser(grown.origin);

const boxes = async (changes: Parameters<typeof authorizationQuery>[0]) => {
  const page = await visitor.visit(`/authorize?${authorizationQuery({ prompt: 'consent', ...changes })}`);
  return [...page.text.matchAll(/type="checkbox"[^>]*name="scope"[^>]*value="([^"]+)"/g)].map(([, scope]) => scope);
};

test('a requested scope group means its members that the client registered', async () => {
  assert.deepEqual(await boxes({ client_id: 'early', scope: 'user' }), ['user:name', 'user:email']);
  assert.deepEqual(await boxes({ client_id: 'early', scope: 'user,repo' }), ['user:name', 'user:email', 'repo:read']);
  assert.deepEqual(await boxes({ client_id: 'early', scope: undefined }), ['user:name', 'user:email', 'repo:read']);
});

test('a scope group in a refresh means the same members', async () => {
  const membersOf = async (access_token: unknown) =>
    (await post(`${grown.origin}/introspect`, { token: String(access_token) }, early)).body['scope'];
  const narrowed = await refresh(grown.origin, earlier['refresh_token'], { scope: 'user' }, early);
  assert.deepEqual([narrowed.status, narrowed.body['scope']], [200, 'user:name user:email']);
  assert.equal(await membersOf(narrowed.body['access_token']), 'user:name user:email');
  const again = await refresh(grown.origin, narrowed.body['refresh_token'], { scope: 'repo user:name' }, early);
  assert.deepEqual([again.status, again.body['scope']], [200, 'user:name repo:read']);
  assert.equal(await membersOf(again.body['access_token']), 'user:name repo:read');
});

for (const [what, scope] of [
  ['for a new member of a group that the client did not register', 'user:phone'],
  ['for a group of which the client registered no member', 'user:write'],
  ['for an unknown scope beside a registered one', 'user admin'],
] as const) {
  test(`a refresh ${what} is refused, and spends nothing`, async () => {
    const code = await obtainCode(visitor, { client_id: 'early' });
    const { refresh_token } = (await redeem(grown.origin, code, {}, early)).body;
    const refused = await refresh(grown.origin, refresh_token, { scope }, early);
    assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_scope']);
    assert.equal((await refresh(grown.origin, refresh_token, { scope: 'user' }, early)).status, 200);
  });
}

test('the scopes that a client registered are disclosed to that client only', async () => {
  const wrong = { authorization: basic('early', 'wrong') };
  const answers = [
    await refresh(grown.origin, earlier['refresh_token'], { scope: 'user:phone' }, wrong),
    await refresh(grown.origin, earlier['refresh_token'], { scope: 'user' }, wrong),
  ];
  assert.deepEqual(
    answers.map(({ body }) => body['error']),
    ['invalid_client', 'invalid_client'],
  );
});

test('registering a scope group registers its current members', async () => {
  await registerPrinter(database, { client_id: 'late', scopes: ['user'] });
  assert.deepEqual(await boxes({ client_id: 'late', scope: 'user' }), ['user:name', 'user:email', 'user:phone']);
});

test('a required scope group means its registered members, of which there must be at least one', async () => {
  const register = (scopes: string[], required_scopes: string[]) =>
    registerPrinter(database, { client_id: 'demanding', scopes, required_scopes });
  await register(['user:name', 'user:email'], ['user']);
  const { rows } = await database.query("select required_scopes from clients where client_id = 'demanding'");
  assert.deepEqual(rows[0].required_scopes, ['user:name', 'user:email']);
  await assert.rejects(register(['user:name'], ['user:email']), /required_scopes .*user:email.* not within scopes/);
  await assert.rejects(register(['user:name'], ['user', 'repo']), /required_scopes .*repo.* not within scopes/);
});

test('hundreds of permissions can be allowed, some of them refused, and later be taken back', async () => {
  await database.query(
    `insert into scopes (name, group_name, sentence)
     select 'warehouse:area-' || number || ':stock-levels:read', 'warehouse', 'See the stock of area ' || number
     from generate_series(1, 600) number`,
  );
  const many = await startLatchkey({}, url);
  await registerPrinter(database, { client_id: 'many', scopes: ['user:name', 'warehouse'] });
  const person = await signedInBrowser(many.origin);
  const scope = (count: number) => ['user:name', ...Array.from({ length: count }, (_, index) => area(index + 1))];
  const area = (number: number) => `warehouse:area-${number}:stock-levels:read`;
  const granted = async () =>
    (await database.query("select scopes from grants where client_id = 'many'")).rows[0].scopes.toSorted();

  const code = await obtainCode(person, { client_id: 'many', scope: undefined });
  const { status } = await redeem(many.origin, code, {}, { authorization: basic('many') });
  assert.deepEqual([status, await granted()], [200, scope(600).toSorted()]);

  const page = await person.visit('/account/applications/many');
  const saved = await person.submit(page, 'class="primary"', { scope: scope(500) });
  assert.deepEqual([saved.status, await granted()], [200, scope(500).toSorted()]);
});
