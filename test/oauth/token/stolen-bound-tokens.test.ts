import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Issued, issueCertificate, noOpenssl } from '../../support/certificate.ts';
import { createDpopKey, proofOf, redeemWith } from '../../support/dpop.ts';
import { encode, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { type MacToken, macHeader } from '../../support/mac.ts';

// A thief has an access token that is bound to a key, and all that was ever sent with it, but not the key.

const env = {
  SESSION_SECRET: 'a session secret that is long enough for this',
  ...{ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert', MTLS_URL: 'https://mtls.example' },
};
const first = await startLatchkey(env);
const { origin, database } = first;
const second = await startLatchkey({ ...env, ISSUER: origin }, first.url);
const instances = [first.origin, second.origin];
await registerPeople(database);
await registerPrinter(database);
const browser = await signedInBrowser(origin);

interface Sent {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  form?: Record<string, string>;
}

async function statusAt(at: string, { method, path = '/user', headers, form }: Sent): Promise<number> {
  const type = form && { 'content-type': 'application/x-www-form-urlencoded' };
  const body = form && encode(form);
  const init = { method: method ?? (form ? 'POST' : 'GET'), headers: { ...type, ...headers }, ...(body && { body }) };
  return (await fetch(at + path, init)).status;
}

/** What the owner sends; each call makes another proof. */
type Own = () => Promise<Sent> | Sent;

interface Kind {
  own: Own;
  /** what the thief sends, at each instance */
  thefts: [how: string, sent: Own][];
}

/** Ways of sending it that leave the key out. */
const withoutKey = (token: string, beside: Record<string, string> = {}): Kind['thefts'] => [
  ['as a bearer token', () => ({ headers: { authorization: `Bearer ${token}`, ...beside } })],
  ['in the query', () => ({ path: `/user?access_token=${token}`, headers: beside })],
  ['in a form', () => ({ form: { access_token: token }, headers: beside })],
  [
    'at the GitHub-compatible address',
    () => ({ path: '/api/v3/user', headers: { authorization: `token ${token}`, ...beside } }),
  ],
];

async function dpopKind(): Promise<Kind> {
  const [key, stranger] = [await createDpopKey(), await createDpopKey()];
  const token = async () =>
    String((await redeemWith(key, origin, await obtainCode(browser))).body['access_token'] ?? assert.fail());
  const [stolen, another] = [await token(), await token()];
  const request = { method: 'GET', url: `${origin}/user`, access_token: stolen };
  const present = async (proven: Promise<string>): Promise<Sent> => ({
    headers: { authorization: `DPoP ${stolen}`, dpop: await proven },
  });
  const used = await present(proofOf(key, request));
  assert.equal(await statusAt(origin, used), 200);
  return {
    own: () => present(proofOf(key, request)),
    thefts: [
      ...withoutKey(stolen),
      ['without a proof', () => ({ headers: { authorization: `DPoP ${stolen}` } })],
      ['with a proof of another key', () => present(proofOf(stranger, request))],
      ['with the proof that its owner has used', () => used],
      ['with a proof for another address', () => present(proofOf(key, { ...request, url: `${origin}/api/v3/user` }))],
      ['with a proof for another method', () => present(proofOf(key, { ...request, method: 'PATCH' }))],
      ['with a proof for another token', () => present(proofOf(key, { ...request, access_token: another }))],
      ['with a proof for /token', () => present(proofOf(key, { method: 'POST', url: `${origin}/token` }))],
    ],
  };
}

async function macKind(): Promise<Kind> {
  await database.query("update clients set token_binding = 'mac'");
  const token = async () => (await redeem(origin, await obtainCode(browser))).body as unknown as MacToken;
  const [stolen, another] = [await token(), await token()];
  await database.query("update clients set token_binding = 'any'");
  const present = (...changes: [object?, object?]): Sent => ({
    headers: { authorization: macHeader(stolen, origin, ...(changes as [])) },
  });
  const used = present();
  assert.equal(await statusAt(origin, used), 200);
  return {
    own: () => present(),
    thefts: [
      ...withoutKey(stolen.access_token),
      ['with a MAC by another key', () => present({}, { key: 'x'.repeat(43) })],
      ['with the MAC that its owner has used', () => used],
      ['with a MAC for another address', () => present({}, { target: '/api/v3/user' })],
      ['with a MAC for another method', () => present({}, { method: 'PATCH' })],
      ['with a MAC for another token', () => present({}, { key: another.mac_key })],
      ['in place of the token of a MAC', () => present({ id: another.access_token })],
    ],
  };
}

async function certificateKind(): Promise<Kind> {
  const presenting = ({ cert }: Issued) => ({ 'x-client-cert': encodeURIComponent(cert) });
  const [own, stranger] = [issueCertificate('/CN=bank'), issueCertificate('/CN=bank')];
  await database.query("update clients set token_binding = 'certificate'");
  const { body } = await redeem(origin, await obtainCode(browser), {}, presenting(own));
  await database.query("update clients set token_binding = 'any'");
  const stolen = String(body['access_token'] ?? assert.fail(JSON.stringify(body)));
  const authorization = `Bearer ${stolen}`;
  const key = await createDpopKey();
  const request = { method: 'GET', url: `${origin}/user`, access_token: stolen };
  return {
    own: () => ({ headers: { authorization, ...presenting(own) } }),
    thefts: [
      ...withoutKey(stolen),
      ...withoutKey(stolen, presenting(stranger)).map(([how, sent]): [string, Own] => [
        `${how} with another certificate`,
        sent,
      ]),
      [
        'as a DPoP token',
        async () => ({ headers: { authorization: `DPoP ${stolen}`, dpop: await proofOf(key, request) } }),
      ],
    ],
  };
}

/** Both instances refuse the thief in each way, and serve the owner. */
async function assertUseless({ own, thefts }: Kind): Promise<void> {
  for (const [how, sent] of thefts) {
    for (const at of instances)
      assert.equal(await statusAt(at, await sent()), 401, `${how} at ${instances.indexOf(at)}`);
  }
  for (const at of instances) assert.equal(await statusAt(at, await own()), 200);
}

test('a stolen DPoP token is of no use: without its key, with another one, or with the proof of another request, at either instance [A259]', async () =>
  assertUseless(await dpopKind()));

test('a stolen MAC token is of no use: without its key, with another one, or with the MAC of another request, at either instance [A410] [A412]', async () =>
  assertUseless(await macKind()));

test(
  'a stolen token that is bound to a certificate is of no use without it or with another one, at either instance [A398]',
  {
    skip: noOpenssl,
  },
  async () => assertUseless(await certificateKind()),
);

test('of the same DPoP proof or MAC, sent to two instances at once, one is accepted [A254] [A410]', async () => {
  for (const { own } of [await dpopKind(), await macKind()]) {
    const sent = await own();
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, n) => statusAt(instances[n % 2] ?? '', sent)));
    assert.equal(statuses.filter((status) => status === 200).length, 1);
    assert.equal(statuses.filter((status) => status === 401).length, 19);
  }
});
