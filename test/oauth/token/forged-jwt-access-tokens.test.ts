import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { createKeyPair, readPrivateKey } from '../../../src/lib/own-jwt.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import {
  changed,
  es256,
  forge,
  plantSigningKey,
  withOtherLastCharacter,
  withOtherSignature,
} from '../../support/jwt.ts';
import { printer, registerPrinter, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';

const { origin, deps, database, url } = await startWithPrinter();
const two = await startLatchkey({ ISSUER: origin }, url);
const key = await plantSigningKey(deps);
const resource = 'https://jwt.example/v1';
await registerPrinter(database, { client_id: 'api' });
await database.query(
  `select register_resource(resource => '${resource}', scopes => array['user', 'repo'], client_id => 'api', token_format => 'jwt')`,
);
let browser = await signedInBrowser(origin);

async function freshTokens(): Promise<{ jwt: string; refresh_token: string }> {
  const { body } = await redeem(origin, await obtainCode(browser, { resource }));
  return { jwt: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

async function introspect(token: string, at = origin): Promise<Record<string, unknown>> {
  return (await post(`${at}/introspect`, { token })).body;
}

const isActive = async (token: string, at?: string) => (await introspect(token, at))['active'] === true;

/** Nowhere is it a token, and nowhere does it end the genuine one. */
async function assertWorthless(forged: string, genuine: string, what: string): Promise<void> {
  await database.query('delete from attempts');
  const query = encodeURIComponent(forged);
  for (const path of ['/user', '/api/v3/user']) {
    const headers = { authorization: `Bearer ${forged}` };
    const { status } = await fetch(origin + path, { headers: /[^\x20-\x7e]/.test(forged) ? {} : headers });
    assert.ok(status === 401 || status === 400, `${what} at ${path}: ${status}`);
  }
  assert.equal((await fetch(`${origin}/user?access_token=${query}`)).status, 401, what);
  assert.deepEqual(await introspect(forged), { active: false }, what);
  assert.equal((await post(`${origin}/revoke`, { token: forged })).status, 200, what);
  assert.equal((await post(`${origin}/leaked`, { token: forged }, { authorization: '' })).status, 200, what);
  assert.ok(await isActive(genuine), `${what} ended the genuine token`);
}

test('refuses a genuine payload under every forged signature, and a forged token ends nothing [8725 §3.1] [A355]', async () => {
  const { jwt } = await freshTokens();
  const [header, payload] = changed(jwt, {}, {});
  const { kid } = key;
  const pair = await createKeyPair();
  const another = (await readPrivateKey(pair, pair.private_key)) ?? assert.fail('not a pair');
  const stranger = { kid, private_key: another.private_key };
  const publicKey = createPublicKey(key.private_key);
  const { x = '', y = '', ...rest } = publicKey.export({ format: 'jwk' });
  const none = () => '';
  const symmetric = (secret: string | Buffer) => (input: string) => createHmac('sha256', secret).update(input).digest();
  const contacts: string[] = [];
  const server = createServer((req, res) => res.end(contacts.push(String(req.url)))).listen(0, '127.0.0.1');
  after(() => server.close());
  await once(server, 'listening');
  const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
  const jwk = createPublicKey(stranger.private_key).export({ format: 'jwk' });
  const [first = '', second = '', third = ''] = jwt.split('.');
  const forgeries: Record<string, string> = {
    ...Object.fromEntries(
      ['none', 'None', 'nOnE', null, undefined].map((alg) => [`alg ${alg}`, forge({ ...header, alg }, payload, none)]),
    ),
    'alg none with the signature': forge({ ...header, alg: 'none' }, payload, () => third),
    ...Object.fromEntries(
      [
        JSON.stringify({ ...rest, x, y }),
        String(publicKey.export({ type: 'spki', format: 'pem' })),
        publicKey.export({ type: 'spki', format: 'der' }),
        Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]),
      ].map((secret, index) => [
        `HS256 with the public key, ${index}`,
        forge({ ...header, alg: 'HS256' }, payload, symmetric(secret)),
      ]),
    ),
    'a signature of zeros': forge(header, payload, () => Buffer.alloc(64)),
    'a signature in DER': forge(header, payload, () => Buffer.from(`3044${'02200f'.padEnd(68, '0').repeat(2)}`, 'hex')),
    'an empty signature': forge(header, payload, none),
    'alg ES384': forge({ ...header, alg: 'ES384' }, payload, es256(key)),
    'alg RS256': forge({ ...header, alg: 'RS256' }, payload, es256(key)),
    'the key of a stranger under our kid': forge(header, payload, es256(stranger)),
    'a key in the header': forge({ ...header, jwk }, payload, es256(stranger)),
    'a key in the header, no kid': forge({ ...header, kid: undefined, jwk }, payload, es256(stranger)),
    'the address of a key set': forge({ ...header, jku: elsewhere, kid: 'x' }, payload, es256(stranger)),
    'the address of a certificate': forge({ ...header, x5u: elsewhere, kid: undefined }, payload, es256(stranger)),
    'a certificate': forge({ ...header, x5c: ['MIIB'] }, payload, es256(stranger)),
    'an unknown critical member': forge({ ...header, crit: ['x'], x: 1 }, payload, es256(key)),
    'a kid that is no text': forge({ ...header, kid: { kid } }, payload, es256(key)),
    'an unknown kid': forge({ ...header, kid: `${kid.slice(1)}x` }, payload, es256(key)),
    'no kid': forge({ ...header, kid: undefined }, payload, es256(key)),
    'two parts': `${first}.${second}`,
    'four parts': `${jwt}.${third}`,
    'five parts': `${jwt}.${third}.${third}`,
    'the JSON serialization': JSON.stringify({ protected: first, payload: second, signature: third }),
    'an encoded payload that is no object': forge(header, '[]', es256(key)),
    'a payload that is no JSON': forge(header, '{', es256(key)),
  };
  for (const [what, forged] of Object.entries(forgeries)) await assertWorthless(forged, jwt, what);
  const unencoded = { ...header, b64: false, crit: ['b64'] };
  await assertWorthless(forge(unencoded, payload, es256(key)), jwt, 'an unencoded payload');
  assert.deepEqual(contacts, []);
});

test('a JWT of another kind is no access token, whatever its claims are [9068 §2.1] [A356]', async () => {
  const { jwt } = await freshTokens();
  for (const typ of [
    'JWT',
    undefined,
    null,
    'at+jwt;x',
    'x/at+jwt',
    'dpop+jwt',
    'client-authentication+jwt',
    'oauth-authz-req+jwt',
    'token-introspection+jwt',
  ]) {
    await assertWorthless(forge(...changed(jwt, { typ }, {}), es256(key)), jwt, String(typ));
  }
  // the type is compared without case, and its prefix may be left out [7515 §4.1.9]
  for (const typ of ['AT+JWT', 'application/at+jwt', 'Application/At+Jwt']) {
    assert.ok(await isActive(forge(...changed(jwt, { typ }, {}), es256(key))), typ);
  }
});

test('a JWT access token is no code, refresh token, assertion or request object [A356]', async () => {
  const { jwt, refresh_token } = await freshTokens();
  assert.equal((await redeem(origin, jwt.slice(0, 500))).body['error'], 'invalid_grant');
  assert.equal((await redeem(origin, jwt)).status, 400);
  assert.equal((await refresh(origin, jwt)).status, 400);
  const assertion = {
    client_assertion: jwt,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  };
  const authenticated = await post(`${origin}/introspect`, { token: jwt, ...assertion }, { authorization: '' });
  assert.equal(authenticated.body['error'], 'invalid_client');
  const page = await browser.open(`/authorize?${authorizationQuery({ request: jwt })}`);
  assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'request_not_supported');
  assert.ok(await isActive(jwt));
  assert.equal((await refresh(origin, refresh_token)).status, 200);
});

