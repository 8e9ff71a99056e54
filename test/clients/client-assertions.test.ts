import assert from 'node:assert/strict';
import crypto, { createHmac, createPublicKey, sign as signBytes } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { createClientKey, now, registerKeyClient, sign, withAssertion } from '../support/client-assertion.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import { changed, es256, forge } from '../support/jwt.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

const one = await startLatchkey();
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
const { origin, database } = one;
await registerPeople(database);
await registerPrinter(database);
const key = createClientKey('key');
const rsa = createClientKey('rsa', 'PS256');
const strangers = createClientKey('key');
await registerKeyClient(database, { keys: [key, rsa] });
await registerKeyClient(database, { client_id: 'other', keys: [strangers] });
const browser = await signedInBrowser(origin);
const noHeader = { authorization: '' };

const bankCode = (client_id = 'bank') => obtainCode(browser, { client_id });

/** At first the code is refused with the assertion, then exchanged with a good one: only the assertion was the fault. */
async function assertRefused(assertion: string | Record<string, string>, expected = [401, 'invalid_client']) {
  await database.query('delete from attempts');
  const code = await bankCode();
  const proof = typeof assertion === 'string' ? withAssertion(assertion) : assertion;
  const started = process.cpuUsage();
  const { status, body } = await redeem(origin, code, proof, noHeader);
  // of this process, which includes the server, in microseconds; how busy the machine is does not count
  const { user: work } = process.cpuUsage(started);
  assert.deepEqual([status, body['error']], expected, JSON.stringify(body));
  assert.equal((await redeem(origin, code, withAssertion(await sign(key, origin)), noHeader)).status, 200);
  return { body, work };
}

const publicPem = createPublicKey(key.privateKey).export({ type: 'spki', format: 'pem' }).toString();
const hmac = (secret: string | Buffer) => (input: string) => createHmac('sha256', secret).update(input).digest();
const rs256 = (input: string) => signBytes('sha256', Buffer.from(input), rsa.privateKey);
const ecSigner = es256({ kid: 'key', private_key: key.privateKey } as Parameters<typeof es256>[0]);

for (const [what, header, signer] of [
  ['none', { alg: 'none' }, () => ''],
  ['None', { alg: 'None' }, () => ''],
  ['missing', { alg: undefined }, ecSigner],
  ['an array', { alg: ['ES256'] }, ecSigner],
  ['HS256 with the public key as JWK', { alg: 'HS256' }, hmac(JSON.stringify(key.jwk))],
  ['HS256 with the public key as PEM', { alg: 'HS256' }, hmac(publicPem)],
  ['HS256 with the public key as PEM without a line feed', { alg: 'HS256' }, hmac(publicPem.trimEnd())],
  [
    'HS256 with the public key as DER',
    { alg: 'HS256' },
    hmac(createPublicKey(key.privateKey).export({ type: 'spki', format: 'der' })),
  ],
  ['RS256', { alg: 'RS256', kid: 'rsa' }, rs256],
  ['ES384', { alg: 'ES384' }, ecSigner],
] as const) {
  test(`refuses an assertion whose algorithm is ${what} [A377] [FAPI2 5.4.1-1]`, async () => {
    const jwt = await sign(key, origin);
    await assertRefused(forge(...changed(jwt, header, {}), signer));
  });
}

for (const [what, changes, expected = [401, 'invalid_client']] of [
  ['sub names another client', { claims: { sub: 'other' } }],
  ['iss names another client', { claims: { iss: 'other' } }],
  ['there is no sub', { claims: { sub: undefined } }],
  ['there is neither iss nor sub', { claims: { iss: undefined, sub: undefined } }],
  ['iss and sub are lists', { claims: { iss: ['bank'], sub: ['bank'] } }],
  ['iss and sub are numbers', { claims: { iss: 1, sub: 1 } }],
  ['both name a client with a secret', { claims: { iss: printer.client_id, sub: printer.client_id } }],
  ['both name a client that cannot exist', { claims: { iss: 'a\0', sub: 'a\0' } }],
] as const) {
  test(`refuses an assertion in which ${what} [A379]`, async () => {
    await assertRefused(await sign(key, origin, changes), [...expected]);
  });
}

