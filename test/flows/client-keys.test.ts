import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dumpDatabase } from '../support/attack.ts';
import {
  type ClientKey,
  createClientKey,
  now,
  registerKeyClient,
  sign,
  withAssertion,
} from '../support/client-assertion.ts';
import { startInternet } from '../support/client-documents.ts';
import { refresh } from '../support/flow.ts';
import { enterNetwork, publicAddress } from '../support/network.ts';
import { startServing } from '../support/process.ts';

const skip = await enterNetwork(import.meta.url);
const { latchkey, site, nameServer } = skip
  ? ({} as Partial<Awaited<ReturnType<typeof startInternet>>>)
  : await startInternet();
const seconds = 1000;
const minutes = 60 * seconds;
mock.timers.enable({ apis: ['Date'], now: Date.now() });
const later = (ms: number) => mock.timers.tick(ms);

const json = { 'content-type': 'application/json' };
const setOf = (...keys: ClientKey[]) => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
const answering =
  (body: string | Buffer, headers: Record<string, string> = json): RequestListener =>
  (_req, res) =>
    res.writeHead(200, headers).end(body);

/** A client whose keys are at an address of its own, so that no test finds what another one has fetched. */
async function startClient(...keys: ClientKey[]) {
  assert.ok(latchkey && site);
  const { origin, database } = latchkey;
  const client_id = `client-${randomUUID()}`;
  const path = `/${client_id}/jwks`;
  await registerKeyClient(database, { client_id, jwks_uri: `https://client.example${path}` });
  await database.query('delete from attempts');
  const client = {
    answer: answering(setOf(...keys)),
    fetches: () => site.requests.filter((request) => request.endsWith(path)).length,
    /** whether an assertion by this key authenticates the client: then only the refresh token is unknown */
    async accepts(key: ClientKey, header = {}, instance = origin) {
      // another process has the real time
      const iat = instance === origin ? now() : Math.floor((performance.timeOrigin + performance.now()) / 1000);
      const claims = { iat, exp: iat + 60 };
      const proof = withAssertion(await sign(key, origin, { client_id, header, claims }));
      const { status, body } = await refresh(instance, 'x', proof, { authorization: '' });
      assert.ok(['invalid_grant', 'invalid_client'].includes(String(body['error'])), JSON.stringify(body));
      return status === 400;
    },
  };
  const { answer } = site;
  site.answer = (req, res) => (req.url === path ? client.answer(req, res) : answer(req, res));
  return client;
}

test('the keys at a jwks_uri are fetched when they are needed, once for all requests', { skip }, async () => {
  const key = createClientKey('1');
  const client = await startClient(key);
  assert.equal(client.fetches(), 0, 'not at the registration');
  const accepted = await Promise.all(Array.from({ length: 20 }, () => client.accepts(key)));
  assert.deepEqual([accepted.every(Boolean), client.fetches()], [true, 1]);
});

test('a key that a client adds is accepted at once or after the pause, one that it removes is refused ten minutes later [A386]', {
  skip,
}, async () => {
  const [first, second] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(first);
  assert.equal(await client.accepts(first), true);
  client.answer = answering(setOf(first, second));
  assert.deepEqual([await client.accepts(second), client.fetches()], [false, 1]);
  later(31 * seconds);
  assert.deepEqual([await client.accepts(second), client.fetches()], [true, 2]);
  client.answer = answering(setOf(second));
  later(11 * minutes);
  assert.deepEqual([await client.accepts(first), await client.accepts(second)], [false, true]);
});

test('each instance knows the keys of a client by itself: one that starts later sees a change at once, the other after its pause', {
  skip,
}, async () => {
  assert.ok(latchkey);
  const [old, recent] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(old);
  assert.equal(await client.accepts(old), true);
  client.answer = answering(setOf(recent));
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const second = await startServing({ DATABASE_URL: latchkey.url, ISSUER: latchkey.origin, NODE_EXTRA_CA_CERTS });
  assert.equal(await client.accepts(recent, {}, second.origin), true);
  assert.equal(await client.accepts(old, {}, second.origin), false);
  later(31 * seconds);
  assert.equal(await client.accepts(recent), true);
  assert.equal(await client.accepts(old), false);
  assert.equal(client.fetches(), 3);
  await second.kill();
});

test('after five minutes the keys are fetched again, and no request waits for that [A385]', { skip }, async () => {
  const [first, second] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(first);
  assert.equal(await client.accepts(first), true);
  let release: () => void = () => {};
  client.answer = (_req, res) => (release = () => res.writeHead(200, json).end(setOf(second)));
  later(6 * minutes);
  for (let request = 0; request < 5; request += 1) assert.equal(await client.accepts(first), true);
  while (client.fetches() < 2) await pause(5);
  release();
  assert.equal(await client.accepts(second), true);
  assert.deepEqual([await client.accepts(first), client.fetches()], [false, 2]);
});

const endless: RequestListener = (_req, res) => {
  res.writeHead(200, json);
  const timer = setInterval(() => res.write(' '.repeat(10_000)), 1);
  res.on('close', () => clearInterval(timer));
};
const { privateKey, jwk } = createClientKey('1');
const one = createClientKey('one');

