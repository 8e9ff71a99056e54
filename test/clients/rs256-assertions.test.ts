import assert from 'node:assert/strict';
import {
  constants,
  createHash,
  generateKeyPairSync,
  type KeyObject,
  privateEncrypt,
  sign as signBytes,
} from 'node:crypto';
import { request as sendRequest } from 'node:http';
import { beforeEach, test } from 'node:test';
import { badKeys } from '../support/bad-keys.ts';
import { type ClientKey, createClientKey, now, sign, withAssertion } from '../support/client-assertion.ts';
import { authorizationQuery, encode, obtainCode, post, redeem, refresh, signedInBrowser } from '../support/flow.ts';
import { changed, forge } from '../support/jwt.ts';
import { registerPeople, startLatchkey } from '../support/latchkey.ts';
import { signRequest } from '../support/request-object.ts';
import { register } from '../support/self-registration.ts';

// Clients that come by themselves cannot be asked for a better algorithm, or another audience: they may sign by RS256, and name the
// address that they call.

const env = { REGISTRATION_ENDPOINT: 'open', CLIENT_ID_DOCUMENTS: 'on' };
const { origin, database, url } = await startLatchkey(env);
const two = await startLatchkey({ ...env, ISSUER: origin }, url);
await registerPeople(database);
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };

const rsa = createClientKey('rsa', 'PS256');
const keys = {
  ES256: createClientKey('ec'),
  PS256: rsa,
  EdDSA: createClientKey('ed', 'EdDSA'),
  RS256: { ...rsa, alg: 'RS256' },
};
const jwks = { keys: [keys.ES256.jwk, rsa.jwk, keys.EdDSA.jwk] };
const stated = { token_endpoint_auth_method: 'private_key_jwt', jwks };

beforeEach(() => database.query('delete from attempts'));

async function registersItself(changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await register(origin, { ...stated, ...changes });
  assert.equal(status, 201, JSON.stringify(body));
  return body.client_id;
}

let documents = 0;
async function publishes(changes: Record<string, unknown> = {}): Promise<string> {
  documents += 1;
  const client_id = `https://client.example/${documents}.json`;
  const document = {
    ...{ client_id, name: 'App', site_domain: 'client.example', redirect_uris: ['https://client.example/cb'] },
    ...{ scopes: ['user:name'], grant_types: ['authorization_code', 'refresh_token'], ...stated, ...changes },
  };
  await database.query('select keep_client_document($1, 3600)', [JSON.stringify(document)]);
  return client_id;
}

/** By the statement of release 1.0.0, which may run beside this one and notes no origin. */
async function registersItselfAtAnEarlierRelease(): Promise<string> {
  const client = {
    ...{
      client_id: 'app-earlier',
      name: 'App',
      site_domain: 'client.example',
      redirect_uris: ['https://client.example/cb'],
    },
    ...{ scopes: ['user:name'], grant_types: ['authorization_code', 'refresh_token'], vouched: false, ...stated },
  };
  await database.query(
    `with registered as (
       select keep_client(without_foreign_links($1)) as client_id
     )
     insert into self_registrations (client_id, token_sha256)
     select client_id, $2
     from registered`,
    [JSON.stringify(client), Buffer.alloc(32)],
  );
  return client.client_id;
}

/** Registered by the operator; a client_id that is a URL takes the place of its document. */
async function isRegistered(client_id: string, changes: Record<string, unknown> = {}): Promise<string> {
  const members: Record<string, unknown> = {
    ...{ client_id, name: 'App', site_domain: 'client.example', redirect_uris: ['https://client.example/cb'] },
    ...{ scopes: ['user:name'], token_endpoint_auth_method: 'private_key_jwt', jwks: JSON.stringify(jwks), ...changes },
  };
  const names = Object.keys(members).map((name, at) => `${name} => $${at + 1}`);
  await database.query(`select register_client(${names.join(', ')})`, Object.values(members));
  return client_id;
}

async function withProfile(client_id: string): Promise<string> {
  await database.query("update clients set profile = 'fapi2' where client_id = $1", [client_id]);
  return client_id;
}

/** A refresh token of nobody gets `invalid_grant` if the client has authenticated. */
async function authenticates(assertion: string, at = origin): Promise<boolean> {
  const { status, body } = await refresh(at, 'x', withAssertion(assertion), noHeader);
  assert.ok([400, 401].includes(status), String(status));
  assert.equal(body['error'], status === 401 ? 'invalid_client' : 'invalid_grant', JSON.stringify(body));
  return status === 400;
}

