import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { namedResource } from '../../src/catalogue/resources.sql.ts';
import { createCredential, credentialKey, digestOf } from '../../src/lib/secrets.ts';
import { redeemAuthorizationCode } from '../../src/oauth/token/authorization-codes.sql.ts';
import { createQuickSweep } from '../../src/operations/sweep.sql.ts';
import { startSweeping } from '../../src/operations/sweeping.ts';
import { madeUpRefreshToken } from '../support/attack.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getBound, getWith, proofFor, proofOf, redeemWith, refreshWith } from '../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  challenge,
  codeIn,
  encode,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
  verifier,
} from '../support/flow.ts';
import { printer, registerPrinter, startLatchkey, startWithPrinter } from '../support/latchkey.ts';
import { runOn } from '../support/server-for-tests.ts';

const { origin, database, deps, url } = await startWithPrinter();
await registerPrinter(database, { client_id: 'app', client_secret: null });
const bankKey = createClientKey('bank');
await registerKeyClient(database, { keys: [bankKey] });
const browser = await signedInBrowser(origin);
const [own, strange] = [await createDpopKey(), await createDpopKey()];
const noHeader = { authorization: '' };
const asApp = { changes: { client_id: 'app' }, headers: noHeader };

const request = (client_id: string) => Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id })));

async function stored(): Promise<number> {
  const { rows } = await database.query('select count(*)::integer as proofs from used_proofs');
  return rows[0].proofs;
}

const times = <T>(count: number, thing: T): T[] => Array.from({ length: count }, () => thing);

/** Many requests, a few at a time. */
async function repeat<T>(rounds: number, asks: (() => Promise<T>)[]): Promise<T[]> {
  const answers: T[] = [];
  for (let round = 0; round < rounds; round += 1) answers.push(...(await Promise.all(asks.map((ask) => ask()))));
  return answers;
}

/** What `ask` stores, and its answer. */
async function storedBy<T>(ask: () => Promise<T>): Promise<{ proofs: number; answer: T }> {
  const before = await stored();
  const answer = await ask();
  return { proofs: (await stored()) - before, answer };
}

test('a thousand requests of strangers, each with a valid proof, store nothing, and those of the client pass [9449 §11.1]', async () => {
  const { body } = await redeemWith(own, origin, await obtainCode(browser));
  const access_token = String(body['access_token']);
  const code = await obtainCode(browser);
  const appCode = await obtainCode(browser, { client_id: 'app' });
  const unknownCode = createCredential('authorization_code');
  const unknownToken = madeUpRefreshToken();
  const wrong = { authorization: basic(undefined, 'a-wrong-secret-of-thirty-two-characters') };
  const present = async (token: string) => {
    const dpop = await proofOf(strange, { method: 'GET', url: `${origin}/user`, access_token: token });
    return getWith(`${origin}/user`, { authorization: `DPoP ${token}`, dpop });
  };
  const attempts: (() => Promise<TokenAnswer>)[] = [
    () => redeemWith(strange, origin, code, {}, wrong),
    () => redeemWith(strange, origin, code, {}, { authorization: basic('nobody') }),
    () => redeemWith(strange, origin, code, { client_id: 'app' }, noHeader),
    () => redeemWith(strange, origin, unknownCode, { client_id: 'app' }, noHeader),
    () => redeemWith(strange, origin, 'nonsense', { client_id: 'app' }, noHeader),
    () => redeemWith(strange, origin, unknownCode, {}, { authorization: basic('app', '') }),
    () => refreshWith(strange, origin, unknownToken, asApp),
    () => refreshWith(strange, origin, body['refresh_token'], asApp),
    async () =>
      post(`${origin}/par`, request('photo-printer'), { ...wrong, dpop: await proofFor(strange, `${origin}/par`) }),
    () => present(createCredential('access_token')),
    () => present(access_token),
  ];
  const { proofs, answer } = await storedBy(() => repeat(46, [...attempts, ...attempts]));
  assert.ok(answer.length >= 1000);
  for (const { status } of answer) assert.ok([400, 401, 429].includes(status), String(status));
  assert.equal(proofs, 0);
  const honest = await storedBy(async () => [
    await redeemWith(own, origin, code),
    await redeemWith(own, origin, appCode, { client_id: 'app' }, noHeader),
    await getBound(own, origin, access_token),
  ]);
  assert.deepEqual([honest.answer.map(({ status }) => status), honest.proofs], [[200, 200, 200], 3]);
});

test('whoever pushes more requests for a public client than an address may stores no proof with them', async () => {
  const push = async () =>
    post(`${origin}/par`, request('app'), { ...noHeader, dpop: await proofFor(strange, `${origin}/par`) });
  const { proofs, answer } = await storedBy(() => repeat(15, times(10, push)));
  const accepted = answer.filter(({ status }) => status === 201).length;
  assert.ok(accepted > 0 && accepted < 150, String(accepted));
  assert.equal(proofs, accepted);
});

