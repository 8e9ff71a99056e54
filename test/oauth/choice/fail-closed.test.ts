import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, codeIn, getUser, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { startLatchkey } from '../../support/latchkey.ts';

// Whatever happens to a choice, a restricted family never becomes an unrestricted one.

const { origin, database, registerChoice, url } = await startWithOrganizations();
const two = await startLatchkey({ ISSUER: origin }, url);
const scope = 'user:name org:read';
const browser = await signedInBrowser(origin);
const elsewhere = await signedInBrowser(two.origin);
const remembered = () => new Promise((resolve) => setTimeout(resolve, 1100));
const query = (changes = {}) => `/authorize?${authorizationQuery({ scope, prompt: 'consent', ...changes })}`;
const introspect = async (token: unknown) => (await post(`${two.origin}/introspect`, { token: String(token) })).body;

async function tokens(values: string | string[]) {
  const page = await browser.visit(query());
  const answer = await browser.submit(page, 'id="allow"', { scope: scope.split(' '), [chosen]: values });
  return (await redeem(origin, codeIn(answer))).body;
}

/** What every door says of a family now: its access token, its refresh token, /user, and a refresh, at both instances. */
async function stateOf(family: Record<string, unknown>) {
  const { access_token, refresh_token } = family;
  const user = await getUser(two.origin, access_token);
  const [access, refreshed] = [await introspect(access_token), await introspect(refresh_token)];
  const next = (await refresh(two.origin, refresh_token)).body;
  family['refresh_token'] = next['refresh_token'];
  return [
    [access['scope'], access['authorization_details']],
    [refreshed['scope'], refreshed['authorization_details']],
    ['user:name', user.body['authorization_details']],
    [next['scope'], next['authorization_details']],
    [
      (await introspect(next['access_token']))['scope'],
      (await introspect(next['access_token']))['authorization_details'],
    ],
  ];
}

function assertNoOrganization(state: Awaited<ReturnType<typeof stateOf>>) {
  for (const [scopes, details] of state) assert.deepEqual([scopes, details], ['user:name', undefined]);
}

beforeEach(async () => {
  await database.query('delete from choices');
  await registerChoice();
  await remembered();
});

const changes: Record<string, string> = {
  deleted: `delete from choices`,
  truncated: `truncate choices cascade`,
  disabled: `update choices set disabled_at = now()`,
  renamed: `update choices set name = 'companies'`,
  'given to another scope': `update choices set scopes = array['org:write']`,
  'registered anew under another name': `delete from choices; select register_choice(name => 'companies', scopes => array['org:read'],
    sentence => 'Which?', query => $$ select '12' as value, 'A' as label, null as hint where $1 <> '' $$)`,
};

for (const [what, change] of Object.entries(changes)) {
  test(`a choice that is ${what}`, async () => {
    for (const values of ['12', '*']) {
      const family = await tokens(values);
      await database.query(change);
      assertNoOrganization(await stateOf(family));
      await remembered();
      const page = await browser.visit(query({ prompt: undefined }));
      assert.equal(page.location, undefined, 'the person is asked');
      await database.query('delete from choices');
      await registerChoice();
      // the same name again: nothing comes back
      assertNoOrganization(await stateOf(family));
      await remembered();
    }
  });
}

test('a choice that no longer allows all, or several, ends what was chosen so', async () => {
  const all = await tokens('*');
  await registerChoice({ may_be_all: false });
  assertNoOrganization(await stateOf(all));
  await registerChoice();
  assertNoOrganization(await stateOf(all));
  await remembered();
  const several = await tokens(['12', '13']);
  await registerChoice({ many: false });
  assertNoOrganization(await stateOf(several));
  await registerChoice();
  assertNoOrganization(await stateOf(several));
});

test('several can become impossible where somebody has chosen all, which stays [A592]', async () => {
  const all = await tokens('*');
  // by psql, whose plans are made for the values
  const psql = await database.connect();
  await psql.query('begin; set local plan_cache_mode = auto; update choices set many = false; commit');
  psql.release();
  const [[, details] = []] = await stateOf(all);
  assert.deepEqual(details, [{ type: 'organizations', all: true }]);
});

test('whoever decides on nothing new does not wait for a choice that is being registered [A592]', async () => {
  await tokens('12');
  await database.query(`select register_scope('team:read', 'See your teams', changes => false)`);
  const page = await browser.visit('/account/applications/photo-printer');
  const seed = await database.connect();
  try {
    await seed.query(`begin; select register_choice(name => 'teams', scopes => array['team:read'], sentence => 'Which?',
      query => $$ select '12' as value, 'A' as label, null as hint where $1 <> '' $$)`);
    const saved = await browser.submit(page, 'class="primary"', { scope: ['user:name'] });
    assert.match(saved.text, /Permissions saved/);
  } finally {
    await seed.query('rollback');
    seed.release();
  }
});

