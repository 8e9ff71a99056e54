import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSecondStep, secondStepOptions } from '../../../src/accounts/passkeys/passkeys.ts';
import { checkCode } from '../../../src/identity/second-factor.ts';
import { findFactors } from '../../../src/identity/second-factors.sql.ts';
import { newRecoveryCodes, recoveryCodeDigest } from '../../../src/lib/recovery-codes.ts';
import { type Changes, flags, optionsIn, type SoftPasskey, usePasskey } from '../../support/authenticator.ts';
import { Browser } from '../../support/browser.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { addPasskey, passkeyIssuer as issuer } from '../../support/passkeys.ts';

const { origin, database, deps } = await startLatchkey({ ISSUER: issuer });
await registerPeople(database, ['alice', 'bob', 'carol']);
const touched = { flags: flags.present | flags.credential };
const asKey = { path: '/account/passkeys/new-key' };
const alice = await signedInBrowser(origin);
const key = (await addPasskey(alice, touched, asKey)).passkey;
const phone = (await addPasskey(alice)).passkey;
const bobs = (await addPasskey(await signedInBrowser(origin, 'bob'), touched, asKey)).passkey;
const idOf = async (name: string): Promise<number> =>
  (await database.query('select user_id from users where username = $1', [name])).rows[0].user_id;
const [aliceId, carolId] = [await idOf('alice'), await idOf('carol')];

type Options = Parameters<typeof usePasskey>[1];
const ask = async () => (await secondStepOptions(deps, aliceId, 'the key of the form')) as unknown as Options;

/** What is found out about an answer in alice's second step. */
async function check(
  passkey: SoftPasskey,
  changes: Changes = {},
  { form_key = 'the key of the form', options = ask() } = {},
) {
  const fields = usePasskey(issuer, await options, passkey, changes);
  const form = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >;
  return checkSecondStep(deps, aliceId, { form, form_key, address: '192.0.2.7', user_agent: null });
}

test('the second step names the passkeys of the person, and is not there without any', async () => {
  const { allowCredentials } = await ask();
  const named = allowCredentials?.map(({ id }) => id).sort();
  assert.deepEqual(named, [key, phone].map(({ credential_id }) => credential_id.toString('base64url')).sort());
  assert.equal(await secondStepOptions(deps, carolId, 'the key of the form'), undefined);
  await database.query(`update passkeys set rp_id = 'old.example'`);
  assert.equal(await secondStepOptions(deps, aliceId, 'the key of the form'), undefined);
  await database.query(`update passkeys set rp_id = 'id.example'`);
});

test('a touched key is a second factor, without a handle, too; a verifying passkey says that it verified', async () => {
  const touch = { flags: flags.present, fields: { user_handle: undefined } };
  assert.deepEqual(await check(key, touch), {
    user_id: aliceId,
    credential_id: key.credential_id,
    user_verified: false,
  });
  assert.deepEqual(await check(phone), { user_id: aliceId, credential_id: phone.credential_id, user_verified: true });
});

test('an answer counts once', async () => {
  const options = ask();
  assert.ok('credential_id' in (await check(key, {}, { options })));
  assert.deepEqual(await check(key, {}, { options }), {
    refused: 'its challenge was answered before, or is too old',
    user_id: aliceId,
  });
});

const refusals: [string, RegExp, () => ReturnType<typeof check>][] = [
  ['the key of somebody else', /of somebody else/, () => check(bobs)],
  [
    'another person’s handle',
    /of somebody else/,
    () => check(key, { fields: { user_handle: bobs.handle.toString('base64url') } }),
  ],
  ['the form of another browser', /not of this form/, () => check(key, {}, { form_key: 'another key' })],
  ['an untouched key', /nobody touched it/, () => check(key, { flags: 0 })],
  [
    'a challenge of the sign-in page',
    /not of this form/,
    async () => check(key, {}, { options: Promise.resolve(optionsIn(await new Browser(origin).visit('/login'))) }),
  ],
];
for (const [what, reason, answer] of refusals) {
  test(`the second step is not done by ${what}`, async () => {
    const found = await answer();
    assert.ok('refused' in found);
    assert.match(found.refused, reason);
    assert.ok('credential_id' in (await check(key)));
  });
}

/** The attempts that count for anybody. */
const counted = async (): Promise<number> =>
  (await database.query('select coalesce(sum(attempts), 0)::integer as count from attempts')).rows[0].count;

test('what fails in the database is neither a wrong passkey nor a wrong code, and a right passkey counts for nothing', async () => {
  await database.query(`
    delete from attempts;
    create function fail() returns trigger language plpgsql as $$ begin raise exception 'on purpose'; end $$;
    create trigger fail before update on passkeys for each row execute function fail();
    create trigger fail before delete on recovery_codes for each row execute function fail()`);
  const halfway = async () => {
    const browser = new Browser(origin);
    return {
      browser,
      page: await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password }),
    };
  };
  const answer = async () => {
    const { browser, page } = await halfway();
    return browser.submit(
      page,
      'data-passkey="second"',
      usePasskey(issuer, optionsIn(page), key, { flags: flags.present }),
    );
  };
  assert.equal((await answer()).status, 500);
  assert.equal(await counted(), 0);
  const factors = await findFactors(deps.database, aliceId);
  assert.ok(factors);
  const [code = ''] = newRecoveryCodes();
  await database.query('insert into recovery_codes values ($1, $2)', [aliceId, recoveryCodeDigest(code)]);
  await assert.rejects(checkCode(deps, factors, { address: '192.0.2.7', knownBrowser: undefined }, code), /on purpose/);
  assert.equal(await counted(), 0);
  await database.query('drop function fail cascade');
  assert.equal((await answer()).status, 200);
  assert.equal(await counted(), 0);
});
