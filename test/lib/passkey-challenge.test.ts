import assert from 'node:assert/strict';
import { test } from 'node:test';
import { challengeExpiry, createChallenge } from '../../src/lib/passkey-challenge.ts';

const use = { purpose: 'sign-in', form_key: 'the key of a form' };
const [now, secrets] = [1_800_000_000, ['newer', 'older']];
const challenge = createChallenge(['older'], use, now);

test('a challenge is good for five minutes, also after a new secret', () => {
  assert.equal(challengeExpiry(secrets, use, challenge, now), now + 300);
  assert.equal(challengeExpiry(secrets, use, challenge, now + 299), now + 300);
  assert.equal(challengeExpiry(secrets, use, challenge, now + 300), undefined);
});

test('a challenge of a clock that was a year ahead is good neither now nor then for long', () => {
  const ahead = createChallenge(['older'], use, now + 31_536_000);
  assert.equal(challengeExpiry(secrets, use, ahead, now), undefined);
});

for (const [what, spoil] of [
  ['another purpose', { use: { ...use, purpose: 'new passkey of 1' } }],
  ['the form of another browser', { use: { ...use, form_key: 'another key' } }],
  ['a secret that is no longer used', { secrets: ['newer'] }],
  ['another character', { challenge: `${challenge[0] === 'a' ? 'b' : 'a'}${challenge.slice(1)}` }],
  [
    'another spelling of its last bits',
    { challenge: `${challenge.slice(0, -1)}${challenge.endsWith('x') ? 'z' : 'x'}` },
  ],
  ['a character less', { challenge: challenge.slice(1) }],
  ['a character that is none of base64url', { challenge: `+${challenge.slice(1)}` }],
] as const) {
  test(`a challenge counts not for ${what}`, () => {
    const changed = { secrets, use, challenge, ...spoil };
    assert.equal(challengeExpiry(changed.secrets, changed.use, changed.challenge, now), undefined);
  });
}