test('refuses an assertion beside the client_id of another client, or beside a secret [A379]', async () => {
  const invalid = [400, 'invalid_request'];
  await assertRefused({ ...withAssertion(await sign(key, origin)), client_id: 'other' }, invalid);
  await assertRefused({ ...withAssertion(await sign(key, origin)), client_secret: printer.client_secret }, invalid);
  const code = await bankCode();
  const proof = withAssertion(await sign(key, origin));
  const { status } = await redeem(origin, code, proof, { authorization: basic('bank', 'x') });
  assert.equal(status, 400);
  assert.equal((await redeem(origin, code, proof, noHeader)).status, 200);
});

test('an assertion is of no use with the code of another client, which stays usable with its tokens [A379]', async () => {
  const others = async () => withAssertion(await sign(strangers, origin, { client_id: 'other' }));
  const { access_token } = (await redeem(origin, await bankCode('other'), await others(), noHeader)).body;
  const code = await bankCode('other');
  const refused = await redeem(origin, code, withAssertion(await sign(key, origin)), noHeader);
  assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_grant']);
  assert.equal((await getUser(origin, access_token)).status, 200);
  assert.equal((await redeem(origin, code, await others(), noHeader)).status, 200);
});

test('of fifty requests with one assertion at two instances exactly one is accepted [A380]', async () => {
  await database.query('delete from attempts');
  const codes = await Promise.all(Array.from({ length: 50 }, () => bankCode()));
  const proof = withAssertion(await sign(key, origin));
  const answers = await Promise.all(
    codes.map((code, index) => redeem(index % 2 ? origin : two.origin, code, proof, noHeader)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(
    [statuses.filter((status) => status === 200).length, statuses.filter((status) => status === 401).length],
    [1, 49],
  );
});

test('an assertion that was used at one endpoint is refused at all, also by an instance that starts later [A380]', async () => {
  const token = String(
    (await redeem(origin, await bankCode(), withAssertion(await sign(key, origin)), noHeader)).body['access_token'],
  );
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'bank' })));
  const uses = (at: string): [string, Record<string, string>][] => [
    [`${at}/par`, request],
    [`${at}/introspect`, { token }],
    [`${at}/revoke`, { token: 'x' }],
    [`${at}/token`, { grant_type: 'refresh_token', refresh_token: 'x' }],
    [`${at}/login/oauth/access_token`, { grant_type: 'refresh_token', refresh_token: 'x' }],
  ];
  const later = await startLatchkey({ ISSUER: origin }, one.url);
  for (const [first, parameters] of uses(origin)) {
    const proof = withAssertion(await sign(key, origin));
    assert.notEqual((await post(first, { ...parameters, ...proof }, noHeader)).status, 401, first);
    for (const [second, again] of [...uses(origin), ...uses(later.origin)]) {
      const { status, body } = await post(second, { ...again, ...proof }, { ...noHeader, accept: 'application/json' });
      assert.deepEqual([status, body['error']], [401, 'invalid_client'], `${first} ${second}`);
    }
    await database.query('delete from attempts');
  }
});

test('two clients may use the same jti [A380]', async () => {
  const claims = { jti: 'the-same' };
  for (const [client_id, signer] of [
    ['bank', key],
    ['other', strangers],
  ] as const) {
    const proof = withAssertion(await sign(signer, origin, { client_id, claims }));
    assert.equal((await redeem(origin, await bankCode(client_id), proof, noHeader)).status, 200);
  }
});

