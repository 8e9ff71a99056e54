import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { secureAccount } from '../../../src/accounts/activity/secured-accounts.sql.ts';
import { disableAccount, enableAccount } from '../../../src/accounts/administered-users.sql.ts';
import { setPasswordByLink } from '../../../src/accounts/mail/mailed-links.sql.ts';
import { createLink, openLink } from '../../../src/accounts/mail/mailed-links.ts';
import { addPasskey, removePasskey } from '../../../src/accounts/passkeys/passkeys.sql.ts';
import {
  changeOwnPassword,
  changeUserPassword,
  removeOwnPassword,
  setOwnPassword,
} from '../../../src/identity/passwords.sql.ts';
import {
  addSecondFactor,
  findFactors,
  removeSecondFactor,
  renewRecoveryCodes,
} from '../../../src/identity/second-factors.sql.ts';
import { compareWithView } from '../../../src/identity/view/view-accounts.sql.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { commandLineFor } from '../../support/command-line.ts';
import { cheapHash, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { recorded } from '../../support/recorded.ts';
import { versionNow } from '../../support/sessions-version.ts';

// What ends when a person is disabled, or a password or a factor changes: sessions, with sign-ins under way, and trusted browsers. The links
// that end with a password or an address are in ended-links.test.ts; disabling ends them all.

const { database, deps, url } = await startLatchkey();
const { latchkey, directory } = commandLineFor(url);
const trace = { request_id: 'r', address: null, notice: null };
const rp_id = 'id.example';
const otherHash = `${cheapHash.slice(0, -1)}O`;
let people = 0;

interface Person {
  user_id: number;
  username: string;
}

/** Somebody with a session, a password, a security key and a passkey, but no app. */
async function newPerson(): Promise<Person> {
  people += 1;
  const username = `person-${people}`;
  await registerPeople(database, [username]);
  const { rows } = await database.query(
    'update users set second_factor_since = now() where username = $1 returning user_id',
    [username],
  );
  const { user_id } = rows[0];
  await database.query(
    `insert into sessions (sid_sha256, user_id, data, methods, auth_time) values (sha256($1::text::bytea), $2, '{}', '{security_key}', now())`,
    [username, user_id],
  );
  for (const alone of [true, false]) {
    await database.query(
      `insert into passkeys (credential_id, user_id, public_key, sign_count, transports, user_verified, backup_eligible, rp_id, name)
       values ($1, $2, '{}', 0, '{}', $3, false, $4, 'x')`,
      [Buffer.from(`${username} ${alone}`), user_id, alone, rp_id],
    );
  }
  return { user_id, username };
}

/** What the trust of a browser is bound to: the hash, and the version of the factors. */
const trustOf = async (user_id: number): Promise<string> =>
  (
    await database.query(
      "select concat_ws(' ', coalesce(password_hash, password_bcrypt), factors_changed_at) as trust from users where user_id = $1",
      [user_id],
    )
  ).rows[0].trust;

const stateOf = async ({ user_id, username }: Person) => {
  const factors = await findFactors(database, user_id);
  assert.ok(factors, username);
  return { user_id, version: factors.version, sessions_version: factors.sessions_version };
};
const challenge = (name: string) => ({
  proof_sha256: digestOf(name),
  expires_at: Math.floor(Date.now() / 1000) + 600,
});
const newKey = (name: string, codes: Buffer[]) => ({
  ...{
    credential_id: Buffer.from(`new ${name}`),
    public_key: {},
    sign_count: 0,
    transports: [],
    rp_id,
    name: 'x',
    codes,
  },
  ...{ user_verified: codes.length === 0, backup_eligible: false },
});
const codes = [Buffer.from('a code')];

/** What ends of sessions and trusted browsers. */
type Ends = 'all' | 'sessions' | 'trust';

const doors: Record<string, { ends: Ends; change(person: Person): Promise<unknown> }> = {
  'a new password on the account page': {
    ends: 'all',
    change: async ({ user_id }) => {
      const sessions_version = await versionNow(database, user_id);
      const change = { user_id, oldHash: cheapHash, newHash: otherHash, ends_access: false, sessions_version };
      return changeOwnPassword(database, change, trace);
    },
  },
  'a new password by mail': {
    ends: 'all',
    change: async ({ user_id }) => {
      const token_sha256 = digestOf((await createLink(deps, { purpose: 'reset', user_id })) ?? '');
      return setPasswordByLink(
        database,
        { token_sha256, digests: [token_sha256], hash: otherHash, ends_access: false },
        trace,
      );
    },
  },
  'a new password by an operator': {
    ends: 'all',
    change: ({ user_id }) => changeUserPassword(database, { user_id, password_hash: otherHash }, trace),
  },
  'the removal of the password, and a first one': {
    ends: 'trust',
    change: async ({ user_id }) => {
      const sessions_version = await versionNow(database, user_id);
      assert.ok(await removeOwnPassword(database, { user_id, rp_id, sessions_version }, trace));
      return setOwnPassword(database, { user_id, password_hash: otherHash, sessions_version }, trace);
    },
  },
  '“This was not me”': {
    ends: 'all',
    change: async ({ user_id, username }) => {
      const detail = { to: `${username}@example.com` };
      const token_sha256 = digestOf((await createLink(deps, { purpose: 'not_me', user_id, detail })) ?? '');
      return secureAccount(database, { token_sha256, has_proved_password: false, rp_id, next: undefined }, trace);
    },
  },
  'an app': {
    ends: 'all',
    change: async (person) =>
      addSecondFactor(database, { ...(await stateOf(person)), codes, secret: Buffer.from('x'), step: 1 }, trace),
  },
  'the end of all second factors': {
    ends: 'all',
    change: ({ user_id }) => removeSecondFactor(database, { user_id }, trace),
  },
  'other recovery codes': {
    ends: 'trust',
    change: async (person) => renewRecoveryCodes(database, { ...(await stateOf(person)), codes }, trace),
  },
  'a first security key': {
    ends: 'all',
    change: async ({ user_id, username }) => {
      await database.query('update users set second_factor_since = null where user_id = $1', [user_id]);
      const passkey = { ...newKey(username, codes), user_id, sessions_version: await versionNow(database, user_id) };
      return addPasskey(database, passkey, challenge(username), { passkey: trace, factor: trace });
    },
  },
  'another security key': {
    ends: 'trust',
    change: async ({ user_id, username }) => {
      const passkey = { ...newKey(username, codes), user_id, sessions_version: await versionNow(database, user_id) };
      return addPasskey(database, passkey, challenge(username), { passkey: trace, factor: trace });
    },
  },
  'another passkey': {
    ends: 'trust',
    change: async ({ user_id, username }) => {
      const passkey = { ...newKey(username, []), user_id, sessions_version: await versionNow(database, user_id) };
      return addPasskey(database, passkey, challenge(username), { passkey: trace, factor: trace });
    },
  },
  'the removal of a security key': {
    ends: 'trust',
    change: async ({ user_id, username }) => {
      const key = {
        user_id,
        credential_id: Buffer.from(`${username} false`),
        rp_id,
        sessions_version: await versionNow(database, user_id),
      };
      return removePasskey(database, key, trace);
    },
  },
  'the removal of a passkey': {
    ends: 'trust',
    change: async ({ user_id, username }) => {
      const key = {
        user_id,
        credential_id: Buffer.from(`${username} true`),
        rp_id,
        sessions_version: await versionNow(database, user_id),
      };
      return removePasskey(database, key, trace);
    },
  },
  'an operator who disables the account': {
    ends: 'sessions',
    change: ({ user_id }) => disableAccount(database, user_id, false, recorded('user_disabled')),
  },
  'an import that disables the account': {
    ends: 'sessions',
    change: async ({ user_id, username }) => {
      const file = join(directory, 'people.jsonl');
      writeFileSync(file, JSON.stringify({ subject: String(user_id), username, disabled: true }));
      await database.query('update users set subject = user_id::text where user_id = $1', [user_id]);
      const { code, err } = await latchkey(['user', 'import', file]);
      assert.equal(code, 0, err);
      return true;
    },
  },
  'the view that disables the account': {
    ends: 'sessions',
    change: async ({ user_id }) => {
      await database.query("update users set source = 'view' where user_id = $1", [user_id]);
      return compareWithView(database, { gone: [String(user_id)], passwords: true });
    },
  },
  'SQL of the operator': {
    ends: 'sessions',
    change: ({ user_id }) => database.query('update users set disabled_at = now() where user_id = $1', [user_id]),
  },
};

for (const [name, { ends, change }] of Object.entries(doors)) {
  test(`${name}: ${ends === 'all' ? 'sessions, sign-ins under way and trusted browsers end' : `${ends} ends, and nothing else`}`, async () => {
    const person = await newPerson();
    const { user_id } = person;
    const sessions = async () => (await database.query('select from sessions where user_id = $1', [user_id])).rowCount;
    const [version, trust] = [await versionNow(database, user_id), await trustOf(user_id)];
    assert.equal(await sessions(), 1);
    const link = await createLink(deps, {
      purpose: 'not_me',
      user_id,
      detail: { to: `${person.username}@example.com` },
    });
    assert.ok(await change(person));
    await enableAccount(database, user_id, recorded('user_enabled'));
    assert.equal(await sessions(), ends === 'trust' ? 1 : 0, 'sessions');
    assert.equal((await versionNow(database, user_id)) === version, ends === 'trust', 'sign-ins under way');
    assert.equal((await trustOf(user_id)) === trust, ends === 'sessions', 'trusted browsers');
    assert.equal((await openLink(deps, 'not_me', link ?? '')) === undefined, ends === 'sessions', 'links');
  });
}

const texts = new URL('../../postgres/statements/', import.meta.url);
const statements = readdirSync(texts).map((file) => ({ file, text: readFileSync(new URL(file, texts), 'utf8') }));
const named = (pattern: RegExp) => statements.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

test('every statement that ends all sessions of a person ends sign-ins under way, too', () => {
  const ending = named(/delete from\s+sessions/);
  // one session, by its browser; the oldest of too many; those that are over; and those of a person who is deleted
  const others = ['delete_session.sql', 'register_session.sql', 'sweep_sessions.sql', 'delete_user.sql'];
  const noting = named(/sessions_ended_at = (case\s+when (has_first|\$2 <> \$3) then )?clock_timestamp\(\)/);
  assert.deepEqual(ending.filter((file) => !noting.includes(file)).sort(), others.sort());
  assert.ok(noting.length > 8, String(noting));
});

test('every statement that adds or removes a factor changes the version to which trusted browsers are bound', () => {
  const changing = named(/(insert into|delete from)\s+(passkeys|totp_factors|recovery_codes)/);
  // a recovery code that was used, and the factors of a person who is deleted
  const others = ['use_recovery_code.sql', 'delete_user.sql'];
  const noting = named(/factors_changed_at = clock_timestamp\(\)/);
  assert.deepEqual(changing.filter((file) => !noting.includes(file)).sort(), others.sort());
  assert.ok(changing.length > 6, String(changing));
});
