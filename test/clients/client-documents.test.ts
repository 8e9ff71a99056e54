import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { badKeys } from '../support/bad-keys.ts';
import { Browser } from '../support/browser.ts';
import { type ClientKey, createClientKey, sign, withAssertion } from '../support/client-assertion.ts';
import {
  callback,
  documentUrl,
  type Internet,
  problemOn,
  requestOf,
  startInternet,
} from '../support/client-documents.ts';
import { codeIn, getUser, post, signedInBrowser, verifier } from '../support/flow.ts';
import { registerResource, startLatchkey } from '../support/latchkey.ts';
import { enterNetwork, longHost, publicAddress } from '../support/network.ts';
import { startServing } from '../support/process.ts';

const skip = await enterNetwork(import.meta.url);
const { latchkey, alice, nameServer, site, published } = skip ? ({} as Internet) : await startInternet();

/** The process has waited for so long: for pauses, and for what it may fetch from one site in a minute. */
const later = (seconds: number) => {
  waited += seconds * 1000;
};
let waited = 0;
const clock = performance.now.bind(performance);
mock.method(performance, 'now', () => clock() + waited);

beforeEach(async () => {
  later(60);
  published?.clear();
  site?.requests.splice(0);
  site?.contacts.splice(0);
  await latchkey?.database.query('delete from attempts');
});

/** A URL that no other test uses: a failed fetch of one is not repeated for a minute. */
let urls = 0;
function publish(document: Parameters<typeof published.set>[1] = {}): string {
  urls += 1;
  const url = `https://client.example/${urls}.json`;
  published.set(url, document);
  return url;
}

async function consent(client_id: string): Promise<string> {
  const page = await alice.visit(requestOf(client_id));
  return codeIn(await alice.submit(page, 'id="allow"'));
}

const redeem = (client_id: string, code: string, changes = {}) =>
  post(
    `${latchkey.origin}/token`,
    { grant_type: 'authorization_code', client_id, code, redirect_uri: callback, code_verifier: verifier, ...changes },
    { authorization: '' },
  );

async function clientOf(client_id: string) {
  const { rows } = await latchkey.database.query('select * from clients where client_id = $1', [client_id]);
  return rows[0];
}

/** Seconds for which the kept copy is not fetched again. */
async function freshnessOf(client_id: string): Promise<number> {
  const { rows } = await latchkey.database.query(
    'select extract(epoch from fresh_until - fetched_at)::integer as seconds from client_documents where client_id = $1',
    [client_id],
  );
  return rows[0]?.seconds;
}

/** The time of the kept copy is over; `hours` ago it was fetched. */
async function age(client_id: string, hours = 1): Promise<void> {
  await latchkey.database.query(
    `update client_documents set fresh_until = now(), fetched_at = now() - make_interval(hours => $2) where client_id = $1`,
    [client_id, hours],
  );
}

test('a client that nobody registered logs in with the URL of its document; only that is fetched, and once', {
  skip,
}, async () => {
  published.set(documentUrl, { headers: { 'cache-control': 'max-age=600' } });
  const page = await alice.visit(requestOf(documentUrl));
  assert.match(page.text, /client\.example/);
  const tokens = await redeem(documentUrl, codeIn(await alice.submit(page, 'id="allow"')));
  assert.equal(tokens.status, 200);
  assert.equal((await getUser(latchkey.origin, tokens.body['access_token'])).body['username'], 'alice');
  const refreshed = await post(
    `${latchkey.origin}/token`,
    { grant_type: 'refresh_token', client_id: documentUrl, refresh_token: String(tokens.body['refresh_token']) },
    { authorization: '' },
  );
  assert.equal(refreshed.status, 200);
  assert.deepEqual(site.requests, ['GET client.example/oauth/client.json']);
  const { vouched, site_domain, scopes, secrets_sha256 } = await clientOf(documentUrl);
  assert.deepEqual([vouched, site_domain, scopes, secrets_sha256], [false, 'client.example', ['user:name'], []]);
  const application = await alice.visit(`/account/applications/${encodeURIComponent(documentUrl)}`);
  assert.match(application.text, /client\.example/);
});

test('a client whose document has its keys pushes its first request and exchanges the code by assertions', {
  skip,
}, async () => {
  const key = createClientKey('1');
  const changes = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [key.jwk] } };
  const client_id = publish({ changes });
  const proof = async () => withAssertion(await sign(key, latchkey.origin, { client_id }));
  const request = Object.fromEntries(new URLSearchParams(requestOf(client_id).split('?')[1]));
  const pushed = await post(`${latchkey.origin}/par`, { ...request, ...(await proof()) }, { authorization: '' });
  assert.equal(pushed.status, 201, JSON.stringify(pushed.body));
  const query = new URLSearchParams({ client_id, request_uri: String(pushed.body['request_uri']) });
  const code = codeIn(await alice.submit(await alice.visit(`/authorize?${query}`), 'id="allow"'));
  assert.equal((await redeem(client_id, code)).status, 401, 'it is no public client');
  assert.equal((await redeem(client_id, code, await proof())).status, 200);
});

