import assert from 'node:assert/strict';
import { request } from 'node:http';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { calculateJwkThumbprint, createLocalJWKSet, createRemoteJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { rotateKeyIfDue, sign } from '../../../src/oauth/token/signing-keys.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { startSweeping } from '../../../src/operations/sweeping.ts';
import { dumpDatabase, eventsOf } from '../../support/attack.ts';
import { assertRefused, commandLineFor } from '../../support/command-line.ts';
import { startLatchkey } from '../../support/latchkey.ts';

const { origin, deps, database, url } = await startLatchkey();
const secret = deps.sessionSecrets[0] ?? '';
const { latchkey } = commandLineFor(url);
const rotate = (SESSION_SECRET = secret) => latchkey(['keys', 'rotate', '--json'], { env: { SESSION_SECRET } });
const trace = { request_id: 'a-test', address: null };

/** An instance with these secrets that has just started, so that it has cached nothing. */
async function freshDeps(sessionSecrets = deps.sessionSecrets) {
  return { ...(await startLatchkey({ ISSUER: origin }, url)).deps, sessionSecrets };
}

async function signed(by = deps): Promise<{ jwt: string; kid: string }> {
  const jwt = await sign(by, { sub: '1' }, 'test+jwt', trace);
  const { kid } = JSON.parse(Buffer.from(jwt.split('.')[0] ?? '', 'base64url').toString());
  return { jwt, kid };
}

async function published(): Promise<{ kids: string[]; keys: Record<string, string>[]; headers: Headers }> {
  const response = await fetch(`${origin}/jwks`);
  assert.equal(response.status, 200);
  const { keys } = (await response.json()) as { keys: Record<string, string>[] };
  return { kids: keys.map(({ kid = '' }) => kid), keys, headers: response.headers };
}

/** As if all that has happened to the keys so far was so long ago. */
const age = (interval: string) =>
  database.query(
    `update signing_keys set published_at = published_at - $1::interval, signs_from = signs_from - $1::interval`,
    [interval],
  );

beforeEach(() => database.query('delete from signing_keys'));

test('no key is made before the first signature: until then /jwks is an empty set that nobody may cache [A362]', async () => {
  const { kids, headers } = await published();
  assert.deepEqual([kids, headers.get('cache-control')], [[], 'no-store']);
  assert.match((await latchkey(['keys', 'list'])).out, /^There are no signing keys yet/);
  assert.match((await signed(await freshDeps())).kid, /^[\w-]{43}$/);
  assert.equal((await published()).kids.length, 1);
});

test('/jwks has the public members of each key and no other; the id is its thumbprint, and the private part is stored encrypted [7638] [A311] [A362]', async () => {
  const { jwt, kid } = await signed(await freshDeps());
  const { keys } = await published();
  assert.equal(keys.length, 1);
  const { alg, use, ...key } = keys[0] ?? {};
  assert.deepEqual([Object.keys(key).sort(), alg, use], [['crv', 'kid', 'kty', 'x', 'y'], 'ES256', 'sig']);
  assert.deepEqual([key['kid'], await calculateJwkThumbprint(key)], [kid, kid]);
  // an independent implementation, with nothing but the address
  const { payload } = await jwtVerify(jwt, createRemoteJWKSet(new URL(`${origin}/jwks`)), { typ: 'test+jwt' });
  assert.equal(payload.sub, '1');
  const dump = await dumpDatabase(database);
  // the beginning of every unencrypted private key of this kind
  assert.ok(dump.includes(kid) && !dump.includes('308187020100301306072a8648ce3d0201'));
  await assert.rejects(
    database.query(`update signing_keys set public_jwk = public_jwk || '{"d": "x"}'`),
    /signing_keys_publish_no_secret/,
  );
});

test('/jwks answers HEAD, OPTIONS, any query and any Host, to pages of any origin [A362]', async () => {
  await signed(await freshDeps());
  const head = await fetch(`${origin}/jwks`, { method: 'HEAD' });
  assert.deepEqual([head.status, head.headers.get('cache-control')], [200, 'public, max-age=300']);
  assert.equal((await fetch(`${origin}/jwks?x=1&x=2`)).status, 200);
  const preflight = await fetch(`${origin}/jwks`, { method: 'OPTIONS', headers: { origin: 'https://any.example' } });
  assert.deepEqual([preflight.status, preflight.headers.get('access-control-allow-origin')], [204, '*']);
  assert.equal((await published()).headers.get('access-control-allow-origin'), '*');
  const status = await new Promise((resolve) => {
    request(`${origin}/jwks`, { headers: { host: 'other.example' } }, (res) => resolve(res.resume().statusCode)).end();
  });
  assert.equal(status, 200);
  for (const suffix of ['', '/login/oauth']) {
    const metadata = await (await fetch(`${origin}/.well-known/oauth-authorization-server${suffix}`)).json();
    assert.equal(metadata['jwks_uri'], `${origin}/jwks`);
  }
});

test('instances that sign for the first time at the same moment make one key, which the audit trail records', async () => {
  const before = (await eventsOf(database, 'signing_key_added')).length;
  const instances = await Promise.all(Array.from({ length: 5 }, () => startLatchkey({ ISSUER: origin }, url)));
  const kids = new Set((await Promise.all(instances.map((one) => signed(one.deps)))).map(({ kid }) => kid));
  assert.equal(kids.size, 1);
  assert.deepEqual((await published()).kids, [...kids]);
  const events = await eventsOf(database, 'signing_key_added');
  assert.deepEqual(
    events.slice(before).map(({ detail, request_id }) => [detail, request_id]),
    [[[...kids][0], 'a-test']],
  );
  const lines = instances.flatMap(({ logged }) => logged).filter((line) => line.includes('signing_key_added'));
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).detail),
    [...kids],
  );
});

