import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chosen, identifiers, startWithOrganizations } from '../../support/choices.ts';
import { createClientKey } from '../../support/client-assertion.ts';
import { registerBank } from '../../support/fapi2.ts';
import { codeIn, encode, post, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer } from '../../support/latchkey.ts';
import { signRequest } from '../../support/request-object.ts';

// Choices of clients that sign their requests [9101], and of those that keep their refresh token.

const latchkey = await startWithOrganizations();
const { origin, database } = latchkey;
const key = createClientKey('one');
await database.query('update clients set jwks = $1', [JSON.stringify({ keys: [key.jwk] })]);
const browser = await signedInBrowser(origin);
const boxes = ['user:name', 'org:read'];
const scope = boxes.join(' ');

const push = async (authorization_details: unknown, beside: Record<string, string> = {}) => {
  const claims = { scope, prompt: 'consent', authorization_details };
  return post(`${origin}/par`, { request: await signRequest(key, origin, { claims }), ...beside });
};

const pageOf = ({ body }: Awaited<ReturnType<typeof push>>, beside: Record<string, string> = {}) =>
  browser.visit(
    `/authorize?${encode({ client_id: printer.client_id, request_uri: String(body['request_uri']), ...beside })}`,
  );

test('the details of a signed request bound the choice, whatever stands beside the request [A585]', async () => {
  const wider = { authorization_details: JSON.stringify(identifiers('13')) };
  for (const beside of [{}, wider]) {
    const pushed = await push(identifiers('12', '14'), beside);
    assert.equal(pushed.status, 201);
    const page = await pageOf(pushed, wider);
    const values = [...page.text.matchAll(/name="choice\.organizations" value="([^"]*)"/g)].map(([, value]) => value);
    assert.deepEqual(values, ['12']);
    const refused = await browser.submit(page, 'id="allow"', { scope: boxes, [chosen]: '13' });
    assert.equal(refused.status, 400);
    const { body } = await redeem(origin, codeIn(await browser.submit(page, 'id="allow"', { scope: boxes })));
    assert.deepEqual(body['authorization_details'], identifiers('12'));
  }
});

test('details beside a signed request without details bound nothing [A585]', async () => {
  const pushed = await push(undefined, { authorization_details: JSON.stringify(identifiers('12')) });
  assert.match((await pageOf(pushed)).text, /name="choice\.organizations" value="13"/);
});

test('a signed request is refused for what a request with parameters is refused for [A585]', async () => {
  const [one] = identifiers('12');
  const wrong: Record<string, unknown> = {
    'no object': [[one]],
    'no details': [],
    'an unknown type': [{ type: 'other' }],
    'an unknown member': [{ ...one, locations: [] }],
    'a number': [{ type: 'organizations', identifier: 12 }],
    'half of a character': [{ type: 'organizations', identifier: '\ud800' }],
    'the end of a text': [{ type: 'organizations', identifier: 'a\0' }],
    'a member of every object': [JSON.parse('{"type":"organizations","__proto__":{"all":true}}')],
    'all and one': [{ type: 'organizations', all: true }, one],
    'too many': Array.from({ length: 21 }, () => ({ type: 'organizations' })),
    'too long': identifiers(...Array.from({ length: 15 }, (_, at) => `${at}`.padEnd(250, 'x'))),
  };
  for (const [what, details] of Object.entries(wrong)) {
    const { status, body } = await push(details);
    assert.deepEqual([status, body['error']], [400, 'invalid_authorization_details'], what);
  }
  for (const details of [JSON.stringify([one]), one, null, true]) {
    const { status, body } = await push(details);
    assert.deepEqual([status, body['error']], [400, 'invalid_request_object'], JSON.stringify(details));
  }
});

test('a client that keeps its refresh token is given what is left of the choice, and what it asks for of it [A583]', async () => {
  const bank = await registerBank(latchkey, 'bank');
  await database.query(`update clients set scopes = $1 where client_id = 'bank'`, [boxes]);
  const query = await bank.pushed({ scope, authorization_details: JSON.stringify(identifiers('12', '13')) });
  const page = await browser.visit(`/authorize?${query}`);
  const answer = await browser.submit(page, 'id="allow"', { scope: boxes, [chosen]: ['12', '13'] });
  const { body } = await bank.exchange(codeIn(answer));
  assert.deepEqual(body['authorization_details'], identifiers('12', '13'));
  const refreshed = async (...values: string[]) => {
    const changes = values.length > 0 ? { authorization_details: JSON.stringify(identifiers(...values)) } : {};
    const { status, body: next } = await bank.refresh(body['refresh_token'], { changes });
    const user = status === 200 ? await bank.user(next['access_token']) : undefined;
    assert.deepEqual(user?.body['authorization_details'], next['authorization_details']);
    return next['authorization_details'] ?? next['error'] ?? next['scope'];
  };
  assert.deepEqual(await refreshed('12'), identifiers('12'));
  assert.deepEqual(await refreshed('14'), 'invalid_authorization_details');
  assert.deepEqual(await refreshed(), identifiers('12', '13'));
  await database.query(`delete from company.members where organization = 12`);
  assert.deepEqual(await refreshed(), identifiers('13'));
  await database.query(`insert into company.members values (12, '1')`);
  assert.deepEqual(await refreshed(), identifiers('13'));
  assert.deepEqual(await refreshed('12'), 'invalid_authorization_details');
  await database.query('alter table company.members rename to hidden');
  assert.deepEqual(await refreshed(), 'temporarily_unavailable');
  await database.query('alter table company.hidden rename to members');
  await database.query(`delete from company.members where organization = 13`);
  assert.deepEqual(await refreshed(), 'user:name');
});
