// ci: kills and waits
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { freshTokens } from '../support/attack.ts';
import {
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
} from '../support/flow.ts';
import { type LatchkeyProcess, seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { addressOf, startCluster } from './cluster.ts';

// A standby is promoted while the old primary stays reachable and accepts writes: both instances may be connected to it still.

const { primary: old, standby: promoted } = await startCluster();
const SEED_FILE = writeFile('people.sql', seed);
const env = { DATABASE_URL: addressOf(old, promoted), SEED_FILE };
// the other one in another order
const [writer, reader] = await Promise.all([
  startServing(env),
  startServing({ ...env, DATABASE_URL: addressOf(promoted, old) }),
]);

/** An instance that has connected before the promotion, and notices nothing by itself. */
async function connectOld(application_name: string) {
  const client = new pg.Client({ connectionString: addressOf(old), application_name });
  const state = { isOpen: true };
  client.on('error', () => {}).on('end', () => (state.isOpen = false));
  await client.connect();
  return { client, state };
}

/** Asks until this instance is where the promoted server is. */
async function hasMoved({ origin }: LatchkeyProcess): Promise<void> {
  const browser = await signedInBrowser(origin);
  const { access_token } = await freshTokens(origin, browser, {});
  const stored = `select from access_tokens where issued_at > now() - interval '1 minute'`;
  assert.ok(access_token && (await promoted.query(stored)).length > 0);
}

const isGood = ({ status, headers }: TokenAnswer) =>
  status === 200 || (status === 503 && headers.get('retry-after') !== null);

test('no instance calls a token invalid that was issued after the promotion, and none accepts a revoked one once another has noticed [F41]', async (t) => {
  const browser = await signedInBrowser(writer.origin);
  const before = await freshTokens(writer.origin, browser, {});
  const stale = await freshTokens(writer.origin, browser, {});
  assert.equal((await getUser(reader.origin, before.access_token)).status, 200);
  const others = await Promise.all([connectOld('latchkey'), connectOld('psql')]);
  await old.query('alter system reset synchronous_standby_names');
  await old.query('select pg_reload_conf()');
  await promoted.promote();
  // from now on the old server is wrong about this token, and every instance is connected to it
  await old.query('update access_tokens set revoked_at = now()');
  const faults: string[] = [];
  const counts: Record<number, number> = {};
  const check = (what: string, answer: TokenAnswer) => {
    counts[answer.status] = (counts[answer.status] ?? 0) + 1;
    if (!isGood(answer)) faults.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  };
  for (let round = 0; round < 20; round += 1) {
    check('user of before', await getUser(reader.origin, before.access_token));
    check('refresh of before', await refresh(writer.origin, before.refresh_token));
  }
  await writer.said(/accepts writes, although another one has replaced it/);
  for (let round = 0; round < 20; round += 1) {
    const { status, body } = await redeem(writer.origin, await obtainCode(browser));
    if (status !== 200) continue;
    check('user', await getUser(reader.origin, body['access_token']));
    check('refresh', await refresh(reader.origin, body['refresh_token']));
    const form = { token: String(body['access_token']) };
    const introspected = await post(`${reader.origin}/introspect`, form, { authorization: basic() });
    check('introspect', introspected);
    if (introspected.status === 200 && !introspected.body['active']) faults.push('introspection calls it inactive');
  }
  t.diagnostic(JSON.stringify(counts));
  assert.deepEqual(faults, []);

  await post(`${writer.origin}/revoke`, { token: stale.refresh_token });
  assert.equal((await getUser(reader.origin, stale.access_token)).status, 401);
  while (others[0]?.state.isOpen) await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(
    others.map(({ state }) => state.isOpen),
    [false, true],
    'those of this program are ended, and no others',
  );
  await others[1]?.client.end();
  await hasMoved(reader);
});

test('refusals of strangers cost a look at the hosts for many of them [F41]', async () => {
  const asked = `select count(*)::integer as connections from pg_stat_database where datname = 'postgres'`;
  const sessions = async () =>
    Number((await promoted.query(asked.replace('count(*)', 'sum(sessions)')))[0]?.['connections']);
  const [start, before] = [performance.now(), await sessions()];
  for (let round = 0; round < 20; round += 1) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => getUser(reader.origin, 'unknown')));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [401]);
  }
  const looks = (performance.now() - start) / 250 + 1;
  // both instances look once a second by themselves, and this test has asked
  const allowed = looks + (2 * (performance.now() - start)) / 1000 + 10;
  assert.ok((await sessions()) - before <= allowed, `${(await sessions()) - before} connections, ${looks} looks`);
  await Promise.all([writer.kill(), reader.kill()]);
});
