// ci: waits for slow providers
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { beforeEach, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { Browser } from '../../support/browser.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { createOtherRsaKey, type FakeProvider, json, startProvider } from '../../support/openid-provider.ts';
import { answerOf, pressButton, problemOn, registerFake, registerProvider, signInAt } from '../../support/providers.ts';

const { origin, database, url } = await startLatchkey();
const second = await startLatchkey({ ISSUER: origin }, url);
const op = await startProvider({ path: '/tenants/one' });
await registerPeople(database);

beforeEach(async () => {
  op.reset();
  await database.query('delete from providers');
  await database.query('delete from identities');
  await database.query('delete from attempts');
});

async function register(fake: FakeProvider = op, changes: Record<string, unknown> = {}): Promise<void> {
  await registerFake(database, fake, changes);
  await database.query(`select link_identity('alice', $1, 'ada-at-acme')`, [fake.issuer]);
}

/** As if so much time had passed since the documents were fetched. */
const wait = (interval: string) =>
  database.query(`update provider_documents set fetched_at = fetched_at - $1::interval, next_try_at = now()`, [
    interval,
  ]);

const outcome = async (name = 'acme', at = origin) => problemOn(await signInAt(new Browser(at), '', name));

/** What a press of the button leads to, where the browser is not sent to the provider at all. */
async function pressed(name = 'acme'): Promise<string | undefined> {
  const browser = new Browser(origin);
  const page = await browser.submit(await browser.visit('/login'), `value="${name}"`);
  assert.equal(page.location, undefined, page.location);
  return problemOn(page);
}

for (const [what, metadata] of [
  ['names the issuer with a slash', () => ({ issuer: `${op.issuer}/` })],
  ['names another issuer', () => ({ issuer: 'https://login.acme.example' })],
  ['names no issuer', () => ({ issuer: undefined })],
  ['has an endpoint without https', () => ({ token_endpoint: 'http://login.acme.example/token' })],
  ['has an endpoint that is a script', () => ({ authorization_endpoint: 'javascript:alert(1)' })],
  ['has an endpoint with a password', () => ({ token_endpoint: 'https://a:b@login.acme.example/token' })],
  ['has no key set', () => ({ jwks_uri: undefined })],
  ['has a number for an endpoint', () => ({ userinfo_endpoint: 7 })],
] as const) {
  test(`a discovery document that ${what} is not used`, async () => {
    await register();
    op.metadata = metadata();
    assert.equal(await pressed(), 'provider_away');
    op.metadata = {};
    await wait('0');
    assert.equal(await outcome(), undefined);
  });
}

test('an endpoint with a character that cannot be stored, or in an unusual spelling, is used as its URL', async () => {
  await register();
  for (const path of ['\0', '\ud800', ' ']) {
    op.metadata = { userinfo_endpoint: `${op.issuer}/userinfo${path}` };
    await database.query('delete from provider_documents');
    assert.equal(await outcome(), undefined, JSON.stringify(path));
  }
  op.metadata = { token_endpoint: `HTTP${op.issuer.slice(4)}/x/../token` };
  await database.query('delete from provider_documents');
  assert.equal(await outcome(), undefined);
});

test('redirects of a provider are not followed', async () => {
  await register();
  const other = await startProvider();
  op.answers.set('/.well-known/openid-configuration', (res) => {
    res.writeHead(302, { location: `${other.issuer}/.well-known/openid-configuration` }).end();
  });
  assert.equal(await pressed(), 'provider_away');
  op.answers.clear();
  await wait('0');
  op.answers.set('/token', (res) => res.writeHead(307, { location: `${other.issuer}/token` }).end());
  assert.equal(await outcome(), 'provider_away');
  assert.deepEqual(other.requests, []);
});

test('the client secret goes to no host that neither the operator nor the first discovery has named', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  const moved = await startProvider();
  op.metadata = { token_endpoint: `${moved.issuer}/token` };
  await wait('2 hours');
  assert.equal(await outcome(), undefined, 'goes on at the former address');
  await wait('8 days');
  assert.equal(await pressed(), 'provider_away');
  assert.deepEqual(moved.requests, []);
  // the operator says that the other host is right, too
  const hosts = [op, moved].map(({ issuer }) => new URL(issuer).host);
  await registerFake(database, op, { endpoint_hosts: hosts });
  await signInAt(new Browser(origin));
  assert.equal(moved.seen('/token').length, 1);
});