test('a new key is published for longer than anybody may cache /jwks before it signs, and the old one for a day after [A362]', async () => {
  const { kid: old } = await signed(await freshDeps());
  const added = JSON.parse((await rotate()).out);
  assert.equal(added.state, 'next');
  const { kids, headers } = await published();
  assert.deepEqual(kids, [added.kid, old]);
  const [, maxAge] = /max-age=(\d+)/.exec(headers.get('cache-control') ?? '') ?? [];
  assert.ok(Date.parse(added.signs_from) - Date.parse(added.published_at) >= 2 * Number(maxAge) * 1000);
  assert.equal((await signed(await freshDeps())).kid, old);

  await age('10 minutes');
  const { kid } = await signed(await freshDeps());
  assert.equal(kid, added.kid);
  const states = JSON.parse((await latchkey(['keys', 'list', '--json'])).out);
  assert.deepEqual(
    states.map((key: { kid: string; state: string }) => [key.kid, key.state]),
    [
      [kid, 'current'],
      [old, 'previous'],
    ],
  );
  await age('23 hours');
  await createSweep(database)();
  assert.deepEqual((await published()).kids, [kid, old]);
  await age('2 hours');
  await createSweep(database)();
  assert.deepEqual((await published()).kids, [kid]);
});

test('five quick rotations leave the key that signs, on an instance that started before them too [A362]', async () => {
  const before = await freshDeps();
  const { kid, jwt } = await signed(before);
  const copy = createLocalJWKSet((await (await fetch(`${origin}/jwks`)).json()) as JSONWebKeySet);
  for (let round = 0; round < 5; round += 1) assert.equal((await rotate()).code, 0);
  await createSweep(database)();
  const { kids } = await published();
  assert.equal(new Set(kids).size, 6);
  assert.equal((await signed(before)).kid, kid);
  const afterwards = await signed(await freshDeps());
  assert.equal(afterwards.kid, kid);
  await jwtVerify(afterwards.jwt, copy);
  await jwtVerify(jwt, createRemoteJWKSet(new URL(`${origin}/jwks`)));
  await age('1 hour');
  assert.equal((await signed(await freshDeps())).kid, kids[0]);
});