test('what a document says about requests and tokens holds, and what an administrator has set stays [9126 §6]', {
  skip,
}, async () => {
  const key = createClientKey('1');
  const changes = {
    token_endpoint_auth_method: 'private_key_jwt',
    jwks: { keys: [key.jwk] },
    dpop_bound_access_tokens: true,
    require_pushed_authorization_requests: true,
    require_signed_request_object: true,
    request_object_signing_alg: 'ES256',
    profile: 'fapi2',
  };
  const client_id = publish({ changes });
  assert.doesNotMatch((await alice.open(requestOf(client_id))).text, /id="allow"/);
  const { token_binding, profile, ...kept } = await clientOf(client_id);
  const { require_pushed_authorization_requests, require_signed_request_object, request_object_signing_alg } = kept;
  assert.deepEqual(
    [token_binding, require_pushed_authorization_requests, require_signed_request_object, request_object_signing_alg],
    ['dpop', true, true, 'ES256'],
  );
  assert.equal(profile, null);
  await latchkey.database.query("update clients set profile = 'fapi2' where client_id = $1", [client_id]);
  published.set(client_id, { changes: { ...changes, dpop_bound_access_tokens: false } });
  await age(client_id);
  await alice.open(requestOf(client_id));
  assert.equal((await clientOf(client_id)).profile, 'fapi2');
});

test('a client may push its first authorization request, which fetches its document [9126 §2]', { skip }, async () => {
  const client_id = publish();
  const request = Object.fromEntries(new URL(requestOf(client_id), latchkey.origin).searchParams);
  const pushed = await post(`${latchkey.origin}/par`, request, { authorization: '' });
  assert.equal(pushed.status, 201);
  assert.equal(site.requests.length, 1);
});

test('switched off, such a client_id is unknown, also if its document was fetched before; the metadata says which it is', {
  skip,
}, async () => {
  const client_id = publish();
  await consent(client_id);
  const metadata = async (origin: string) =>
    (await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json())
      .client_id_metadata_document_supported;
  assert.equal(await metadata(latchkey.origin), true);
  site.contacts.splice(0);
  const off = await startLatchkey({}, latchkey.url);
  assert.equal(await metadata(off.origin), undefined);
  const nobody = new Browser(off.origin);
  for (const url of [client_id, publish()]) {
    assert.equal(problemOn(await nobody.open(requestOf(url))), 'client_id names no application registered here');
  }
  assert.deepEqual(site.contacts, []);
});

const addresses = [
  ...'127.0.0.1 127.1 0x7f.1 2130706433 0177.0.0.1 ①②⑦.⓪.⓪.① 127.0.0.1. 0.0.0.0 [::1] [::] [::ffff:127.0.0.1]'.split(
    ' ',
  ),
  ...'[::ffff:7f00:1] [::127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::] [fd00::5] [fe80::1] [ff02::1] 10.0.0.5'.split(
    ' ',
  ),
  ...`169.254.169.254 100.64.0.1 192.0.2.1 255.255.255.255 ${publicAddress}`.split(' '),
  ...'localhost x.localhost db.internal host.docker.internal postgres printer.local client.example. CLIENT.example'.split(
    ' ',
  ),
];

test('an address is no client_id, however it is written, nor is a name that is not of the public DNS [A337] [A338]', {
  skip,
}, async () => {
  for (const host of addresses) {
    const page = await alice.open(requestOf(`https://${host}/client.json`));
    // parameters must be ASCII before anything else
    const expected = /[^\x21-\x7e]/.test(host) ? /./ : /^client_id names no application registered here$/;
    assert.match(problemOn(page), expected, host);
  }
  assert.deepEqual([site.contacts, nameServer.asked.filter((name) => name !== 'client.example')], [[], []]);
});

test('a public name with a private address is refused without contact [A338]', { skip }, async () => {
  nameServer.hosts.set('private.client.example', [publicAddress, '169.254.169.254']);
  const page = await alice.open(requestOf('https://private.client.example/client.json'));
  assert.match(problemOn(page), /cannot be used: its host has no address in the public internet$/);
  assert.deepEqual(site.contacts, []);
});

test('a document that redirects is refused with a page that says so; its URL is not on the page as markup [A340]', {
  skip,
}, async () => {
  const client_id = `https://client.example/'x'/&lt;b&gt;.json?a=&lt;b&gt;`;
  published.set(client_id, { status: 302, headers: { location: 'http://169.254.169.254/' } });
  const page = await alice.open(requestOf(client_id));
  assert.match(problemOn(page), /its server answers with status 302, and redirects are not followed$/);
  assert.doesNotMatch(page.text.replace(/<(a|form|link)\b[^>]*>/g, ''), /169\.254|<b>|&lt;b/);
  assert.deepEqual(site.privateContacts(), []);
});

test('other requests go on while documents are fetched slowly, and no database connection waits for them [A341]', {
  skip,
}, async (t) => {
  const { answer } = site;
  site.answer = () => {};
  t.after(() => {
    site.answer = answer;
  });
  // a very slow machine may miss the moment, since a fetch is given up after five seconds
  for (let round = 1; round <= 5; round += 1) if (await isSeenUnderWay(round)) return;
  assert.fail('no moment with three fetches under way, others waiting, and no connection in use');
});

/** Opens the pages of thirty clients of one site, of which three are fetched and the others wait; whether all else goes on at that moment. */
async function isSeenUnderWay(round: number): Promise<boolean> {
  await latchkey.database.query('delete from attempts');
  later(60);
  site.contacts.splice(0);
  let answered = 0;
  const open = (index: number) =>
    new Browser(latchkey.origin)
      .open(requestOf(`https://client.example/slow-${round}-${index}.json`))
      .finally(() => (answered += 1));
  const pages = Promise.all(Array.from({ length: 30 }, (_, index) => open(index)));
  const isUnderWay = () => answered === 0 && site.contacts.length === 3;
  let isSeen = false;
  for (; answered === 0 && !isSeen; await pause(20)) {
    if (!isUnderWay()) continue;
    assert.equal((await alice.open('/account')).status, 200);
    isSeen = (await busyConnections()) === 0 && isUnderWay();
  }
  const statuses = (await pages).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([400, 503]));
  assert.ok(statuses.filter((status) => status === 400).length <= 6);
  return isSeen;
}