test('an assertion is remembered for longer than it is valid [A380] [A382]', async () => {
  const exp = now() + 600.5;
  const proof = withAssertion(await sign(key, origin, { claims: { exp } }));
  await database.query('delete from used_proofs');
  assert.equal((await redeem(origin, await bankCode(), proof, noHeader)).status, 200);
  const { rows } = await database.query('select extract(epoch from expires_at)::float8 as expires_at from used_proofs');
  assert.ok(rows.length === 1 && rows[0].expires_at > exp);
});

for (const claims of [
  { iat: 8, nbf: 8 },
  { iat: 10, nbf: 10 },
  { exp: 3600 },
  { iat: -2 * 86_400 },
  { iat: undefined },
]) {
  test(`accepts an assertion with ${JSON.stringify(claims)} seconds from now [A382]`, async () => {
    const times = Object.fromEntries(
      Object.entries(claims).map(([name, seconds]) => [name, seconds === undefined ? undefined : now() + seconds]),
    );
    const proof = withAssertion(await sign(key, origin, { claims: times }));
    assert.equal((await redeem(origin, await bankCode(), proof, noHeader)).status, 200);
  });
}

for (const [what, claims] of [
  ['iat and nbf 62 seconds ahead', () => ({ iat: now() + 62, nbf: now() + 62 })],
  ['nbf 62 seconds ahead', () => ({ nbf: now() + 62 })],
  ['iat 62 seconds ahead', () => ({ iat: now() + 62 })],
  ['exp a second ago', () => ({ exp: now() - 1 })],
  ['exp in a day', () => ({ exp: now() + 86_400 })],
  ['a huge exp', () => ({ exp: 2 ** 53 })],
  ['an exp that is a text', () => ({ exp: String(now() + 60) })],
  ['an exp of null', () => ({ exp: null })],
  ['no exp', () => ({ exp: undefined })],
  ['an iat that is a text', () => ({ iat: String(now()) })],
  ['an nbf of null', () => ({ nbf: null })],
  ['no jti', () => ({ jti: undefined })],
  ['an empty jti', () => ({ jti: '' })],
  ['a jti that is a number', () => ({ jti: 7 })],
] as const) {
  test(`refuses an assertion with ${what} [A382]`, async () => {
    await assertRefused(await sign(key, origin, { claims: claims() }));
  });
}

for (const [what, claims] of [
  ['an hour ahead', () => ({ iat: now() + 3600, nbf: now() + 3600, exp: now() + 3660 })],
  ['an hour behind', () => ({ iat: now() - 3600, nbf: now() - 3600, exp: now() - 3540 })],
  ['of a client that issues for a day', () => ({ exp: now() + 86_400 })],
] as const) {
  test(`the refusal of an assertion by a clock ${what} names the clocks, to whoever has the key of the client alone [A382] [A391]`, async () => {
    const told = (body: Record<string, unknown>) => String(body['error_description']);
    const { body } = await assertRefused(await sign(key, origin, { claims: claims() }));
    assert.match(told(body), /compare the clock of the client with those of this server and of its database/);
    const stranger = await assertRefused(await sign(strangers, origin, { claims: claims() }));
    assert.match(told(stranger.body), /^the client is unknown, or its credentials are missing or wrong$/);
  });
}

test('refuses an assertion whose exp is infinite, as JSON can write it [A382]', async () => {
  const [header, payload] = changed(await sign(key, origin), {}, {});
  await assertRefused(forge(header, JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e309'), ecSigner));
});

for (const [what, aud] of [
  ['another server', 'https://other.example'],
  ['this server and another one', [origin, 'https://other.example']],
  ['nobody', []],
  ['nothing', undefined],
  ['the issuer with a slash', `${origin}/`],
  ['an address that takes no assertions', `${origin}/user`],
] as const) {
  test(`refuses an assertion that is meant for ${what} [7523 §3]`, async () => {
    await assertRefused(await sign(key, origin, { claims: { aud } }));
  });
}

test('a client of the profile fapi2 names the issuer as the audience, as a string [FAPI2 5.3.2.1-8]', async () => {
  await registerKeyClient(database, { client_id: 'strict', keys: [key], profile: 'fapi2' });
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id: 'strict' })));
  const push = async (aud: unknown) => {
    const proof = withAssertion(await sign(key, origin, { client_id: 'strict', claims: { aud } }));
    return (await post(`${origin}/par`, { ...request, ...proof }, noHeader)).status;
  };
  assert.equal(await push(origin), 201);
  for (const aud of [[origin], `${origin}/token`, `${origin}/par`, [origin, `${origin}/par`]]) {
    assert.equal(await push(aud), 401, JSON.stringify(aud));
  }
});