test('hosts that the operator has named hold for the first discovery, too', async () => {
  await register(op, { endpoint_hosts: ['login.acme.example'] });
  assert.equal(await pressed(), 'provider_away');
});

/** Answers that never end, are too large, too slow, or no JSON. */
const heavy: [string, (res: ServerResponse) => void][] = [
  ['hangs', () => {}],
  [
    'never ends',
    (res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (res.write(' '.repeat(65_536)));
        res.once('drain', write);
      };
      write();
    },
  ],
  [
    'sends a byte in a second',
    (res) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => res.write(' '), 1000);
      res.on('close', () => clearInterval(timer));
    },
  ],
  [
    'is a bomb of gzip',
    (res) => {
      const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
      res.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb);
    },
  ],
  [
    'has 20 000 header lines',
    (res) => {
      res.socket?.end(`HTTP/1.1 200 OK\r\n${'x: y\r\n'.repeat(20_000)}content-length: 2\r\n\r\n{}`);
    },
  ],
  ['is HTML', (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')],
  ['is 100 000 brackets', (res) => res.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(100_000))],
  ['is 100 000 nested lists', (res) => json(res, JSON.parse('['.repeat(5000) + ']'.repeat(5000)))],
  ['is empty', (res) => res.writeHead(200, { 'content-type': 'application/json' }).end()],
  ['is no UTF-8', (res) => res.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.alloc(50, 0xff))],
  ['is status 500', (res) => json(res, { error: 'server_error' }, 500)],
  ['is status 404', (res) => json(res, {}, 404)],
  ['closes the connection', (res) => res.destroy()],
];

for (const endpoint of ['/.well-known/openid-configuration', '/keys', '/token', '/userinfo']) {
  test(`an answer of ${endpoint} that is heavy, slow or broken costs its sign-in five seconds at most`, async () => {
    /** How long each of so many sign-ins at once takes, at a provider of its own. */
    const signInsAt = (answers: typeof heavy) =>
      Promise.all(
        answers.map(async ([what, answer], number) => {
          const name = `p${number}`;
          const fake = await startProvider();
          fake.userinfo = { sub: 'ada-at-acme' };
          fake.answers.set(endpoint, answer);
          await registerFake(database, fake, { name, people: 'created' });
          const browser = new Browser(origin);
          const login = await browser.visit('/login');
          const start = performance.now();
          const begun = await browser.submit(login, `value="${name}"`);
          const page =
            begun.location === undefined ? begun : await browser.visit(await answerOf(new URL(begun.location)));
          const took = performance.now() - start;
          assert.ok(
            ['provider_away', 'provider_wrong'].includes(problemOn(page) ?? ''),
            `${what}: ${page.text.slice(0, 900)}`,
          );
          await fake.close();
          return { what, took };
        }),
      );
    const refused = await signInsAt(heavy.map(() => ['is status 404', (res) => json(res, {}, 404)]));
    const usually = Math.max(...refused.map(({ took }) => took));
    for (const { what, took } of await signInsAt(heavy)) {
      assert.ok(took < 5000 + 5 * usually, `${what}: ${took} ms, usually ${usually} ms`);
    }
    const { rows } = await database.query(`select count(*)::integer as people from users where source <> 'here'`);
    assert.deepEqual(rows, [{ people: 0 }]);
  });
}