async function busyConnections(): Promise<number> {
  const { rows } = await latchkey.database.query(
    `select count(*)::integer as busy from pg_stat_activity
     where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0].busy;
}

test('a network that causes too many fetches has to wait; kept copies are used meanwhile', { skip }, async () => {
  const client_id = publish();
  await consent(client_id);
  await age(client_id);
  await latchkey.database.query(
    "insert into attempts (key, attempts, blocked_until, forgotten_at) select key, 99, now() + interval '1 minute', now() + interval '30 minutes' from unnest($1::text[]) key",
    [await keysOfFetches()],
  );
  assert.equal((await alice.open(requestOf(publish()))).status, 429);
  assert.ok(await consent(client_id));
});

/** As they are stored after a fetch. */
async function keysOfFetches(): Promise<string[]> {
  await latchkey.database.query('delete from attempts');
  await alice.open(requestOf(publish()));
  const { rows } = await latchkey.database.query('delete from attempts returning key');
  return rows.map(({ key }) => key);
}

test('a failure is no state of the client: after a minute the document is fetched again, and other URLs at once [A343]', {
  skip,
}, async () => {
  const client_id = publish({ status: 500 });
  assert.match(problemOn(await alice.open(requestOf(client_id))), /status 500/);
  published.set(client_id, {});
  assert.match(problemOn(await alice.open(requestOf(client_id))), /status 500/, 'not asked again');
  assert.equal(site.requests.length, 1);
  assert.equal(await clientOf(client_id), undefined);
  const variant = `${client_id}?x=1`;
  published.set(variant, {});
  assert.equal((await alice.open(requestOf(variant))).status, 200);
  later(60);
  assert.ok(await consent(client_id));
});

test('a kept copy survives a day in which its site fails; tokens and refreshes need no site at all [A343]', {
  skip,
}, async () => {
  const client_id = publish();
  const tokens = await redeem(client_id, await consent(client_id));
  published.set(client_id, { status: 503 });
  await age(client_id);
  assert.ok(await consent(client_id));
  assert.equal(site.requests.length, 2);
  await age(client_id, 25);
  assert.match(problemOn(await alice.open(requestOf(client_id))), /status 503/);
  const refreshed = await post(
    `${latchkey.origin}/token`,
    { grant_type: 'refresh_token', client_id, refresh_token: String(tokens.body['refresh_token']) },
    { authorization: '' },
  );
  assert.equal(refreshed.status, 200);
  assert.equal((await getUser(latchkey.origin, refreshed.body['access_token'])).status, 200);
});

for (const status of [404, 410]) {
  test(`status ${status} withdraws the client with its tokens, until the document is back [A343]`, {
    skip,
  }, async () => {
    const client_id = publish();
    const { body } = await redeem(client_id, await consent(client_id));
    published.set(client_id, { status });
    assert.ok(await consent(client_id), 'the copy is fresh');
    await age(client_id);
    assert.match(problemOn(await alice.open(requestOf(client_id))), new RegExp(`status ${status}`));
    assert.equal((await getUser(latchkey.origin, body['access_token'])).status, 401);
    published.set(client_id, {});
    later(60);
    assert.ok(await consent(client_id));
    assert.equal((await getUser(latchkey.origin, body['access_token'])).status, 200);
  });
}

test('what an operator has disabled stays so, whatever its site publishes, and bars other documents of the site', {
  skip,
}, async () => {
  for (const host of ['a.github.io', 'www.a.github.io']) nameServer.hosts.set(host, [publicAddress]);
  const first = 'https://a.github.io/1.json';
  const others = ['https://a.github.io/2.json', 'https://www.a.github.io/1.json'];
  for (const url of [first, ...others]) published.set(url, {});
  const request = (url: string) => requestOf(url, { redirect_uri: `${new URL(url).origin}/cb` });
  assert.equal((await alice.open(request(first))).status, 200);
  await latchkey.database.query('update clients set disabled_at = now() where client_id = $1', [first]);
  await age(first);
  site.requests.splice(0);
  for (const url of [first, ...others]) {
    assert.match(problemOn(await alice.open(request(url))), /an application of this site was disabled/);
  }
  assert.deepEqual(site.requests, [], 'they are not fetched any more');
});

test('the bar of a site holds for its other known documents at once, however fresh they are, and until it is lifted', {
  skip,
}, async () => {
  nameServer.hosts.set('sub.client.example', [publicAddress]);
  const [first, second] = [publish(), publish()];
  const below = 'https://sub.client.example/client.json';
  published.set(below, { changes: { redirect_uris: [callback.replace('client', 'sub.client')] } });
  published.set(below, {});
  const { body } = await redeem(second, await consent(second));
  const code = await consent(second);
  const ofBelow = { redirect_uri: 'https://sub.client.example/cb' };
  for (const [url, changes] of [
    [first, {}],
    [below, ofBelow],
  ] as const)
    assert.equal((await alice.open(requestOf(url, changes))).status, 200);
  const refresh = { grant_type: 'refresh_token', client_id: second, refresh_token: String(body['refresh_token']) };
  const disable = (at: string) =>
    latchkey.database.query(`update clients set disabled_at = ${at} where client_id = $1`, [first]);
  await disable('now()');
  await latchkey.database.query('update client_documents set fresh_until = now() where client_id = $1', [below]);
  site.requests.splice(0);
  for (const [url, changes] of [
    [second, {}],
    [below, ofBelow],
  ] as const) {
    assert.match(problemOn(await alice.open(requestOf(url, changes))), /an application of this site was disabled/);
  }
  assert.equal((await redeem(second, code)).body['error'], 'invalid_client');
  assert.equal(
    (await post(`${latchkey.origin}/token`, refresh, { authorization: '' })).body['error'],
    'invalid_client',
  );
  const pushed = Object.fromEntries(new URLSearchParams(requestOf(second).split('?')[1]));
  assert.equal((await post(`${latchkey.origin}/par`, pushed, { authorization: '' })).body['error'], 'invalid_client');
  assert.deepEqual(site.requests, []);
  await disable('null');
  assert.equal((await redeem(second, code)).status, 200);
  assert.equal((await post(`${latchkey.origin}/token`, refresh, { authorization: '' })).status, 200);
  assert.equal((await alice.open(requestOf(below, ofBelow))).status, 200);
});

test('a document whose redirection URIs move to a barred site is withdrawn, and its kept copy is not used', {
  skip,
}, async () => {
  nameServer.hosts.set('sub.client.example', [publicAddress]);
  const [url, barred] = ['https://client.example/moving.json', 'https://sub.client.example/barred.json'];
  published.set(url, {});
  published.set(barred, {});
  const { body } = await redeem(url, await consent(url));
  await alice.open(requestOf(barred, { redirect_uri: 'https://sub.client.example/cb' }));
  await latchkey.database.query('update clients set disabled_at = now() where client_id = $1', [barred]);
  published.set(url, { changes: { redirect_uris: [callback, 'https://sub.client.example/cb'] } });
  await age(url);
  assert.match(problemOn(await alice.open(requestOf(url))), /an application of this site was disabled/);
  assert.equal((await getUser(latchkey.origin, body['access_token'])).status, 401);
  await latchkey.database.query('update clients set disabled_at = null where client_id = $1', [barred]);
  later(60);
  assert.ok(await consent(url));
  assert.equal((await getUser(latchkey.origin, body['access_token'])).status, 200);
});

/** A client with its keys in its document, and a person's tokens. */
async function startKeyClient(key: ClientKey) {
  const document = (...keys: ClientKey[]) => ({
    changes: { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: keys.map(({ jwk }) => jwk) } },
  });
  const client_id = publish(document(key));
  const proof = async (by: ClientKey) => withAssertion(await sign(by, latchkey.origin, { client_id }));
  const { body } = await redeem(client_id, await consent(client_id), await proof(key));
  let refresh_token = String(body['refresh_token']);
  return {
    client_id,
    publish: (...keys: ClientKey[]) => published.set(client_id, document(...keys)),
    /** a refresh by this key, or without one */
    async refresh(by?: ClientKey) {
      const form = { grant_type: 'refresh_token', client_id, refresh_token, ...(by && (await proof(by))) };
      const { status, body, headers } = await post(`${latchkey.origin}/token`, form, { authorization: '' });
      if (status === 200) refresh_token = String(body['refresh_token']);
      return { status, error: body['error'], wait: headers.get('retry-after') };
    },
  };
}

test('a document that says none does not make a client public that has proved a key: its tokens stay bound to the key', {
  skip,
}, async () => {
  const key = createClientKey('1');
  const client = await startKeyClient(key);
  published.set(client.client_id, {});
  for (const hours of [1, 25]) {
    await age(client.client_id, hours);
    later(60);
    const { text } = await alice.open(requestOf(client.client_id));
    if (hours === 25) assert.match(text, /token_endpoint_auth_method: becomes public/);
    assert.equal((await client.refresh()).status, hours === 25 ? 503 : 401);
  }
  client.publish(key);
  later(60);
  assert.equal((await client.refresh(key)).status, 200);
});

test('a client that nobody has allowed anything can become public by its document', { skip }, async () => {
  const jwks = { keys: [createClientKey('1').jwk] };
  const client_id = publish({ changes: { token_endpoint_auth_method: 'private_key_jwt', jwks } });
  await alice.open(requestOf(client_id));
  published.set(client_id, {});
  await age(client_id);
  assert.ok(await consent(client_id));
  assert.equal((await clientOf(client_id)).token_endpoint_auth_method, 'none');
});

test('a refresh notices that the keys of a document have changed, without waiting for its site', { skip }, async () => {
  const [old, recent] = [createClientKey('1'), createClientKey('2')];
  const client = await startKeyClient(old);
  client.publish(recent);
  assert.equal((await client.refresh(old)).status, 200, 'the document is fresh');
  assert.equal(site.requests.length, 1);
  await latchkey.database.query(
    `update client_documents set fetched_at = now() - interval '50 minutes', fresh_until = now() + interval '10 minutes' where client_id = $1`,
    [client.client_id],
  );
  const { answer } = site;
  let release = () => {};
  site.answer = (req, res) => {
    release = () => answer(req, res);
  };
  assert.equal((await client.refresh(old)).status, 200, 'and is fetched again before its time is over');
  while (site.requests.length < 2) await pause(5);
  site.answer = answer;
  release();
  while (
    (await freshnessOf(client.client_id)) === 3600 &&
    (await clientOf(client.client_id)).jwks.keys[0].kid === '1'
  ) {
    await pause(5);
  }
  assert.deepEqual(await client.refresh(old), { status: 401, error: 'invalid_client', wait: null });
  assert.equal((await client.refresh(recent)).status, 200);
});

test('a key that a document gets is accepted at once or after a minute, however long the document is fresh', {
  skip,
}, async () => {
  const [old, recent] = [createClientKey('1'), createClientKey('2')];
  const client = await startKeyClient(old);
  client.publish(old, recent);
  assert.equal((await client.refresh(recent)).status, 401, 'the site has just said that there is no such key');
  assert.equal(site.requests.length, 1);
  const minuteLater = `update client_documents set fetched_at = fetched_at - interval '61 seconds' where client_id = $1`;
  await latchkey.database.query(minuteLater, [client.client_id]);
  assert.equal((await client.refresh(recent)).status, 200);
  await latchkey.database.query(minuteLater, [client.client_id]);
  const nobody = createClientKey('3');
  for (let more = 0; more < 10; more += 1) assert.equal((await client.refresh(nobody)).status, 401);
  assert.equal(site.requests.length, 3);
});

test('what a document cannot say is 503 and no refusal: a new key while its site fails, and any key after a day', {
  skip,
}, async () => {
  const [old, recent] = [createClientKey('1'), createClientKey('2')];
  const client = await startKeyClient(old);
  published.set(client.client_id, { status: 500 });
  await age(client.client_id, 23);
  const unknown = { status: 503, error: 'temporarily_unavailable', wait: '60' };
  assert.deepEqual(await client.refresh(recent), unknown);
  assert.equal((await client.refresh(old)).status, 200);
  await age(client.client_id, 25);
  assert.deepEqual(await client.refresh(old), unknown);
  assert.deepEqual(site.requests.length, 2, 'once a minute');
  client.publish(recent);
  later(60);
  assert.equal((await client.refresh(old)).status, 401);
  assert.equal((await client.refresh(recent)).status, 200);
});

test('a client that pushes its request while its document is too old and its site fails gets 503, as at /token [9126 §2]', {
  skip,
}, async () => {
  const key = createClientKey('1');
  const confidential = await startKeyClient(key);
  const open = publish();
  await consent(open);
  for (const client_id of [confidential.client_id, open]) {
    const proof = client_id === open ? {} : withAssertion(await sign(key, latchkey.origin, { client_id }));
    const request = Object.fromEntries(new URL(requestOf(client_id), latchkey.origin).searchParams);
    const push = () => post(`${latchkey.origin}/par`, { ...request, ...proof }, { authorization: '' });
    published.set(client_id, { status: 500 });
    await age(client_id, 25);
    const { status, body, headers } = await push();
    assert.deepEqual([status, body['error'], headers.get('retry-after')], [503, 'temporarily_unavailable', '60']);
    later(60);
    published.set(client_id, { status: 404 });
    assert.match(String((await push()).body['error']), /^invalid_client$/, 'its site says so');
  }
});

test('a withdrawn client that comes back for a refresh works again when its document does', { skip }, async () => {
  const key = createClientKey('1');
  const client = await startKeyClient(key);
  published.set(client.client_id, { status: 404 });
  await age(client.client_id, 25);
  assert.equal((await client.refresh(key)).status, 401, 'its site says so');
  client.publish(key);
  assert.equal((await client.refresh(key)).status, 401);
  later(60);
  assert.equal((await client.refresh(key)).status, 200);
});

test('a stranger cannot make /token fetch a document of which nobody knows', { skip }, async () => {
  const client_id = publish();
  assert.equal((await redeem(client_id, 'x')).body['error'], 'invalid_client');
  assert.deepEqual(site.requests, []);
});

test('switched off, clients with documents are refused as disabled ones are, at every address, and nothing is fetched; switched on, they are back', {
  skip,
}, async () => {
  const client_id = publish();
  const code = await consent(client_id);
  const { body } = await redeem(client_id, await consent(client_id));
  await age(client_id);
  site.requests.splice(0);
  const { NODE_EXTRA_CA_CERTS = '' } = process.env;
  const off = await startServing({ DATABASE_URL: latchkey.url, ISSUER: latchkey.origin, NODE_EXTRA_CA_CERTS });
  while ((await clientOf(client_id)).disabled_at === null) await pause(20);
  const sent = (path: string, form: object) =>
    post(`${off.origin}${path}`, { client_id, ...form }, { authorization: '' });
  const [access_token, refresh_token] = [String(body['access_token']), String(body['refresh_token'])];
  const refresh = { grant_type: 'refresh_token', refresh_token };
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier };
  const request = Object.fromEntries(new URLSearchParams(requestOf(client_id).split('?')[1]));
  for (const [path, form] of [
    ['/token', refresh],
    ['/token', exchange],
    ['/par', request],
    ['/revoke', { token: refresh_token }],
    ['/introspect', { token: access_token }],
  ] as const) {
    assert.equal((await sent(path, form)).body['error'], 'invalid_client', path);
  }
  assert.match(problemOn(await new Browser(off.origin).open(requestOf(client_id))), /names no application/);
  assert.equal((await getUser(off.origin, access_token)).status, 401);
  assert.equal((await getUser(latchkey.origin, access_token)).status, 401);
  assert.deepEqual(site.requests, []);
  await off.kill();
  assert.equal((await redeem(client_id, code)).status, 200);
  assert.equal((await getUser(latchkey.origin, access_token)).status, 200);
  assert.equal((await post(`${latchkey.origin}/token`, { client_id, ...refresh }, { authorization: '' })).status, 200);
  assert.equal(site.requests.length, 1);
});

const badDocuments: [title: string, problem: RegExp, changes: Record<string, unknown> | string][] = [
  ['no JSON', /not valid JSON/, '<!doctype html>'],
  ['a list', /not a JSON object/, '[]'],
  ['a repeated member', /more than once/, '{"client_id":"a","client_id":"b"}'],
  ['no client_id', /not exactly its URL/, { client_id: undefined }],
  ['the client_id of another host', /not exactly its URL/, { client_id: 'https://other.example/client.json' }],
  ['a client_id in upper case', /not exactly its URL/, { client_id: 'https://CLIENT.example/client.json' }],
  ['a client_id in a list', /not exactly its URL/, { client_id: [documentUrl] }],
  ['a secret', /client_secret/, { client_secret: 'x'.repeat(40) }],
  ['authentication by a secret', /token_endpoint_auth_method/, { token_endpoint_auth_method: 'client_secret_basic' }],
  ['authentication by a key that it does not show', /jwks: missing/, { token_endpoint_auth_method: 'private_key_jwt' }],
  ['a private key', /jwks: secret/, { jwks: { keys: [{ kty: 'EC', d: 'x' }] } }],
  ['a key by which anybody can sign', /jwks: forgeable/, { jwks: { keys: [badKeys['RSA with the exponent 1']?.jwk] } }],
  ['keys at an address without TLS', /jwks_uri: not https/, { jwks_uri: 'http://client.example/jwks' }],
  ['no redirect_uris', /redirect_uris: missing/, { redirect_uris: undefined }],
  [
    'a redirection URI of another site',
    /redirect_uris: outside domain/,
    { redirect_uris: [callback, 'https://other.example/cb'] },
  ],
  ['a redirection URI without https', /redirect_uris: not https/, { redirect_uris: ['http://client.example/cb'] }],
  ['a redirection URI that is a script', /redirect_uris: not a uri/, { redirect_uris: ['javascript:alert(1)'] }],
  ['a name with a change of direction', /client_name/, { client_name: 'App \u202egro.elpmaxe' }],
  ['a name that pushes the host away', /client_name/, { client_name: `Claude (claude.ai)${' '.repeat(150)}` }],
  ['another flow', /grant_types/, { grant_types: ['client_credentials'] }],
];

for (const [title, problem, changes] of badDocuments) {
  test(`a document with ${title} is refused and not kept [A344]`, { skip }, async () => {
    const client_id = publish(typeof changes === 'string' ? { body: changes } : { changes });
    assert.match(problemOn(await alice.open(requestOf(client_id))), problem);
    assert.equal(await clientOf(client_id), undefined);
    assert.ok(await consent(publish()));
  });
}

test('a copy is filed under its exact URL: another spelling of it names no client [A344]', { skip }, async () => {
  const client_id = publish();
  await consent(client_id);
  const { pathname } = new URL(client_id);
  for (const spelling of [`https://CLIENT.example${pathname}`, `https://client.example:443${pathname}`]) {
    assert.match(problemOn(await alice.open(requestOf(spelling))), /names no application/);
  }
  for (const spelling of [`${client_id}/`, client_id.replace('json', '%6Ason')]) {
    published.set(spelling, { changes: { client_id } });
    assert.match(problemOn(await alice.open(requestOf(spelling))), /not exactly its URL/);
  }
});

