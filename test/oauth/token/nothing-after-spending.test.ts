import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { createDpopKey, proofFor } from '../../support/dpop.ts';
import { obtainCode, redeem, refresh, signedInBrowser, type TokenAnswer } from '../../support/flow.ts';
import {
  type Latchkey,
  registerJwtResource,
  registerResource,
  startLatchkey,
  startWithPrinter,
} from '../../support/latchkey.ts';

// A code counts once. So all that an answer needs is there before the statement that spends it, and nothing after it can fail.

const resource = 'https://jwt.example/';
const spending = new Set(['redeem_authorization_code', 'rotate_refresh_token']);

/** Runs the request while the database does not answer statements of these names, or none after a code or refresh token was spent. */
async function whileUnanswered<T>(
  { database }: Latchkey,
  isUnanswered: (name: string, isSpent: boolean) => boolean,
  request: () => Promise<T>,
): Promise<{ answer: T; names: string[] }> {
  const names: string[] = [];
  const { query } = database;
  const watched = (statement: { name: string }, ...rest: unknown[]) => {
    const isSpent = names.some((name) => spending.has(name));
    names.push(statement.name);
    // neither an answer nor an error: nobody may wait for it
    if (isUnanswered(statement.name, isSpent)) return new Promise(() => {});
    return Reflect.apply(query, database, [statement, ...rest]);
  };
  database.query = watched as typeof query;
  try {
    return { answer: await request(), names };
  } finally {
    database.query = query;
  }
}

async function startWithJwts() {
  const latchkey = await startWithPrinter();
  await registerJwtResource(latchkey.database, resource, ['user']);
  const browser = await signedInBrowser(latchkey.origin);
  return { ...latchkey, codeFor: (changes = { resource }) => obtainCode(browser, changes) };
}

function accepted({ status, body }: TokenAnswer): TokenAnswer['body'] {
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const reuses = async ({ database }: Latchkey) => {
  const { rows } = await database.query(
    `select count(*)::integer as count from audit_events where event in ('code_reused', 'refresh_token_reused')`,
  );
  return rows[0].count;
};

test('the answer to an exchange or a refresh waits for no statement after the one that spends, also for the first JWT of a process', {
  timeout: 60_000,
}, async (t) => {
  const latchkey = await startWithJwts();
  const { origin, database, codeFor } = latchkey;
  const codes = [await codeFor(), await codeFor()];
  const afterSpending = (_name: string, isSpent: boolean) => isSpent;
  const { answer, names } = await whileUnanswered(latchkey, afterSpending, () => redeem(origin, codes[0] ?? ''));
  const first = accepted(answer);
  assert.equal(decodeJwt(String(first['access_token'])).aud, resource);
  assert.ok(names.includes('touch_grant'), 'a statement that runs after it');
  // whatever the process remembers is too old
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 5001);
  await database.query('update grants set last_used_at = null');
  const second = await whileUnanswered(latchkey, afterSpending, () => refresh(origin, first['refresh_token']));
  assert.equal(decodeJwt(String(accepted(second.answer)['access_token'])).aud, resource);
  const third = await whileUnanswered(latchkey, afterSpending, () => redeem(origin, codes[1] ?? ''));
  accepted(third.answer);
});

test('when what a JWT is signed with cannot be read, nothing is spent: neither the code, nor the proof, nor the refresh token', async (t) => {
  const latchkey = await startWithJwts();
  const { origin, codeFor, database } = latchkey;
  const dpop = await proofFor(await createDpopKey(), `${origin}/token`);
  const code = await codeFor();
  await database.query('alter table signing_keys rename to away');
  const exchange = () => redeem(origin, code, {}, { dpop });
  const refused = await exchange();
  assert.deepEqual([refused.status, refused.body['error']], [503, 'temporarily_unavailable']);
  await database.query('alter table away rename to signing_keys');
  const { refresh_token } = accepted(await exchange());
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 5001);
  await database.query('alter table signing_keys rename to away');
  assert.equal((await refresh(origin, refresh_token)).status, 503);
  await database.query('alter table away rename to signing_keys');
  accepted(await refresh(origin, refresh_token));
  assert.equal(await reuses(latchkey), 0);
});

test('a resource that has got the format jwt a moment ago gives JWTs at once, with the same code, proof and refresh token', async () => {
  const latchkey = await startWithPrinter();
  const { origin, database } = latchkey;
  const second = await startLatchkey({ ISSUER: origin }, latchkey.url);
  const browser = await signedInBrowser(origin);
  await registerResource(database, resource, ['user']);
  const codes = [await obtainCode(browser, { resource }), await obtainCode(browser, { resource })];
  const { refresh_token } = accepted(await redeem(origin, codes[0] ?? ''));
  accepted(await redeem(second.origin, await obtainCode(browser, { resource })));
  // both processes have just read that there is no such resource
  await registerJwtResource(database, resource, ['user']);
  const dpop = await proofFor(await createDpopKey(), `${origin}/token`);
  for (const answer of [await redeem(origin, codes[1] ?? '', {}, { dpop }), await refresh(origin, refresh_token)]) {
    assert.equal(decodeJwt(String(accepted(answer)['access_token'])).aud, resource);
  }
  const repeated = accepted(await refresh(second.origin, refresh_token));
  assert.equal(decodeJwt(String(repeated['access_token'])).aud, resource);
  assert.equal(await reuses(latchkey), 0);
});
