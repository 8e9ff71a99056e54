import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dpopNonce, isFreshNonce } from '../../src/lib/dpop.ts';
import { createDpopKey, getBound, getWith, proofFor, proofOf } from '../support/dpop.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey, startWithPrinter } from '../support/latchkey.ts';

const { origin, url, database, deps } = await startLatchkey({ DPOP_NONCE: 'on' });
await registerPeople(database);
await registerPrinter(database);
const browser = await signedInBrowser(origin);
const key = await createDpopKey();

const redeemWithNonce = async (code: string, nonce: unknown, instance = origin) =>
  redeem(instance, code, {}, { dpop: await proofFor(key, `${origin}/token`, { claims: { nonce } }) });

test('a proof without a nonce, or with a wrong one, is refused with the right one, and the repeated request succeeds [A265]', async () => {
  const code = await obtainCode(browser);
  for (const nonce of [undefined, 'wrong', 1, `${dpopNonce(deps.sessionSecrets)}x`, dpopNonce(['another secret'])]) {
    const { status, body, headers } = await redeemWithNonce(code, nonce);
    assert.deepEqual([status, body['error']], [400, 'use_dpop_nonce']);
    assert.match(headers.get('dpop-nonce') ?? '', /^[\w-]{43}$/);
  }
  const refused = await redeemWithNonce(code, undefined);
  const answer = await redeemWithNonce(code, refused.headers.get('dpop-nonce'));
  assert.equal(answer.body['token_type'], 'DPoP');
  assert.ok(answer.headers.get('dpop-nonce'), 'every answer has the nonce of the next proof');
});

test('/par and /user demand the nonce, too; /user says so in the challenge [A265]', async () => {
  const pushed = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: undefined })));
  const refused = await post(`${origin}/par`, pushed, { dpop: await proofFor(key, `${origin}/par`) });
  assert.deepEqual([refused.status, refused.body['error']], [400, 'use_dpop_nonce']);
  const nonce = refused.headers.get('dpop-nonce');
  const dpop = await proofFor(key, `${origin}/par`, { claims: { nonce } });
  assert.equal((await post(`${origin}/par`, pushed, { dpop })).status, 201);

  const { access_token } = (await redeemWithNonce(await obtainCode(browser), nonce)).body;
  const demanded = await getBound(key, origin, access_token);
  assert.deepEqual([demanded.status, demanded.body['error']], [401, 'use_dpop_nonce']);
  assert.match(demanded.headers.get('www-authenticate') ?? '', /, DPoP error="use_dpop_nonce"/);
  const claims = { nonce: demanded.headers.get('dpop-nonce') };
  assert.equal((await getBound(key, origin, access_token, { claims })).status, 200);
});

test('all instances know the nonce; one that is too old is refused [A265]', async () => {
  const second = await startLatchkey({ DPOP_NONCE: 'on', ISSUER: origin }, url);
  const nonce = dpopNonce(deps.sessionSecrets);
  assert.equal((await redeemWithNonce(await obtainCode(browser), nonce, second.origin)).status, 200);
  const old = dpopNonce(deps.sessionSecrets, Date.now() / 1000 - 121);
  const { body } = await redeemWithNonce(await obtainCode(browser), old);
  assert.equal(body['error'], 'use_dpop_nonce');
});

test('a nonce is good for one to two minutes, and under every secret that is being replaced', () => {
  const nonce = dpopNonce(['old'], 600);
  assert.deepEqual(
    [600, 659, 719, 720, 599].map((now) => isFreshNonce(['old'], nonce, now)),
    [true, true, true, false, false],
  );
  assert.equal(isFreshNonce(['new', 'old'], nonce, 600), true);
  assert.equal(isFreshNonce(['new'], nonce, 600), false);
});

test('a web page of a registered application can read the nonce [A265]', async () => {
  const headers = { origin: `https://${printer.site_domain}`, dpop: 'x', authorization: 'DPoP x' };
  const answer = await getWith(`${origin}/user`, headers);
  assert.ok(answer.headers.get('dpop-nonce'));
  assert.match(answer.headers.get('access-control-expose-headers') ?? '', /\bDPoP-Nonce\b/);
});

test('requests without a proof are served as before, and get no nonce', async () => {
  const { body, headers } = await redeem(origin, await obtainCode(browser));
  assert.equal((await getUser(origin, body['access_token'])).status, 200);
  assert.equal(headers.get('dpop-nonce'), null);
});

test('a server without DPOP_NONCE gives out none', async () => {
  const other = await startWithPrinter();
  const dpop = await proofOf(key, { method: 'GET', url: `${other.origin}/user` });
  const { headers } = await getWith(`${other.origin}/user`, { dpop });
  assert.equal(headers.get('dpop-nonce'), null);
});