const bounds: [headers: Record<string, string | string[]>, seconds: number][] = [
  [{}, 3600],
  [{ 'cache-control': 'max-age=600' }, 600],
  [{ 'cache-control': 'public, max-age=600', age: '100' }, 500],
  [{ 'cache-control': 'max-age=31536000, immutable' }, 86_400],
  [{ 'cache-control': 'max-age=-1' }, 60],
  [{ 'cache-control': 'max-age=600', age: '999999' }, 60],
  [{ 'cache-control': ['max-age=600', 'max-age=300'] }, 300],
  [{ 'cache-control': 'no-store' }, 60],
  [{ 'cache-control': 'max-age=600', vary: '*' }, 60],
  [{ expires: 'Thu, 01 Jan 1970 00:00:00 GMT' }, 60],
  [{ expires: '0' }, 60],
  [{ date: 'Sun, 22 Nov 2026 09:00:00 GMT', expires: 'Sun, 22 Nov 2026 09:10:00 GMT' }, 600],
];

test('a copy is kept for the time that its headers say, but between a minute and a day [A344]', { skip }, async () => {
  for (const [headers, seconds] of bounds) {
    const client_id = publish({ headers });
    await alice.open(requestOf(client_id));
    assert.equal(await freshnessOf(client_id), seconds, JSON.stringify(headers));
  }
});

