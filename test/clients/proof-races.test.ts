// ci: hundreds of races between two instances
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import { createDpopKey, getWith, proofFor, proofOf, redeemWith } from '../support/dpop.ts';
import {
  authorizationQuery,
  codeIn,
  encode,
  obtainCode,
  post,
  redeem,
  signedInBrowser,
  type TokenAnswer,
} from '../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const one = await startLatchkey();
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
const { origin, database } = one;
await registerPeople(database);
await registerPrinter(database);
const bankKey = createClientKey('bank');
await registerKeyClient(database, { keys: [bankKey] });
const key = await createDpopKey();
const parallel = 50;
const rounds = Number(process.env['RACE_ROUNDS'] ?? 3);

/** A browser whose requests reach the two instances in turn, as behind a load balancer. */
let turn = 0;
const browser = await signedInBrowser(origin);
const balanced = new Browser(origin, (url, init) => {
  turn += 1;
  return fetch(String(url).replace(origin, instance(turn)), init);
});
for (const [name, value] of browser.cookies()) balanced.setCookie(name, value);

const instance = (index: number) => (index % 2 ? two.origin : one.origin);
const atOnce = <T>(ask: (at: string, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: parallel }, (_, index) => ask(instance(index), index)));

const noHeader = { authorization: '' };
const assertion = async () => withAssertion(await sign(bankKey, origin));
const request = (client_id: string, changes = {}) =>
  Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id, ...changes })));
const bankCodes = () => Promise.all(Array.from({ length: parallel }, () => obtainCode(browser, { client_id: 'bank' })));

async function pushed(changes = {}): Promise<string> {
  const { body } = await post(`${origin}/par`, request('photo-printer', changes));
  return encode({ client_id: 'photo-printer', request_uri: String(body['request_uri']) });
}

/** One answer is the right one, all others refuse for one reason. */
function assertOneWins(answers: TokenAnswer[], right: number, [status, error]: [number, string]): void {
  const refused = answers.filter((answer) => answer.status === status && answer.body['error'] === error);
  const won = answers.filter((answer) => answer.status === right);
  assert.deepEqual([won.length, refused.length], [1, answers.length - 1]);
}

const usedProof: [number, string] = [400, 'invalid_dpop_proof'];