const token = `${origin}/token`;
const strong = ['ES256', 'PS256', 'EdDSA'];
const all = [...strong, 'RS256'];
const audiences: Record<string, unknown> = {
  'the issuer': origin,
  'the issuer as an array': [origin],
  'the GitHub-compatible issuer': `${origin}/login/oauth`,
  'the token endpoint': token,
  'the token endpoint as an array': [token],
  '/par': `${origin}/par`,
  'both issuers': [origin, `${origin}/login/oauth`],
  'the issuer and the token endpoint': [origin, token],
  'the token endpoint twice': [token, token],
};
const text = ['the issuer'];
const issuers = [...text, 'the issuer as an array', 'the GitHub-compatible issuer'];
const ordinary = [...issuers, 'both issuers'];
const soft = [...issuers, 'the token endpoint', 'the token endpoint as an array'];
const rs256 = { token_endpoint_auth_signing_alg: 'RS256' };

for (const [kind, register, algorithms, accepted] of [
  ['that an operator registered', () => isRegistered('ordinary'), strong, ordinary],
  ['that an operator registered for RS256', () => isRegistered('weak', rs256), ['RS256'], ordinary],
  [
    'that an operator registered for addresses',
    () => isRegistered('addresses', { assertion_audience: 'address' }),
    strong,
    Object.keys(audiences),
  ],
  ['of the profile fapi2', () => isRegistered('strict', { profile: 'fapi2' }), strong, text],
  ['that registered itself', () => registersItself(), all, soft],
  ['that registered itself at an earlier release', registersItselfAtAnEarlierRelease, all, soft],
  ['that registered itself for RS256', () => registersItself(rs256), ['RS256'], soft],
  [
    'that registered itself for ES256',
    () => registersItself({ token_endpoint_auth_signing_alg: 'ES256' }),
    ['ES256'],
    soft,
  ],
  [
    'that registered itself for Ed25519',
    () => registersItself({ token_endpoint_auth_signing_alg: 'Ed25519' }),
    ['EdDSA'],
    soft,
  ],
  [
    'that registered itself and must sign its requests',
    () => registersItself({ require_signed_request_object: true }),
    all,
    soft,
  ],
  ['that registered itself and was given the profile', async () => withProfile(await registersItself()), strong, text],
  [
    'that registered itself for RS256 and was given the profile',
    async () => withProfile(await registersItself(rs256)),
    [],
    text,
  ],
  ['with a document', () => publishes(), all, soft],
  ['with a document for ES256', () => publishes({ token_endpoint_auth_signing_alg: 'ES256' }), ['ES256'], soft],
  ['with a document that was given the profile', async () => withProfile(await publishes()), strong, text],
  ['whose document a seed has replaced', async () => isRegistered(await publishes()), strong, ordinary],
] as const satisfies [string, () => Promise<string>, readonly string[], readonly string[]][]) {
  test(`a client ${kind} signs by ${algorithms.join(', ') || 'nothing'}, for ${accepted.length} of the audiences [A547]`, async () => {
    const client_id = await register();
    for (const [alg, key] of Object.entries(keys)) {
      for (const [name, aud] of Object.entries(audiences)) {
        await database.query('delete from attempts');
        const expected = algorithms.some((one) => one === alg) && accepted.some((one) => one === name);
        const assertion = await sign(key, origin, { client_id, claims: { aud } });
        assert.equal(await authenticates(assertion), expected, `${alg} for ${name}`);
      }
    }
  });
}

test('the profile fapi2 is not registered together with RS256', async () => {
  await assert.rejects(
    isRegistered('both', { profile: 'fapi2', ...rs256 }),
    /the profile fapi2 needs the token_endpoint_auth_signing_alg ES256/,
  );
  const client_id = await registersItself(rs256);
  const change = database.query('select change_client($1, \'{"profile": "fapi2"}\', true)', [client_id]);
  await assert.rejects(change, /the profile fapi2 needs/);
  await assert.rejects(
    isRegistered('other', { token_endpoint_auth_signing_alg: 'RS512' }),
    /knows ES256, PS256, EdDSA, Ed25519 and RS256/,
  );
});