test('the clock of the database decides when a key signs, not that of an instance [A362]', async (t) => {
  const { kid } = await signed(await freshDeps());
  await rotate();
  const late = await freshDeps();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  const { kid: then } = await signed(late);
  t.mock.timers.reset();
  assert.equal(then, kid);
});

test('a key is replaced when it is ninety days old, and not before', async () => {
  await rotateKeyIfDue(deps, trace);
  assert.deepEqual((await published()).kids, [], 'no key, nothing to replace');
  const { kid } = await signed(await freshDeps());
  await age('89 days');
  await rotateKeyIfDue(deps, trace);
  assert.deepEqual((await published()).kids, [kid]);
  await age('2 days');
  await Promise.all([rotateKeyIfDue(deps, trace), rotateKeyIfDue(await freshDeps(), trace)]);
  assert.equal((await published()).kids.length, 2, 'two instances at once add one');
  assert.equal((await signed(await freshDeps())).kid, kid);
});

test('the server replaces an old key by itself, a minute after its start or an hour later', async (t) => {
  const instance = await freshDeps();
  await signed(instance);
  await age('91 days');
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  const sweeping = startSweeping(instance);
  t.mock.timers.tick(60_000);
  t.mock.timers.reset();
  sweeping.stop();
  for (let tries = 0; tries < 3000 && (await published()).kids.length < 2; tries += 1) await pause(10);
  assert.equal((await published()).kids.length, 2);
});

test('any secret of SESSION_SECRET decrypts a key, and a key that the first one does not decrypt is replaced in time', async () => {
  const { kid } = await signed(await freshDeps());
  const withNew = await freshDeps(['a-new-secret-a-new-secret-a-new-secret', secret]);
  assert.equal((await signed(withNew)).kid, kid);
  await rotateKeyIfDue(withNew, trace);
  await age('10 minutes');
  const withoutOld = await freshDeps(withNew.sessionSecrets.slice(0, 1));
  const [newest] = (await published()).kids;
  assert.notEqual(newest, kid);
  assert.equal((await signed(withoutOld)).kid, newest);
});

test('an instance that can decrypt no key makes one that signs at once, and the command refuses to add one that the server could not use', async () => {
  const { kid, jwt } = await signed(await freshDeps());
  const other = 'another-secret-another-secret-another';
  assertRefused(await rotate(other), 1, /SESSION_SECRET does not decrypt the newest signing key/);
  const { kid: second, jwt: next } = await signed(await freshDeps([other]));
  assert.deepEqual((await published()).kids, [second, kid]);
  const keys = createRemoteJWKSet(new URL(`${origin}/jwks`));
  for (const one of [jwt, next]) await jwtVerify(one, keys);
});

test('of keys whose private parts were exchanged in the database none signs, and what is signed then /jwks verifies [A311]', async () => {
  const [first, second] = [await signed(await freshDeps()), await rotate()];
  assert.equal(second.code, 0);
  await age('11 minutes');
  const { rows } = await database.query('select kid, sealed_private_key from signing_keys');
  const before = new Set(rows.map(({ kid }) => kid));
  assert.ok(before.size === 2 && before.has(first.kid));
  await database.query(
    `update signing_keys one set sealed_private_key = other.sealed_private_key
     from signing_keys other where other.kid <> one.kid`,
  );
  const { jwt, kid } = await signed(await freshDeps());
  assert.ok(!before.has(kid));
  const { keys } = await published();
  const { payload } = await jwtVerify(jwt, createLocalJWKSet({ keys } as unknown as JSONWebKeySet));
  assert.equal(payload.sub, '1');
});

test('a key whose public part or name was exchanged in the database does not sign [A311]', async () => {
  for (const change of [
    `update signing_keys set public_jwk = public_jwk || '{"x": "${'A'.repeat(43)}"}'`,
    "update signing_keys set kid = 'another'",
  ]) {
    await database.query('delete from signing_keys');
    const { kid } = await signed(await freshDeps());
    await database.query(change);
    const after = await signed(await freshDeps());
    assert.ok(after.kid !== kid && after.kid !== 'another', change);
    assert.ok((await published()).kids.includes(after.kid));
  }
});