test('status 304 is no document, since no copy was asked about [A344]', { skip }, async () => {
  const client_id = publish({ status: 304, headers: { etag: '"1"' } });
  assert.match(problemOn(await alice.open(requestOf(client_id))), /status 304/);
});

test('a client that an operator registered under the URL wins, and no document changes it [A344]', {
  skip,
}, async () => {
  const client_id = publish({ changes: { client_name: 'Document' } });
  await consent(client_id);
  const register = `select register_client(client_id => $1, name => 'Registered', site_domain => 'client.example',
    redirect_uris => array['${callback}'], scopes => array['user:name'])`;
  await latchkey.database.query(register, [client_id]);
  const { name, vouched } = await clientOf(client_id);
  assert.deepEqual([name, vouched], ['Registered', true]);
  assert.ok(await consent(client_id));
  assert.equal(site.requests.length, 1);
  const { rows } = await latchkey.database.query('select keep_client_document($1, fresh_for => 60) as kept', [
    { client_id, name: 'Document', site_domain: 'client.example', redirect_uris: [callback], scopes: ['user:name'] },
  ]);
  assert.equal(rows[0].kept, null, 'a fetch that was under way');
  assert.equal((await clientOf(client_id)).name, 'Registered');
});

test('only so many documents are kept that nobody has used; the oldest of them go [A344]', { skip }, async () => {
  const [used, unused, vouched, ofResource, pushing] = [publish(), publish(), publish(), publish(), publish()];
  await consent(used);
  for (const url of [unused, vouched, ofResource]) await alice.open(requestOf(url));
  const request = Object.fromEntries(new URLSearchParams(requestOf(pushing).split('?')[1]));
  await post(`${latchkey.origin}/par`, request, { authorization: '' });
  await latchkey.database.query('update clients set vouched = true where client_id = $1', [vouched]);
  await registerResource(latchkey.database, 'https://api.example', ['user:name'], ofResource);
  for (const url of [used, unused, vouched, ofResource, pushing]) await age(url, 24);
  await latchkey.database.query(
    `insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256, secrets_since, vouched)
     select 'https://many.example/' || n, 'Many', 'many.example', '{}', '{}', '{}', '{}', '{}', '{}', false from generate_series(1, 1000) n`,
  );
  await latchkey.database.query(
    "insert into client_documents select client_id, now() - interval '1 hour', now() from clients where site_domain = 'many.example'",
  );
  await alice.open(requestOf(publish()));
  assert.ok(await clientOf(used));
  assert.ok((await clientOf(vouched)).vouched, 'an administrator vouches for it');
  assert.equal(await clientOf(unused), undefined);
  for (const url of [ofResource, pushing]) assert.ok(await clientOf(url), 'something refers to it');
  const { rows } = await latchkey.database.query(
    'select count(*)::integer as kept from client_documents d join clients using (client_id) where (disabled_at is null or disabled_by_owner) and not vouched and not exists (select from clients_in_use u where u.client_id = d.client_id)',
  );
  assert.equal(rows[0].kept, 1000);
  await latchkey.database.query("delete from clients where site_domain = 'many.example'");
});