test('while a provider hangs and sixty people click, it has a bounded number of requests, and others sign in as usual', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  let open = 0;
  let most = 0;
  op.answers.set('/token', (res) => {
    open += 1;
    most = Math.max(most, open);
    res.on('close', () => {
      open -= 1;
    });
  });
  const signInHere = async () => {
    const start = performance.now();
    await signedInBrowser(origin);
    const { rows } = await database.query(
      // other files of the suite have databases of their own at this server
      `select count(*)::integer as held from pg_stat_activity where state = 'idle in transaction' and datname = current_database()`,
    );
    assert.deepEqual(rows, [{ held: 0 }]);
    return performance.now() - start;
  };
  const usually = await signInHere();
  const pressing = performance.now();
  const begun = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const browser = new Browser(origin);
      return { browser, answer: await answerOf(await pressButton(browser)) };
    }),
  );
  const start = performance.now();
  const pressed = start - pressing;
  const clicks = begun.map(async ({ browser, answer }) => {
    const page = await browser.visit(answer);
    return { problem: problemOn(page), status: page.status, took: performance.now() - start };
  });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const meanwhile = await signInHere();
  assert.ok(meanwhile < 20 * usually, `${meanwhile} ms, usually ${usually} ms`);
  for (const { problem, status, took } of await Promise.all(clicks)) {
    assert.deepEqual([problem, status], ['provider_away', 503]);
    // the wait for a place, and the answers within five seconds
    assert.ok(took < 6500 + pressed, `${took} ms after ${pressed} ms`);
  }
  assert.ok(most <= 20, `${most}`);
  op.answers.clear();
  assert.equal(await outcome(), undefined, 'works again at once');
  assert.ok(password);
});

test('a new key counts within one fetch, and a removed one is refused after ten minutes', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  const [old] = op.keys;
  assert.ok(old);
  await wait('31 seconds');
  const added = createOtherRsaKey();
  op.keys = [old, added];
  assert.equal(await outcome(), undefined);
  assert.equal(op.seen('/keys').length, 2);
  // signed by the removed key, whose name is still known here
  op.keys = [added, old];
  op.shownKeys = [added.jwk];
  await wait('11 minutes');
  assert.equal(await outcome(), 'provider_wrong');
});

test('a hundred answers with an unknown key are one fetch on two instances, and no definite refusal', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  await wait('31 seconds');
  op.header = { kid: 'unknown' };
  const instances = [origin, second.origin];
  const begun = await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const browser = new Browser(instances[number % 2] ?? '');
      return { browser, answer: new URL(await answerOf(await pressButton(browser))) };
    }),
  );
  const pages = await Promise.all(begun.map(({ browser, answer }) => browser.visit(answer.pathname + answer.search)));
  const outcomes = pages.map(problemOn);
  assert.equal(op.seen('/keys').length, 2);
  assert.ok(
    outcomes.every((problem) => problem === 'provider_away' || problem === 'provider_wrong'),
    outcomes.join(),
  );
  assert.ok(outcomes.filter((problem) => problem === 'provider_wrong').length <= 1, 'only who has asked knows');
});

test('known keys serve for a day while the key set is away, also after a restart', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  op.answers.set('/keys', (res) => json(res, {}, 500));
  await wait('1 hour');
  assert.equal(await outcome(), undefined);
  const third = await startLatchkey({ ISSUER: origin }, url);
  const browser = new Browser(third.origin);
  const answer = new URL(await answerOf(await pressButton(browser)));
  assert.equal(problemOn(await browser.visit(answer.pathname + answer.search)), undefined);
  await wait('25 hours');
  assert.equal(await outcome(), 'provider_away');
  op.answers.clear();
  await wait('0');
  assert.equal(await outcome(), undefined);
});

test('known metadata serves for a week while discovery is away', async () => {
  await register();
  assert.equal(await outcome(), undefined);
  op.answers.set('/.well-known/openid-configuration', (res) => json(res, {}, 503));
  await wait('6 days');
  assert.equal(await outcome(), undefined);
  await wait('2 days');
  assert.equal(await pressed(), 'provider_away');
});

