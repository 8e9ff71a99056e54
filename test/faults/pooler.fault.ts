import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { createDatabase } from '../support/database.ts';
import { getUser, obtainCode, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { preparePgBouncer, withoutPgBouncer, withoutPreparedStatements } from '../support/pgbouncer.ts';
import { seed, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';
import { startTraffic } from './traffic.ts';

const rounds = Number(process.env['FAULT_ROUNDS'] ?? 2);
const SEED_FILE = writeFile('seed.sql', seed);
const modes = [
  ['session', withoutPgBouncer, { default_pool_size: 40 }],
  // fewer connections than the instances open, so that they share them all the time
  ['transaction', withoutPreparedStatements, { default_pool_size: 4, max_prepared_statements: 100 }],
] as const;

for (const [pool_mode, skip, settings] of modes) {
  test(`behind PgBouncer in mode ${pool_mode}, a code is redeemed once by two instances, and nothing acknowledged is lost when the pooler or its connections are killed`, {
    skip,
  }, async (t) => {
    const direct = await createDatabase();
    const pooler = await preparePgBouncer(direct, { pool_mode, ...settings });
    await pooler.start();
    const one = await startServing({ DATABASE_URL: pooler.url, SEED_FILE });
    const two = await startServing({ DATABASE_URL: pooler.url, ISSUER: one.origin });

    const browser = await signedInBrowser(one.origin);
    const atOnce = <T>(ask: (origin: string) => Promise<T>) =>
      Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 ? two.origin : one.origin)));
    const code = await obtainCode(browser);
    const answers = await atOnce((origin) => redeem(origin, code));
    const [winner, ...others] = answers.filter(({ status }) => status === 200);
    assert.equal(others.length, 0);
    assert.equal((await getUser(two.origin, winner?.body['access_token'])).status, 401, 'the repeats have revoked it');
    const { body } = await redeem(one.origin, await obtainCode(browser));
    const refreshed = await atOnce((origin) => refresh(origin, body['refresh_token']));
    assert.equal(new Set(refreshed.map((answer) => answer.body['refresh_token'])).size, 1);

    const traffic = await startTraffic(one.origin);
    const operator = new pg.Client(direct);
    await operator.connect();
    for (let round = 0; round < rounds; round += 1) {
      await traffic.flows(8);
      await pooler.kill();
      await traffic.refusals(1);
      await pooler.start();
      await traffic.recovered(performance.now());
      await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await traffic.recovered(performance.now());
    }
    await traffic.flows(8);
    await traffic.stop();
    await operator.end();
    t.diagnostic(`answers by status: ${JSON.stringify(Object.fromEntries(traffic.ledger.answers))}`);
    await traffic.ledger.verify(two.origin);
    await Promise.all([one.kill(), two.kill()]);
  });
}