test('chooses the key by its name among the keys of the client, without a name by the algorithm [A383]', async () => {
  await registerKeyClient(database, { client_id: 'two', keys: [createClientKey('b'), key] });
  for (const [client_id, signer, header, expected] of [
    ['bank', key, {}, 200],
    ['bank', key, { kid: undefined }, 200],
    ['bank', rsa, { kid: undefined }, 200],
    ['two', key, {}, 200],
    // one of two keys for ES256: to try them all would cost the more the more there are
    ['two', key, { kid: undefined }, 401],
    ['bank', strangers, {}, 401],
    ['bank', key, { kid: 'rsa' }, 401],
    ['bank', key, { kid: '' }, 401],
    ['bank', key, { kid: '__proto__' }, 401],
    ['bank', key, { kid: '../key' }, 401],
    ['bank', key, { kid: 7 as unknown as string }, 401],
    ['bank', key, { kid: null as unknown as string }, 401],
  ] as const) {
    const code = await bankCode(client_id);
    const { kid, ...others } = { kid: signer.jwk.kid as string | undefined, ...header };
    const named = { ...others, ...(kid !== undefined && { kid }) };
    const [plain, payload] = changed(await sign(signer, origin, { client_id }), {}, {});
    const { alg } = plain as { alg: string };
    const bytes = (input: string) =>
      alg === 'PS256'
        ? signBytes('sha256', Buffer.from(input), { key: signer.privateKey, padding: 6, saltLength: 32 })
        : es256({ kid: '', private_key: signer.privateKey } as Parameters<typeof es256>[0])(input);
    const { status } = await redeem(origin, code, withAssertion(forge({ alg, ...named }, payload, bytes)), noHeader);
    assert.equal(status, expected, JSON.stringify([client_id, header]));
  }
});

test('uses no key that an assertion brings along, and fetches none [A388]', async () => {
  const stranger = createClientKey('key');
  for (const [signer, header] of [
    [stranger, { jwk: stranger.jwk }],
    [stranger, { jku: `${origin}/jwks`, x5u: `${origin}/jwks` }],
    [stranger, { x5c: ['AAAA'] }],
    [key, { crit: ['x'], x: 1 }],
    [key, { crit: ['b64'], b64: false }],
    [key, { zip: 'DEF', crit: ['zip'] }],
    [key, { typ: 'dpop+jwt' }],
  ] as const) {
    const signerOf = es256({ kid: '', private_key: signer.privateKey } as Parameters<typeof es256>[0]);
    await assertRefused(forge(...changed(await sign(key, origin), header, {}), signerOf));
  }
});

