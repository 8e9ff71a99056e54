import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unlinkIdentity } from '../../src/store/identities.ts';
import { removePasskey } from '../../src/store/passkeys.ts';
import { removeOwnPassword } from '../../src/store/passwords.ts';
import { atOnce } from '../support/at-once.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';
import { registerProvider } from '../support/providers.ts';

const first = await startLatchkey();
const second = await startLatchkey({}, first.url);
const { database } = first;
const issuer = 'https://login.acme.example';
await registerProvider(database, { issuer });
const trace = { request_id: 'test', address: null, notice: null };
const rp_id = 'id.example';
let people = 0;

interface Ways {
  password?: boolean;
  identity?: boolean;
  /** the hosts of passkeys that sign in alone */
  passkeys?: string[];
  /** passkeys that are a second factor only */
  keys?: number;
  source?: string;
}

async function personWith({ password = false, identity = false, passkeys = [], keys = 0, source = 'here' }: Ways) {
  people += 1;
  const username = `person-${people}`;
  await registerPeople(database, [username]);
  const { rows } = await database.query(
    `update users set password_bcrypt = case when $2 then password_bcrypt end, source = $3 where username = $1 returning user_id`,
    [username, password, source],
  );
  const user_id: number = rows[0].user_id;
  if (identity)
    await database.query('insert into identities (issuer, subject, user_id) values ($1, $2, $3)', [
      issuer,
      username,
      user_id,
    ]);
  const all = [
    ...passkeys.map((host) => [host, true] as const),
    ...Array<[string, boolean]>(keys).fill([rp_id, false]),
  ];
  for (const [index, [host, alone]] of all.entries()) {
    await database.query(
      `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
       values ($1, $2, '{}', 0, '{}', $3, false, $4, 'x')`,
      [Buffer.from(`${username} ${index}`), user_id, alone, host],
    );
  }
  const ways = { user_id, passwords: true, website: true, rp_id };
  return {
    user_id,
    removePasskey: (index = 0, { database } = first) =>
      removePasskey(database, { user_id, credential_id: Buffer.from(`${username} ${index}`), rp_id }, trace),
    unlink: ({ database } = first) => unlinkIdentity(database, { ...ways, issuer, subject: username }, trace),
    removePassword: ({ database } = first) => removeOwnPassword(database, { user_id, rp_id }, trace),
  };
}

test('the only passkey goes if a password, an identity or another passkey stays, and not otherwise', async () => {
  const removes = async (ways: Ways) => (await personWith(ways)).removePasskey();
  assert.equal(await removes({ passkeys: [rp_id] }), false);
  assert.equal(await removes({ passkeys: [rp_id], keys: 3 }), false);
  assert.equal(await removes({ passkeys: [rp_id, 'old.example'] }), false);
  assert.equal(await removes({ passkeys: [rp_id, rp_id] }), true);
  assert.equal(await removes({ passkeys: [rp_id], password: true }), true);
  assert.equal(await removes({ passkeys: [rp_id], identity: true }), true);
});

test('what is no way in can always go: a second factor, a passkey of another host, one of a person who signs in elsewhere', async () => {
  assert.equal(await (await personWith({ keys: 1 })).removePasskey(), true);
  assert.equal(await (await personWith({ passkeys: ['old.example'] })).removePasskey(), true);
  assert.equal(await (await personWith({ passkeys: [rp_id], source: 'website' })).removePasskey(), true);
});

test('the password goes only if a passkey of this host signs in alone', async () => {
  const removes = async (ways: Ways) => (await personWith({ ...ways, password: true })).removePassword();
  assert.equal(await removes({ passkeys: [rp_id] }), true);
  assert.equal(await removes({ passkeys: ['old.example'] }), false);
  assert.equal(await removes({ keys: 1 }), false);
  assert.equal(await removes({ identity: true }), false);
  assert.equal(await removes({ passkeys: [rp_id], source: 'website' }), false);
});

test('an identity goes if a passkey of this host stays, and not if it is of another one', async () => {
  const unlinks = async (ways: Ways) => (await personWith({ ...ways, identity: true })).unlink();
  assert.equal(await unlinks({}), false);
  assert.equal(await unlinks({ keys: 1 }), false);
  assert.equal(await unlinks({ passkeys: ['old.example'] }), false);
  assert.equal(await unlinks({ passkeys: [rp_id] }), true);
  assert.equal(await unlinks({ passkeys: [rp_id], source: 'provider:acme' }), false);
});

test('somebody else’s passkey does not go', async () => {
  const [one, other] = [await personWith({ password: true, passkeys: [rp_id] }), await personWith({ password: true })];
  const { rows } = await database.query('select credential_id from passkeys where user_id = $1', [one.user_id]);
  const { credential_id } = rows[0];
  assert.equal(await removePasskey(database, { user_id: other.user_id, credential_id, rp_id }, trace), false);
});

for (const [what, ways, removal] of [
  ['an identity and a passkey', { identity: true, passkeys: [rp_id] }, 'unlink'],
  ['a password and a passkey', { password: true, passkeys: [rp_id] }, 'removePassword'],
] as const) {
  test(`of ${what} that are removed at the same moment on two instances, one stays`, async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await personWith({ ...ways, passkeys: [rp_id] });
      const removed = await atOnce(database, person.user_id, () => [
        person[removal](first),
        person.removePasskey(0, second),
      ]);
      assert.equal(removed.filter(Boolean).length, 1, `round ${round}: ${removed}`);
    }
  });
}

test('of two passkeys that are removed at the same moment on two instances, one stays', async () => {
  const person = await personWith({ passkeys: [rp_id, rp_id] });
  const removed = await atOnce(database, person.user_id, () => [
    person.removePasskey(0),
    person.removePasskey(1, second),
  ]);
  assert.deepEqual(removed.sort(), [false, true]);
});
