import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { dumpDatabase, eventsOf, findSecrets } from '../../support/attack.ts';
import { lengthenWaits } from '../../support/attempts.ts';
import { Browser } from '../../support/browser.ts';
import {
  authorizationQuery,
  basic,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { metadata, type Registration, register, sendJson } from '../../support/self-registration.ts';

const { origin, database, logged } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const alice = await signedInBrowser(origin);
const redirect_uri = 'https://app.example/cb';
const secretly = { token_endpoint_auth_method: 'client_secret_basic' };

async function registered(changes: Record<string, unknown> = {}): Promise<Registration> {
  await database.query('delete from attempts');
  const { status, body } = await register(origin, changes);
  assert.equal(status, 201);
  return body;
}

/** The client configuration endpoint, with the client's own token unless another is given. */
function manage(client: Registration, method: string, body?: unknown, token = client.registration_access_token) {
  return sendJson(`${origin}/register/${client.client_id}`, method, body, token);
}

/** A change that is accepted. */
const change = (client: Registration, changes: Record<string, unknown> = {}) => ({
  ...metadata,
  client_id: client.client_id,
  token_endpoint_auth_method: client['token_endpoint_auth_method'],
  ...changes,
});

const rowOf = async ({ client_id }: Registration) =>
  (await database.query('select * from clients where client_id = $1', [client_id])).rows[0];

/** Asserts that a change is refused and leaves the registration as it was, and that it is accepted without what spoils it. */
async function assertRefused(client: Registration, spoilt: Record<string, unknown>, named: RegExp) {
  const before = await rowOf(client);
  const { status, body } = await manage(client, 'PUT', change(client, spoilt));
  assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
  assert.match(String(body['error_description']), named);
  assert.deepEqual(await rowOf(client), before);
  assert.equal((await manage(client, 'PUT', change(client))).status, 200);
}

async function tokensOf(client: Registration) {
  const code = await obtainCode(alice, { client_id: client.client_id, redirect_uri, scope: 'user:name' });
  const authorization = basic(client.client_id, client.client_secret);
  const { body } = await redeem(origin, code, { redirect_uri }, { authorization });
  return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

test('a client with a secret cannot become one without, so what it was issued stays bound to the secret [A325]', async () => {
  const client = await registered(secretly);
  const authorization = basic(client.client_id, client.client_secret);
  const { refresh_token } = await tokensOf(client);
  const request = { client_id: client.client_id, redirect_uri, scope: 'user:name' };
  const code = await obtainCode(alice, request);
  await assertRefused(client, { token_endpoint_auth_method: 'none' }, /cannot change between none/);
  const without = { client_id: client.client_id };
  assert.equal((await refresh(origin, refresh_token, without, { authorization: '' })).status, 401);
  assert.equal((await redeem(origin, code, { redirect_uri, ...without }, { authorization: '' })).status, 401);
  assert.equal((await refresh(origin, refresh_token, {}, { authorization })).status, 200);
  assert.equal((await redeem(origin, code, { redirect_uri }, { authorization })).status, 200);
  const posted = await manage(client, 'PUT', change(client, { token_endpoint_auth_method: 'client_secret_post' }));
  assert.deepEqual([posted.status, posted.body['token_endpoint_auth_method']], [200, 'client_secret_post']);
});

test('a client without a secret stays without one, also if it leaves its method out [7591 §2] [A325]', async () => {
  const client = await registered();
  for (const token_endpoint_auth_method of ['client_secret_basic', undefined, null]) {
    await assertRefused(client, { token_endpoint_auth_method }, /cannot change between none/);
  }
  await assertRefused(client, { client_secret: 'x'.repeat(40) }, /client_secret is not the current one/);
});

for (const method of ['private_key_jwt', 'client_secret_jwt', 'tls_client_auth', 'NONE', '', 7]) {
  test(`the method ${JSON.stringify(method)} is refused, at a registration and later [A325]`, async () => {
    const client = await registered();
    await assertRefused(client, { token_endpoint_auth_method: method }, /^token_endpoint_auth_method/);
    const { status, body } = await register(origin, { token_endpoint_auth_method: method });
    assert.deepEqual([status, body['error']], [400, 'invalid_client_metadata']);
  });
}

test('a registration access token is in no log, no audit event and no column, and its answers are not stored [A328]', async () => {
  const client = await registered(secretly);
  const secrets = [client.registration_access_token, client.client_secret ?? ''];
  const read = await manage(client, 'GET');
  const changed = await manage(client, 'PUT', change(client));
  for (const { headers, status } of [read, changed]) {
    assert.equal(status, 200);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.deepEqual(findSecrets(JSON.stringify([...headers]), secrets), []);
  }
  assert.ok(!('client_secret' in read.body) && !('client_secret' in changed.body));
  const before = logged.length;
  // a mistake of the client: as a part of an address
  await manage({ ...client, client_id: client.registration_access_token }, 'GET');
  await alice.open(`/register/${client.client_id}?access_token=${client.registration_access_token}`);
  // logged when the connection has the answer, which may be after the client has it
  while (logged.length < before + 2) await pause(5);
  assert.deepEqual(findSecrets(logged.join('\n'), secrets), []);
  assert.deepEqual(findSecrets(await dumpDatabase(database), secrets), []);
});

test('a registration access token works for its own client only, and nowhere else [A328]', async () => {
  const client = await registered(secretly);
  const other = await registered(secretly);
  const token = client.registration_access_token;
  const authorization = basic(client.client_id, client.client_secret);
  for (const [method, body] of [['GET'], ['PUT', change(client)], ['DELETE']] as const) {
    for (const wrong of [other.registration_access_token, client.client_secret, `${token}x`, token.toLowerCase()]) {
      const { status, body: answer, headers } = await manage(client, method, body, wrong);
      assert.deepEqual([status, answer['error']], [401, 'invalid_token'], method);
      assert.equal(headers.get('www-authenticate'), 'Bearer error="invalid_token"');
    }
    const without = await sendJson(`${origin}/register/${client.client_id}`, method, body);
    assert.deepEqual([without.status, without.headers.get('www-authenticate')], [401, 'Bearer']);
    for (const path of ['%00', '..%2f', other.client_id, 'x'.repeat(300)]) {
      assert.equal((await sendJson(`${origin}/register/${path}`, method, body, token)).status, 401, path);
    }
    const inQuery = await sendJson(`${origin}/register/${client.client_id}?access_token=${token}`, method, body);
    assert.equal(inQuery.status, 401);
  }
  assert.equal((await getUser(origin, token)).status, 401);
  assert.deepEqual((await post(`${origin}/introspect`, { token }, { authorization })).body, { active: false });
  assert.equal((await post(`${origin}/revoke`, { token }, { authorization })).status, 200);
  assert.equal((await refresh(origin, token, {}, { authorization })).body['error'], 'invalid_grant');
  assert.equal((await register(origin, {}, token)).status, 201, 'in open mode no token is looked at');
  const elsewhere = await fetch(`${origin}/register/${client.client_id}`, {
    headers: { authorization: `Bearer ${token}`, origin: 'https://app.example' },
  });
  assert.deepEqual([elsewhere.status, elsewhere.headers.get('access-control-allow-origin')], [200, null]);
});

test('the log says why a registration access token was refused, and the answer does not', async () => {
  const client = await registered();
  const other = await registered();
  const disabled = await registered({ redirect_uris: ['https://disabled.example/cb'] });
  await database.query('update clients set disabled_at = now() where client_id = $1', [disabled.client_id]);
  const token = client.registration_access_token;
  const answers = [
    await manage(client, 'GET', undefined, other.registration_access_token),
    await manage(disabled, 'GET'),
    await manage({ ...client, client_id: 'nobody' }, 'GET'),
    await manage(client, 'GET', undefined, token.slice(0, -1)),
  ];
  assert.equal(new Set(answers.map(({ body }) => body['error_description'])).size, 1);
  const ids = answers.map(({ headers }) => headers.get('x-request-id'));
  const lineOf = (id: string | null) =>
    logged.map((line) => JSON.parse(line)).find(({ request_id, msg }) => request_id === id && msg === 'request');
  // logged when the connection has the answer, which may be after the client has it
  while (!ids.every(lineOf)) await pause(5);
  const reasons = ids.map(lineOf);
  assert.deepEqual(
    reasons.map(({ reason, client_id }) => [reason, client_id]),
    [
      ['registration access token wrong', client.client_id],
      ['client disabled', disabled.client_id],
      ['client unknown', undefined],
      ['token malformed or of another kind', undefined],
    ],
  );
});

test('the address of a registration is that of the issuer, whatever the Host header says [A328]', async () => {
  const client = await registered();
  const headers = { host: 'evil.example', authorization: `Bearer ${client.registration_access_token}` };
  const text = await new Promise<string>((resolve) => {
    request(`${origin}/register/${client.client_id}`, { headers }, (res) => {
      let body = '';
      res.setEncoding('utf8').on('data', (chunk) => (body += chunk));
      res.on('end', () => resolve(body));
    }).end();
  });
  assert.equal(JSON.parse(text).registration_client_uri, `${origin}/register/${client.client_id}`);
  assert.doesNotMatch(text, /evil\.example/);
});

test('a registration access token that was reported as leaked is dead, and the client lives on [A328]', async () => {
  const client = await registered(secretly);
  const tokens = await tokensOf(client);
  const report = await post(`${origin}/leaked`, { token: client.registration_access_token }, { authorization: '' });
  assert.equal(report.status, 200);
  assert.equal((await manage(client, 'GET')).status, 401);
  assert.equal((await getUser(origin, tokens.access_token)).status, 200);
  const [event] = (await eventsOf(database, 'token_leaked')).slice(-1);
  assert.deepEqual([event.client_id, event.detail], [client.client_id, 'registration access token']);
});

test('a disabled client can neither enable nor delete itself, and no other client registers itself for its site [A329]', async () => {
  const redirect_uris = ['https://banned.example/cb'];
  const client = await registered({ redirect_uris, ...secretly });
  await database.query('update clients set disabled_at = now() where client_id = $1', [client.client_id]);
  const full = change(client, { redirect_uris });
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', full],
    ['PUT', { ...full, disabled: false, enabled: true, disabled_at: null }],
    ['DELETE', undefined],
  ] as const) {
    const answer = await manage(client, method, body);
    assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_token'], method);
    assert.doesNotMatch(JSON.stringify(answer.body), /lk_|banned/);
  }
  const row = await rowOf(client);
  assert.ok(row.disabled_at && !row.deleted_at);
  for (const host of ['banned.example', 'www.banned.example']) {
    const again = await register(origin, { redirect_uris: [`https://${host}/cb`] });
    assert.deepEqual([again.status, again.body['error']], [400, 'invalid_redirect_uri'], host);
  }
  assert.equal((await register(origin, { redirect_uris: ['https://unbanned.example/cb'] })).status, 201);
  const moved = await registered();
  const towards = await manage(moved, 'PUT', change(moved, { redirect_uris }));
  assert.deepEqual([towards.status, towards.body['error']], [400, 'invalid_redirect_uri']);
  await database.query('update clients set disabled_at = null where client_id = $1', [client.client_id]);
  assert.equal((await manage(client, 'GET')).status, 200);
  assert.equal((await register(origin, { redirect_uris })).status, 201);
});