test('a set with keys for RS256 alone is registered with the client that may use them, and with no other', async () => {
  const only = { keys: [{ ...rsa.jwk, alg: 'RS256' }] };
  const client_id = await registersItself({ jwks: only });
  assert.equal(await authenticates(await sign(keys.RS256, origin, { client_id })), true);
  for (const changes of [{ require_signed_request_object: true }, { token_endpoint_auth_signing_alg: 'PS256' }]) {
    const { status, body } = await register(origin, { ...stated, jwks: only, ...changes });
    assert.deepEqual([status, body['error_description']], [400, 'jwks: no use'], JSON.stringify(body));
  }
  await assert.rejects(isRegistered('useless', { jwks: JSON.stringify(only) }), /jwks has only keys for RS256/);
  const operators = await isRegistered('useful', { jwks: JSON.stringify(only), ...rs256 });
  assert.equal(await authenticates(await sign(keys.RS256, origin, { client_id: operators })), true);
  const published = await publishes({ jwks: only });
  assert.equal(await authenticates(await sign(keys.RS256, origin, { client_id: published })), true);
  await assert.rejects(isRegistered(published, { jwks: JSON.stringify(only) }), /jwks has only keys for RS256/);
  await assert.rejects(
    database.query('select change_client($1, \'{"name": "Other"}\', true)', [published]),
    /jwks has only keys for RS256/,
    'who changes it takes it over',
  );
});

test('the alg of a key binds the key [8725 §3.1] [A543]', async () => {
  for (const alg of ['PS256', 'RS256'] as const) {
    const client_id = await registersItself({ jwks: { keys: [{ ...rsa.jwk, alg }] } });
    for (const other of ['PS256', 'RS256'] as const) {
      assert.equal(
        await authenticates(await sign(keys[other], origin, { client_id })),
        other === alg,
        `${other} for ${alg}`,
      );
    }
  }
});

test('a request object is not signed by RS256, and names the issuer [A547]', async () => {
  const client_id = await registersItself();
  const push = async (key: ClientKey, audience: string) => {
    const request = await signRequest(key, audience, {
      client_id,
      claims: { redirect_uri: 'https://app.example/cb', scope: 'user:name' },
    });
    return post(
      `${origin}/par`,
      { request, ...withAssertion(await sign(keys.RS256, `${origin}/par`, { client_id })) },
      noHeader,
    );
  };
  assert.equal((await push(keys.PS256, origin)).status, 201);
  for (const [key, audience] of [
    [keys.RS256, origin],
    [keys.PS256, `${origin}/par`],
    [keys.PS256, token],
  ] as const) {
    assert.equal((await push(key, audience)).body['error'], 'invalid_request_object', `${key.alg} for ${audience}`);
  }
});

const endpoints = ['/token', '/par', '/revoke', '/introspect', '/login/oauth/access_token'];

/** Whether the client authenticates there; the rest of the request is good at each of them. */
async function authenticatesAt(path: string, client_id: string, assertion: string): Promise<boolean> {
  const request = Object.fromEntries(
    new URLSearchParams(authorizationQuery({ client_id, redirect_uri: 'https://app.example/cb', scope: 'user:name' })),
  );
  const exchange = { grant_type: 'refresh_token', refresh_token: 'x', token: 'x' };
  const parameters = { ...(path === '/par' ? request : exchange), ...withAssertion(assertion) };
  const { status, body } = await post(`${origin}${path}`, parameters, noHeader);
  return !(status === 401 && body['error'] === 'invalid_client');
}

test('the audience is the address that received the request, to the letter, and no other address [A546]', async () => {
  const client_id = await registersItself();
  const { port } = new URL(origin);
  const beside = [
    `${token}/`,
    `${token}?a`,
    `${origin}/Token`,
    `${origin}/%74oken`,
    `${origin}/x/../token`,
    token.toUpperCase(),
  ];
  const foreign = [
    `https://evil.example/token`,
    token.replace('http:', 'https:'),
    token.replace(`:${port}`, ''),
    `//${token}`,
  ];
  const shapes = [
    '',
    [],
    {},
    null,
    7,
    [token, 'https://evil.example'],
    [origin, 'https://evil.example'],
    [[token]],
    { 0: token },
  ];
  for (const path of endpoints) {
    for (const aud of [...endpoints.map((one) => origin + one), ...beside, ...foreign, ...shapes]) {
      await database.query('delete from attempts');
      const claims = { aud, jti: `${path} ${JSON.stringify(aud)}` };
      const assertion = await sign(keys.RS256, origin, { client_id, claims });
      const expected = aud === origin + path;
      assert.equal(await authenticatesAt(path, client_id, assertion), expected, `${JSON.stringify(aud)} at ${path}`);
      if (expected || path !== '/token') continue;
      const corrected = await sign(keys.RS256, origin, { client_id, claims: { ...claims, aud: token } });
      assert.equal(await authenticates(corrected), true, 'what was refused is not spent');
    }
  }
});