const otherCallback = 'https://client.example/other';
const moved = { client_name: 'Bank', redirect_uris: [otherCallback] };

test('a form that was shown for one version of a document allows nothing for another [A346]', { skip }, async () => {
  const client_id = publish();
  const page = await alice.visit(requestOf(client_id));
  published.set(client_id, { changes: moved });
  await age(client_id);
  assert.match(problemOn(await alice.submit(page, 'id="allow"')), /redirect_uri/);
  assert.match(problemOn(await alice.open(requestOf(client_id))), /redirect_uri/);
  assert.equal((await alice.open(requestOf(client_id, { redirect_uri: otherCallback }))).status, 200);
});

test('a code is worth what was shown, whatever became of the document [A346]', { skip }, async () => {
  for (const change of [
    { changes: moved },
    { status: 500 },
    { changes: { token_endpoint_auth_method: 'private_key_jwt' } },
  ]) {
    const client_id = publish();
    const code = await consent(client_id);
    published.set(client_id, change);
    await age(client_id);
    assert.equal((await redeem(client_id, code, { redirect_uri: otherCallback })).body['error'], 'invalid_grant');
    assert.equal((await redeem(client_id, code)).status, 200);
  }
});

test('a new name asks again and says so, as new redirection URIs do [A346]', { skip }, async () => {
  const client_id = publish();
  await consent(client_id);
  const said = async (redirect_uri = callback) => {
    const { text } = await alice.visit(requestOf(client_id, { redirect_uri }));
    assert.match(text, /id="allow"/);
    return /since you last allowed it\.\s*(.*?)\. Please decide again\./.exec(text.replaceAll(/<[^>]*>/g, ''))?.[1];
  };
  assert.equal(await said(), undefined);
  for (const [what, changes] of [
    ['The name has changed from “App” to “Bank”', { client_name: 'Bank' }],
    [
      'The addresses to which the application sends you back have changed',
      { client_name: 'Bank', redirect_uris: [callback, otherCallback] },
    ],
  ] as const) {
    published.set(client_id, { changes });
    await age(client_id);
    assert.equal(await said(), what);
    await consent(client_id);
    assert.equal(await said(), undefined);
  }
});

