import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApp } from '../../../src/app.ts';
import { rotateKey } from '../../../src/oauth/token/signing-keys.ts';
import { routesOf } from '../../fuzz/routes.ts';
import { createDpopKey, proofFor, proofOf } from '../../support/dpop.ts';
import { authorizationQuery, basic, encode, obtainCode, signedInBrowser, verifier } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, registerResource, startLatchkey } from '../../support/latchkey.ts';
import { logoutToken, revocationToken } from '../../support/logout-token.ts';
import { describedServer, operationsIn, promisedAnswers, readDescription } from '../../support/openapi.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { registerFake } from '../../support/providers.ts';

const latchkey = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
const { origin, database } = latchkey;
const closed = await startLatchkey({ REGISTRATION_ENDPOINT: 'token', ISSUER: origin }, latchkey.url);
await registerPeople(database);
await registerPrinter(database);
await registerPrinter(database, { client_id: 'no-code', grant_types: ['refresh_token'] });
await registerPrinter(database, { client_id: 'public', client_secret: null });
await database.query(
  `select register_choice('shelves', '{repo:read}', 'Which shelves?', $$ select $1 as value, 'Mine' as label $$)`,
);
const alice = await signedInBrowser(origin);
const description = await readDescription(origin);
const { ask, seen } = describedServer(description);

test('the description has every address that answers in JSON, with its methods, and no other', async () => {
  for (const server of [latchkey, await startLatchkey()]) {
    const routes = routesOf(createApp(server.deps));
    const isJson = async (path: string) => {
      const address = `${server.origin}${path.replaceAll(/:\w+/g, 'x')}`;
      const { headers } = await fetch(address, { method: 'PROPFIND' });
      return headers.get('content-type') === 'application/json;charset=UTF-8';
    };
    const found: string[] = [];
    for (const { path, methods } of routes) {
      if (!(await isJson(path))) continue;
      const described = path.replaceAll(/:(\w+)/g, '{$1}');
      found.push(...methods.filter((method) => method !== 'options').map((method) => `${method} ${described}`));
    }
    assert.deepEqual(operationsIn(await readDescription(server.origin)).sort(), found.sort());
  }
});

