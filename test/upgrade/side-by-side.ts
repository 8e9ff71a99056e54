import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/postgres/database.ts';
import { startBalancer } from '../support/balancer.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDatabase } from '../support/database.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, registerPrinter } from '../support/latchkey.ts';
import { buildPreviousRelease } from '../support/previous-release.ts';
import { type LatchkeyProcess, program, scratch, seed, startServing, writeFile } from '../support/process.ts';

// The previous release and this one on one database, behind one address. The tests go on from each other: the database was made
// by the previous release, and is upgraded in the first test.

const balancer = await startBalancer();
const { origin } = balancer;
const DATABASE_URL = await createDatabase({ migrated: false });
const environment = { DATABASE_URL, ISSUER: origin, SEED_FILE: writeFile('people.sql', seed) };
const database = openDatabase({ connectionString: DATABASE_URL }, 4);
after(() => database.end());
const previousMain = buildPreviousRelease(scratch);
const previous = await startServing(environment, [], previousMain);
let current: LatchkeyProcess;
balancer.use(previous.origin);
const browser = await signedInBrowser(origin);
const key = createClientKey('one');

/** From the code to the revocation; every answer is as if there were one server. */
async function wholeFlow(): Promise<void> {
  const { body: first } = await accepted(redeem(origin, await obtainCode(browser)));
  await accepted(getUser(origin, first['access_token']));
  const { body: second } = await accepted(refresh(origin, first['refresh_token']));
  const { body: repeated } = await accepted(refresh(origin, first['refresh_token']));
  assert.deepEqual(
    [repeated['access_token'], repeated['refresh_token']],
    [second['access_token'], second['refresh_token']],
  );
  const { body: introspected } = await accepted(
    post(`${origin}/introspect`, { token: String(second['access_token']) }),
  );
  assert.equal(introspected['active'], true);
  await accepted(post(`${origin}/revoke`, { token: String(second['refresh_token']) }));
  assert.equal((await getUser(origin, second['access_token'])).status, 401);
}

async function accepted<T extends { status: number; body: unknown }>(answer: Promise<T>): Promise<T> {
  const found = await answer;
  assert.equal(found.status, 200, JSON.stringify(found.body));
  return found;
}

/** Whole flows, two at a time, until the work is done. */
async function underTraffic<T>(work: Promise<T>): Promise<T> {
  let isDone = false;
  const settled = work.finally(() => {
    isDone = true;
  });
  const traffic = async () => {
    do await wholeFlow();
    while (!isDone);
  };
  const [result] = await Promise.all([settled, traffic(), traffic()]);
  return result;
}