for (const [what, answer] of [
  ['status 500', (_req, res) => res.writeHead(500, json).end(setOf(one))],
  ['a redirect', (_req, res) => res.writeHead(302, { location: '/other' }).end()],
  ['no key', answering('{"keys":[]}')],
  ['a page', answering('<html>', { 'content-type': 'text/html' })],
  ['keys as a page', answering(setOf(one), { 'content-type': 'text/html' })],
  ['no JSON', answering('{')],
  ['null', answering('null')],
  ['a list', answering(`[${JSON.stringify(jwk)}]`)],
  ['keys that are no objects', answering('{"keys":[null,7,"x"]}')],
  ['2 MB', answering(`{"keys":[],"x":"${'x'.repeat(2 ** 21)}"}`)],
  ['an endless set', endless],
  ['a compressed set', answering(gzipSync(setOf(one)), { ...json, 'content-encoding': 'gzip' })],
  ['eleven keys', answering(setOf(...Array.from({ length: 11 }, (_, index) => createClientKey(String(index)))))],
  ['ten thousand keys', answering(JSON.stringify({ keys: Array.from({ length: 10_000 }, () => jwk) }))],
  ['a symmetric key', answering(JSON.stringify({ keys: [one.jwk, { kty: 'oct', k: 'c2VjcmV0LXZhbHVl' }] }))],
  ['a private key', answering(JSON.stringify({ keys: [one.jwk, privateKey.export({ format: 'jwk' })] }))],
] as [string, RequestListener][]) {
  test(`a site that answers ${what} in place of its keys changes nothing for an hour [A386]`, { skip }, async () => {
    const key = createClientKey('key');
    const client = await startClient(key);
    assert.equal(await client.accepts(key), true);
    const { answer: good } = client;
    client.answer = answer;
    later(59 * minutes);
    assert.deepEqual([await client.accepts(key), client.fetches()], [true, 2]);
    assert.equal(await client.accepts(one), false);
    later(2 * minutes);
    assert.equal(await client.accepts(key), false, 'after an hour');
    client.answer = good;
    later(31 * seconds);
    assert.equal(await client.accepts(key), true, 'as soon as the site is well again');
    assert.ok(latchkey);
    const kept = `${latchkey.logged.join('')}${await dumpDatabase(latchkey.database)}`;
    assert.doesNotMatch(kept, new RegExp(`c2VjcmV0LXZhbHVl|${privateKey.export({ format: 'jwk' }).d}`));
  });
}

test('a site that is gone, and one without a valid certificate, change nothing for an hour [A386]', {
  skip,
}, async () => {
  assert.ok(nameServer);
  const key = createClientKey('key');
  const client = await startClient(key);
  assert.equal(await client.accepts(key), true);
  for (const records of [[], ['127.0.0.1'], ['11.22.33.45']]) {
    nameServer.hosts.set('client.example', records);
    later(15 * minutes);
    assert.equal(await client.accepts(key), true, String(records));
  }
  nameServer.hosts.set('client.example', [publicAddress]);
  assert.deepEqual(client.fetches(), 1);
});

for (const [what, answer] of [
  ['with status 500', (_req, res) => res.writeHead(500).end()],
  ['without keys', answering('{"keys":[]}')],
] as [string, RequestListener][]) {
  test(`assertions with unknown keys cause one fetch in thirty seconds from a site that answers late and ${what}, and delay no other [A385]`, {
    skip,
  }, async () => {
    const key = createClientKey('key');
    const client = await startClient(key);
    assert.equal(await client.accepts(key), true);
    let [release, isGivenUp] = [() => {}, false];
    client.answer = (req, res) => {
      release = () => answer(req, res);
      res.on('close', () => (isGivenUp = true));
    };
    later(31 * seconds);
    const unknown = (index: number) => client.accepts(key, { kid: `unknown-${index}` });
    const first = unknown(0);
    while (client.fetches() < 2) await pause(5);
    for (let request = 0; request < 3; request += 1) assert.equal(await client.accepts(key), true);
    assert.ok(!isGivenUp, 'a known key does not wait for the fetch');
    const flood = Promise.all(Array.from({ length: 20 }, (_, index) => unknown(index)));
    release();
    assert.ok([await first, ...(await flood)].every((accepted) => !accepted));
    for (let more = 0; more < 50; more += 1) assert.equal(await client.accepts(key, { kid: `more-${more}` }), false);
    assert.equal(client.fetches(), 2);
  });
}

test('keys for other purposes beside those for signatures are left out', { skip }, async () => {
  const key = createClientKey('key');
  const others = [
    { ...createClientKey('enc').jwk, use: 'enc' },
    { kty: 'EC', crv: 'P-384', x: 'AA', y: 'AA', kid: 'large' },
    { kty: 'unknown' },
  ];
  const client = await startClient();
  client.answer = answering(JSON.stringify({ keys: [...others, { ...key.jwk, x5c: ['x'.repeat(9000)] }] }));
  assert.equal(await client.accepts(key), true);
  client.answer = answering(JSON.stringify({ keys: [{ ...key.jwk, use: 'enc' }, createClientKey('other').jwk] }));
  later(11 * minutes);
  assert.equal(await client.accepts(key), false);
});

test('nothing is fetched for a client that does not exist, is disabled, or has no key [A391]', { skip }, async () => {
  assert.ok(latchkey && site);
  const client = await startClient(one);
  await latchkey.database.query('update clients set disabled_at = now()');
  assert.equal(await client.accepts(one), false);
  await latchkey.database.query(
    "update clients set disabled_at = null, token_endpoint_auth_method = 'self_signed_tls_client_auth'",
  );
  assert.equal(await client.accepts(one), false);
  assert.equal(client.fetches(), 0);
});
