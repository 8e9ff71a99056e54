import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import { disableAccount, makeAdministrator } from '../../src/accounts/administered-users.sql.ts';
import { deleteUser } from '../../src/accounts/leaving/deleted-users.sql.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';

const { database, url } = await startLatchkey();

/** Connections with the plans of requests, which wait long for a lock, and the errors that are repaired by another try. */
function patientPool(): { patient: pg.Pool; failures: unknown[] } {
  const options = '-c plan_cache_mode=force_generic_plan -c lock_timeout=60s';
  const patient = new pg.Pool({ connectionString: url, options });
  const failures: unknown[] = [];
  const query = patient.query.bind(patient) as (...asked: unknown[]) => Promise<unknown>;
  patient.query = ((...asked: unknown[]) =>
    query(...asked).catch((error: unknown) => {
      failures.push(error);
      throw error;
    })) as typeof patient.query;
  return { patient, failures };
}

const idOf = async (username: string): Promise<number> =>
  (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;

async function newAdministrator(username: string): Promise<number> {
  await registerPeople(database, [username]);
  await database.query('update users set is_admin = true where username = $1', [username]);
  return idOf(username);
}

/** When so many statements wait for a lock. */
async function waiting(expected: number): Promise<void> {
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await database.query(waiting)).rowCount !== expected);
}

const trace = { request_id: 'test', address: null, notice: null };

/** The acts on an account by which there can be an administrator less, or that shares its statement with one. */
const acts: Record<string, (database: pg.Pool, user_id: number) => Promise<unknown>> = {
  'an account that is disabled': (one, user_id) => disableAccount(one, user_id, true, recorded('user_disabled')),
  'an account that is disabled by a command': (one, user_id) =>
    disableAccount(one, user_id, false, recorded('user_disabled')),
  'an account that is made an administrator twice': (one, user_id) =>
    makeAdministrator(one, user_id, true, recorded('user_changed')),
  'an account that is deleted': (one, user_id) => deleteUser(one, { ...trace, user_id, password_hash: null }),
};

await newAdministrator('first');

for (const [act, perform] of Object.entries(acts)) {
  test(`${act} while it becomes an administrator does not meet the end of these rights in a deadlock`, async () => {
    const username = act.replaceAll(' ', '-');
    await registerPeople(database, [username]);
    const user_id = await idOf(username);
    const { patient, failures } = patientPool();
    const [makes, holds, holdsOther] = [await patient.connect(), await patient.connect(), await patient.connect()];
    await makes.query('begin');
    await makes.query('update users set is_admin = true where user_id = $1', [user_id]);
    await holds.query('begin');
    const held = holds.query('select from users where user_id = $1 for update', [user_id]);
    await waiting(1);
    const performed = perform(patient, user_id);
    await waiting(2);
    await makes.query('commit');
    await held;
    // unless the act has locked this administrator already, before it waited for the account
    await holdsOther.query('begin');
    await holdsOther.query("select from users where username = 'first' for no key update skip locked");
    const ended = makeAdministrator(patient, user_id, false, recorded('user_changed'));
    await waiting(2);
    await holds.query('commit');
    // the end of the rights waits for the other administrator: an act that now waited for that one too would hold the account meanwhile
    await performed;
    await holdsOther.query('commit');
    await ended;
    for (const client of [makes, holds, holdsOther]) client.release();
    await patient.end();
    assert.deepEqual(failures, []);
    const found = await database.query('select is_admin from users where user_id = $1', [user_id]);
    assert.equal(found.rows[0].is_admin, false);
  });
}
