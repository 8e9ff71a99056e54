// ci: thousands of random thefts
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obtainCode, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import {
  expected,
  grace,
  makeOlder,
  present,
  type Side,
  stealTokens,
  type Theft,
} from '../../support/stolen-tokens.ts';

const latchkey = await startLatchkey({ REFRESH_GRACE: String(grace) });
const { database, origin } = latchkey;
await registerPeople(database);
await registerPrinter(database);
await obtainCode(await signedInBrowser(origin), { scope: 'user:name' });

// the same seed each time, so that the test fails for what was changed and not by chance
const seed = Number(process.env['THIEF_SEED'] ?? 1);
const lifetime = 30 * 86_400;
const interleavings = 1000;
const rounds = 8;
/** All far from the end of the grace period, so that a slow machine does not change the outcome. */
const pauses = [0, 0, 5, 5, 5, 1.5 * grace, 10 * grace, 6 * 86_400];

/** The victim acts, or the thief, or both: in turn, or at the same moment with the same token. */
async function act(theft: Theft): Promise<void> {
  const { chance } = theft;
  // a revoked family stays revoked: check it only now and then
  if (theft.isOver && chance.next() > 0.1) return;
  const scene = chance.pick(['victim', 'thief', 'both', 'both at once'] as const);
  const first = chance.pick<Side>(['victim', 'thief']);
  const sides: Side[] = scene === 'victim' || scene === 'thief' ? [scene] : [first, other(first)];
  if (scene === 'both at once' && theft.holds.victim === theft.holds.thief) return atOnce(theft);
  for (const side of sides) await step(theft, side);
}

async function step(theft: Theft, side: Side): Promise<void> {
  const token = theft.holds[side];
  const known = theft.tokens.get(token);
  const verdict = expected(theft, token, lifetime);
  const answer = await present(latchkey, theft, side);
  const told = `seed ${seed}, family ${theft.code_id}: ${side} at ${theft.now}: ${verdict}`;
  if (verdict === 'over') theft.isOver = true;
  if (verdict === 'refused' || verdict === 'over') return assert.equal(answer, undefined, told);
  assert.ok(answer !== undefined && known, told);
  if (verdict === 'repeated') assert.equal(answer, known.successor, told);
  else {
    Object.assign(known, { rotated: theft.now, successor: answer });
    theft.tokens.set(answer, { issued: theft.now, uses: [] });
  }
  theft.holds[side] = answer;
}

/** The second of two simultaneous refreshes gets the same answer as the first. */
async function atOnce(theft: Theft): Promise<void> {
  const token = theft.holds.victim;
  const known = theft.tokens.get(token);
  const verdict = expected(theft, token, lifetime);
  const [one, two] = await Promise.all([present(latchkey, theft, 'victim'), present(latchkey, theft, 'thief')]);
  assert.equal(one, two, `seed ${seed}, family ${theft.code_id}: two successors at once`);
  if (verdict === 'over') theft.isOver = true;
  if (one === undefined || !known) return assert.ok(verdict === 'refused' || verdict === 'over');
  if (verdict === 'rotated') {
    Object.assign(known, { rotated: theft.now, successor: one });
    theft.tokens.set(one, { issued: theft.now, uses: [] });
  }
  theft.holds = { victim: one, thief: one };
}

const other = (side: Side): Side => (side === 'victim' ? 'thief' : 'victim');

/** Processes forty families at a time. */
async function forAll(thefts: Theft[], work: (theft: Theft) => Promise<void>): Promise<void> {
  const queue = [...thefts];
  const worker = async () => {
    for (let theft = queue.pop(); theft; theft = queue.pop()) await work(theft);
  };
  await Promise.all(Array.from({ length: 40 }, worker));
}

/** Whether both sides used one token further apart than the grace period, computed from their actions alone. */
const wasCaught = ({ tokens }: Theft) =>
  [...tokens.values()].some(({ uses }) => {
    const times = (side: Side) => uses.filter(([who]) => who === side).map(([, when]) => when);
    return times('victim').some((one) => times('thief').some((two) => Math.abs(one - two) > grace));
  });

test(`${interleavings} random interleavings of a stolen refresh token and its owner never produce two live successors, and always end the family [A227] [A230]`, async (t) => {
  t.diagnostic(`THIEF_SEED=${seed}`);
  const thefts = await stealTokens(latchkey, interleavings, seed);
  for (let round = 0; round < rounds; round += 1) {
    await forAll(thefts, act);
    const ages = thefts.map(({ chance }) => chance.pick(pauses));
    await makeOlder(latchkey, thefts, ages);
  }
  const { rows } = await database.query<{ code_id: string }>(
    'select code_id from authorization_codes where revoked_at is not null',
  );
  const dead = new Set(rows.map(({ code_id }) => code_id));
  for (const theft of thefts) {
    assert.equal(dead.has(theft.code_id), theft.isOver, `seed ${seed}, family ${theft.code_id}`);
    if (wasCaught(theft)) assert.ok(theft.isOver || isExpired(theft), `seed ${seed}, family ${theft.code_id} lives on`);
  }
  t.diagnostic(`${dead.size} families ended on the way`);

  // finally both sides refresh once more, further apart than the grace period, which must leave no live token
  for (const side of ['victim', 'thief'] as const) {
    await makeOlder(latchkey, thefts, Array<number>(interleavings).fill(1.5 * grace));
    await forAll(thefts, (theft) => step(theft, side));
  }
  const alive = await database.query(
    `select code_id from authorization_codes
     where refresh_token_sha256 is not null and revoked_at is null and refresh_expires_at > now()`,
  );
  assert.deepEqual(alive.rows, [], `seed ${seed}`);
});

function isExpired({ now, tokens }: Theft): boolean {
  return [...tokens.values()].every(({ issued, rotated }) => rotated !== undefined || now - issued >= lifetime);
}
