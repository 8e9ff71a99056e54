import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bindingOf } from '../../../src/lib/certificate.ts';
import type { Browser } from '../../support/browser.ts';
import { type Issued, issueCertificate, noOpenssl } from '../../support/certificate.ts';
import { createDpopKey, type DpopKey, getWith, proofFor, proofOf } from '../../support/dpop.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  encode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
} from '../../support/flow.ts';
import { type Latchkey, printer, startWithPrinter } from '../../support/latchkey.ts';

// a proxy passes the certificates on here, so that each request can present what it likes

const skip = noOpenssl;
let latchkey: Latchkey;
let browser: Browser;
let own: Issued;
let other: Issued;
const [key, thief] = [await createDpopKey(), await createDpopKey()];

if (!skip) {
  latchkey = await startWithPrinter({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' });
  browser = await signedInBrowser(latchkey.origin);
  [own, other] = [issueCertificate('/CN=bank'), issueCertificate('/CN=bank')];
  await register('by-certificate', 'tls_client_certificate_bound_access_tokens');
  await register('by-key', 'dpop_bound_access_tokens');
}

/** A client with a secret, whose tokens are bound in one way. */
async function register(client_id: string, binding: string): Promise<void> {
  await latchkey.database.query(
    `select register_client(client_id => $1, client_secret => $2, name => 'Bank', site_domain => $3, redirect_uris => $4,
       scopes => '{user}', ${binding} => true)`,
    [client_id, printer.client_secret, printer.site_domain, [printer.redirect_uri]],
  );
}

interface Shown {
  certificate?: Issued | undefined;
  key?: DpopKey | undefined;
}

async function headersOf(client_id: string, path: string, { certificate, key: shown }: Shown) {
  return {
    authorization: basic(client_id),
    ...(certificate && { 'x-client-cert': encodeURIComponent(certificate.cert) }),
    ...(shown && { dpop: await proofFor(shown, latchkey.origin + path) }),
  };
}

/** The code of a request that was pushed with a key, or with dpop_jkt, and with a certificate. */
async function obtainPushed(
  client_id: string,
  changes = {},
  shown: Shown = { certificate: own, key },
): Promise<string> {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id, ...changes })));
  const { body } = await post(`${latchkey.origin}/par`, request, await headersOf(client_id, '/par', shown));
  const query = encode({ client_id, request_uri: String(body['request_uri']) });
  const page = await browser.visit(`/authorize?${query}`);
  return codeIn(page.location === undefined ? await browser.submit(page, 'id="allow"') : page);
}

const redeemWith = async (client_id: string, code: string, shown: Shown): Promise<TokenAnswer> =>
  redeem(latchkey.origin, code, {}, await headersOf(client_id, '/token', shown));

const refreshWith = async (client_id: string, token: unknown, shown: Shown): Promise<TokenAnswer> =>
  refresh(latchkey.origin, token, {}, await headersOf(client_id, '/token', shown));

/** The status of /user for a token in the scheme of its type, or in another one. */
async function present(token: unknown, scheme: 'Bearer' | 'DPoP', { certificate, key: shown }: Shown): Promise<number> {
  const url = `${latchkey.origin}/user`;
  const proof = shown && (await proofOf(shown, { method: 'GET', url, access_token: token }));
  const headers = {
    authorization: `${scheme} ${token}`,
    ...(certificate && { 'x-client-cert': encodeURIComponent(certificate.cert) }),
    ...(proof && { dpop: proof }),
  };
  return (await getWith(url, headers)).status;
}

async function confirmationOf(token: unknown, client_id: string): Promise<unknown> {
  const headers = { authorization: basic(client_id) };
  return (await post(`${latchkey.origin}/introspect`, { token: String(token) }, headers)).body['cnf'];
}

async function assertRefused(client_id: string, code: string, attempts: [Shown, string][]): Promise<void> {
  for (const [shown, error] of attempts) {
    const { status, body } = await redeemWith(client_id, code, shown);
    assert.deepEqual([status, body['error'], body['access_token']], [400, error, undefined]);
  }
}