/** Refused once it was asked a thousand times within a quarter of an hour, unless an administrator vouches for the client. */
async function assertLimited(client_id: string, ask: () => Promise<TokenAnswer>): Promise<void> {
  const vouch = (vouched: boolean) =>
    database.query('update clients set vouched = $1 where client_id = $2', [vouched, client_id]);
  await database.query('delete from attempts');
  await vouch(false);
  const { proofs, answer: first } = await storedBy(ask);
  assert.ok(proofs > 0 && first.status !== 429, JSON.stringify(first));
  // as if it had asked so often; what is counted for sign-ins is another row
  await database.query('update attempts set attempts = 1000');
  await ask();
  const { proofs: more, answer } = await storedBy(ask);
  assert.deepEqual([answer.status, answer.body['error'], more], [429, 'too_many_requests', 0]);
  assert.ok(Number(answer.headers.get('retry-after')) > 0);
  await vouch(true);
  const { proofs: asVouched, answer: last } = await storedBy(ask);
  assert.deepEqual([last.status, asVouched], [first.status, proofs]);
}

test('a client for which no administrator vouches cannot fill the table with its assertions', async () => {
  const unknown = createCredential('authorization_code');
  await assertLimited('bank', async () =>
    redeem(origin, unknown, withAssertion(await sign(bankKey, origin)), noHeader),
  );
  await assertLimited('bank', async () =>
    post(`${origin}/introspect`, { token: unknown, ...withAssertion(await sign(bankKey, origin)) }, noHeader),
  );
});

test('nor with DPoP proofs beside one code of a user who is its own, whether it authenticates or not', async () => {
  const code = await obtainCode(browser);
  const appCode = await obtainCode(browser, { client_id: 'app' });
  const asks: [string, () => Promise<TokenAnswer>][] = [
    ['photo-printer', () => redeemWith(own, origin, code)],
    ['app', () => redeemWith(own, origin, appCode, { client_id: 'app' }, noHeader)],
  ];
  for (const [client_id, ask] of asks) {
    // from then on the code is refused, and the proof beside it used up
    assert.equal((await ask()).status, 200);
    await assertLimited(client_id, ask);
  }
});

test('nor with DPoP proofs beside an access token', async () => {
  const { body } = await redeemWith(own, origin, await obtainCode(browser));
  await assertLimited('photo-printer', () => getBound(own, origin, body['access_token']));
});

test('one proof redeems one of ten codes, at two instances at once, and refreshes one of ten tokens; the others stay as they are', async () => {
  // the second instance has the issuer of the first: a proof is for one address
  const other = await startLatchkey({ ISSUER: origin }, url);
  const at = (index: number) => (index % 2 === 0 ? origin : other.origin);
  const codes: string[] = [];
  for (let count = 0; count < 10; count += 1) codes.push(await obtainCode(browser));
  const proof = () => proofFor(own, `${origin}/token`);
  const dpop = await proof();
  const form = { redirect_uri: request('photo-printer')['redirect_uri'], code_verifier: verifier };
  const exchange = (code: string, index: number, dpop: string) =>
    post(`${at(index)}/token`, { grant_type: 'authorization_code', code, ...form }, { dpop });
  const first = await Promise.all(codes.map((code, index) => exchange(code, index, dpop)));
  const errors = first.map(({ body }) => body['error'] ?? 'none').sort();
  assert.deepEqual(errors, [...times(9, 'invalid_dpop_proof'), 'none']);
  const left = codes.filter((_, index) => first[index]?.status !== 200);
  const tokens = first.filter(({ status }) => status === 200);
  for (const [index, code] of left.entries()) tokens.push(await exchange(code, index, await proof()));
  assert.deepEqual(
    tokens.map(({ status }) => status),
    times(10, 200),
  );

  const again = await proof();
  const renew = ({ body }: TokenAnswer, index: number, dpop: string) =>
    post(`${at(index)}/token`, { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) }, { dpop });
  const second = await Promise.all(tokens.map((token, index) => renew(token, index, again)));
  assert.deepEqual(second.map(({ body }) => body['error'] ?? 'none').sort(), [
    ...times(9, 'invalid_dpop_proof'),
    'none',
  ]);
  const unused = tokens.filter((_, index) => second[index]?.status !== 200);
  for (const [index, token] of unused.entries()) assert.equal((await renew(token, index, await proof())).status, 200);
});

test('a proof in two requests at once counts in one of them, also if the client is counted', async () => {
  await database.query(`update clients set vouched = false where client_id = 'bank'`);
  const assertion = withAssertion(await sign(bankKey, origin));
  const introspect = () => post(`${origin}/introspect`, { token: 'x', ...assertion }, noHeader);
  const statuses = (await Promise.all(times(10, introspect).map((ask) => ask()))).map(({ status }) => status);
  await database.query(`update clients set vouched = true where client_id = 'bank'`);
  assert.deepEqual(statuses.sort(), [200, ...times(9, 401)]);
});