test('the address is that of the configuration, whatever the request calls it [A546]', async () => {
  const client_id = await registersItself();
  const at = async (aud: string, headers: Record<string, string>) => {
    await database.query('delete from attempts');
    const body = encode({
      grant_type: 'refresh_token',
      refresh_token: 'x',
      ...withAssertion(await sign(keys.RS256, aud, { client_id })),
    });
    const { hostname, port } = new URL(origin);
    const options = { hostname, port, path: '/token', method: 'POST' };
    return new Promise<number | undefined>((resolve, reject) => {
      const sent = sendRequest(
        { ...options, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } },
        (response) => {
          response.resume();
          resolve(response.statusCode);
        },
      );
      sent.on('error', reject).end(body);
    });
  };
  const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' };
  assert.equal(await at(token, {}), 400);
  assert.equal(await at('https://evil.example/token', evil), 401);
  assert.equal(await at(token, evil), 400);
});

test('an assertion of RS256 counts once, at all endpoints of two instances, for its client [A549]', async () => {
  const [client_id, other] = [await registersItself(), await registersItself()];
  const redirect_uri = 'https://app.example/cb';
  const code = () => obtainCode(browser, { client_id, redirect_uri, scope: 'user:name' });
  const codes = [];
  for (let count = 0; count < 20; count += 1) codes.push(await code());
  const claims = { jti: 'the same for two clients' };
  const proof = withAssertion(await sign(keys.RS256, token, { client_id, claims }));
  const answers = await Promise.all(
    codes.map((one, index) => redeem(index % 2 ? origin : two.origin, one, { redirect_uri, ...proof }, noHeader)),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(await authenticates(await sign(keys.RS256, token, { client_id, claims })), false);
  assert.equal(await authenticates(await sign(keys.RS256, token, { client_id: other, claims })), true);

  // whoever knows a jti cannot use it up
  const coming = { jti: 'of tomorrow' };
  const [header, payload] = changed(await sign(keys.RS256, token, { client_id, claims: coming }), {}, {});
  assert.equal(await authenticates(forge(header, payload, () => Buffer.alloc(256, 1))), false);
  const pushed = await sign(keys.RS256, origin, { client_id, claims: coming });
  assert.equal(await authenticatesAt('/par', client_id, pushed), true);
  assert.equal(await authenticates(pushed), false, 'it was used at another endpoint');
});

test('an assertion of RS256 has a jti and an end within an hour [A549]', async () => {
  const client_id = await registersItself();
  for (const claims of [
    { jti: undefined },
    { jti: 7 },
    { jti: '' },
    { exp: undefined },
    { exp: String(now() + 60) },
    { exp: now() - 1 },
    { exp: now() + 3700 },
    { iat: now() + 120 },
    { nbf: now() + 120 },
  ]) {
    await database.query('delete from attempts');
    const assertion = await sign(keys.RS256, token, { client_id, claims });
    assert.equal(await authenticates(assertion), false, JSON.stringify(claims));
  }
  const fraction = await sign(keys.RS256, token, { client_id, claims: { exp: now() + 60.5 } });
  assert.equal(await authenticates(fraction), true);
});

const pkcs1 = (key: KeyObject) => (input: string) => signBytes('sha256', Buffer.from(input), key);
function weak(modulusLength: number, publicExponent = 65_537) {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength, publicExponent });
  return { jwk: publicKey.export({ format: 'jwk' }), signer: pkcs1(privateKey) };
}

/** DigestInfo of SHA-256 [8017 §9.2], without its parameters, and of SHA-1. */
const infos = {
  sha256: '3031300d060960864801650304020105000420',
  bare: '302f300b0609608648016503040201' + '0420',
  sha1: '3021300906052b0e03021a05000414',
};

/** The message before the private exponent is applied [8017 §9.2], to 2048 bits; `junk` stands behind the hash in place of padding. */
function encodePkcs1(
  input: string,
  { info = infos.sha256, junk = 0, type = 1, separator = 0, hash = 'sha256' } = {},
): Buffer {
  const digest = createHash(hash).update(input).digest();
  const end = Buffer.concat([Buffer.from([separator]), Buffer.from(info, 'hex'), digest, Buffer.alloc(junk, 7)]);
  return Buffer.concat([Buffer.from([0, type]), Buffer.alloc(256 - 2 - end.length, 0xff), end]);
}

/** Signs such a message, whatever stands in it. */
const signRaw = (changes: Parameters<typeof encodePkcs1>[1]) => (input: string) =>
  privateEncrypt({ key: rsa.privateKey, padding: constants.RSA_NO_PADDING }, encodePkcs1(input, changes));