test('a document that one instance has fetched is not fetched by another, which shows the same version', {
  skip,
}, async () => {
  const client_id = publish({ changes: { client_name: 'First version' } });
  const second = await startLatchkey({ CLIENT_ID_DOCUMENTS: 'on', ISSUER: latchkey.origin }, latchkey.url);
  assert.match((await alice.visit(requestOf(client_id))).text, /First version/);
  published.set(client_id, { changes: { client_name: 'Second version' } });
  const there = await signedInBrowser(second.origin);
  assert.match((await there.visit(requestOf(client_id))).text, /First version/);
  assert.equal(site.requests.length, 1);
  await age(client_id);
  assert.match((await there.visit(requestOf(client_id))).text, /Second version/);
  assert.match((await alice.visit(requestOf(client_id))).text, /Second version/);
  assert.equal(site.requests.length, 2);
});

test('twenty requests at once share a fetch, and none shows a mixture of two versions [A346]', { skip }, async () => {
  const client_id = publish();
  const { answer } = site;
  let version = 0;
  site.answer = (req, res) => {
    version += 1;
    published.set(client_id, {
      changes: { client_name: `App ${version}`, redirect_uris: [callback, `${callback}/${version}`] },
    });
    answer(req, res);
  };
  const pages = await Promise.all(Array.from({ length: 20 }, () => alice.open(requestOf(client_id))));
  // a request that was looking when the fetch ended starts another one
  assert.ok(site.requests.length <= 3, `${site.requests.length} fetches`);
  assert.ok(pages.every(({ text }) => /App [1-3]/.test(text)));
  let offered = 0;
  for (let round = 2; round < 5; round += 1) {
    await age(client_id);
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const redirect_uri = `${callback}/${(index % 3) + round - 1}`;
        const { status, text } = await alice.open(requestOf(client_id, { redirect_uri }));
        const shown = /App (\d)/.exec(text)?.[1];
        if (status !== 200) return;
        assert.ok(redirect_uri.endsWith(`/${shown}`), `${redirect_uri} beside ${shown}`);
        offered += 1;
      }),
    );
  }
  assert.ok(offered > 0, 'no page was shown');
  site.answer = answer;
});

