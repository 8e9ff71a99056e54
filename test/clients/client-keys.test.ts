import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { dumpDatabase } from '../support/attack.ts';
import { badKeys } from '../support/bad-keys.ts';
import {
  type ClientKey,
  createClientKey,
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
const minutes = 60;

/** All that was fetched is older by so many seconds. */
async function later(seconds: number): Promise<void> {
  await latchkey?.database.query(
    `update client_key_sets
     set fetched_at = fetched_at - make_interval(secs => $1), next_try_at = next_try_at - make_interval(secs => $1)`,
    [seconds],
  );
}

const json = { 'content-type': 'application/json' };
const setOf = (...keys: ClientKey[]) => JSON.stringify({ keys: keys.map(({ jwk }) => jwk) });
const answering =
  (body: string | Buffer, headers: Record<string, string> = json): RequestListener =>
  (_req, res) =>
    res.writeHead(200, headers).end(body);

/** A client whose keys are at an address of its own, so that no test finds what another one has fetched. */
const startClient = (...keys: ClientKey[]) => startClientAt('client.example', keys);

async function startClientAt(host: string, keys: ClientKey[]) {
  assert.ok(latchkey && site);
  const { origin, database } = latchkey;
  const client_id = `client-${randomUUID()}`;
  const path = `/${client_id}/jwks`;
  await registerKeyClient(database, { client_id, jwks_uri: `https://${host}${path}` });
  await database.query('delete from attempts');
  const client = {
    answer: answering(setOf(...keys)),
    fetches: () => site.requests.filter((request) => request.endsWith(path)).length,
    client_id,
    /** whether an assertion by this key authenticates the client: then only the refresh token is unknown */
    async accepts(key: ClientKey, header = {}, instance = origin): Promise<boolean | 'unknown'> {
      const proof = withAssertion(await sign(key, origin, { client_id, header }));
      const { status, headers, body } = await refresh(instance, 'x', proof, { authorization: '' });
      if (status === 503) {
        assert.equal(body['error'], 'temporarily_unavailable');
        assert.match(String(headers.get('retry-after')), /^([1-9]|[12]\d|30)$/);
        return 'unknown';
      }
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
  await later(31);
  assert.deepEqual([await client.accepts(second), client.fetches()], [true, 2]);
  client.answer = answering(setOf(second));
  await later(11 * minutes);
  assert.deepEqual([await client.accepts(first), await client.accepts(second)], [false, true]);
});

/** Another instance on the same database, in a process of its own. */
function startInstance() {
  assert.ok(latchkey);
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  return startServing({ DATABASE_URL: latchkey.url, ISSUER: latchkey.origin, NODE_EXTRA_CA_CERTS });
}

test('instances share what one of them has fetched, and what one of them finds removed is refused by all', {
  skip,
}, async () => {
  const [old, recent] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(old);
  assert.equal(await client.accepts(old), true);
  const second = await startInstance();
  assert.deepEqual([await client.accepts(old, {}, second.origin), client.fetches()], [true, 1]);
  client.answer = answering(setOf(recent));
  await later(31);
  assert.deepEqual([await client.accepts(recent, {}, second.origin), client.fetches()], [true, 2]);
  assert.deepEqual([await client.accepts(old), await client.accepts(recent), client.fetches()], [false, true, 2]);
  // at the same moment
  client.answer = (_req, res) => void setTimeout(() => res.writeHead(200, json).end(setOf(old)), 500);
  await later(31);
  const both = await Promise.all([client.accepts(old), client.accepts(old, {}, second.origin)]);
  assert.deepEqual([both, client.fetches()], [[true, true], 3]);
  await second.kill();
});

test('forty clients that arrive at once are accepted after a restart without a fetch, and without their site', {
  skip,
}, async () => {
  const keys = Array.from({ length: 40 }, (_, index) => createClientKey(String(index)));
  const clients = await Promise.all(keys.map(async (key) => ({ key, client: await startClient(key) })));
  const acceptedBy = async (instance?: string) =>
    (await Promise.all(clients.map(({ key, client }) => client.accepts(key, {}, instance)))).filter(
      (accepted) => accepted === true,
    ).length;
  assert.equal(await acceptedBy(), 40, 'at the first time');
  for (const { client } of clients) client.answer = (_req, res) => res.writeHead(500).end();
  const restarted = await startInstance();
  assert.equal(await acceptedBy(restarted.origin), 40);
  assert.deepEqual(new Set(clients.map(({ client }) => client.fetches())), new Set([1]));
  await restarted.kill();
});

test('clients whose sites are slow are not refused, and delay no client that an operator registered', {
  skip,
}, async () => {
  assert.ok(latchkey && nameServer);
  nameServer.hosts.set('other.example', [publicAddress]);
  const slow = await Promise.all(Array.from({ length: 60 }, () => startClientAt('other.example', [])));
  const names = slow.map(({ client_id }) => client_id);
  await latchkey.database.query('update clients set vouched = false where client_id = any ($1)', [names]);
  for (const client of slow) client.answer = () => {};
  const key = createClientKey('1');
  const waiting = Promise.all(slow.map((client) => client.accepts(key)));
  const honest = await Promise.all(Array.from({ length: 20 }, () => startClient(key)));
  const accepted = await Promise.all(honest.map((client) => client.accepts(key)));
  assert.ok(accepted.every((one) => one === true));
  assert.deepEqual(new Set(await waiting), new Set(['unknown']));
  // one that was not asked has no pause; only one, as all of them share the thirty fetches a minute of their site
  const unasked = slow.filter((client) => client.fetches() === 0);
  assert.ok(unasked.length >= 50);
  const [client] = unasked;
  assert.ok(client);
  client.answer = answering(setOf(key));
  assert.equal(await client.accepts(key), true);
});

test('another jwks_uri counts at once', { skip }, async () => {
  assert.ok(latchkey);
  const [first, second] = [createClientKey('1'), createClientKey('2')];
  const [client, other] = [await startClient(first), await startClient(second)];
  assert.equal(await client.accepts(first), true);
  const move = 'update clients set jwks_uri = $2 where client_id = $1';
  await latchkey.database.query(move, [client.client_id, `https://client.example/${other.client_id}/jwks`]);
  assert.deepEqual([await client.accepts(first), await client.accepts(second)], [false, true]);
});

test('clocks that go back refuse no key: that of this process does not count, and that of the database leads to a fetch', {
  skip,
}, async (t) => {
  const [first, second] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(first);
  assert.equal(await client.accepts(first), true);
  client.answer = answering(setOf(first, second));
  await later(31);
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() - 20_000 });
  assert.equal(await client.accepts(second), true);
  t.mock.timers.reset();
  const third = createClientKey('3');
  client.answer = answering(setOf(third));
  await later(-24 * 60 * minutes);
  assert.deepEqual([await client.accepts(third), await client.accepts(second)], [true, false]);
});