const right = pkcs1(rsa.privateKey);
test('a signature by RS256 has the padding and the length of PKCS #1, to the byte [8017 §8.2.2] [A543]', async () => {
  const client_id = await registersItself();
  const payload = { iss: client_id, sub: client_id, aud: token, exp: now() + 60 };
  const sent = async (jti: string, signer: (input: string) => Buffer, alg = 'RS256') => {
    await database.query('delete from attempts');
    return authenticates(forge({ alg, kid: 'rsa' }, { ...payload, jti }, signer));
  };
  assert.equal(await sent('right', right), true);
  assert.equal(await sent('the same by hand', signRaw({})), true);
  for (const [what, signer, alg] of [
    ['junk behind the hash', signRaw({ junk: 150 })],
    ['no parameters', signRaw({ info: infos.bare })],
    ['SHA-1', signRaw({ info: infos.sha1, hash: 'sha1' })],
    ['the hash alone', signRaw({ info: '' })],
    ['the padding of encryption', signRaw({ type: 2 })],
    ['another separator', signRaw({ separator: 1 })],
    [
      'PSS',
      (input: string) => signBytes('sha256', Buffer.from(input), { key: rsa.privateKey, padding: 6, saltLength: 32 }),
    ],
    ['a byte more', (input: string) => Buffer.concat([right(input), Buffer.from([0])])],
    ['a zero before it', (input: string) => Buffer.concat([Buffer.from([0]), right(input)])],
    ['a byte less', (input: string) => right(input).subarray(0, -1)],
    ['nothing but zeros', () => Buffer.alloc(256)],
    ['RS384', (input: string) => signBytes('sha384', Buffer.from(input), rsa.privateKey), 'RS384'],
    ['RS512', (input: string) => signBytes('sha512', Buffer.from(input), rsa.privateKey), 'RS512'],
    ['RS1', (input: string) => signBytes('sha1', Buffer.from(input), rsa.privateKey), 'RS1'],
    ['another name of RS256', right, 'rs256'],
  ] as const) {
    assert.equal(await sent(what, signer, alg), false, what);
  }
  // a signature is a number: without a leading zero it is a byte shorter
  for (let count = 0; ; count += 1) {
    const claims = { ...payload, jti: `short ${count}` };
    let signature = Buffer.alloc(0);
    const text = forge({ alg: 'RS256', kid: 'rsa' }, claims, (input) => {
      signature = right(input);
      return signature.subarray(1);
    });
    if (signature[0] !== 0) continue;
    assert.equal(await authenticates(text), false);
    break;
  }
});

test('RS256 needs a key of 2048 to 4096 bits with a good exponent, wherever the key comes from [8725 §3.5] [A543]', async () => {
  const client_id = await registersItself();
  const bad: Record<string, { jwk: object; signer: (input: string) => Buffer }> = {
    'a key of 1024 bits': weak(1024),
    'a key of 2047 bits': weak(2047),
    'an exponent of 3': weak(2048, 3),
    ...Object.fromEntries(
      Object.entries(badKeys).flatMap(([name, { jwk }]) =>
        jwk['kty'] === 'RSA' && jwk['alg'] === undefined ? [[name, { jwk, signer: pkcs1(rsa.privateKey) }]] : [],
      ),
    ),
    'a key with the exponent 1': { jwk: { ...rsa.jwk, e: 'AQ' }, signer: (input) => encodePkcs1(input) },
  };
  for (const [name, { jwk, signer }] of Object.entries(bad)) {
    await database.query('delete from attempts');
    const set = JSON.stringify({ keys: [jwk] });
    await database.query('update clients set jwks = $2 where client_id = $1', [client_id, set]);
    const payload = { iss: client_id, sub: client_id, aud: token, jti: name, exp: now() + 60 };
    assert.equal(await authenticates(forge({ alg: 'RS256' }, payload, signer)), false, name);
    const { status, body } = await register(origin, { ...stated, ...rs256, jwks: { keys: [jwk] } });
    assert.match(String(body['error_description']), /^jwks/, name);
    assert.equal(status, 400);
  }
  const sound = weak(3072);
  await database.query('update clients set jwks = $2 where client_id = $1', [
    client_id,
    JSON.stringify({ keys: [sound.jwk] }),
  ]);
  const payload = { iss: client_id, sub: client_id, aud: token, jti: 'good', exp: now() + 60 };
  assert.equal(await authenticates(forge({ alg: 'RS256' }, payload, sound.signer)), true);
});