test('a scope that an operator has taken away does not return, nor one that was never registered [A329]', async () => {
  const client = await registered({ scope: 'user repo' });
  await database.query(`update clients set scopes = '{user:name,user:email}' where client_id = $1`, [client.client_id]);
  await assertRefused(client, { scope: 'user repo' }, /scope can only be narrowed/);
  await assertRefused(client, { scope: 'user:name user:write' }, /scope can only be narrowed/);
});

test('a client that gives itself another name is not remembered by the people who allowed it: they are asked again [A322]', async () => {
  const client = await registered(secretly);
  await tokensOf(client);
  const request = { client_id: client.client_id, redirect_uri, scope: 'user:name' };
  const answerOf = () => alice.open(`/authorize?${authorizationQuery(request)}`);
  assert.ok(codeIn(await answerOf()));
  assert.equal((await manage(client, 'PUT', change(client, { client_uri: 'https://app.example/' }))).status, 200);
  assert.ok(codeIn(await answerOf()), 'what does not change its name');
  assert.equal((await manage(client, 'PUT', change(client, { client_name: 'Your Bank' }))).status, 200);
  const { location, text } = await answerOf();
  assert.equal(location, undefined);
  assert.match(text, /The name has changed from “<bdi[^>]*>App<\/bdi>” to “<bdi[^>]*>Your Bank<\/bdi>”/);
  await database.query('update grants set client_name = null where client_id = $1', [client.client_id]);
  assert.match(
    (await answerOf()).text,
    /since you last allowed it\.[^|]*The name has changed\./,
    'allowed when nobody recorded names',
  );
  await tokensOf(client);
  assert.ok(codeIn(await answerOf()), 'allowed under the new name');
});