test('a proof or assertion counts once at /token, also if no administrator vouches for the client', async () => {
  await database.query('delete from attempts');
  await database.query(`update clients set vouched = false where client_id = 'bank'`);
  const codes = [await obtainCode(browser, { client_id: 'bank' }), await obtainCode(browser, { client_id: 'bank' })];
  const assertion = withAssertion(await sign(bankKey, origin));
  const answers: TokenAnswer[] = [];
  for (const code of codes) answers.push(await redeemWith(own, origin, code, assertion, noHeader));
  const renew = withAssertion(await sign(bankKey, origin));
  const refresh_token = answers[0]?.body['refresh_token'];
  for (const token of [refresh_token, refresh_token]) {
    answers.push(await refreshWith(own, origin, token, { changes: renew, headers: noHeader }));
  }
  await database.query(`update clients set vouched = true where client_id = 'bank'`);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body['error']]),
    [
      [200, undefined],
      [401, 'invalid_client'],
      [200, undefined],
      [401, 'invalid_client'],
    ],
  );
});

test('whoever has an assertion that was used cannot store proofs with it', async () => {
  await database.query('delete from attempts');
  const spent = withAssertion(await sign(bankKey, origin));
  assert.equal((await post(`${origin}/par`, { ...request('bank'), ...spent }, noHeader)).status, 201);
  const { proofs } = await storedBy(async () => {
    const code = await obtainCode(browser, { client_id: 'bank' });
    const dpop = await proofFor(strange, `${origin}/par`);
    for (const { status, body } of [
      await redeemWith(strange, origin, code, spent, noHeader),
      await refreshWith(strange, origin, 'x', { changes: spent, headers: noHeader }),
      await post(`${origin}/par`, { ...request('bank'), ...spent }, { ...noHeader, dpop }),
    ]) {
      assert.deepEqual([status, body['error']], [401, 'invalid_client']);
    }
  });
  assert.equal(proofs, 0);
});

test('an assertion beside a proof that is refused can come again with another proof', async () => {
  const used = await proofFor(own, `${origin}/token`);
  assert.equal((await redeem(origin, await obtainCode(browser), {}, { dpop: used })).status, 200);
  const code = await obtainCode(browser, { client_id: 'bank' });
  const assertion = withAssertion(await sign(bankKey, origin));
  for (const dpop of [used, 'no proof', await proofFor(own, `${origin}/par`)]) {
    const { status, body } = await redeem(origin, code, assertion, { ...noHeader, dpop });
    assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
  }
  assert.equal((await redeemWith(own, origin, code, assertion, noHeader)).status, 200);
  assert.equal((await redeemWith(own, origin, code, assertion, noHeader)).status, 401);
});

test('a proof beside a wrong secret is not used up, so nobody can spend the proof of a client', async () => {
  const dpop = await proofFor(own, `${origin}/token`);
  const code = await obtainCode(browser);
  const wrong = basic(undefined, 'a-wrong-secret-of-thirty-two-characters');
  assert.equal((await redeem(origin, code, {}, { dpop, authorization: wrong })).status, 401);
  assert.equal((await redeem(origin, code, {}, { dpop })).status, 200);
});

test('a proof that came with an unknown code of an authenticated client is used up', async () => {
  const dpop = await proofFor(own, `${origin}/token`);
  const unknown = createCredential('authorization_code');
  assert.equal((await redeem(origin, unknown, {}, { dpop })).body['error'], 'invalid_grant');
  const { body } = await redeem(origin, await obtainCode(browser), {}, { dpop });
  assert.equal(body['error'], 'invalid_dpop_proof');
});

test('a recorded refresh of a public client is refused because of its proof, and ends nothing', async () => {
  const code = await obtainCode(browser, { client_id: 'app' });
  const first = await redeemWith(own, origin, code, { client_id: 'app' }, noHeader);
  const dpop = await proofFor(own, `${origin}/token`);
  const recorded = () => refresh(origin, first.body['refresh_token'], { client_id: 'app' }, { ...noHeader, dpop });
  const { body } = await recorded();
  const again = await recorded();
  assert.deepEqual([again.status, again.body['error']], [400, 'invalid_dpop_proof']);
  assert.equal((await getBound(own, origin, body['access_token'])).status, 200);
  assert.equal((await refreshWith(own, origin, body['refresh_token'], asApp)).status, 200);
});

/** Without the time limits of a request. */
async function insertProofs(count: number, age: string): Promise<void> {
  await runOn(
    url,
    `insert into used_proofs
     select sha256(('${age}' || n)::bytea), now() - interval '${age}' from generate_series(1, ${count}) n`,
  );
}

