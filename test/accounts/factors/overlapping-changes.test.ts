import assert from 'node:assert/strict';
import { test } from 'node:test';
import { secureAccount } from '../../../src/accounts/activity/secured-accounts.sql.ts';
import { setPasswordByLink } from '../../../src/accounts/mail/mailed-links.sql.ts';
import { createLink } from '../../../src/accounts/mail/mailed-links.ts';
import { addPasskey, maxPasskeys, removePasskey } from '../../../src/accounts/passkeys/passkeys.sql.ts';
import { digestOf } from '../../../src/lib/secrets.ts';
import { linkIdentity, maxIdentities } from '../../../src/people/providers/identities.sql.ts';
import { atOnce } from '../../support/at-once.ts';
import { formRequest } from '../../support/browser.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { cheapHash, password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { registerProvider } from '../../support/providers.ts';
import { codesOn, setUpApp } from '../../support/second-factor.ts';
import { versionNow } from '../../support/sessions-version.ts';

// Two tabs whose statements overlap: each has its snapshot from before the other, and may count only what it has locked or read since.

const first = await startLatchkey();
const second = await startLatchkey({ ISSUER: first.origin }, first.url);
const { database, origin } = first;
const issuer = 'https://login.acme.example';
await registerProvider(database, { issuer });
const trace = { request_id: 'test', address: null, notice: null };
const rp_id = 'id.example';

async function newPerson(username: string): Promise<number> {
  await registerPeople(database, [username]);
  return (await database.query('select user_id from users where username = $1', [username])).rows[0].user_id;
}

let keys = 0;
async function newPasskey(user_id: number, codes: Buffer[] = [], { database } = first) {
  keys += 1;
  const passkey = { credential_id: Buffer.from(`key ${keys}`), user_id, public_key: {}, sign_count: 0, transports: [] };
  const sessions_version = await versionNow(database, user_id);
  const facts = {
    user_verified: codes.length === 0,
    backup_eligible: false,
    rp_id,
    name: 'x',
    codes,
    sessions_version,
  };
  const challenge = {
    proof_sha256: Buffer.from(`challenge ${keys}`),
    expires_at: Math.floor(Date.now() / 1000) + 600,
  };
  return (await addPasskey(database, { ...passkey, ...facts }, challenge, { passkey: trace, factor: trace }))
    ?.has_first;
}

const countOf = async (table: string, user_id: number) =>
  (await database.query(`select count(*)::integer from ${table} where user_id = $1`, [user_id])).rows[0].count;

test('of two security keys without which nobody could take the second step, one stays', async () => {
  const user_id = await newPerson('two-keys');
  for (const codes of [[Buffer.from('a code')], []]) await newPasskey(user_id, codes);
  await database.query('update passkeys set user_verified = false where user_id = $1', [user_id]);
  const { rows } = await database.query('select credential_id from passkeys where user_id = $1', [user_id]);
  const sessions_version = await versionNow(database, user_id);
  const removed = await atOnce(database, user_id, () =>
    rows.map(({ credential_id }, index) =>
      removePasskey(
        [first, second][index]?.database ?? database,
        { user_id, credential_id, rp_id, sessions_version },
        trace,
      ),
    ),
  );
  assert.deepEqual(removed.sort(), [false, true]);
});

test('nobody has more passkeys than the page shows', async () => {
  const user_id = await newPerson('many-keys');
  for (let count = 1; count < maxPasskeys; count += 1) await newPasskey(user_id);
  const added = await atOnce(database, user_id, () => [first, second].map((one) => newPasskey(user_id, [], one)));
  assert.deepEqual(added.sort(), [false, undefined]);
  assert.equal(await countOf('passkeys', user_id), maxPasskeys);
});

test('of two security keys that are the first factor, one is added, and ends the session of the other', async () => {
  const user_id = await newPerson('first-keys');
  const codes = (of: string) => Array.from({ length: 10 }, (_, index) => Buffer.from(`${of} ${index}`));
  const added = await atOnce(database, user_id, () =>
    [first, second].map((one) => newPasskey(user_id, codes(one.origin), one)),
  );
  assert.deepEqual(added.sort(), [true, undefined]);
  assert.equal(await countOf('recovery_codes', user_id), 10);
});

