// ci: waits for a fail-over, and for Postgres processes with clocks of their own
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { findLink } from '../../src/accounts/mail/mailed-links.sql.ts';
import { createLink } from '../../src/accounts/mail/mailed-links.ts';
import { digestOf } from '../../src/lib/secrets.ts';
import { codeAt, stepAt } from '../../src/lib/totp.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { Browser, formRequest, type Page } from '../support/browser.ts';
import { movingClock, skip, withClock } from '../support/faketime.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, refresh } from '../support/flow.ts';
import { cheapHash, password } from '../support/latchkey.ts';
import { type LatchkeyProcess, seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { codeOf, secretOn, setUpApp } from '../support/second-factor.ts';
import { addressOf, type Server, startAlone, startCluster } from './cluster.ts';

// Real processes with clocks of their own: two instances that are a minute apart, and a fail-over to a database that is ten minutes behind.

const behind = 600;
const secret = { SESSION_SECRET: 'a session secret that is long enough for this' };
const names = ['bob', 'carol', 'dora'];
const people = names
  .map((name) => `select register_user(username => '${name}', password => '${cheapHash}');`)
  .join('\n');

async function startInstances(
  DATABASE_URL: string,
  clocks: Record<string, string>[],
): Promise<[LatchkeyProcess, LatchkeyProcess]> {
  const SEED_FILE = writeFile('seed.sql', `${seed}\n${people}`);
  const first = await startServing({ DATABASE_URL, SEED_FILE, ...secret, ...clocks[0] });
  const second = await startServing({ DATABASE_URL, ISSUER: first.origin, ...secret, ...clocks[1] });
  return [first, second];
}

/** Whose requests go to the instances in turn. */
function wanderer([first, second]: readonly LatchkeyProcess[]): Browser {
  let count = 0;
  return new Browser(first?.origin ?? '', (url, init) => {
    count += 1;
    const to = (count % 2 ? first : second)?.origin ?? '';
    return fetch(String(url).replace(first?.origin ?? '', to), init);
  });
}

const alone = skip ? undefined : await startAlone(mkdtempSync(join(tmpdir(), 'latchkey-clocks-')));

const enterPassword = async (browser: Browser, username: string): Promise<Page> =>
  browser.submit(await browser.visit('/login'), 'id="login"', { username, password });
const verify = (browser: Browser, half: Page, code: string, more = {}) =>
  browser.submit(half, 'id="verify"', { code, ...more });
const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const numberOf = async (server: Server, expression: string) =>
  Number((await server.query(`select (${expression})::float8 as value`))[0]?.['value']);
const now = 'extract(epoch from clock_timestamp())';

test('a fail-over to a database whose clock is ten minutes behind, beside instances that are a minute apart, opens nothing again and ends nothing early [F58]', {
  skip,
}, async (t) => {
  const { primary, standby } = await startCluster(withClock(`-${behind}`));
  const instances = await startInstances(addressOf(primary, standby), [withClock('+30'), withClock('-30')]);
  const [{ origin }] = instances;
  const settings = openDatabase({ connectionString: addressOf(primary, standby) }, 2);
  t.after(() => settings.end());

  // before: somebody with an app, a trusted browser, a half sign-in, tokens, and a link
  const alice = wanderer(instances);
  await enterPassword(alice, 'alice');
  const { secret: app, codes } = await setUpApp(alice);
  const used = codeOf(app);
  const trusted = wanderer(instances);
  assert.equal((await verify(trusted, await enterPassword(trusted, 'alice'), used, { trust: 'true' })).status, 200);
  assert.ok(await isSignedIn(trusted));
  const [late, later] = [wanderer(instances), wanderer(instances)];
  const [half, declined] = [await enterPassword(late, 'alice'), await enterPassword(later, 'alice')];
  const bob = wanderer(instances);
  await enterPassword(bob, 'bob');
  const tokens = (await redeem(origin, await obtainCode(bob))).body;
  const [{ user_id } = {}] = await primary.query("select user_id from users where username = 'carol'");
  const link = (await createLink({ database: settings }, { purpose: 'reset', user_id: Number(user_id) })) ?? '';
  const events = await numberOf(primary, 'select count(*) from audit_events');

  await primary.signal('SIGKILL');
  await standby.promote();
  for (const { origin: one } of instances) while ((await fetch(`${one}/readyz`)).status !== 200) await pause(50);
  const databaseNow = () => numberOf(standby, now);
  assert.ok(Math.abs((await databaseNow()) + behind - Date.now() / 1000) < 30, 'it is behind');

  // no step of an app opens again: neither the used one, nor those of the time that comes once more
  for (const steps of [0, -1, 1].flatMap((near) => [near, near - behind / 30])) {
    const stranger = wanderer(instances);
    const code = steps === 0 ? used : codeOf(app, steps);
    const answer = await verify(stranger, await enterPassword(stranger, 'alice'), code);
    assert.ok([401, 429].includes(answer.status), `${steps} steps: ${answer.status}`);
    assert.ok(!(await isSignedIn(stranger)), `${steps} steps`);
    await settings.query('delete from attempts');
  }
  // nothing ends: sessions, trusts, half sign-ins by a recovery code, tokens, links
  for (const browser of [alice, trusted, bob]) assert.ok(await isSignedIn(browser));
  await trusted.submit(await trusted.visit('/'), 'action="/logout"');
  await enterPassword(trusted, 'alice');
  assert.ok(await isSignedIn(trusted), 'without a code');
  await verify(late, half, codes[0] ?? '');
  assert.ok(await isSignedIn(late));
  assert.equal((await getUser(origin, tokens['access_token'])).status, 200);
  assert.equal((await refresh(origin, tokens['refresh_token'])).status, 200);
  assert.ok(await findLink(settings, digestOf(link), 'reset'));

  // nothing lives longer than by these ten minutes, and no sign-in is of the future
  const longest: Record<string, [string, number]> = {
    'a session': ['select max(extract(epoch from created_at - now())) from sessions', 0],
    'an access token': ['select max(extract(epoch from expires_at - now())) from access_tokens', 3600],
    'a link': ['select max(extract(epoch from expires_at - now())) from mailed_links', 3600],
  };
  for (const [what, [statement, promised]] of Object.entries(longest))
    assert.ok((await numberOf(standby, statement)) <= promised + behind + 5, what);
  const fresh = (await redeem(origin, await obtainCode(bob))).body;
  for (const token of [tokens['access_token'], fresh['access_token']]) {
    const { body } = await post(`${origin}/introspect`, { token: String(token) });
    if (body['active']) assert.ok(Number(body['auth_time']) <= (await databaseNow()), JSON.stringify(body));
  }
  // a proof of before is none for an application that demands one of the last minute
  assert.match((await bob.visit(`/authorize?${authorizationQuery({ max_age: '60' })}`)).text, /id="login"/);
  await settings.query(
    "update sessions set auth_time = now() + interval '16 minutes' where user_id = (select user_id from users where username = 'alice')",
  );
  assert.match(
    (await alice.visit('/account/security')).text,
    /name="password"/,
    'no change of the account with it either',
  );
  assert.ok((await numberOf(standby, 'select count(*) from audit_events')) >= events, 'no event is deleted');
  // whoever has ended sessions meanwhile ends the half sign-in, too
  await settings.query("update users set sessions_ended_at = clock_timestamp() where username = 'alice'");
  assert.equal((await later.open(...formRequest(declined, 'id="verify"', { code: codes[1] ?? '' }))).status, 403);
});

for (const offset of ['+90', '-90', '+3600']) {
  test(`an instance whose clock is ${offset} seconds off signs people in by the clock of the database, with an app, too [F58]`, {
    skip,
  }, async () => {
    assert.ok(alone);
    const instances = await startInstances(addressOf(alone), [withClock(offset), {}]);
    const [wrong, right] = instances;
    const username = names[['+90', '-90', '+3600'].indexOf(offset)] ?? '';
    const browser = new Browser(wrong.origin);
    await enterPassword(browser, username);
    const { secret: app } = await setUpApp(browser);
    const code = codeOf(app);
    const again = new Browser(wrong.origin);
    await verify(again, await enterPassword(again, username), code);
    assert.ok(await isSignedIn(again));
    const twice = new Browser(wrong.origin, (url, init) =>
      fetch(String(url).replace(wrong.origin, right.origin), init),
    );
    assert.equal((await verify(twice, await enterPassword(twice, username), code)).status, 401);
    const age = await numberOf(alone, 'select max(abs(extract(epoch from now() - auth_time))) from sessions');
    assert.ok(age < 120, `${age}`);
    await Promise.all(instances.map((one) => one.kill()));
  });
}

test('the change to summer time and a second that comes twice end nothing, prolong nothing and open no step again [F58]', {
  skip,
}, async (t) => {
  // in Berlin, ten minutes before
  const ahead = Math.round((Date.UTC(2027, 2, 28, 0, 50) - Date.now()) / 1000);
  const clock = movingClock(ahead);
  const server = await startAlone(mkdtempSync(join(tmpdir(), 'latchkey-summer-')), {}, clock.env);
  await server.query("alter database postgres set timezone = 'Europe/Berlin'");
  const instances = await startInstances(addressOf(server), [clock.env, clock.env]);
  const [{ origin }] = instances;
  const settings = openDatabase({ connectionString: addressOf(server) }, 2);
  t.after(() => settings.end());
  const alice = wanderer(instances);
  await enterPassword(alice, 'alice');
  const page = await alice.submit(await alice.visit('/account/security'), 'id="add-code"', { password });
  const app = secretOn(page);
  const step = async () => stepAt(await numberOf(server, now));
  assert.equal((await verify(alice, page, codeAt(app, (await step()) - 1))).status, 200);
  const bob = wanderer(instances);
  await enterPassword(bob, 'bob');
  const { access_token } = (await redeem(origin, await obtainCode(bob))).body;
  const [{ user_id } = {}] = await server.query("select user_id from users where username = 'carol'");
  const link = (await createLink({ database: settings }, { purpose: 'reset', user_id: Number(user_id) })) ?? '';

  const hour = `select to_char(now(), 'HH24')::integer`;
  assert.equal(await numberOf(server, hour), 1);
  clock.set(ahead + 1000);
  assert.equal(await numberOf(server, hour), 3);
  assert.ok((await isSignedIn(alice)) && (await isSignedIn(bob)));
  assert.equal((await getUser(origin, access_token)).status, 200);
  assert.ok(await findLink(settings, digestOf(link), 'reset'));
  assert.match(
    (await bob.visit('/account/security')).text,
    /name="password"/,
    'the sign-in is a quarter of an hour old',
  );
  const used = await step();
  const other = wanderer(instances);
  await verify(other, await enterPassword(other, 'alice'), codeAt(app, used));
  assert.ok(await isSignedIn(other));
  clock.set(ahead + 999);
  const twice = wanderer(instances);
  assert.equal((await verify(twice, await enterPassword(twice, 'alice'), codeAt(app, used))).status, 401);
  assert.ok(await isSignedIn(other));
  clock.set(ahead + 3600 + 60);
  assert.equal((await getUser(origin, access_token)).status, 401);
  assert.equal(await findLink(settings, digestOf(link), 'reset'), undefined);
});