test('the sweep deletes proofs that nobody can use again, at most a thousand pages in a statement, and no other', async () => {
  await database.query('delete from used_proofs');
  await insertProofs(110_000, '1 second');
  await insertProofs(1000, '-1 hour');
  const asked: number[][] = [];
  const { query } = database;
  database.query = ((statement: { name: string; values: number[] }, ...rest: unknown[]) => {
    if (statement.name === 'sweep_used_proofs') asked.push(statement.values);
    return Reflect.apply(query, database, [statement, ...rest]);
  }) as typeof query;
  const { rows, skipped } = await createQuickSweep(database)();
  database.query = query;
  assert.deepEqual([rows, skipped, await stored()], [110_000, undefined, 1000]);
  assert.ok(asked.length > 1);
  for (const [from = 0, to = 0] of asked) assert.ok(to - from <= 1000, `${from} to ${to}`);
});

test('under load the table holds the proofs of the last minutes: none is kept for longer than it could be accepted', async (t) => {
  await database.query('delete from used_proofs');
  const { body } = await redeemWith(own, origin, await obtainCode(browser));
  const get = () => getBound(own, origin, body['access_token']);
  const load = () => repeat(10, times(10, get));
  for (const { status } of await load()) assert.equal(status, 200);
  const { rows } = await database.query(
    `select count(*)::integer as proofs, max(expires_at) <= now() + interval '4 minutes' as is_soon from used_proofs`,
  );
  assert.deepEqual(rows, [{ proofs: 101, is_soon: true }]);
  await database.query(`update used_proofs set expires_at = now() - interval '1 second'`);
  for (const { status } of await load()) assert.equal(status, 200);
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const sweeping = startSweeping(deps);
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  sweeping.stop();
  while ((await stored()) > 100) await pause(10);
  assert.equal(await stored(), 100);
});

test('the sweep deletes pushed requests that were answered or given up, and keeps those that can still be answered [A119]', async () => {
  const push = async () => {
    const { body } = await post(`${origin}/par`, { ...request('photo-printer'), prompt: 'consent' });
    return encode({ client_id: 'photo-printer', request_uri: String(body['request_uri']) });
  };
  const show = (query: string) => browser.visit(`/authorize?${query}`);
  await database.query('delete from pushed_requests');
  const [fresh, read, answered] = [await push(), await push(), await push()];
  await database.query(
    `insert into pushed_requests select sha256(n::text::bytea), 'photo-printer', '', now() - interval '61 minutes', now() - interval '62 minutes'
     from generate_series(1, 1000) n`,
  );
  await show(read);
  assert.ok(codeIn(await browser.submit(await show(answered), 'id="allow"')));
  await database.query(
    `update pushed_requests set expires_at = now() - interval '58 minutes', opened_at = now() - interval '59 minutes'
     where opened_at is not null and completed_at is null and parameters <> ''`,
  );
  await createQuickSweep(database)();
  assert.equal((await database.query('select from pushed_requests')).rowCount, 2);
  for (const query of [fresh, read]) assert.ok(codeIn(await browser.submit(await show(query), 'id="allow"')));
  assert.match((await show(answered)).text, /invalid_request_uri/);
});

test('requests that share a statement store their proofs in one order, so that two instances cannot wait for each other', async () => {
  const codes = await Promise.all(times(8, browser).map((one) => obtainCode(one)));
  const keys = codes.map(credentialKey).sort(Buffer.compare);
  await database.query('truncate used_proofs');
  // the rows are locked in the order of the codes: the proofs have the opposite one
  const redeemed = keys.map((code_sha256, index) =>
    redeemAuthorizationCode(
      database,
      {
        code_sha256,
        client_id: printer.client_id,
        method: 'client_secret_basic',
        secret_sha256: digestOf(printer.client_secret),
        redirect_uri: printer.redirect_uri,
        code_challenge: challenge,
        ...namedResource(undefined),
        can_sign: true,
        access_token_sha256: credentialKey(createCredential('access_token')),
        refresh_token_sha256: digestOf('a refresh token'),
        access_token_ttl: 60,
        refresh_token_ttl: 60,
        request_id: 'test',
        address: null,
      },
      {
        dpop_sha256: Buffer.alloc(32, keys.length - index),
        dpop_expires_at: Math.floor(Date.now() / 1000) + 600,
        assertion_sha256: undefined,
        assertion_expires_at: undefined,
      },
    ),
  );
  assert.ok((await Promise.all(redeemed)).every((tokens) => tokens !== undefined));
  const { rows } = await database.query('select get_byte(proof_sha256, 0) as first from used_proofs order by ctid');
  assert.deepEqual(
    rows.map(({ first }) => first),
    [1, 2, 3, 4, 5, 6, 7, 8],
  );
});
