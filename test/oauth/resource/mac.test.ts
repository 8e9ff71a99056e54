import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { dumpDatabase } from '../../support/attack.ts';
import {
  authorizationQuery,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import {
  registerJwtResource,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../../support/latchkey.ts';
import { macHeader as headerFor, type MacToken } from '../../support/mac.ts';

const secrets = { SESSION_SECRET: 'a session secret that is long enough for this' };
const one = await startLatchkey(secrets);
const { origin, database } = one;
const two = await startLatchkey({ ...secrets, ISSUER: origin }, one.url);
await registerPeople(database);
await registerPrinter(database);
const browser = await signedInBrowser(origin);
await database.query("update clients set token_binding = 'mac'");

const macToken = async () => (await redeem(origin, await obtainCode(browser))).body as unknown as MacToken;
const token = await macToken();
const { access_token, mac_key } = token;
const now = () => Math.floor(Date.now() / 1000);

type Changes = Parameters<typeof headerFor>[2];

/** An Authorization header for GET /user that would be accepted, with one change. */
const macHeader = (sent?: Changes, signed?: Changes) => headerFor(token, origin, sent, signed);

interface Answer {
  status: number;
  challenge: string;
  body: string;
}

function ask(
  authorization: string,
  target = '/user',
  init: { method?: string; host?: string; at?: string; more?: Record<string, string> } = {},
): Promise<Answer> {
  const { method = 'GET', host = new URL(origin).host, at = origin, more } = init;
  return new Promise((resolve, reject) => {
    const call = request(at, { method, path: target, headers: { authorization, host, ...more } }, (res) => {
      let body = '';
      res.on('data', (chunk) => (body += chunk));
      res.on('end', () => {
        resolve({ status: res.statusCode ?? 0, challenge: String(res.headers['www-authenticate']), body });
      });
    });
    call.on('error', reject).end();
  });
}

async function assertAccepted() {
  assert.equal((await ask(macHeader())).status, 200);
}

async function assertRefused(authorization: string, ...rest: [target?: string, init?: Parameters<typeof ask>[2]]) {
  const { status, body } = await ask(authorization, ...rest);
  assert.ok(status === 401 || status === 400, `${status} ${body}`);
  await assertAccepted();
}

test('a client that is registered for MAC tokens gets a key, and reads /user with it', async () => {
  const { status, body } = await redeem(origin, await obtainCode(browser));
  assert.equal(status, 200);
  assert.deepEqual([body['token_type'], body['mac_algorithm']], ['mac', 'hmac-sha-256']);
  assert.match(String(body['mac_key']), /^[\w-]{43}$/);
  const { status: read, body: user } = await ask(macHeader({ ext: 'a,b c' }));
  assert.deepEqual([read, JSON.parse(user).username], [200, 'alice']);
});

test('without its MAC the token is worth nothing: as bearer, in the query, in a form', async () => {
  assert.equal((await getUser(origin, access_token)).status, 401);
  assert.equal((await fetch(`${origin}/user?access_token=${access_token}`)).status, 401);
  const body = new URLSearchParams({ access_token });
  assert.equal((await fetch(`${origin}/user`, { method: 'POST', body })).status, 401);
  assert.equal((await getUser(origin, access_token, '/api/v3/user')).status, 401);
  await assertAccepted();
});

test('a token that is not bound is not accepted with a MAC', async () => {
  await database.query('update access_tokens set binding = null');
  assert.equal((await ask(macHeader())).status, 401);
  await database.query("update access_tokens set binding = 'mac'");
  await assertAccepted();
});

test('a request counts once, on any instance [A410]', async () => {
  const header = macHeader();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask(header, '/user', { at: index % 2 ? two.origin : origin })),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.match(answers.find(({ status }) => status === 401)?.challenge ?? '', /^MAC error=/);
  await assertRefused(header);
});

for (const [ts, status] of [
  [-45, 200],
  [58, 200],
  [-62, 401],
  [90, 401],
] as const) {
  test(`a timestamp ${ts} seconds from the clock is answered with ${status} [A410]`, async () => {
    const answer = await ask(macHeader({ ts: now() + ts }));
    assert.equal(answer.status, status);
    if (status === 401) assert.match(answer.challenge, /^MAC error=/);
  });
}

for (const ts of ['0', '-1', '1e9', '0x5f', `0${now()}`, '9'.repeat(20), '', `${now()}.0`]) {
  test(`the timestamp "${ts}" is refused [A410]`, () => assertRefused(macHeader({ ts })));
}

for (const [what, sent, signed] of [
  ['another method', {}, { method: 'HEAD' }],
  ['another path', {}, { target: '/users' }],
  ['another spelling of the path', {}, { target: '/%75ser' }],
  ['another host', {}, { host: 'localhost' }],
  ['another port', {}, { port: '80' }],
  ['another ext', { ext: 'a' }, { ext: 'b' }],
  ['another nonce', {}, { nonce: 'other' }],
  ['another timestamp', {}, { ts: now() - 1 }],
  ['another key', {}, { key: 'x'.repeat(43) }],
] as const) {
  test(`a MAC that was made for ${what} is refused [A412]`, () => assertRefused(macHeader(sent, signed)));
}

test('a MAC covers the target as it was sent, query included [A412]', async () => {
  assert.equal((await ask(macHeader({}, { target: '/user?b=1&a=2' }), '/user?b=1&a=2')).status, 200);
  await assertRefused(macHeader({}, { target: '/user?b=1&a=2' }), '/user?a=2&b=1');
  await assertRefused(macHeader(), '/api/v3/user');
  await assertRefused(macHeader(), '/user', { method: 'HEAD' });
});

test('the host of the MAC is the public one, whatever the Host header says [A412]', async () => {
  assert.equal((await ask(macHeader(), '/user', { host: 'EVIL.example' })).status, 200);
  await assertRefused(macHeader({}, { host: 'evil.example' }), '/user', { host: 'evil.example' });
});

test('behind a proxy, the host and port of the MAC are those of the issuer, whatever the proxy passes on [A412]', async () => {
  const behind = await startLatchkey({ ...secrets, ISSUER: 'https://id.example', TRUST_PROXY: '1' }, one.url);
  const more = { 'x-forwarded-host': 'evil.example', 'x-forwarded-port': '8443', 'x-forwarded-proto': 'http' };
  const statusFor = async (host: string, port: string) =>
    (await ask(macHeader({}, { host, port }), '/user', { at: behind.origin, more })).status;
  assert.equal(await statusFor('id.example', '443'), 200);
  assert.equal(await statusFor('evil.example', '443'), 401);
  assert.equal(await statusFor('id.example', '8443'), 401);
  assert.equal(await statusFor('id.example', '80'), 401);
});

for (const [what, change] of [
  ['an attribute twice', (header: string) => `${header}, ts="${now()}"`],
  ['an unknown attribute', (header: string) => `${header}, kid="1"`],
  ['no quotation marks', (header: string) => header.replaceAll('"', '')],
  ['unbalanced quotation marks', (header: string) => header.slice(0, -1)],
  ['an escaped quotation mark', (header: string) => header.replace('nonce="', 'nonce="\\"')],
  ['a bare comma at the end', (header: string) => `${header},`],
  ['no mac', (header: string) => header.replace(/mac="[^"]*", /, '')],
  ['a short mac', (header: string) => header.replace(/mac="[^"]{4}/, 'mac="')],
  ['a longer mac', (header: string) => header.replace(/mac="/, 'mac="AAAA')],
  ['nothing', () => 'MAC x'],
] as const) {
  test(`an Authorization header with ${what} is refused [A413]`, () => assertRefused(change(macHeader())));
}

test('a MAC is accepted for GET only: it does not cover the body, which a stranger could exchange', async () => {
  const fresh = (await redeem(origin, await obtainCode(browser, { scope: 'user user:write', prompt: 'consent' }))).body;
  const change = (name: string) => {
    const authorization = headerFor(fresh as unknown as MacToken, origin, {}, { method: 'PATCH' });
    const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
    return fetch(`${origin}/user`, { method: 'PATCH', headers, body: new URLSearchParams({ name }) });
  };
  const answer = await change('Mallory');
  assert.equal(answer.status, 400);
  assert.equal((await answer.json()).error, 'invalid_request');
  assert.match(answer.headers.get('www-authenticate') ?? '', /^MAC error="/);
  const { rows } = await database.query("select name from users where username = 'alice'");
  assert.equal(rows[0].name, 'alice Liddell');
  const post = headerFor(fresh as unknown as MacToken, origin, {}, { method: 'POST' });
  assert.equal((await ask(post, '/user', { method: 'POST' })).status, 400);
  const get = headerFor(fresh as unknown as MacToken, origin);
  assert.equal((await ask(get)).status, 200);
});

test('where a token needs a MAC, or a request uses one, the challenge is MAC', async () => {
  for (const path of ['/user', '/api/v3/user']) {
    const asBearer = await getUser(origin, access_token, path);
    assert.deepEqual([asBearer.status, asBearer.body['error']], [401, 'invalid_token']);
    assert.match(asBearer.headers.get('www-authenticate') ?? '', /^MAC error="/);
  }
  const unknown = `${access_token.slice(0, -6)}`;
  for (const header of [macHeader({ id: unknown }), macHeader({ ts: 1 }), macHeader({}, { key: 'x' }), 'MAC x']) {
    const { status, challenge } = await ask(header);
    assert.ok(status === 401 || status === 400);
    assert.match(challenge, /^MAC error="/, header);
  }
  const { challenge } = await ask(macHeader({}, { target: '/api/v3/user/emails' }), '/api/v3/user/emails');
  assert.doesNotMatch(challenge, /Bearer/);
  const stranger = await ask('Bearer x');
  assert.match(stranger.challenge, /^Bearer /);
  assert.doesNotMatch(stranger.challenge, /MAC/);
  await assertAccepted();
});

test('the token is not accepted in two ways at once', async () => {
  await assertRefused(
    macHeader({}, { target: `/user?access_token=${access_token}` }),
    `/user?access_token=${access_token}`,
  );
});

test('the key is stored nowhere, and two tokens never share one [A415]', async () => {
  const other = await macToken();
  assert.notEqual(other.mac_key, mac_key);
  assert.equal((await ask(macHeader({ id: other.access_token }))).status, 401);
  const dump = await dumpDatabase(database);
  assert.ok(!dump.includes(mac_key) && !dump.includes(other.mac_key));
  const { body } = await post(`${origin}/introspect`, { token: access_token });
  assert.deepEqual([body['active'], body['token_type'], body['mac_key']], [true, 'mac', undefined]);
});

test('a refresh gives a new key, and a repeated refresh the same one again [A415]', async () => {
  const { refresh_token } = (await redeem(origin, await obtainCode(browser))).body;
  const [first, again] = [await refresh(origin, refresh_token), await refresh(origin, refresh_token)];
  assert.equal(first.body['token_type'], 'mac');
  assert.notEqual(first.body['mac_key'], mac_key);
  assert.deepEqual(again.body['mac_key'], first.body['mac_key']);
});

test('a token outlives the rotation of the session secret as long as the old one is still listed [A415]', async () => {
  const env = {
    ISSUER: origin,
    SESSION_SECRET: `another session secret that is long enough,${secrets.SESSION_SECRET}`,
  };
  const rotated = await startLatchkey(env, one.url);
  assert.equal((await ask(macHeader(), '/user', { at: rotated.origin })).status, 200);
  const gone = await startLatchkey({ ...env, SESSION_SECRET: 'another session secret that is long enough' }, one.url);
  assert.equal((await ask(macHeader(), '/user', { at: gone.origin })).status, 401);
});

test('there are no MAC tokens for the resources of other servers, which cannot verify a MAC and would take a JWT from whoever holds it', async () => {
  await registerResource(database, 'https://opaque.example/', ['user']);
  await registerJwtResource(database, 'https://jwt.example/', ['user']);
  const request = (resource: string) => `/authorize?${authorizationQuery({ resource })}`;
  for (const resource of ['https://opaque.example/', 'https://jwt.example/']) {
    const { location = '' } = await browser.open(request(resource));
    assert.equal(new URL(location, origin).searchParams.get('error'), 'invalid_target', resource);
  }
  assert.ok(codeIn(await browser.open(request(origin))));
});
