import assert from 'node:assert/strict';
import { createHmac, createPublicKey, KeyObject, randomBytes, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { exportJWK } from 'jose';
import { createDpopKey, type DpopKey, getBound, getWith, proofOf, redeemWith } from '../support/dpop.ts';
import { authorizationQuery, getUser, obtainCode, post, redeem, signedInBrowser } from '../support/flow.ts';
import { forge } from '../support/jwt.ts';
import { printer, startLatchkey, startWithPrinter } from '../support/latchkey.ts';

const { origin, url: databaseUrl } = await startWithPrinter();
const browser = await signedInBrowser(origin);
const key = await createDpopKey();
const thief = await createDpopKey();
const rsa = await createDpopKey('PS256');
const { access_token } = (await redeemWith(key, origin, await obtainCode(browser))).body;
const bearer = (await redeem(origin, await obtainCode(browser))).body['access_token'];

interface ProvenRequest {
  method: string;
  url: string;
  access_token?: unknown;
}

/** The addresses that read proofs: each with a request that is accepted with an honest one. */
const places = {
  '/token': async (dpop: string) => {
    const code = await obtainCode(browser);
    const refused = await redeem(origin, code, {}, { dpop });
    assert.equal((await redeemWith(key, origin, code)).status, 200, 'the code is not spent');
    return refused;
  },
  '/par': (dpop: string) => post(`${origin}/par`, pushed, { dpop }),
  '/user': (dpop: string) => getWith(`${origin}/user`, { authorization: `DPoP ${access_token}`, dpop }),
};
const pushed = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: undefined })));

const requests: Record<keyof typeof places, ProvenRequest> = {
  '/token': { method: 'POST', url: `${origin}/token` },
  '/par': { method: 'POST', url: `${origin}/par` },
  '/user': { method: 'GET', url: `${origin}/user`, access_token },
};

type Spoil = (request: ProvenRequest) => Promise<string> | string;

const withClaims =
  (claims: Record<string, unknown>): Spoil =>
  (request) =>
    proofOf(key, request, { claims });

/** A proof with any header, signed as it says or not. */
const forged =
  (header: object, signer: (input: string) => Buffer | string): Spoil =>
  async (request) => {
    const payload = (await proofOf(key, request)).split('.')[1] ?? '';
    return forge(header, Buffer.from(payload, 'base64url').toString(), signer);
  };

const honest = { alg: 'ES256', typ: 'dpop+jwt', jwk: key.jwk };
const signWith =
  ({ privateKey }: DpopKey) =>
  (input: string) =>
    sign('sha256', Buffer.from(input), { key: KeyObject.from(privateKey), dsaEncoding: 'ieee-p1363' });
const withHeader = (header: object): Spoil => forged({ ...honest, ...header }, signWith(key));