for (const [how, changes, pushedWith] of [
  ['a DPoP proof', {}, () => ({ certificate: own, key })],
  ['dpop_jkt', { dpop_jkt: key.thumbprint }, () => ({ certificate: own })],
] as const) {
  test(`a code that was pushed with ${how} and a certificate needs both, and its token what cnf says [9449 §10] [8705 §3] [A418]`, {
    skip,
  }, async () => {
    const code = await obtainPushed('by-certificate', changes, pushedWith());
    await assertRefused('by-certificate', code, [
      [{}, 'invalid_request'],
      [{ key }, 'invalid_request'],
      [{ certificate: own }, 'invalid_grant'],
      [{ certificate: own, key: thief }, 'invalid_grant'],
    ]);
    const { status, body } = await redeemWith('by-certificate', code, { certificate: own, key });
    assert.deepEqual([status, body['token_type']], [200, 'Bearer']);
    const token = body['access_token'];
    const thumbprint = bindingOf(own.x509).split(' ')[1];
    assert.deepEqual(await confirmationOf(token, 'by-certificate'), { 'x5t#S256': thumbprint });
    assert.equal(await present(token, 'Bearer', { certificate: own }), 200);
    assert.equal(await present(token, 'Bearer', {}), 401);
    assert.equal(await present(token, 'Bearer', { certificate: other }), 401);
    assert.equal(await present(token, 'DPoP', { key }), 401);
    assert.equal(await present(token, 'DPoP', { certificate: own, key }), 401);
  });
}

test('a client that registered for DPoP shows its key beside any certificate, and its token is bound to the key [A418]', {
  skip,
}, async () => {
  const code = await obtainPushed('by-key');
  await assertRefused('by-key', code, [
    [{ certificate: own }, 'invalid_request'],
    [{ certificate: own, key: thief }, 'invalid_grant'],
  ]);
  const { status, body } = await redeemWith('by-key', code, { certificate: own, key });
  assert.deepEqual([status, body['token_type']], [200, 'DPoP']);
  const token = body['access_token'];
  assert.deepEqual(await confirmationOf(token, 'by-key'), { jkt: key.thumbprint });
  assert.equal(await present(token, 'Bearer', { certificate: own }), 401);
  assert.equal(await present(token, 'DPoP', { certificate: own, key: thief }), 401);
  assert.equal(await present(token, 'DPoP', { key }), 200);
});

test('a code that was pushed without a key may be exchanged with any, and its token is bound in one way [A418]', {
  skip,
}, async () => {
  for (const [client_id, type] of [
    ['by-certificate', 'Bearer'],
    ['by-key', 'DPoP'],
  ] as const) {
    const code = await obtainPushed(client_id, {}, {});
    const { body } = await redeemWith(client_id, code, { certificate: own, key: thief });
    assert.equal(body['token_type'], type);
    assert.equal(await present(body['access_token'], type, { certificate: own, key: thief }), 200);
  }
});

test('a repeated refresh with another certificate or key gives the token of the first, which neither of them opens [A418] [A419]', {
  skip,
}, async () => {
  for (const [client_id, type, right, wrong] of [
    ['by-certificate', 'Bearer', { certificate: own }, { certificate: other }],
    ['by-key', 'DPoP', { key }, { key: thief }],
  ] as const) {
    const { body } = await redeemWith(client_id, await obtainPushed(client_id, {}, {}), right);
    const first = await refreshWith(client_id, body['refresh_token'], right);
    const again = await refreshWith(client_id, body['refresh_token'], wrong);
    assert.deepEqual(again.body['access_token'], first.body['access_token']);
    assert.equal(await present(again.body['access_token'], type, wrong), 401);
    assert.equal(await present(again.body['access_token'], type, right), 200);
    const unproven = await refreshWith(client_id, body['refresh_token'], {});
    assert.deepEqual([unproven.status, unproven.body['error']], [400, 'invalid_request']);
  }
});
