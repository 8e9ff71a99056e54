import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { authorizationQuery, basic, codeIn, encode, post, redeem, signedInBrowser } from '../../support/flow.ts';

// The details of a pushed request count alone: what stands beside its request_uri is ignored [9126 §4].

const { origin } = await startWithOrganizations();
const browser = await signedInBrowser(origin);
const scope = 'user:name org:read';
const push = (authorization_details: string) => {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ scope, authorization_details })));
  return post(`${origin}/par`, request, { authorization: basic() });
};
const details = (...values: string[]) => JSON.stringify(identifiers(...values));

test('a pushed request bounds the choice, whatever is beside its request_uri', async () => {
  const { body } = await push(details('12'));
  const query = {
    client_id: 'photo-printer',
    request_uri: String(body['request_uri']),
    authorization_details: '[{"type":"organizations","all":true}]',
  };
  const page = await browser.visit(`/authorize?${encode(query)}`);
  assert.doesNotMatch(page.text, /value="(13|\*)"/);
  const wider = await browser.submit(page, 'id="allow"', { scope: ['user:name', 'org:read'], [chosen]: ['12', '13'] });
  assert.equal(wider.status, 400);
  const { body: tokens } = await redeem(
    origin,
    codeIn(await browser.submit(page, 'id="allow"', { scope: ['user:name', 'org:read'] })),
  );
  assert.deepEqual(tokens['authorization_details'], identifiers('12'));
});

test('what is no valid request for a choice is refused at /par, and by a redirect at /authorize', async () => {
  const twentyOne = JSON.stringify(Array.from({ length: 21 }, () => ({ type: 'organizations' })));
  const wrong = [
    '[',
    '{}',
    '[]',
    '[1]',
    '[{}]',
    '[{"type":"other"}]',
    '[{"type":"organizations","locations":[]}]',
    '[{"type":"organizations","identifier":12}]',
    '[{"type":"organizations","identifier":"12","all":true}]',
    '[{"type":"other","type":"organizations"}]',
    '[{"type":"organizations","all":false}]',
    twentyOne,
    `[{"type":"organizations"}]${' '.repeat(4096)}`,
  ];
  for (const authorization_details of wrong) {
    const pushed = await push(authorization_details);
    assert.deepEqual(
      [pushed.status, pushed.body['error']],
      [400, 'invalid_authorization_details'],
      authorization_details.slice(0, 80),
    );
    const answer = await browser.visit(`/authorize?${authorizationQuery({ scope, authorization_details })}`);
    assert.equal(
      new URL(answer.location ?? '').searchParams.get('error'),
      'invalid_authorization_details',
      authorization_details.slice(0, 80),
    );
  }
});