test('a client that moves to another site loses all that it was granted at the one that people were shown [7592 §2.2]', async () => {
  const loopback = 'http://127.0.0.1/cb';
  const of = (host: string) => ({ redirect_uris: [`https://${host}/cb`, loopback] });
  const client = await registered(of('app.example'));
  const { client_id } = client;
  const request = { client_id, redirect_uri: loopback, scope: 'user:name' };
  const push = async () => {
    const query = Object.fromEntries(new URLSearchParams(authorizationQuery(request)));
    const { body } = await post(`${origin}/par`, query, { authorization: '' });
    return `/authorize?${new URLSearchParams({ client_id, request_uri: String(body['request_uri']) })}`;
  };
  const obtain = async () => {
    const exchange = async (code: string) =>
      redeem(origin, code, { redirect_uri: loopback, client_id }, { authorization: '' });
    const tokens = (await exchange(await obtainCode(alice, request))).body;
    const [code, pushed] = [await obtainCode(alice, request), await push()];
    return async () => [
      (await getUser(origin, tokens['access_token'])).status,
      (await refresh(origin, tokens['refresh_token'], { client_id }, { authorization: '' })).status,
      (await exchange(code)).status,
      (await alice.open(pushed)).status,
    ];
  };
  const sameSite = await obtain();
  const narrower = { redirect_uris: [...of('app.example').redirect_uris, 'https://www.app.example/cb'] };
  assert.equal((await manage(client, 'PUT', change(client, narrower))).status, 200);
  assert.deepEqual(await sameSite(), [200, 200, 200, 200], 'on the same site');
  const refused = await obtain();
  assert.equal((await manage(client, 'PUT', change(client, { ...of('other.example'), scope: 'repo' }))).status, 400);
  assert.deepEqual(await refused(), [200, 200, 200, 200], 'after a change that is refused');
  const moved = await obtain();
  assert.equal((await manage(client, 'PUT', change(client, of('other.example')))).status, 200);
  assert.deepEqual(await moved(), [401, 400, 400, 400], 'after the move');
  assert.match(
    JSON.stringify(await eventsOf(database, 'client_changed')),
    /to another site: all that it was granted ended/,
  );
  assert.deepEqual(await (await obtain())(), [200, 200, 200, 200], 'what people allow to the new site');
});