const publicPem = createPublicKey({ key: { ...key.jwk }, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
const rs256 = (input: string) => sign('sha256', Buffer.from(input), KeyObject.from(rsa.privateKey));
const hugeKey = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(2048, 0xc5).toString('base64url') };
const smallKey = { kty: 'RSA', e: 'AQAB', n: Buffer.alloc(128, 0xc5).toString('base64url') };
const now = () => Math.floor(Date.now() / 1000);

const attacks: [number: string, what: string, spoil: Spoil][] = [
  ['A238', 'no JWT', () => 'x'],
  ['A238', 'nothing', () => ' '],
  ['A238', 'two parts', () => 'e30.e30'],
  ['A238', 'four parts', async (request) => `${await proofOf(key, request)}.e30`],
  ['A238', 'characters outside base64url', async (request) => `${await proofOf(key, request)}=+`],
  ['A238', 'two proofs', async (request) => `${await proofOf(key, request)}, ${await proofOf(key, request)}`],
  ['A238', 'a header that is no object', forged([], signWith(key))],
  ['A238', 'a payload of 10,000 characters', withClaims({ padding: 'a'.repeat(10_000) })],
  ...['jti', 'htm', 'htu', 'iat'].map((claim): [string, string, Spoil] => [
    'A239',
    `no ${claim}`,
    withClaims({ [claim]: undefined }),
  ]),
  ...['typ', 'alg', 'jwk'].map((member): [string, string, Spoil] => [
    'A239',
    `no ${member}`,
    withHeader({ [member]: undefined }),
  ]),
  ['A239', 'an empty jti', withClaims({ jti: '' })],
  ['A239', 'a jti that is a number', withClaims({ jti: 1 })],
  ['A239', 'another type', withHeader({ typ: 'JWT' })],
  ['A241', 'no signature', forged({ ...honest, alg: 'none' }, () => '')],
  [
    'A241',
    'the public key as a secret',
    forged({ ...honest, alg: 'HS256' }, (input) => createHmac('sha256', publicPem).update(input).digest()),
  ],
  ['A241', 'RS256', forged({ ...honest, alg: 'RS256', jwk: rsa.jwk }, rs256)],
  ['A241', 'RS1', forged({ ...honest, alg: 'RS1', jwk: rsa.jwk }, rs256)],
  ['A241', 'the name of the algorithm in lower case', withHeader({ alg: 'es256' })],
  ['A242', 'an RSA key with ES256', forged({ ...honest, jwk: rsa.jwk }, signWith(key))],
  ['A242', 'a symmetric key', withHeader({ jwk: { kty: 'oct', k: 'AAAA' } })],
  ['A242', 'a point that is not on the curve', withHeader({ jwk: { ...key.jwk, y: key.jwk.x } })],
  ['A242', 'an RSA key of 16,384 bits', forged({ ...honest, alg: 'PS256', jwk: hugeKey }, () => randomBytes(2048))],
  ['A242', 'an RSA key of 1024 bits', forged({ ...honest, alg: 'PS256', jwk: smallKey }, () => randomBytes(128))],
  ['A242', 'a key of another type than its name says', withHeader({ jwk: { ...key.jwk, kty: 'OKP' } })],
  ['A242', 'a signature of another key', forged(honest, signWith(thief))],
  [
    'A244',
    'the private key',
    async (request) => {
      const jwk = await exportJWK(key.privateKey);
      return proofOf(key, request, { header: { jwk } });
    },
  ],
  ['A245', 'an extension that must be understood', withHeader({ crit: ['other'], other: 1 })],
  ['A247', 'the address of another endpoint', withClaims({ htu: `${origin}/revoke` })],
  ['A247', 'a slash after the address', (request) => proofOf(key, { ...request, url: `${request.url}/` })],
  ['A247', 'another host', withClaims({ htu: 'https://evil.example/token' })],
  ['A247', 'another method', withClaims({ htm: 'PUT' })],
  ['A247', 'the method in lower case', (request) => proofOf(key, { ...request, method: request.method.toLowerCase() })],
  ['A250', 'a number for an address', withClaims({ htu: 1 })],
  ['A250', 'a list of addresses', (request) => proofOf(key, request, { claims: { htu: [request.url] } })],
  ['A250', 'nonsense for an address', withClaims({ htu: '::::' })],
  ['A251', 'a clock that is a minute ahead', (request) => proofOf(key, request, { claims: { iat: now() + 65 } })],
  ['A251', 'a clock that is an hour ahead', withClaims({ iat: now() + 3600 })],
  ['A251', 'an age of an hour', withClaims({ iat: now() - 3600 })],
  ['A251', 'a time that is text', withClaims({ iat: String(now()) })],
  ['A251', 'a time beyond all numbers', withClaims({ iat: 1e308 })],
  ['A251', 'an end that has passed', withClaims({ exp: now() - 60 })],
  ['A251', 'a beginning in the future', withClaims({ nbf: now() + 3600 })],
];

for (const [number, what, spoil] of attacks) {
  test(`refuses a proof with ${what} [${number}]`, async () => {
    for (const place of ['/token', '/par', '/user'] as const) {
      const { status, body, headers } = await places[place](await spoil(requests[place]));
      assert.deepEqual([status, body['error']], [place === '/user' ? 401 : 400, 'invalid_dpop_proof'], place);
      const challenge = headers.get('www-authenticate') ?? '';
      assert.equal(/DPoP error="invalid_dpop_proof", .*algs="/.test(challenge), place === '/user', challenge);
    }
  });
}

for (const [what, claims] of [
  ['a clock that is an hour ahead', () => ({ iat: now() + 3600 })],
  ['an age of an hour', () => ({ iat: now() - 3600 })],
  ['an end that has passed', () => ({ exp: now() - 60 })],
  ['a beginning in the future', () => ({ nbf: now() + 3600 })],
] as const) {
  test(`the refusal of a proof with ${what} names the clocks, that of another one does not [A251]`, async () => {
    for (const place of ['/token', '/user'] as const) {
      const told = async (spoil: Spoil) =>
        String((await places[place](await spoil(requests[place]))).body['error_description']);
      assert.match(
        await told(withClaims(claims())),
        /compare the clock of the client with those of this server and of its database/,
      );
      assert.doesNotMatch(await told(forged({ ...honest }, signWith(thief))), /clock/);
    }
  });
}

test('refuses a huge key before any work with it [A242]', async () => {
  const proof = await forged({ ...honest, alg: 'PS256', jwk: hugeKey }, () => randomBytes(2048))(requests['/user']);
  const start = process.cpuUsage();
  for (let round = 0; round < 20; round++) await places['/user'](proof);
  assert.ok(process.cpuUsage(start).user / 20 < 1_000_000);
});

test('refuses two DPoP headers [A238]', async () => {
  const proofs = await Promise.all([1, 2].map(() => proofOf(key, requests['/user'])));
  const headers = { authorization: `DPoP ${access_token}`, dpop: proofs };
  assert.equal(await statusOf('/user', headers), 401);
  assert.equal(await statusOf('/user', { ...headers, dpop: proofs.slice(1) }), 200);
});

/** Sends headers that the rules of fetch forbid. */
function statusOf(path: string, headers: Record<string, string | string[]>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(origin + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });
}

test('fetches nothing that the header of a proof names [A245]', async () => {
  let contacts = 0;
  const stranger = createServer((_req, res) => {
    contacts += 1;
    res.end('{}');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  after(() => stranger.close());
  const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}/`;
  const header = { jku: elsewhere, x5u: elsewhere, kid: elsewhere };
  assert.equal((await getBound(key, origin, access_token, { header })).status, 200);
  const withoutKey = await getBound(key, origin, access_token, { header: { ...header, jwk: undefined } });
  assert.equal(withoutKey.status, 401);
  assert.equal(contacts, 0);
});

test('the address of a proof is compared with the public one, never with the header Host [A247]', async () => {
  const forEvil = { ...requests['/user'], url: 'http://evil.example/user' };
  const headers = { host: 'evil.example', authorization: `DPoP ${access_token}` };
  assert.equal(await statusOf('/user', { ...headers, dpop: await proofOf(key, forEvil) }), 401);
  assert.equal(await statusOf('/user', { ...headers, dpop: await proofOf(key, requests['/user']) }), 200);
});

test('behind a proxy, the address of a proof is the one that clients see [A247]', async () => {
  const behind = await startLatchkey({ ISSUER: 'https://id.example/auth', TRUST_PROXY: '1' }, databaseUrl);
  const ask = async (url: string) => {
    const dpop = await proofOf(key, { method: 'GET', url, access_token });
    return (await getWith(`${behind.origin}/user`, { authorization: `DPoP ${access_token}`, dpop })).status;
  };
  assert.equal(await ask('https://id.example/auth/user'), 200);
  assert.equal(await ask('HTTPS://ID.EXAMPLE:443/auth/user'), 200);
  for (const url of ['http://id.example/auth/user', 'https://id.example/user', `${behind.origin}/user`]) {
    assert.equal(await ask(url), 401, url);
  }
});

test('of fifty requests with the same proof at the same time exactly one passes [A253]', async () => {
  const headers = { authorization: `DPoP ${access_token}`, dpop: await proofOf(key, requests['/user']) };
  const answers = await Promise.all(Array.from({ length: 50 }, () => getWith(`${origin}/user`, headers)));
  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status, body }) => status === 401 && body['error'] === 'invalid_dpop_proof');
  assert.deepEqual([passed.length, refused.length], [1, 49]);
});

test('a proof that one instance has seen is refused by the others and after a restart [A254]', async () => {
  const second = await startLatchkey({ ISSUER: origin }, databaseUrl);
  const headers = { authorization: `DPoP ${access_token}`, dpop: await proofOf(key, requests['/user']) };
  assert.equal((await getWith(`${origin}/user`, headers)).status, 200);
  assert.equal((await getWith(`${second.origin}/user`, headers)).status, 401);
  const fresh = { ...headers, dpop: await proofOf(key, requests['/user']) };
  assert.equal((await getWith(`${second.origin}/user`, fresh)).status, 200);
  assert.equal((await getWith(`${origin}/user`, fresh)).status, 401);
});

test('a proof that was sent to /token is not accepted a second time there [A253]', async () => {
  const dpop = await proofOf(key, requests['/token']);
  assert.equal((await redeem(origin, await obtainCode(browser), {}, { dpop })).status, 200);
  const { status, body } = await redeem(origin, await obtainCode(browser), {}, { dpop });
  assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
});

test('two keys may use the same jti, since nobody knows the values of others [A256]', async () => {
  const other = (await redeemWith(thief, origin, await obtainCode(browser))).body['access_token'];
  const claims = { jti: 'one' };
  assert.equal((await getBound(key, origin, access_token, { claims })).status, 200);
  assert.equal((await getBound(thief, origin, other, { claims })).status, 200);
});

test('a proof is for one token: neither that of another nor none in ath [A257]', async () => {
  const ask = async (ath: unknown) => {
    const dpop = await proofOf(key, { ...requests['/user'], access_token: ath });
    return getWith(`${origin}/user`, { authorization: `DPoP ${access_token}`, dpop });
  };
  for (const ath of [bearer, '', undefined]) {
    const { status, body } = await ask(ath);
    assert.deepEqual([status, body['error']], [401, 'invalid_dpop_proof']);
  }
  assert.equal((await ask(access_token)).status, 200);
});

test('a stolen token is of no use without its key, at no instance, in no way of sending it [A259]', async () => {
  const second = await startLatchkey({ ISSUER: origin }, databaseUrl);
  for (const instance of [origin, second.origin]) {
    const form = new URLSearchParams({ access_token: String(access_token) });
    const refused = [
      await getUser(instance, access_token),
      await getUser(instance, access_token, '/api/v3/user'),
      await getWith(`${instance}/user?access_token=${access_token}`, {}),
      await getWith(`${instance}/user?access_token=${access_token}`, { dpop: await proofOf(key, requests['/user']) }),
      await post(`${instance}/user`, Object.fromEntries(form), { authorization: '' }),
      await getWith(`${instance}/user`, { authorization: `DPoP ${access_token}` }),
      await getWith(`${instance}/user`, {
        authorization: `DPoP ${access_token}`,
        dpop: await proofOf(thief, requests['/user']),
      }),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      refused.map(() => 401),
    );
    const [asBearer] = refused;
    assert.match(asBearer?.headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token",.*, DPoP algs="/);
  }
  const own = { authorization: `DPoP ${access_token}`, dpop: await proofOf(key, requests['/user']) };
  assert.equal((await getWith(`${second.origin}/user`, own)).status, 200);
});

test('a bearer token does not become a bound one: sent as DPoP it is refused [A260]', async () => {
  const { status, body, headers } = await getBound(key, origin, bearer);
  assert.deepEqual([status, body['error']], [401, 'invalid_token']);
  assert.match(headers.get('www-authenticate') ?? '', /, DPoP error="invalid_token"/);
  assert.equal((await getUser(origin, bearer)).status, 200);
});

test('a token in two headers or in a header and the query is refused [A259]', async () => {
  const dpop = await proofOf(key, requests['/user']);
  const { status } = await getWith(`${origin}/user?access_token=${access_token}`, {
    authorization: `DPoP ${access_token}`,
    dpop,
  });
  assert.equal(status, 400);
});

for (const [way, authorize] of [
  ['the parameter dpop_jkt', (dpop_jkt: string) => obtainCode(browser, { dpop_jkt })],
  ['dpop_jkt in a pushed request', (dpop_jkt: string) => obtainPushed({ dpop_jkt })],
  ['a proof with the pushed request', async () => obtainPushed({}, await proofOf(key, requests['/par']))],
] as const) {
  test(`a code that was bound by ${way} is of no use without the key, and is not spent by a stranger [A263, A418]`, async () => {
    const code = await authorize(key.thumbprint);
    for (const refused of [await redeem(origin, code), await redeemWith(thief, origin, code)]) {
      assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
    }
    const { body } = await redeemWith(key, origin, code);
    assert.equal((await getBound(key, origin, body['access_token'])).status, 200);
  });
}

async function obtainPushed(changes: Record<string, string>, dpop = ''): Promise<string> {
  const { body } = await post(`${origin}/par`, { ...pushed, ...changes }, { dpop });
  const { client_id } = printer;
  const query = new URLSearchParams({ client_id, request_uri: String(body['request_uri']) });
  const page = await browser.visit(`/authorize?${query}`);
  return new URL(page.location ?? assert.fail(page.text)).searchParams.get('code') ?? '';
}

test('a code that was pushed without a key may be redeemed with any, and the token is bound to that one [A418]', async () => {
  const { body } = await redeemWith(thief, origin, await obtainPushed({}));
  assert.equal((await getBound(thief, origin, body['access_token'])).status, 200);
  const { body: introspected } = await post(`${origin}/introspect`, { token: String(body['access_token']) });
  assert.deepEqual(introspected['cnf'], { jkt: thief.thumbprint });
});

test('a pushed request whose proof and dpop_jkt name two keys is refused [A121]', async () => {
  const dpop = await proofOf(key, requests['/par']);
  const { status, body } = await post(`${origin}/par`, { ...pushed, dpop_jkt: thief.thumbprint }, { dpop });
  assert.deepEqual([status, body['error']], [400, 'invalid_dpop_proof']);
  const same = { ...pushed, dpop_jkt: key.thumbprint };
  assert.equal((await post(`${origin}/par`, same, { dpop: await proofOf(key, requests['/par']) })).status, 201);
});

for (const dpop_jkt of ['x', `${key.thumbprint}=`, 'a'.repeat(44), [key.thumbprint, key.thumbprint]]) {
  test(`refuses the thumbprint ${JSON.stringify(dpop_jkt)} [A263]`, async () => {
    const page = await browser.visit(`/authorize?${authorizationQuery({ dpop_jkt })}`);
    assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'invalid_request');
  });
}
