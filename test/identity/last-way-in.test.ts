import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { secureAccount } from '../../src/accounts/activity/secured-accounts.sql.ts';
import { removePasskey } from '../../src/accounts/passkeys/passkeys.sql.ts';
import { removeOwnPassword } from '../../src/identity/passwords.sql.ts';
import { unlinkIdentity } from '../../src/people/providers/identities.sql.ts';
import { statements } from '../../src/postgres/database.ts';
import { atOnce } from '../support/at-once.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';
import { registerProvider } from '../support/providers.ts';
import { versionNow } from '../support/sessions-version.ts';

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
  /** a provider has made the account, together with the identity */
  isMadeThere?: boolean;
}

async function personWith({
  password = false,
  identity = false,
  passkeys = [],
  keys = 0,
  source = 'here',
  isMadeThere = false,
}: Ways) {
  people += 1;
  const username = `person-${people}`;
  await registerPeople(database, [username]);
  const { rows } = await database.query(
    `update users set password_bcrypt = case when $2 then password_bcrypt end, source = $3 where username = $1 returning user_id`,
    [username, password, source],
  );
  const user_id: number = rows[0].user_id;
  if (identity)
    await database.query(
      `insert into identities (issuer, subject, user_id, linked_at)
       select $1, $2, user_id, case when $4 then created_at else now() end from users where user_id = $3`,
      [issuer, username, user_id, isMadeThere],
    );
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
  const sessions_version = await versionNow(database, user_id);
  const ways = { user_id, passwords: true, website: true, rp_id, sessions_version };
  return {
    user_id,
    removePasskey: (index = 0, { database } = first) =>
      removePasskey(
        database,
        { user_id, credential_id: Buffer.from(`${username} ${index}`), rp_id, sessions_version },
        trace,
      ),
    unlink: ({ database } = first) => unlinkIdentity(database, { ...ways, issuer, subject: username }, trace),
    /** `since`: how long from now what is undone began */
    undo: async (since: string, passwords: boolean) => {
      const token_sha256 = createHash('sha256').update(username).digest();
      await database.query(
        `insert into mailed_links (token_sha256, purpose, user_id, detail, expires_at)
         select $1, 'not_me', user_id, jsonb_build_object('to', email, 'since', now() + $3::interval), now() + interval '1 hour'
         from users where user_id = $2`,
        [token_sha256, user_id, since],
      );
      const next = passwords ? { token_sha256: randomBytes(32), valid_for: 60 } : undefined;
      const undoing = { token_sha256, has_proved_password: false, rp_id: passwords ? rp_id : undefined, next };
      return secureAccount(database, undoing, trace);
    },
    removePassword: ({ database } = first) => removeOwnPassword(database, { user_id, rp_id, sessions_version }, trace),
  };
}

