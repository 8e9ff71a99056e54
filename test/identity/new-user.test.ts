import assert from 'node:assert/strict';
import { test } from 'node:test';
import { registerNewUser } from '../../src/identity/users.sql.ts';
import { assertRefused, commandLineFor } from '../support/command-line.ts';
import { cheapHash, startLatchkey } from '../support/latchkey.ts';

const { database, url } = await startLatchkey();
const { latchkey } = commandLineFor(url);

test('of two people who are added with one username at the same moment, the first keeps the account as it is', async () => {
  const first = await database.connect();
  await first.query('begin');
  await first.query(`select register_user(username => 'ada', password_hash => $1, email => 'ada@example.com')`, [
    cheapHash,
  ]);
  const person = { username: 'ada', password_hash: null, is_admin: true, email: 'eve@example.net' };
  const event = { event: 'user_registered', request_id: 'r', address: null } as const;
  const second = registerNewUser(database, person, event);
  const waits = async () =>
    (
      await database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
      )
    ).rowCount;
  while (!(await waits())) await new Promise((resolve) => setTimeout(resolve, 10));
  await first.query('commit');
  first.release();
  assert.equal(await second, undefined);
  const { rows } = await database.query(`select email, is_admin, password_bcrypt from users where username = 'ada'`);
  assert.deepEqual(rows, [{ email: 'ada@example.com', is_admin: false, password_bcrypt: cheapHash }]);
  const events = await database.query(`select from audit_events where event = 'user_registered'`);
  assert.equal(events.rowCount, 0, 'nobody was registered by the second');
});

test('a name or an address by which somebody else signs in is refused with what to do', async () => {
  await database.query(`select register_user(username => 'bob', email => 'bob@example.com')`);
  for (const [words, message] of [
    [['bob@example.com'], /that is the address of the user 'bob'\. Choose another name or address/],
    [['BOB'], /that is the name of the user 'bob'\. Choose another/],
    [['carol', '--email', 'Bob@example.com'], /cannot sign in as 'Bob@example\.com'.*\. Choose another/],
  ] as const) {
    assertRefused(await latchkey(['user', 'create', ...words], { input: 'analytical engine' }), 1, message);
  }
});