test('a fetch that an instance began before it was killed is made by another one, a moment later', {
  skip,
}, async () => {
  assert.ok(latchkey);
  const key = createClientKey('1');
  const client = await startClient(key);
  const began = `insert into client_key_sets (client_id, uri, next_try_at, fetching_until)
    select client_id, jwks_uri, now(), now() + interval '1 second' from clients where client_id = $1`;
  await latchkey.database.query(began, [client.client_id]);
  assert.equal(await client.accepts(key), 'unknown', 'for so long it has waited');
  assert.equal(await client.accepts(key), true);
});

test('after five minutes the keys are fetched again, and no request waits for that [A385]', { skip }, async () => {
  const [first, second] = [createClientKey('1'), createClientKey('2')];
  const client = await startClient(first);
  assert.equal(await client.accepts(first), true);
  let release: () => void = () => {};
  client.answer = (_req, res) => (release = () => res.writeHead(200, json).end(setOf(second)));
  await later(6 * minutes);
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
  test(`a site that answers ${what} in place of its keys changes nothing for an hour, and refuses no client later [A386]`, {
    skip,
  }, async () => {
    const key = createClientKey('key');
    const client = await startClient(key);
    assert.equal(await client.accepts(key), true);
    const { answer: good } = client;
    client.answer = answer;
    await later(59 * minutes);
    assert.deepEqual([await client.accepts(key), client.fetches()], [true, 2]);
    assert.equal(await client.accepts(one), 'unknown');
    await later(2 * minutes);
    assert.equal(await client.accepts(key), 'unknown', 'after an hour');
    client.answer = good;
    await later(31);
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
    await later(15 * minutes);
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
    await later(31);
    const unknown = (index: number) => client.accepts(key, { kid: `unknown-${index}` });
    const first = unknown(0);
    while (client.fetches() < 2) await pause(5);
    for (let request = 0; request < 3; request += 1) assert.equal(await client.accepts(key), true);
    assert.ok(!isGivenUp, 'a known key does not wait for the fetch');
    const flood = Promise.all(Array.from({ length: 20 }, (_, index) => unknown(index)));
    release();
    assert.ok([await first, ...(await flood)].every((accepted) => accepted === 'unknown'));
    for (let more = 0; more < 50; more += 1)
      assert.equal(await client.accepts(key, { kid: `more-${more}` }), 'unknown');
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
  await later(11 * minutes);
  assert.equal(await client.accepts(key), false);
});

test('a set counts whatever stands beside what its keys need: numbers, characters that cannot be stored, uses that only this server reads', {
  skip,
}, async () => {
  const keys = [createClientKey('plain'), createClientKey('odd'), createClientKey('rsa', 'PS256')];
  const beside = [
    { use: null, alg: null, ext: 'yes' },
    { key_ops: ['sign', 'verify', 'verify'], n: '\0', x5t: '\ud800' },
    // each is one of 300 digits in the database
    { key_ops: ['verify', ...Array(1000).fill(1e300)], crv: undefined, x: '\0' },
  ];
  const client = await startClient();
  const published = keys.map(({ jwk }, index) => ({ ...jwk, ...beside[index] }));
  client.answer = answering(JSON.stringify({ keys: [...published, { ...createClientKey('x').jwk, kid: '\0' }] }));
  const accepted = [];
  for (const key of keys) accepted.push(await client.accepts(key));
  assert.deepEqual([accepted, client.fetches()], [[true, true, true], 1]);
});

test('during the pause after a fetch that failed, requests write nothing [A385]', { skip }, async () => {
  assert.ok(latchkey);
  const { database } = latchkey;
  const key = createClientKey('key');
  const client = await startClient(key);
  client.answer = (_req, res) => res.writeHead(500).end();
  assert.equal(await client.accepts(key), 'unknown');
  const lock = await database.connect();
  await lock.query('begin');
  await lock.query('lock table client_key_sets in share mode');
  let isAnswered = false;
  const answer = client.accepts(key).finally(() => (isAnswered = true));
  const waiting = `select from pg_locks where database = (select oid from pg_database where datname = current_database()) and relation = 'client_key_sets'::regclass and not granted`;
  let waits = 0;
  while (!isAnswered && waits === 0) waits = (await lock.query(waiting)).rowCount ?? 0;
  await lock.query('rollback');
  lock.release();
  assert.deepEqual([await answer, waits, client.fetches()], ['unknown', 0, 1]);
});

test('keys by which anybody could sign are left out, which the log says, and a set of nothing else is refused [A386]', {
  skip,
}, async () => {
  assert.ok(latchkey);
  const key = createClientKey('key');
  const bad = Object.values(badKeys).filter(({ jwk }) => !('d' in jwk || 'k' in jwk));
  const client = await startClient();
  client.answer = answering(JSON.stringify({ keys: [...bad.map(({ jwk }) => jwk), key.jwk] }));
  assert.equal(await client.accepts(key), true);
  const line = latchkey.logged.findLast((one) => one.includes('some keys of a client are not used')) ?? '';
  assert.match(line, /its exponent is not an odd number from 65537/);
  await later(11 * minutes);
  client.answer = answering(JSON.stringify({ keys: bad.map(({ jwk }) => jwk) }));
  // what is known stays in use, as after any other answer that is no set
  assert.equal(await client.accepts(key), true);
  const refusal = latchkey.logged.findLast((one) => one.includes('could not be fetched')) ?? '';
  assert.ok(
    refusal.includes(client.client_id) && refusal.includes('it is not a set of one to ten public keys'),
    refusal,
  );
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