test('one key needs no name, two need one each', async () => {
  await register();
  op.header = { kid: undefined };
  assert.equal(await outcome(), undefined);
  const [first] = op.keys;
  assert.ok(first);
  op.keys = [first, createOtherRsaKey()];
  await wait('11 minutes');
  assert.equal(await outcome(), 'provider_wrong');
  op.header = {};
  assert.equal(await outcome(), undefined);
  const twin = createOtherRsaKey();
  op.shownKeys = [first.jwk, { ...twin.jwk, kid: first.kid }];
  op.keys = [first];
  await wait('11 minutes');
  assert.equal(await outcome(), 'provider_wrong');
});

test('keys that are too large, weak, of another kind or for encryption are not used', async () => {
  const [key] = op.keys;
  assert.ok(key);
  const weak = createOtherRsaKey(1024);
  for (const shown of [
    [{ ...key.jwk, n: Buffer.alloc(2048, 0xff).toString('base64url') }],
    [{ ...key.jwk, e: 'AQ' }],
    [{ ...key.jwk, use: 'enc' }],
    [{ ...key.jwk, alg: 'RS512' }],
    [{ kty: 'oct', k: 'c2VjcmV0', kid: key.kid, alg: 'HS256' }],
    [{ ...weak.jwk, kid: key.kid }],
    Array.from({ length: 10_000 }, () => ({ kty: 'oct' })),
    [],
  ]) {
    await database.query('delete from providers');
    await register();
    op.shownKeys = shown;
    assert.equal(await outcome(), 'provider_away', JSON.stringify(shown).slice(0, 80));
  }
});

test('other algorithms are used if they are registered', async () => {
  for (const alg of ['ES256', 'EdDSA', 'Ed25519']) {
    op.reset();
    op.keys = [];
    op.addKey(alg);
    await database.query('delete from providers');
    await register(op, { id_token_signed_response_alg: alg });
    assert.equal(await outcome(), undefined, alg);
  }
});

test('the clock of a provider may be half a minute off, and not two', async () => {
  await register();
  for (const [ahead, expected] of [
    [25, undefined],
    [-25, undefined],
    [120, 'provider_wrong'],
    [-120, 'provider_wrong'],
  ] as const) {
    op.ahead = ahead;
    assert.equal(await outcome(), expected, `${ahead}`);
  }
  op.ahead = 25;
  await outcome();
  const { rows } = await database.query('select bool_or(auth_time > now()) as is_future from sessions');
  assert.deepEqual(rows, [{ is_future: false }]);
});

test('a client secret that was sealed with another SESSION_SECRET gives a page to try again, and one of before is sealed anew', async () => {
  await register();
  const old = 'an-earlier-secret-of-32-characters-0001';
  const fresh = 'a-newer-secret-of-32-characters-00000001';
  const before = await startLatchkey({ ISSUER: origin, SESSION_SECRET: old }, url);
  await new Browser(before.origin).visit('/login');
  assert.equal(await pressed(), 'provider_away');
  const { sealProviderSecrets } = await import('../../../src/people/providers/provider-secrets.ts');
  await sealProviderSecrets({ database, sessionSecrets: [fresh, old] });
  const after = await startLatchkey({ ISSUER: origin, SESSION_SECRET: fresh }, url);
  const browser = new Browser(after.origin);
  const answer = new URL(await answerOf(await pressButton(browser)));
  assert.equal(problemOn(await browser.visit(answer.pathname + answer.search)), undefined);
});

test('a secret that was moved to the row of another provider is not sent there', async () => {
  await register();
  await new Browser(origin).visit('/login');
  const evil = await startProvider();
  await registerFake(database, evil, { name: 'evil' });
  await new Browser(origin).visit('/login');
  await database.query(
    `update providers set sealed_client_secret = (select sealed_client_secret from providers where name = 'acme') where name = 'evil'`,
  );
  assert.equal(await pressed('evil'), 'provider_away');
});

test('a provider without a certificate that this machine trusts gets nothing', async () => {
  await registerProvider(database, { issuer: 'https://127.0.0.1:9' });
  assert.equal(await pressed(), 'provider_away');
});