test('a JWT access token opens no registration [A356]', async () => {
  const { jwt } = await freshTokens();
  const { origin: at } = await startLatchkey({ ISSUER: origin, REGISTRATION_ENDPOINT: 'token' }, url);
  const headers = { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ redirect_uris: ['https://app.example/cb'] });
  assert.equal((await fetch(`${at}/register`, { method: 'POST', headers, body })).status, 401);
  assert.equal((await fetch(`${at}/register/${printer.client_id}`, { headers })).status, 401);
  assert.ok(await isActive(jwt));
});

test('all spellings of one JWT are one token, which one revocation ends everywhere [A358]', async () => {
  const variantsOf = (jwt: string) => [withOtherLastCharacter(jwt), withOtherSignature(jwt), `${jwt}=`, `${jwt}\n`];
  const { jwt } = await freshTokens();
  const genuine = await introspect(jwt);
  assert.equal(genuine['active'], true);
  assert.ok(await isActive(withOtherSignature(jwt)), 'ES256 has two signatures of one text');
  for (const variant of variantsOf(jwt)) {
    const { active, ...more } = await introspect(variant);
    assert.deepEqual(active ? { active, ...more } : genuine, genuine);
  }
  await post(`${origin}/revoke`, { token: jwt });
  for (const variant of [jwt, ...variantsOf(jwt)]) assert.equal(await isActive(variant, two.origin), false);

  const { jwt: another } = await freshTokens();
  await post(`${origin}/revoke`, { token: withOtherSignature(another) });
  for (const variant of [another, ...variantsOf(another)]) assert.equal(await isActive(variant, two.origin), false);
});