test('nobody has more accounts elsewhere than the page shows, by whichever door they come', async () => {
  const user_id = await newPerson('many-identities');
  const sessions_version = await versionNow(database, user_id);
  const link = (subject: string, { database } = first) =>
    linkIdentity(database, { user_id, issuer, subject, label: null, provider: 'acme', sessions_version }, trace);
  for (let count = 1; count < maxIdentities; count += 1) await link(`subject-${count}`);
  const byOperator = async (subject: string) => {
    const statement = 'select link_identity($1, $2, $3)';
    const linked = second.database.query(statement, ['many-identities', issuer, subject]);
    return linked.then(
      () => true,
      () => false,
    );
  };
  const linked = await atOnce(database, user_id, () => [link('a'), link('b', second), byOperator('c')]);
  assert.equal(linked.filter(Boolean).length, 1);
  assert.equal(await countOf('identities', user_id), maxIdentities);
});

test('recovery codes that are renewed in two tabs at once are those of one tab, and the other one says that something was changed', async () => {
  const user_id = await newPerson('two-tabs');
  const browser = await signedInBrowser(origin, 'two-tabs');
  await setUpApp(browser);
  const request = formRequest(await browser.visit('/account/security'), 'id="new-codes"', { password });
  const answers = await atOnce(database, user_id, () => [browser.open(...request), browser.open(...request)]);
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(answers.flatMap(codesOn).length, 10);
  assert.equal(await countOf('recovery_codes', user_id), 10);
});

test('a security key that is removed while a link undoes what came after it does not count as what is left of the second step', async () => {
  for (const [removing, undoing] of [
    [first, second],
    [second, first],
  ] as const) {
    const user_id = await newPerson(`undone-${removing.origin}`);
    await newPasskey(user_id, [Buffer.from('a code')]);
    const { rows } = await database.query(
      `with user_row as (
         update users set second_factor_since = now() - interval '2 days' where user_id = $1
       ), app as (
         insert into totp_factors (user_id, secret, last_step) values ($1, '', 0)
       ), link as (
         insert into mailed_links (token_sha256, purpose, user_id, detail, expires_at)
         select sha256(int8send(user_id)), 'not_me', user_id, jsonb_build_object('to', email, 'since', now() - interval '1 day'), now() + interval '1 hour'
         from users where user_id = $1
       )
       update passkeys set user_verified = false, created_at = now() - interval '2 days' where user_id = $1
       returning credential_id, sha256(int8send(user_id)) as token_sha256`,
      [user_id],
    );
    const [{ credential_id, token_sha256 }] = rows;
    const sessions_version = await versionNow(database, user_id);
    const undo = { token_sha256, has_proved_password: true, rp_id, next: undefined };
    await atOnce<unknown>(database, user_id, () => [
      removePasskey(removing.database, { user_id, credential_id, rp_id, sessions_version }, trace),
      secureAccount(undoing.database, undo, trace),
    ]);
    const left = await database.query(
      'select second_factor_since is not null as is_asked from users where user_id = $1',
      [user_id],
    );
    assert.equal(await countOf('totp_factors', user_id), 0);
    assert.equal(left.rows[0].is_asked, (await countOf('passkeys', user_id)) > 0);
  }
});

test('of two links of one person that are used at the same moment, the second finds what the first has left, and neither waits in vain', async () => {
  const user_id = await newPerson('two-links');
  const { rows } = await database.query('select email from users where user_id = $1', [user_id]);
  const detail = { to: rows[0].email };
  const newLinks = async (purpose: 'reset' | 'not_me') => {
    const order = { purpose, user_id, detail, ...(purpose === 'not_me' && { address: rows[0].email }) };
    const tokens = [await createLink(first.deps, order), await createLink(first.deps, order)];
    return tokens.map((token) => digestOf(token ?? ''));
  };
  for (let round = 0; round < 3; round += 1) {
    const resets = await newLinks('reset');
    const set = await atOnce(database, user_id, () =>
      resets.map((token_sha256) => {
        const used = { token_sha256, digests: [token_sha256], hash: cheapHash, ends_access: false };
        return setPasswordByLink(database, used, { ...trace, notice: null });
      }),
    );
    assert.deepEqual(set.map((one) => one?.user_id).sort(), [user_id, undefined]);
    const undoings = await newLinks('not_me');
    const undone = await atOnce(database, user_id, () =>
      undoings.map((token_sha256) => {
        const undoing = { token_sha256, has_proved_password: false, rp_id, next: undefined };
        return secureAccount(database, undoing, { ...trace, notice: null });
      }),
    );
    // the newer one may be the second, and then ends nothing that is older
    assert.ok(undone.some((outcome) => typeof outcome === 'object'));
    await database.query('delete from mailed_links');
  }
});
