import assert from 'node:assert/strict';
import { test } from 'node:test';
import { obtainCode, signedInBrowser } from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { expected, grace, grow, present, type Side, type Story, stealTokens } from '../support/stolen-tokens.ts';

const latchkey = await startLatchkey();
const { database, origin } = latchkey;
await registerPeople(database);
await registerPrinter(database);
await obtainCode(await signedInBrowser(origin), { scope: 'user:name' });

const seed = Number(process.env['THIEF_SEED'] ?? Date.now() % 1_000_000_000);
const lifetime = 30 * 86_400;
const interleavings = 1000;
const rounds = 8;
/** Far from the end of the grace on either side, so that a slow machine does not change the story. */
const pauses = [0, 0, 5, 5, 5, 90, 3600, 6 * 86_400];

/** One of them acts, or both, one after the other or at the same moment with the same token. */
async function act(story: Story): Promise<void> {
  const { chance } = story;
  // what is over stays over: worth a look now and then
  if (story.isOver && chance.next() > 0.1) return;
  const scene = chance.pick(['victim', 'thief', 'both', 'both at once'] as const);
  const first = chance.pick<Side>(['victim', 'thief']);
  const sides: Side[] = scene === 'victim' || scene === 'thief' ? [scene] : [first, other(first)];
  if (scene === 'both at once' && story.holds.victim === story.holds.thief) return atOnce(story);
  for (const side of sides) await step(story, side);
}

async function step(story: Story, side: Side): Promise<void> {
  const token = story.holds[side];
  const known = story.tokens.get(token);
  const verdict = expected(story, token, lifetime);
  const answer = await present(latchkey, story, side);
  const told = `seed ${seed}, family ${story.code_id}: ${side} at ${story.now}: ${verdict}`;
  if (verdict === 'over') story.isOver = true;
  if (verdict === 'refused' || verdict === 'over') return assert.equal(answer, undefined, told);
  assert.ok(answer !== undefined && known, told);
  if (verdict === 'repeated') assert.equal(answer, known.successor, told);
  else {
    Object.assign(known, { rotated: story.now, successor: answer });
    story.tokens.set(answer, { issued: story.now, uses: [] });
  }
  story.holds[side] = answer;
}

/** Who comes second gets what the first one got, whoever that was. */
async function atOnce(story: Story): Promise<void> {
  const token = story.holds.victim;
  const known = story.tokens.get(token);
  const verdict = expected(story, token, lifetime);
  const [one, two] = await Promise.all([present(latchkey, story, 'victim'), present(latchkey, story, 'thief')]);
  assert.equal(one, two, `seed ${seed}, family ${story.code_id}: two successors at once`);
  if (verdict === 'over') story.isOver = true;
  if (one === undefined || !known) return assert.ok(verdict === 'refused' || verdict === 'over');
  if (verdict === 'rotated') {
    Object.assign(known, { rotated: story.now, successor: one });
    story.tokens.set(one, { issued: story.now, uses: [] });
  }
  story.holds = { victim: one, thief: one };
}

const other = (side: Side): Side => (side === 'victim' ? 'thief' : 'victim');

/** Many families at a time: each tells its own story, the database works on all of them. */
async function forAll(stories: Story[], work: (story: Story) => Promise<void>): Promise<void> {
  const queue = [...stories];
  const worker = async () => {
    for (let story = queue.pop(); story; story = queue.pop()) await work(story);
  };
  await Promise.all(Array.from({ length: 40 }, worker));
}

async function assertNoFork(): Promise<void> {
  const { rows } = await database.query(
    `select code_id, count(*) as live
     from refresh_tokens
     join authorization_codes using (code_id)
     where rotated_at is null and revoked_at is null
     group by code_id
     having count(*) > 1`,
  );
  assert.deepEqual(rows, [], `seed ${seed}: two live successors`);
}

/** The rule itself, from what was done and not from what was expected. */
const wasCaught = ({ tokens }: Story) =>
  [...tokens.values()].some(({ uses }) => {
    const times = (side: Side) => uses.filter(([who]) => who === side).map(([, when]) => when);
    return times('victim').some((one) => times('thief').some((two) => Math.abs(one - two) > grace));
  });

test(`${interleavings} random interleavings of a stolen refresh token and its owner never produce two live successors, and always end the family [A227] [A230]`, async (t) => {
  t.diagnostic(`THIEF_SEED=${seed}`);
  const stories = await stealTokens(latchkey, interleavings, seed);
  for (let round = 0; round < rounds; round += 1) {
    await forAll(stories, act);
    await assertNoFork();
    const ages = stories.map(({ chance }) => chance.pick(pauses));
    await grow(latchkey, stories, ages);
  }
  const { rows } = await database.query<{ code_id: string }>(
    'select code_id from authorization_codes where revoked_at is not null',
  );
  const dead = new Set(rows.map(({ code_id }) => code_id));
  for (const story of stories) {
    assert.equal(dead.has(story.code_id), story.isOver, `seed ${seed}, family ${story.code_id}`);
    if (wasCaught(story)) assert.ok(story.isOver || isExpired(story), `seed ${seed}, family ${story.code_id} lives on`);
  }
  t.diagnostic(`${dead.size} families ended on the way`);

  // and in the end: both come once more, a while apart, and nothing is left alive anywhere
  for (const side of ['victim', 'thief'] as const) {
    await grow(latchkey, stories, Array<number>(interleavings).fill(90));
    await forAll(stories, (story) => step(story, side));
  }
  const alive = await database.query(
    `select code_id from refresh_tokens join authorization_codes using (code_id)
     where rotated_at is null and revoked_at is null and refresh_tokens.expires_at > now()`,
  );
  assert.deepEqual(alive.rows, [], `seed ${seed}`);
});

function isExpired({ now, tokens }: Story): boolean {
  return [...tokens.values()].every(({ issued, rotated }) => rotated !== undefined || now - issued >= lifetime);
}