for (const [what, payload] of Object.entries<object>({
  'an exp in the past': { exp: 1 },
  'a later exp': { exp: 9_999_999_999 },
  'no exp': { exp: undefined },
  'an exp as text': { exp: '9999999999' },
  'an enormous exp': { exp: 1e308 },
  'a fractional exp': { exp: Date.now() / 1000 + 300.5 },
  'an nbf in the future': { nbf: 9_999_999_999 },
  'an nbf in the past': { nbf: 1 },
  'an iat in the future': { iat: 9_999_999_999 },
  'no iat': { iat: undefined },
  'an issuer with a slash': { iss: `${origin}/` },
  'the issuer of the GitHub-compatible endpoints': { iss: `${origin}/login/oauth` },
  'the issuer of another server': { iss: 'https://id.example' },
  'no issuer': { iss: undefined },
  'a list of audiences': { aud: [resource] },
  'a longer audience': { aud: `${resource}/x` },
  'a shorter audience': { aud: 'https://jwt.example/' },
  'no audience': { aud: undefined },
  'no jti': { jti: undefined },
  'an unknown jti': { jti: 'x' },
  'a jti that is a number': { jti: 1 },
  'another client': { client_id: 'api' },
  'another person': { sub: '2' },
  'a number as sub': { sub: 1 },
  'one more claim': { cnf: { jkt: 'x' } },
})) {
  test(`our own signature is not enough for a JWT with ${what}: every claim must be as issued [A359]`, async () => {
    const { jwt } = await freshTokens();
    assert.ok(await isActive(forge(...changed(jwt, {}, {}), es256(key))), 'signed again, it is the same token');
    await assertWorthless(forge(...changed(jwt, {}, payload), es256(key)), jwt, what);
  });
}

test('the jti of another token does not help, and a database restored to an earlier time knows no later token [A359]', async () => {
  const [one, other] = [(await freshTokens()).jwt, (await freshTokens()).jwt];
  const [header, payload] = changed(one, {}, {});
  const [, { jti }] = changed(other, {}, {}) as [object, { jti: string }];
  await database.query(
    'update access_tokens set expires_at = expires_at + $1::interval where access_token_sha256 = $2',
    ['5 seconds', Buffer.from(jti, 'base64url')],
  );
  await assertWorthless(forge(header, { ...payload, jti }, es256(key)), one, 'the jti of another token');
  await database.query('delete from access_tokens');
  assert.equal(await isActive(one), false);
});

test('what is sent in the wrong shape is judged by what it is, not by what it looks like [A361]', async () => {
  const { body } = await redeem(origin, await obtainCode(browser, { prompt: 'consent' }));
  const opaque = String(body['access_token']);
  const { jwt } = await freshTokens();
  for (const shaped of [`lk_at_${jwt}`, `lk_at_${jwt.replaceAll('.', '')}`.slice(0, 61), `${jwt}.${opaque}`]) {
    await assertWorthless(shaped, jwt, shaped);
  }
  await assertWorthless(`${opaque.slice(0, 20)}.${opaque.slice(20, 40)}.${opaque.slice(40)}`, jwt, 'two dots added');
  assert.equal((await getUser(origin, opaque)).status, 200);
});

for (const [what, end] of Object.entries<(tokens: { jwt: string; refresh_token: string; code: string }) => unknown>({
  'its client revoked it': ({ jwt }) => post(`${origin}/revoke`, { token: jwt }),
  'its client revoked it with the hint of another type': ({ jwt }) =>
    post(`${origin}/revoke`, { token: jwt, token_type_hint: 'refresh_token' }),
  'its refresh token was revoked': ({ refresh_token }) => post(`${origin}/revoke`, { token: refresh_token }),
  'somebody found it': ({ jwt }) => post(`${origin}/leaked`, { token: jwt }, { authorization: '' }),
  'its code was used again': ({ code }) => redeem(origin, code),
  'the person withdrew the consent': () => database.query('update grants set revoked_at = now()'),
  'the person was disabled': () => database.query('update users set disabled_at = now()'),
  'the client was disabled': () => database.query(`update clients set disabled_at = now() where client_id <> 'api'`),
  'the resource was removed': () => database.query('delete from resources'),
  'the resource was disabled': () => database.query('update resources set disabled_at = now()'),
})) {
  test(`a JWT is inactive at every instance as soon as ${what} [A361]`, async () => {
    const code = await obtainCode(browser, { resource });
    const { body } = await redeem(origin, code);
    const tokens = { jwt: String(body['access_token']), refresh_token: String(body['refresh_token']), code };
    const asApi = async (at: string) =>
      (await post(`${at}/introspect`, { token: tokens.jwt }, { authorization: basic('api') })).body['active'];
    assert.equal(await asApi(two.origin), true);
    await end(tokens);
    assert.deepEqual([await asApi(origin), await asApi(two.origin)], [false, false]);
    await database.query('update users set disabled_at = null');
    // to disable somebody ends their sessions
    browser = await signedInBrowser(origin);
    await database.query('update clients set disabled_at = null');
    await database.query(
      `select register_resource(resource => '${resource}', scopes => array['user', 'repo'], client_id => 'api', token_format => 'jwt')`,
    );
  });
}