/** Statements that remove a way in, each with a person who keeps one and with a person who would be left with none. */
const removals: Record<string, () => Promise<void>> = {
  async remove_passkey() {
    const removes = async (ways: Ways) => (await personWith(ways)).removePasskey();
    assert.equal(await removes({ passkeys: [rp_id] }), false);
    assert.equal(await removes({ passkeys: [rp_id], keys: 3 }), false);
    assert.equal(await removes({ passkeys: [rp_id, 'old.example'] }), false);
    assert.equal(await removes({ passkeys: [rp_id, rp_id] }), true);
    assert.equal(await removes({ passkeys: [rp_id], password: true }), true);
    assert.equal(await removes({ passkeys: [rp_id], identity: true }), true);
    // what is no way in can always go
    assert.equal(await removes({ keys: 1 }), true);
    assert.equal(await removes({ passkeys: ['old.example'] }), true);
    assert.equal(await removes({ passkeys: [rp_id], source: 'website' }), true);
  },
  async remove_own_password() {
    const removes = async (ways: Ways) => (await personWith({ ...ways, password: true })).removePassword();
    assert.equal(await removes({ passkeys: [rp_id] }), true);
    assert.equal(await removes({ passkeys: ['old.example'] }), false);
    assert.equal(await removes({ keys: 1 }), false);
    assert.equal(await removes({ identity: true }), false);
    assert.equal(await removes({ passkeys: [rp_id], source: 'website' }), false);
  },
  async unlink_identity_of_user() {
    const unlinks = async (ways: Ways) => (await personWith({ ...ways, identity: true })).unlink();
    assert.equal(await unlinks({}), false);
    assert.equal(await unlinks({ keys: 1 }), false);
    assert.equal(await unlinks({ passkeys: ['old.example'] }), false);
    assert.equal(await unlinks({ passkeys: [rp_id] }), true);
    assert.equal(await unlinks({ passkeys: [rp_id], source: 'provider:acme' }), false);
  },
  /** It has to take back what came since, and leads to a new password where nothing is left. */
  async secure_account() {
    const undoes = async (ways: Ways, since: string, passwords = true) =>
      (await personWith(ways)).undo(since, passwords);
    const [before, after] = ['-1 day', '1 day'];
    const led = { has_next: true, has_way_in: true, lost_factor: false };
    const left = { ...led, has_next: false };
    for (const ways of [{ passkeys: [rp_id] }, { identity: true }, { passkeys: [rp_id], identity: true }]) {
      assert.deepEqual(await undoes(ways, before), led);
      assert.deepEqual(await undoes(ways, before, false), { ...left, has_way_in: false });
      assert.deepEqual(await undoes(ways, after), left);
    }
    assert.deepEqual(await undoes({ passkeys: ['old.example'] }, after), led);
    assert.deepEqual(await undoes({ keys: 1 }, after), led);
    assert.deepEqual(await undoes({ password: true, passkeys: [rp_id] }, after), led);
    assert.deepEqual(await undoes({ source: 'website' }, before), left);
    // of an account that a provider has made, the first identity was exchanged for another
    assert.deepEqual(await undoes({ identity: true, source: 'provider:acme' }, before), led);
    assert.deepEqual(await undoes({ source: 'view' }, before), left);
    // the identity by which a provider has made the account
    assert.deepEqual(await undoes({ identity: true, source: 'provider:acme', isMadeThere: true }, before), left);
  },
};

/** Statements that take something away and leave nobody without a way in. */
const harmless: Record<string, string> = {
  delete_user: 'the account ends',
  add_passkey: 'other recovery codes take the place of those of before',
  add_second_factor: 'other recovery codes take the place of those of before',
  renew_recovery_codes: 'other recovery codes take the place of those of before',
  remove_second_factor: 'a sign-in needs none any more',
  use_recovery_code: 'it signs in, and then others can be made',
};

const takesAway =
  /delete\s+from\s+(identities|passkeys|totp_factors|recovery_codes)\b|\bpassword_(bcrypt|hash)\s*=\s*null|\buser_verified\s*=\s*false|\bsecond_factor_since\s*=\s*(null|case)/;

test('every statement that takes a password, a passkey, an identity or a factor away locks and counts all ways in, or leaves one by what it does', async () => {
  const src = new URL('../../src/', import.meta.url);
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' });
  for (const file of files.filter((name) => name.endsWith('.sql.ts'))) await import(new URL(file, src).href);
  const functions = new URL('../../migrations/functions/', import.meta.url);
  const texts = new Map([
    ...[...statements.values()].map(({ name, text }) => [name, text] as const),
    ...readdirSync(functions).map((name) => [name, readFileSync(new URL(name, functions), 'utf8')] as const),
  ]);
  const found = [...texts].filter(([, text]) => takesAway.test(text)).map(([name]) => name);
  assert.deepEqual(found.sort(), [...Object.keys(removals), ...Object.keys(harmless)].sort());
  for (const name of Object.keys(removals))
    assert.match(texts.get(name) ?? '', /person as \([\s\S]*linked as \([\s\S]*keys as \(/, name);
});

for (const [name, run] of Object.entries(removals)) test(`${name} leaves nobody without a way in`, run);

test('somebody else’s passkey does not go', async () => {
  const [one, other] = [await personWith({ password: true, passkeys: [rp_id] }), await personWith({ password: true })];
  const { rows } = await database.query('select credential_id from passkeys where user_id = $1', [one.user_id]);
  const { credential_id } = rows[0];
  assert.equal(
    await removePasskey(
      database,
      { user_id: other.user_id, credential_id, rp_id, sessions_version: await versionNow(database, other.user_id) },
      trace,
    ),
    false,
  );
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