test('a client that changes itself again and again has to wait, so it cannot fill the audit trail [A31]', async () => {
  await lengthenWaits(database);
  const client = await registered();
  const statuses = [];
  for (let count = 0; count < 32; count += 1) statuses.push((await manage(client, 'PUT', change(client))).status);
  assert.deepEqual([...new Set(statuses)], [200, 429]);
  assert.equal((await manage(client, 'GET')).status, 200);
});

test('protected members are refused, and the client_id must be its own [7592 §2.2] [A331]', async () => {
  const client = await registered(secretly);
  const other = await registered(secretly);
  for (const client_secret of ['a'.repeat(40), other.client_secret, 7]) {
    await assertRefused(client, { client_secret }, /client_secret is not the current one/);
  }
  const current = await manage(client, 'PUT', change(client, { client_secret: client.client_secret }));
  assert.equal(current.status, 200);
  for (const name of [
    'registration_access_token',
    'registration_client_uri',
    'client_secret_expires_at',
    'client_id_issued_at',
  ]) {
    await assertRefused(client, { [name]: client[name] ?? 0 }, new RegExp(`^${name} must not be sent$`));
  }
  for (const client_id of [other.client_id, undefined, null, 7]) {
    await assertRefused(client, { client_id }, /^client_id/);
  }
});

