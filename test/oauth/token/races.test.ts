import assert from 'node:assert/strict';
import { test } from 'node:test';
import { getUser, obtainCode, redeem, refresh, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';

const one = await startLatchkey();
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
await registerPeople(one.database);
await registerPrinter(one.database);
const browser = await signedInBrowser(one.origin);
const parallel = 50;
const rounds = Number(process.env['RACE_ROUNDS'] ?? 5);

/** The same question fifty times at once, to both instances in turn. */
function atOnce<T>(ask: (origin: string, index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: parallel }, (_, index) => ask(index % 2 ? two.origin : one.origin, index)));
}

for (let round = 1; round <= rounds; round += 1) {
  test(`of ${parallel} parallel redemptions of one code exactly one succeeds, and the others revoke its tokens (round ${round}) [A212]`, async () => {
    const code = await obtainCode(browser);
    const answers = await atOnce((origin) => redeem(origin, code));
    const winners = answers.filter(({ status }) => status === 200);
    assert.equal(winners.length, 1);
    assert.ok(answers.every(({ status, body }) => status === 200 || body['error'] === 'invalid_grant'));
    assert.equal((await getUser(one.origin, winners[0]?.body['access_token'])).status, 401);
    assert.equal((await refresh(two.origin, winners[0]?.body['refresh_token'])).status, 400);
  });

  test(`${parallel} parallel refreshes of one token create one successor and get one answer (round ${round}) [A226]`, async () => {
    const { body } = await redeem(one.origin, await obtainCode(browser));
    const answers = await atOnce((origin) => refresh(origin, body['refresh_token']));
    assert.ok(answers.every(({ status }) => status === 200));
    const successors = new Set(answers.map(({ body }) => `${body['access_token']} ${body['refresh_token']}`));
    assert.equal(successors.size, 1);
    assert.equal((await getUser(two.origin, answers[0]?.body['access_token'])).status, 200);
    const { rows } = await one.database.query(
      'select refresh_generation from authorization_codes order by code_id desc limit 1',
    );
    assert.equal(rows[0].refresh_generation, 1);
  });

  test(`of parallel redemptions with right and wrong verifiers at most one succeeds, and the code is dead afterwards (round ${round}) [A214]`, async () => {
    const code = await obtainCode(browser);
    const wrong = verifier.replace('a', 'b');
    const answers = await atOnce((origin, index) =>
      redeem(origin, code, index % 4 < 2 ? {} : { code_verifier: wrong }),
    );
    assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
    assert.ok(answers.every(({ status, body }) => status === 200 || body['error'] === 'invalid_grant'));
    assert.equal((await redeem(one.origin, code)).status, 400);
  });
}