test('an error of such a client is a page, never a redirect to its site without a person who decides [A335]', {
  skip,
}, async () => {
  const client_id = publish();
  await consent(client_id);
  const faults: Record<string, string>[] = [
    { scope: 'nope' },
    { response_type: 'token' },
    { code_challenge: 'short' },
    { prompt: 'none' },
    { response_mode: 'form_post', scope: 'nope' },
    { resource: 'bogus' },
  ];
  for (const fault of faults) {
    for (const browser of [alice, new Browser(latchkey.origin)]) {
      for (const path of [requestOf(client_id, fault), `/login/oauth${requestOf(client_id, fault)}`]) {
        const { location, text } = await browser.open(path);
        assert.ok(location === undefined || location.startsWith('/'), `${path} leads to ${location}`);
        assert.doesNotMatch(text, /http-equiv|form-post\.js/);
      }
    }
  }
});

const hosts = ['xn--pple-43d.example', 'client.example', longHost];

test('the consent page names the host of the document before its claimed name, an international one as punycode [A347]', {
  skip,
}, async () => {
  for (const host of hosts) {
    nameServer.hosts.set(host, [publicAddress]);
    const client_id = `https://${host}/google.com/client.json`;
    published.set(client_id, { changes: { client_name: 'Claude (claude.ai)' } });
    for (const redirect_uri of [`https://${host}/cb`, 'http://127.0.0.1:4711/cb']) {
      published.set(client_id, { changes: { client_name: 'Claude (claude.ai)', redirect_uris: [redirect_uri] } });
      await age(client_id);
      const { text } = await alice.visit(requestOf(client_id, { redirect_uri }));
      const main = text.slice(text.indexOf('<main')).replace(/<[^>]*>/g, '');
      assert.ok(main.indexOf(host) >= 0 && main.indexOf(host) < main.indexOf('Claude'), main);
      assert.doesNotMatch(main, /google\.com\/|client\.json/);
    }
  }
});

test('the logo in a document is kept for whoever vouches for the client; until then it is neither loaded nor fetched [A550]', {
  skip,
}, async () => {
  const logo_uri = 'https://client.example/logo.svg';
  const client_id = publish({ changes: { logo_uri } });
  const signIn = await new Browser(latchkey.origin).visit(requestOf(client_id));
  const asked = await alice.visit(requestOf(client_id));
  await alice.submit(asked, 'id="allow"');
  const pages = ['/account/applications', `/account/applications/${encodeURIComponent(client_id)}`];
  const accounts = await Promise.all(pages.map((path) => alice.visit(path)));
  for (const { url, text, headers } of [signIn, asked, ...accounts]) {
    assert.doesNotMatch(text, /<img|logo\.svg/, url);
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /client\.example/, url);
  }
  assert.equal((await clientOf(client_id)).logo_uri, logo_uri);
  assert.equal(site.requests.length, 1, 'the document');
});

test('an app on the device has loopback addresses in its document, and any port at run time [8252 §7.3]', {
  skip,
}, async () => {
  const client_id = publish({ changes: { redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'] } });
  const page = await alice.visit(requestOf(client_id, { redirect_uri: 'http://127.0.0.1:50123/callback' }));
  assert.ok(codeIn(await alice.submit(page, 'id="allow"')));
});

test('scopes of other servers are ignored; without a scope of this server the client may ask for what changes nothing', {
  skip,
}, async () => {
  for (const scope of ['mcp:tools', undefined]) {
    const client_id = publish({ changes: { scope } });
    assert.equal((await alice.open(requestOf(client_id))).status, 200);
    assert.deepEqual((await clientOf(client_id)).scopes, ['user:name', 'user:email', 'repo:read']);
  }
});

test('a document may name types of authorization_details of other servers, which it cannot ask for here', {
  skip,
}, async () => {
  const client_id = publish({ changes: { authorization_details_types: ['payment_initiation'] } });
  assert.equal((await alice.open(requestOf(client_id))).status, 200);
  assert.deepEqual((await clientOf(client_id)).authorization_details_types, ['payment_initiation']);
});

test('the privacy policy and the terms in a document are kept if they lie on its site, and shown as its claims', {
  skip,
}, async () => {
  const policy_uri = 'https://client.example/privacy';
  const client_id = publish({ changes: { policy_uri, tos_uri: 'https://evil.example/terms' } });
  const { text } = await alice.visit(requestOf(client_id));
  assert.match(
    text,
    /This server has not verified that they belong to the application:[\s\S]*<bdi>https:\/\/client\.example\/privacy</,
  );
  assert.doesNotMatch(text, /evil\.example|Terms of service/);
  const { policy_uri: kept, tos_uri } = await clientOf(client_id);
  assert.deepEqual([kept, tos_uri], [policy_uri, null]);
});