test('requests are served while this version starts and migrates the database beside the previous one [F38]', async () => {
  current = await underTraffic(startServing(environment, [], program));
  assert.match(current.output(), /Applied \d+ migrations? \(/);
});

test('behind a balancer they serve every flow, whichever gets the next request [F38]', async () => {
  balancer.use(previous.origin, current.origin);
  await Promise.all(Array.from({ length: 3 }, () => wholeFlow()));
  // an odd number of requests between two flows gives each step to the other version
  await fetch(`${origin}/healthz`);
  await wholeFlow();
});

for (const direction of ['previous to current', 'current to previous']) {
  test(`sessions, codes, tokens and repeated refreshes pass from ${direction} [F38]`, async () => {
    const versions = [previous.origin, current.origin];
    const [one = '', other = ''] = direction.startsWith('previous') ? versions : versions.reverse();
    const at = <T>(instance: string, work: () => Promise<T>) => {
      balancer.use(instance);
      return work();
    };
    const visitor = await at(one, () => signedInBrowser(origin));
    const code = await at(other, () => obtainCode(visitor));
    const { body } = await at(one, () => accepted(redeem(origin, code)));
    await at(other, () => accepted(getUser(origin, body['access_token'])));
    const refreshed = await at(other, () => accepted(refresh(origin, body['refresh_token'])));
    const repeated = await at(one, () => accepted(refresh(origin, body['refresh_token'])));
    assert.equal(repeated.body['refresh_token'], refreshed.body['refresh_token']);
    // used before its successor: the family ends, at both
    await at(other, () => accepted(refresh(origin, refreshed.body['refresh_token'])));
    assert.equal((await at(one, () => refresh(origin, body['refresh_token']))).body['error'], 'invalid_grant');
    assert.equal((await at(other, () => getUser(origin, refreshed.body['access_token']))).status, 401);
  });
}

test('the previous version refuses clients with rules that it does not know; this one serves them [F38]', async () => {
  await registerKeyClient(database, { client_id: 'key-client', keys: [key] });
  await registerKeyClient(database, { client_id: 'fapi2-client', keys: [key], profile: 'fapi2' });
  await registerPrinter(database, { client_id: 'bound-client' });
  await registerPrinter(database, { client_id: 'mac-client' });
  await registerPrinter(database, { client_id: 'pushing-client' });
  const rules = { 'bound-client': `token_binding = 'dpop'`, 'mac-client': `token_binding = 'mac'` };
  for (const [id, rule] of Object.entries({
    ...rules,
    'pushing-client': 'require_pushed_authorization_requests = true',
  })) {
    await database.query(`update clients set ${rule} where client_id = $1`, [id]);
  }
  for (const client_id of ['key-client', 'fapi2-client', 'bound-client', 'mac-client', 'pushing-client']) {
    balancer.use(previous.origin);
    const page = await browser.visit(`/authorize?${authorizationQuery({ client_id })}`);
    assert.deepEqual([page.status, page.location], [400, undefined], client_id);
    assert.doesNotMatch(page.text, /id="allow"/);
  }
  balancer.use(current.origin);
  const code = await obtainCode(browser, { client_id: 'key-client' });
  const authentication = async () => withAssertion(await sign(key, origin, { client_id: 'key-client' }));
  const exchange = async (proof: Record<string, string>) =>
    redeem(origin, code, { client_id: 'key-client', ...proof }, { authorization: '' });
  balancer.use(previous.origin);
  assert.equal((await exchange({})).body['error'], 'invalid_client');
  balancer.use(current.origin);
  const { body } = await accepted(exchange(await authentication()));
  balancer.use(previous.origin);
  const request = { client_id: 'key-client' };
  assert.equal((await refresh(origin, body['refresh_token'], request, { authorization: '' })).status, 401);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  balancer.use(current.origin);
  await accepted(getUser(origin, body['access_token']));
  await accepted(
    refresh(origin, body['refresh_token'], { ...request, ...(await authentication()) }, { authorization: '' }),
  );
});

test('the previous version can disable and enable such a client, and a change of its registration keeps what it does not know [F38]', async () => {
  // the statements of its console and command line
  const change = `select change_registration(client_id => 'fapi2-client', name => 'Bank', site_domain => 'printer.example',
    redirect_uris => array['https://printer.example/callback'], scopes => array['user'], required_scopes => '{}',
    homepage_uri => null, logo_uri => null, scope_reasons => '{}', by_admin => true)`;
  const state = async () => {
    const { rows } = await database.query(
      `select token_endpoint_auth_method, profile, token_binding, require_pushed_authorization_requests as pushes, jwks is not null as has_key,
         disabled_at::text from clients where client_id = 'fapi2-client'`,
    );
    return rows[0];
  };
  const before = await state();
  assert.equal(before.disabled_at, 'infinity');
  await database.query(change);
  assert.deepEqual(await state(), before);
  await database.query(`update clients set disabled_at = now() where client_id = 'fapi2-client'`);
  balancer.use(current.origin);
  assert.equal((await browser.visit(`/authorize?${authorizationQuery({ client_id: 'fapi2-client' })}`)).status, 400);
  await database.query(`update clients set disabled_at = null where client_id = 'fapi2-client'`);
  assert.deepEqual(await state(), before);
});

test('an account that this version deletes is gone for the previous one: sessions, tokens, sign-in; and it cannot bring it back [F38]', async () => {
  await registerPeople(database, ['leaving']);
  balancer.use(previous.origin);
  const leaving = await signedInBrowser(origin, 'leaving');
  const { body } = await accepted(redeem(origin, await obtainCode(leaving)));
  balancer.use(current.origin);
  const answer = await leaving.submit(await leaving.visit('/account/delete'), 'class="danger"', { password });
  assert.match(answer.text, /Your account is deleted/);
  balancer.use(previous.origin);
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  assert.equal((await refresh(origin, body['refresh_token'])).body['error'], 'invalid_grant');
  assert.match((await leaving.open('/account')).location ?? '', /^\/login/);
  const again = await leaving.submit(await leaving.visit('/login'), 'id="login"', { username: 'leaving', password });
  assert.equal(again.status, 401);
  // what its command `user enable` does, if it had a name
  const enable = 'update users set disabled_at = null where deleted_at is not null';
  await assert.rejects(database.query(enable), /users_deleted_are_empty/);
});

test('an e-mail address that the person changes at the previous version is given to no application by this one', async () => {
  await registerPeople(database, ['moving']);
  balancer.use(previous.origin);
  const moving = await signedInBrowser(origin, 'moving');
  const { body } = await accepted(redeem(origin, await obtainCode(moving)));
  await moving.submit(await moving.visit('/account'), 'name="email"', { email: 'root@bank.example' });
  balancer.use(current.origin);
  const { body: profile } = await accepted(getUser(origin, body['access_token']));
  assert.deepEqual([profile['email'], profile['email_verified']], [null, false]);
});

test('back to the previous version: it starts on the newer schema, says so, and serves everything issued meanwhile [F38]', async () => {
  balancer.use(current.origin);
  const { body } = await accepted(redeem(origin, await obtainCode(browser)));
  await previous.kill();
  const back = await startServing(environment, [], previousMain);
  assert.match(back.output(), /migrated by a newer version/);
  balancer.use(back.origin);
  await underTraffic(current.kill());
  await accepted(getUser(origin, body['access_token']));
  await accepted(refresh(origin, body['refresh_token']));
  await wholeFlow();
});