test('the description may be read by pages of any origin, and names this server', async () => {
  const response = await fetch(`${origin}/openapi.json`, { headers: { origin: 'https://stranger.example' } });
  assert.equal(response.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual((await response.json()).servers, [{ url: origin }]);
  const preflight = await fetch(`${origin}/openapi.json`, {
    method: 'OPTIONS',
    headers: { origin: 'https://a.example' },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*');
});

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const confidential = { ...form, authorization: basic() };
const sent = (parameters: Parameters<typeof encode>[0], headers: Record<string, string> = confidential) => ({
  headers,
  body: encode(parameters),
});
const withJson = (members: unknown, headers: Record<string, string> = {}) => ({
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(members),
});

const exchange = (code: string) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: printer.redirect_uri,
  code_verifier: verifier,
});

async function freshTokens(scope: string): Promise<Record<string, string>> {
  const code = await obtainCode(alice, { scope, prompt: 'consent' });
  return (await ask(origin, 'post /token', sent(exchange(code)))).answer;
}

test('a body that is malformed, too large or without its token is refused as described', async () => {
  const { access_token } = await freshTokens('user user:write');
  const token = { authorization: `Bearer ${access_token}` };
  for (const operation of operationsIn(description)) {
    const [method = '', path = ''] = operation.split(' ');
    const body = description.paths[path]?.[method]?.requestBody;
    if (!body) continue;
    const [type = ''] = Object.keys(body.content);
    const headers = { 'content-type': type, ...(method === 'patch' ? token : {}) };
    const target = path.replace('{client_id}', 'x');
    if (method !== 'put')
      await ask(origin, operation, { headers, body: type === 'application/json' ? '{' : 'a=%zz' }, target);
    await ask(origin, operation, { headers, body: 'x'.repeat(17_000) }, target);
  }
});

for (const path of ['/token', '/login/oauth/access_token']) {
  test(`${path} answers as described`, async () => {
    const operation = `post ${path}`;
    const accept = { ...confidential, accept: 'application/json' };
    const code = await obtainCode(alice, { prompt: 'consent' });
    const unknown = { ...exchange(code), resource: 'https://unknown.example' };
    await ask(origin, operation, sent(unknown, accept));
    await ask(origin, operation, sent({ ...exchange(code), authorization_details: '[' }, accept));
    const { answer } = await ask(origin, operation, sent(exchange(code), accept));
    const { refresh_token } = answer;
    await ask(origin, operation, sent({ grant_type: 'refresh_token', refresh_token, scope: '"' }, accept));
    await ask(origin, operation, sent({ grant_type: 'refresh_token', refresh_token }));
    await ask(origin, operation, sent({ grant_type: 'password' }));
    await ask(origin, operation, sent(exchange('x')));
    await ask(origin, operation, sent(exchange('x'), { ...form, authorization: basic('nobody') }));
    await ask(origin, operation, sent(exchange('x'), { ...form, authorization: basic('no-code') }));
  });
}

test('/par answers as described', async () => {
  const request = Object.fromEntries(new URLSearchParams(authorizationQuery()));
  for (const [changes, headers = confidential] of [
    [{}],
    [{ scope: 'nope' }],
    [{ response_type: 'token' }],
    [{ resource: 'https://unknown.example' }],
    [{ authorization_details: '[{"type":"shelves"}]' }],
    [{ authorization_details: '[{"type":"unknown"}]' }],
    [{ request: 'x.y.z' }],
    [{ acr_values: 'x' }],
    [{ client_id: 'nobody' }, { ...form, authorization: basic('nobody') }],
    [{ client_id: 'no-code' }, { ...form, authorization: basic('no-code') }],
  ] as const) {
    await ask(origin, 'post /par', sent({ ...request, ...changes }, headers));
  }
});

test('/revoke, /introspect and /leaked answer as described', async () => {
  const resource = 'https://api.example';
  await registerResource(database, resource, ['user:name']);
  const bound = await obtainCode(alice, { resource, prompt: 'consent' });
  const ofResource = (await ask(origin, 'post /token', sent(exchange(bound)))).answer.access_token;
  assert.equal((await ask(origin, 'post /introspect', sent({ token: ofResource }))).answer.aud, resource);
  const { access_token, refresh_token } = await freshTokens('user repo');
  for (const token of [access_token, refresh_token, 'x']) {
    await ask(origin, 'post /introspect', sent({ token }));
    const signed = { ...confidential, accept: 'application/token-introspection+jwt' };
    await ask(origin, 'post /introspect', sent({ token }, signed));
  }
  for (const operation of ['post /introspect', 'post /revoke']) {
    await ask(origin, operation, sent({ token: 'x' }, form));
  }
  await ask(origin, 'post /introspect', sent({ token: 'x', client_id: 'public' }, form));
  await ask(origin, 'post /revoke', sent({ token: access_token }));
  await ask(origin, 'post /leaked', sent({ token: refresh_token }, form));
});

const githubUsers = ['', '/emails', '/orgs', '/teams'].map((path) => `get /api/v3/user${path}`);

test('what a person has chosen is in the answers, as described [9396]', async () => {
  const { access_token = '', refresh_token = '', authorization_details } = await freshTokens('user repo:read');
  assert.deepEqual(authorization_details, [{ type: 'shelves', identifier: '1' }]);
  const headers = { authorization: `Bearer ${access_token}` };
  for (const { answer } of [
    await ask(origin, 'post /introspect', sent({ token: access_token })),
    await ask(origin, 'get /user', { headers }),
    await ask(origin, 'post /token', sent({ grant_type: 'refresh_token', refresh_token })),
  ]) {
    assert.deepEqual(answer.authorization_details, authorization_details);
  }
  for (const operation of githubUsers) await ask(origin, operation, { headers });
});

test('a logout of a provider answers as described', async () => {
  const op = await startProvider();
  await registerFake(database, op);
  for (const logout_token of ['x', logoutToken(op, { sub: 'nobody' })])
    await ask(
      origin,
      'post /login/provider/{name}/logout',
      sent({ logout_token }, form),
      '/login/provider/acme/logout',
    );
});

test('a request of a provider to end all of a person answers as described', async () => {
  const op = await startProvider();
  await database.query('delete from providers');
  const name = 'post /revoke-subject';
  const body = (iss: string, sub = 'ada') => ({ sub_id: { format: 'iss_sub', iss, sub } });
  const as = () => ({ authorization: `Bearer ${revocationToken(op, origin)}` });
  await registerFake(database, op, { global_token_revocation: false });
  await registerPeople(database, ['leaver']);
  await database.query('select link_identity($1, $2, $3)', ['leaver', op.issuer, 'ada']);
  await ask(origin, name, withJson(body(op.issuer), as()));
  await registerFake(database, op);
  await ask(origin, name, withJson(body(op.issuer), {}));
  await ask(origin, name, withJson({}, as()));
  await ask(origin, name, withJson(body(op.issuer, 'nobody'), as()));
  await ask(origin, name, withJson({ ...body(op.issuer), pad: 'x'.repeat(20_000) }, as()));
  await ask(origin, name, withJson(body(op.issuer), as()));
});

test('/user and its GitHub-compatible forms answer as described', async () => {
  const token = (await freshTokens('user user:write'))['access_token'];
  const bearer = { authorization: `Bearer ${token}` };
  const other = (await freshTokens('repo'))['access_token'];
  const unfit = { authorization: `Bearer ${other}` };
  for (const operation of ['get /user', ...githubUsers]) {
    for (const headers of [bearer, unfit, {}, { authorization: 'Bearer a b' }])
      await ask(origin, operation, { headers });
  }
  for (const access_token of [token, other, 'x']) await ask(origin, 'post /user', sent({ access_token }, form));
  await ask(origin, 'patch /user', withJson({ name: 'Alice' }, bearer));
  await database.query("update users set source = 'website' where username = 'alice'");
  await ask(origin, 'patch /user', withJson({ name: 'Alice' }, bearer));
  await database.query("update users set source = 'here' where username = 'alice'");
  await ask(origin, 'patch /user', withJson({ name: 'Alice' }, unfit));
  await ask(origin, 'patch /user', withJson({ name: 'Alice' }));
});

test('a sign-in that is too weak for a scope is refused as described', async () => {
  const { access_token = '' } = await freshTokens('user user:write');
  const bearer = { authorization: `Bearer ${access_token}` };
  await database.query("update scopes set acr = 2 where name = 'user:email'");
  const demanding = await startLatchkey({ ISSUER: origin }, latchkey.url);
  for (const operation of ['get /user', 'get /api/v3/user', 'get /api/v3/user/emails']) {
    await ask(demanding.origin, operation, { headers: bearer });
  }
  await ask(demanding.origin, 'post /user', sent({ access_token }, form));
  await ask(demanding.origin, 'patch /user', withJson({ name: 'Alice' }, bearer));
  await database.query('update scopes set acr = null');
});

for (const root of ['', '/api/v3']) {
  test(`${root}/applications answers as described`, async () => {
    const path = `${root}/applications/${printer.client_id}`;
    const template = `${root}/applications/{client_id}`;
    for (const operation of [`post ${template}/token`, `delete ${template}/token`, `delete ${template}/grant`]) {
      const target = operation.endsWith('grant') ? `${path}/grant` : `${path}/token`;
      const { access_token } = await freshTokens('user');
      await ask(origin, operation, withJson({ access_token }), target);
      await ask(origin, operation, withJson({ access_token }, { authorization: basic() }), target);
      await ask(origin, operation, withJson({ access_token: 'x' }, { authorization: basic() }), target);
    }
  });
}

test('wherever a DPoP proof is read, errors about it are described', async () => {
  const demanding = await startLatchkey({ ISSUER: origin, DPOP_NONCE: 'on' }, latchkey.url);
  const key = await createDpopKey();
  const code = await obtainCode(alice, { scope: 'user user:write', prompt: 'consent' });
  const headers = { ...confidential, dpop: await proofFor(key, `${origin}/token`) };
  const { access_token } = (await ask(origin, 'post /token', sent(exchange(code), headers))).answer;
  for (const operation of ['post /token', 'post /login/oauth/access_token', 'post /par']) {
    const proof = await proofFor(key, origin + operation.slice('post '.length));
    for (const dpop of ['x', proof]) {
      await ask(demanding.origin, operation, sent(exchange('x'), { ...confidential, dpop }));
    }
  }
  for (const operation of [...['get', 'post', 'patch'].map((one) => `${one} /user`), ...githubUsers]) {
    const [method = '', path = ''] = operation.split(' ');
    const proof = await proofOf(key, { method: method.toUpperCase(), url: origin + path, access_token });
    for (const dpop of ['x', proof]) {
      await ask(demanding.origin, operation, { headers: { dpop, authorization: `DPoP ${access_token}` } });
    }
  }
});

test('the header DPoP is described where a proof is read, and nowhere else', async () => {
  const { access_token } = await freshTokens('user user:write');
  const ofClient = { authorization: basic(), dpop: 'x' };
  const ofPerson = { authorization: `DPoP ${access_token}`, dpop: 'x' };
  for (const operation of operationsIn(description)) {
    const [method = '', path = ''] = operation.split(' ');
    const { parameters = [], security = [] } = description.paths[path]?.[method] ?? {};
    const isDescribed = parameters.some(({ $ref }) => $ref === '#/components/parameters/DPoP');
    const isOfClient = security.some((one) => 'client_secret_basic' in one);
    const { answer } = await ask(
      origin,
      operation,
      {
        headers: { ...(isOfClient ? ofClient : ofPerson), ...(method === 'get' ? {} : form) },
        ...(method !== 'get' && {
          body: encode(isOfClient ? { ...exchange('x'), token: 'x', access_token: 'x' } : { token: 'x' }),
        }),
      },
      path.replace('{client_id}', printer.client_id),
    );
    assert.equal(answer?.error === 'invalid_dpop_proof', isDescribed, operation);
  }
  assert.ok(description.components.parameters['DPoP']);
});

test('the ways to present an access token are described, and no others are read', async () => {
  const { securitySchemes } = description.components;
  const { security = [] } = description.paths['/user']?.['get'] ?? {};
  const names = security.flatMap((one) => Object.keys(one).map((name) => securitySchemes[name]?.scheme ?? 'Bearer'));
  assert.deepEqual(names.sort(), ['Bearer', 'DPoP', 'MAC']);
  for (const scheme of [...names, 'Basic', 'Negotiate']) {
    const { status, headers } = await fetch(`${origin}/user`, { headers: { authorization: `${scheme} x` } });
    const isRead = / error="/.test(headers.get('www-authenticate') ?? '') || status === 400;
    assert.equal(isRead, names.includes(scheme), scheme);
  }
});

test('certificates are described by a server that sees them, and by no other [8705]', async () => {
  const proxied = await startLatchkey({ TRUST_PROXY: 'loopback', CLIENT_CERT_HEADER: 'X-Client-Cert' });
  for (const [server, expected] of [
    [proxied.origin, true],
    [origin, false],
  ] as const) {
    const { paths, components } = await readDescription(server);
    const metadata = await (await fetch(`${server}/.well-known/oauth-authorization-server`)).json();
    assert.equal(metadata.tls_client_certificate_bound_access_tokens ?? false, expected);
    assert.equal(components.securitySchemes['mutual_tls']?.type === 'mutualTLS', expected);
    for (const operation of ['post /token', 'post /par', 'post /introspect', 'post /revoke', 'get /user']) {
      const [method = '', path = ''] = operation.split(' ');
      const offered = paths[path]?.[method]?.security?.some((one) => 'mutual_tls' in one);
      assert.equal(offered, expected, operation);
    }
  }
});

test('every security scheme is used, and every one that is used exists', () => {
  const used = operationsIn(description).flatMap((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return (description.paths[path]?.[method]?.security ?? []).flatMap((one) => Object.keys(one));
  });
  assert.deepEqual([...new Set(used)].sort(), Object.keys(description.components.securitySchemes).sort());
});

test('/register answers as described', async () => {
  const metadata = { redirect_uris: ['https://new.example/callback'], client_name: 'New', scope: 'user' };
  const { answer } = await ask(origin, 'post /register', withJson(metadata));
  const refused = [{ redirect_uris: ['http://new.example/'] }, { redirect_uris: 1 }];
  for (const members of refused) await ask(origin, 'post /register', withJson(members));
  await ask(closed.origin, 'post /register', withJson(metadata));

  const path = `/register/${answer.client_id}`;
  const bearer = { authorization: `Bearer ${answer.registration_access_token}` };
  const [get, put, remove] = ['get', 'put', 'delete'].map((method) => `${method} /register/{client_id}`) as [
    string,
    string,
    string,
  ];
  const change = { ...metadata, client_id: answer.client_id };
  for (const headers of [bearer, {}, { authorization: 'Bearer a b' }]) {
    await ask(origin, get, { headers }, path);
    await ask(origin, put, withJson(change, headers), path);
  }
  for (const members of refused) await ask(origin, put, withJson({ ...change, ...members }, bearer), path);
  for (const headers of [{}, { authorization: 'Bearer a b' }, bearer]) await ask(origin, remove, { headers }, path);
});

test('the documents answer as described', async () => {
  await rotateKey(latchkey.deps, { request_id: 'test', address: null });
  for (const operation of operationsIn(description)) {
    const [, path = ''] = operation.split(' ');
    if (/^\/(\.well-known|jwks|openapi|healthz|readyz)/.test(path)) await ask(origin, operation);
  }
});

test('every answer in the description was seen, except those of a server in trouble', () => {
  const exceptional = /(too_many_requests|server_error|temporarily_unavailable)$/;
  const missed = promisedAnswers(description).filter((answer) => !seen.has(answer) && !exceptional.test(answer));
  assert.deepEqual(missed, []);
});