test('members that are left out return to their defaults, and the answer says so [A331]', async () => {
  const client = await registered({
    ...secretly,
    scope: 'user:name user:write',
    client_uri: 'https://app.example/',
    logo_uri: 'https://app.example/logo.png',
    policy_uri: 'https://app.example/privacy',
    tos_uri: 'https://app.example/terms',
  });
  for (const absent of [undefined, null]) {
    const members = {
      client_name: absent,
      client_uri: absent,
      logo_uri: absent,
      policy_uri: absent,
      tos_uri: absent,
      scope: absent,
      grant_types: absent,
    };
    const { status, body } = await manage(client, 'PUT', change(client, members));
    assert.equal(status, 200);
    const { client_id, client_name, client_uri, logo_uri, policy_uri, tos_uri, scope, grant_types } = body;
    assert.deepEqual(
      { client_name, client_uri, logo_uri, policy_uri, tos_uri, scope, grant_types },
      {
        client_name: client_id,
        client_uri: undefined,
        logo_uri: undefined,
        policy_uri: undefined,
        tos_uri: undefined,
        scope: 'user:name',
        grant_types: ['authorization_code'],
      },
    );
  }
});

test('other methods are refused by name, and two changes at once end as one of them [A331]', async () => {
  const client = await registered(secretly);
  const patched = await manage(client, 'PATCH', change(client));
  assert.deepEqual([patched.status, patched.headers.get('allow')], [405, 'GET, PUT, DELETE']);
  assert.equal((await sendJson(`${origin}/register`, 'GET')).status, 405);
  const bodies = [1, 2].map((n) =>
    change(client, {
      client_name: `App ${n}`,
      redirect_uris: [`https://app.example/${n}`],
      client_uri: `https://app.example/${n}`,
    }),
  );
  for (let round = 0; round < 20; round += 1) {
    await Promise.all(bodies.map((body) => manage(client, 'PUT', body)));
    const { body } = await manage(client, 'GET');
    const n = String(body['client_name']).slice(-1);
    assert.deepEqual(
      [body['redirect_uris'], body['client_uri']],
      [[`https://app.example/${n}`], `https://app.example/${n}`],
    );
  }
});

test('a deleted client leaves nothing alive, also while it is being used [7592 §2.3] [A332]', async () => {
  const client = await registered(secretly);
  const authorization = basic(client.client_id, client.client_secret);
  const asked = { client_id: client.client_id, redirect_uri, scope: 'user:name' };
  const families = await Promise.all(Array.from({ length: 5 }, () => tokensOf(client)));
  const codes: string[] = [];
  for (let n = 0; n < 5; n += 1) codes.push(await obtainCode(alice, asked));
  const open = await alice.visit(`/authorize?${authorizationQuery({ ...asked, prompt: 'consent' })}`);
  const [{ status }, ...answers] = await Promise.all([
    manage(client, 'DELETE'),
    ...families.map(({ refresh_token }) => refresh(origin, refresh_token, {}, { authorization })),
    ...codes.map((code) => redeem(origin, code, { redirect_uri }, { authorization })),
  ]);
  assert.equal(status, 204);
  const issued = answers.flatMap(({ body }) => body['access_token'] ?? []);
  for (const token of [...issued, ...families.map(({ access_token }) => access_token)]) {
    assert.equal((await getUser(origin, token)).status, 401);
  }
  for (const { refresh_token } of families) {
    assert.equal((await refresh(origin, refresh_token, {}, { authorization })).status, 401);
  }
  const approved = await alice.submit(open, 'id="allow"');
  assert.deepEqual([approved.status, approved.location], [400, undefined]);
  assert.equal((await manage(client, 'GET')).status, 401);
  assert.equal((await manage(client, 'DELETE')).status, 401);
  for (const path of ['/account/applications', '/account']) assert.equal((await alice.visit(path)).status, 200);
  const next = await registered(secretly);
  assert.notEqual(next.client_id, client.client_id);
});

test('a change of redirection URIs asks people again, and a browser without a session learns nothing', async () => {
  const client = await registered(secretly);
  await tokensOf(client);
  const asked = { client_id: client.client_id, redirect_uri, scope: 'user:name' };
  assert.ok((await alice.open(`/authorize?${authorizationQuery(asked)}`)).location, 'remembered');
  await manage(client, 'PUT', change(client, { redirect_uris: [redirect_uri, 'https://app.example/new'] }));
  const page = await alice.open(`/authorize?${authorizationQuery(asked)}`);
  assert.match(page.text, /The addresses to which the application sends you back have changed\./);
  assert.equal((await new Browser(origin).open(`/register/${client.client_id}`)).status, 401);
});