for (let round = 1; round <= rounds; round += 1) {
  test(`of ${parallel} forms that answer one request_uri, at two instances, one leads to a code (round ${round}) [9126 §7.3] [A115]`, async () => {
    const query = await pushed({ prompt: 'consent' });
    const forms = await atOnce(() => balanced.visit(`/authorize?${query}`));
    const answers = await Promise.all(
      forms.map((form, index) => balanced.submit(form, index % 5 ? 'id="allow"' : 'id="deny"')),
    );
    const locations = answers.flatMap(({ location }) => location ?? []);
    assert.equal(locations.length, 1, 'a code or a refusal');
    const refused = answers.filter(({ status, text }) => status === 400 && text.includes('invalid_request_uri'));
    assert.equal(refused.length, parallel - 1);
  });

  test(`of ${parallel} authorizations of one request_uri that need no form, at two instances, one gets a code (round ${round}) [9126 §7.3] [A115]`, async () => {
    const query = await pushed();
    const answers = await atOnce(() => balanced.open(`/authorize?${query}`));
    const [winner, ...others] = answers.filter(({ location }) => location !== undefined);
    assert.ok(winner && others.length === 0);
    assert.equal((await redeem(origin, codeIn(winner))).status, 200);
  });

  test(`of ${parallel} token requests with one DPoP proof, at two instances, one passes (round ${round}) [A253] [A254]`, async () => {
    const codes = await Promise.all(Array.from({ length: parallel }, () => obtainCode(browser)));
    const dpop = await proofFor(key, `${origin}/token`);
    const answers = await atOnce((at, index) => redeem(at, String(codes[index]), {}, { dpop }));
    assertOneWins(answers, 200, usedProof);
    const unspent = codes.filter((_, index) => answers[index]?.status !== 200);
    const { status } = await redeemWith(key, origin, String(unspent[0]));
    assert.equal(status, 200, 'the codes of the others are not spent');
  });

  test(`of ${parallel} pushed requests, and of as many resource requests, with one DPoP proof at two instances one passes (round ${round}) [A253] [A254]`, async () => {
    const dpop = await proofFor(key, `${origin}/par`);
    assertOneWins(await atOnce((at) => post(`${at}/par`, request('photo-printer'), { dpop })), 201, usedProof);
    const { access_token } = (await redeemWith(key, origin, await obtainCode(browser))).body;
    const proof = await proofOf(key, { method: 'GET', url: `${origin}/user`, access_token });
    const headers = { authorization: `DPoP ${access_token}`, dpop: proof };
    assertOneWins(await atOnce((at) => getWith(`${at}/user`, headers)), 200, [401, 'invalid_dpop_proof']);
  });

  test(`one assertion with ${parallel} proofs, and one proof with ${parallel} assertions, at two instances: one passes (round ${round}) [A380]`, async () => {
    await database.query('delete from attempts');
    const [same, proof] = [await assertion(), await proofFor(key, `${origin}/token`)];
    const first = await bankCodes();
    const byAssertion = await atOnce(async (at, index) => {
      const headers = { ...noHeader, dpop: await proofFor(key, `${origin}/token`) };
      return redeem(at, String(first[index]), same, headers);
    });
    assertOneWins(byAssertion, 200, [401, 'invalid_client']);
    const second = await bankCodes();
    const byProof = await atOnce(async (at, index) =>
      redeem(at, String(second[index]), await assertion(), { ...noHeader, dpop: proof }),
    );
    assertOneWins(byProof, 200, usedProof);
  });

  test(`an assertion that goes to /par, /token, /introspect and /revoke at once is accepted at one of them (round ${round}) [A380]`, async () => {
    await database.query('delete from attempts');
    const same = await assertion();
    const code = await obtainCode(browser, { client_id: 'bank' });
    const places = [
      (at: string) => post(`${at}/par`, { ...request('bank'), ...same }, noHeader),
      (at: string) => redeem(at, code, same, noHeader),
      (at: string) => post(`${at}/introspect`, { token: 'x', ...same }, noHeader),
      (at: string) => post(`${at}/revoke`, { token: 'x', ...same }, noHeader),
    ];
    const answers = await Promise.all(places.map((ask, index) => ask(instance(index))));
    assert.equal(answers.filter(({ status }) => status < 300).length, 1);
    assert.equal(answers.filter(({ status }) => status === 401).length, 3);
  });
}

test('a nonce of one instance is good at the other one for many proofs at once, and what is refused for want of it is not stored [9449 §8] [A265]', async () => {
  const ISSUER = origin;
  const nonced = [
    await startLatchkey({ ISSUER, DPOP_NONCE: 'on' }, one.url),
    await startLatchkey({ ISSUER, DPOP_NONCE: 'on' }, one.url),
  ];
  const at = (index: number) => String(nonced[index % 2]?.origin);
  await database.query('delete from used_proofs');
  const push = async (index: number, nonce?: string | null) =>
    post(`${at(index)}/par`, request('photo-printer'), {
      dpop: await proofFor(key, `${origin}/par`, { claims: { nonce } }),
    });
  const first = await atOnce((_, index) => push(index));
  assert.ok(first.every(({ status, body }) => status === 400 && body['error'] === 'use_dpop_nonce'));
  const stored = await database.query('select from used_proofs');
  assert.equal(stored.rowCount, 0);
  const again = await atOnce((_, index) => push(index + 1, first[index]?.headers.get('dpop-nonce')));
  assert.deepEqual(new Set(again.map(({ status }) => status)), new Set([201]));
});