const long = (name: string) => ({ [name]: 'x'.repeat(9000) });
const good = await sign(key, origin);
const [head = '', body = '', signature = ''] = good.split('.');
for (const [what, text, expected = [401, 'invalid_client']] of [
  ['8 KB of dots', '.'.repeat(8000)],
  ['15 KB of dots', '.'.repeat(15_000), [400, 'invalid_request']],
  ['a long header', forge({ alg: 'ES256', ...long('kid') }, {}, () => 'x'), [400, 'invalid_request']],
  ['a long payload', forge({ alg: 'ES256' }, long('iss'), () => 'x'), [400, 'invalid_request']],
  [
    'claims nested as deep as fits',
    forge({ alg: 'ES256' }, `{"iss":${'['.repeat(2900)}${']'.repeat(2900)}}`, () => 'x'),
  ],
  ['a thousand claims of one name', forge({ alg: 'ES256' }, `{${'"a":1,'.repeat(900)}"a":1}`, () => 'x')],
  ['padding', `${head}=.${body}.${signature}`],
  ['a line feed', `${head}\n.${body}.${signature}`],
  ['the five parts of an encrypted JWT', `${good}.x.y`],
  ['the JSON form of a signature', JSON.stringify({ protected: head, payload: body, signature })],
  ['an empty signature', `${head}.${body}.`],
] as const) {
  test(`refuses an assertion with ${what}, at once [A389]`, async () => {
    const { work } = await assertRefused(text, [...expected]);
    assert.ok(work < 1_000_000, `${work} microseconds`);
  });
}

test('of two claims of one name the last counts, for the client as for the audience [A389]', async () => {
  const [header, payload] = changed(await sign(key, origin), {}, {});
  const twice = (name: string, value: string) => JSON.stringify(payload).replace('{', `{"${name}":"${value}",`);
  const code = await bankCode();
  const proof = withAssertion(forge(header, twice('aud', 'https://other.example'), ecSigner));
  assert.equal((await redeem(origin, code, proof, noHeader)).status, 200);
  const swapped = JSON.stringify(payload).replace(/}$/, ',"aud":"https://other.example"}');
  await assertRefused(forge(header, swapped, ecSigner));
});

test('refuses another client_assertion_type, and none [7521 §4.2]', async () => {
  const [client_assertion, again] = [await sign(key, origin), await sign(key, origin)];
  await assertRefused({
    client_assertion,
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
  });
  await assertRefused({ client_assertion: again });
  await assertRefused({ client_id: 'bank', client_assertion_type: withAssertion('').client_assertion_type });
});

test('an unknown client, one with a secret, a disabled one, an unknown key and a bad signature get the same answer [A391]', async () => {
  await registerKeyClient(database, { client_id: 'disabled', keys: [key] });
  await database.query(`update clients set disabled_at = now() where client_id = 'disabled'`);
  const ask = async (client_id: string, signer = key, header = {}) => {
    const proof = withAssertion(await sign(signer, origin, { client_id, header }));
    return refresh(origin, 'x', proof, noHeader);
  };
  const spent = withAssertion(await sign(key, origin));
  await refresh(origin, 'x', spent, noHeader);
  const answers = [
    await ask('nobody'),
    await ask(printer.client_id),
    await ask('disabled'),
    await ask('bank', key, { kid: 'unknown' }),
    await ask('bank', strangers),
    await refresh(origin, 'x', spent, noHeader),
  ];
  const visible = answers.map(({ status, body: { request_id, ...rest }, headers }) => {
    const names = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
    return { status, rest, names };
  });
  for (const answer of visible) assert.deepEqual(answer, visible[0]);
  assert.equal(visible[0]?.status, 401);
});

test('a signature is verified for an unknown client, too, so the time does not tell which clients exist [A391]', async (t) => {
  const verify = t.mock.method(crypto, 'verify');
  syncBuiltinESMExports();
  t.after(() => {
    verify.mock.restore();
    syncBuiltinESMExports();
  });
  for (const [client_id, signer, header] of [
    ['nobody', key, {}],
    ['nobody', rsa, {}],
    [printer.client_id, key, {}],
    ['bank', key, { kid: 'unknown' }],
    ['bank', strangers, {}],
  ] as const) {
    const assertion = await sign(signer, origin, { client_id, header });
    verify.mock.resetCalls();
    assert.equal((await refresh(origin, 'x', withAssertion(assertion), noHeader)).status, 401);
    assert.equal(verify.mock.callCount(), 1, `${client_id} ${JSON.stringify(header)}`);
  }
});