test('what an instance stores that does not know yet that all, or several, are no longer possible, is not in force [A591]', async () => {
  const less: [Record<string, unknown>, string[], true | string[]][] = [
    [{ many: false }, ['12', '13'], ['12', '13']],
    [{ may_be_all: false }, ['*'], true],
  ];
  for (const [change, values, stored] of less) {
    const family = await tokens(values);
    await registerChoice(change);
    await database.query('update grants set choices = $1', [JSON.stringify({ organizations: stored })]);
    assertNoOrganization(await stateOf(family));
    await remembered();
    const page = await browser.visit(query({ prompt: undefined }));
    assert.equal(page.location, undefined, 'the person is asked');
    await registerChoice();
  }
});

test('a grant without a recorded choice is no “all”', async () => {
  const family = await tokens('*');
  for (const change of [
    'choices = null',
    `choices = '{}'`,
    `choices = '{"organizations": []}'`,
    `choices = '{"other": true}'`,
  ]) {
    await database.query(`update grants set ${change}`);
    assertNoOrganization([(await stateOf(family))[0] ?? assert.fail()]);
  }
  const [again] = [await tokens('*')];
  for (const change of ['choices = null', `choices = '{}'`]) {
    await database.query(`update authorization_codes set ${change}`);
    const { scope } = await introspect(again['access_token']);
    assert.equal(scope, 'user:name', change);
  }
});

test('what the previous release writes counts for nothing: it knows no choice', async () => {
  const family = await tokens('12');
  // its consent form and its account page
  await database.query(
    `update grants set decided = array['user:name', 'org:read'] || decided, scopes = array['user:name', 'org:read']`,
  );
  const { rows } = await database.query('select decided from grants where revoked_at is null');
  assert.ok(!rows[0].decided.includes('org:read'));
  // a code and tokens that it has issued
  await database.query(`update authorization_codes set choices = null; update access_tokens set choices = null`);
  assertNoOrganization(await stateOf(family));
});

test('a consent that is on its way when a choice comes gives nothing that was not asked', async () => {
  await database.query('delete from choices');
  await remembered();
  const pages = [await browser.visit(query()), await elsewhere.visit(query())];
  const send = [
    () => browser.submit(pages[0] ?? assert.fail(), 'id="allow"', { scope: scope.split(' ') }),
    () => elsewhere.submit(pages[1] ?? assert.fail(), 'id="allow"', { scope: scope.split(' ') }),
  ];
  const [one, other] = await Promise.all([send[0]?.(), registerChoice().then(() => send[1]?.())]);
  for (const page of [one, other]) {
    if (!page?.location?.includes('code=')) continue;
    const { body } = await redeem(origin, codeIn(page));
    assert.equal(body['scope'] ?? 'user:name', 'user:name');
  }
});

test('whoever registers a choice while people decide neither fails nor makes them fail', async () => {
  await database.query(`select register_scope('team:read', 'See your teams', changes => false)`);
  await tokens('12');
  const seed = await database.connect();
  try {
    await seed.query(`begin; select register_choice(name => 'teams', scopes => array['team:read'], sentence => 'Which?',
      query => $$ select '12' as value, 'A' as label, null as hint where $1 <> '' $$)`);
    const page = await browser.visit(`/account/applications/photo-printer`);
    const saving = browser.submit(page, 'class="primary"', { scope: ['user:name'] });
    const consent = elsewhere.visit(query());
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await seed.query(`select register_choice(name => 'people', scopes => array['user:name'], sentence => 'Which?',
      query => $$ select '12' as value, 'A' as label, null as hint where $1 <> '' $$)`);
    await seed.query('rollback');
    for (const { status } of [await saving, await consent]) assert.ok(status === 200 || status === 503, String(status));
  } finally {
    seed.release(true);
  }
});

test('a choice that is registered again as it was stops nobody, however long its seed takes', async () => {
  const page = await browser.visit(query());
  const seed = await database.connect();
  try {
    await seed.query('begin');
    await seed.query(
      `select register_choice(name => c.name, scopes => c.scopes, sentence => c.sentence, query => c.query, many => c.many, may_be_all => c.may_be_all) from choices c`,
    );
    const allowed = browser.submit(page, 'id="allow"', { scope: scope.split(' '), [chosen]: '12' });
    const answer = await Promise.race([allowed, new Promise<undefined>((resolve) => setTimeout(resolve, 3000))]);
    await seed.query('rollback');
    assert.ok(answer, 'the consent waited for the seed');
    assert.deepEqual((await redeem(origin, codeIn(answer))).body['authorization_details'], identifiers('12'));
  } finally {
    seed.release(true);
  }
});
