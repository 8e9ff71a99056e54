import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { decodeProtectedHeader } from 'jose';
import { Browser } from '../../support/browser.ts';
import { createClientKey, registerKeyClient, sign, withAssertion } from '../../support/client-assertion.ts';
import { createDpopKey, proofFor } from '../../support/dpop.ts';
import { authorizationQuery, basic, codeIn, encode, signedInBrowser, verifier } from '../../support/flow.ts';
import { type Latchkey, printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { signRequest } from '../../support/request-object.ts';

/** A metadata document of a running server, and what the checks of its members need. */
interface Published {
  latchkey: Latchkey;
  browser: Browser;
  // biome-ignore lint/suspicious/noExplicitAny: a member has the type that its check expects
  metadata: Record<string, any>;
}

/** Whether a member tells the truth. */
type Check = (published: Published) => Promise<unknown>;

const everyScope = ['user', 'user:write', 'repo'];
const keys = [
  createClientKey('ec'),
  createClientKey('rsa', 'PS256'),
  createClientKey('ed', 'EdDSA'),
  createClientKey('ed2', 'Ed25519'),
] as const;
const publicClient = { client_id: 'public', client_secret: null };

async function start(env: Record<string, string> = {}): Promise<{ latchkey: Latchkey; browser: Browser }> {
  const latchkey = await startLatchkey(env);
  await registerPeople(latchkey.database);
  await registerPrinter(latchkey.database, { scopes: everyScope });
  await registerPrinter(latchkey.database, { ...publicClient, scopes: everyScope });
  await registerKeyClient(latchkey.database, { keys: [...keys] });
  await registerKeyClient(latchkey.database, { client_id: 'signs-by-rs256', keys: [keys[1]], alg: 'RS256' });
  return { latchkey, browser: await signedInBrowser(latchkey.origin) };
}

/** The page that answers an authorization request at the endpoint that the metadata names. */
function authorize({ metadata, browser }: Published, changes: Parameters<typeof authorizationQuery>[0] = {}) {
  return browser.visit(`${metadata['authorization_endpoint']}?${authorizationQuery(changes)}`);
}

async function obtainCode(published: Published, changes: Parameters<typeof authorizationQuery>[0] = {}) {
  const page = await authorize(published, { prompt: 'consent', ...changes });
  return codeIn(await published.browser.submit(page, 'id="allow"'));
}

async function send(url: string, parameters: Parameters<typeof encode>[0], headers: Record<string, string> = {}) {
  const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', headers: form, body: encode(parameters) });
  return { status: response.status, body: await response.json() };
}

interface Credentials {
  client_id: string;
  headers?: Record<string, string>;
  parameters?: Record<string, string>;
}

/** Credentials of a client, presented by one of the registered methods. */
const presented: Record<string, (published: Published) => Promise<Credentials>> = {
  async client_secret_basic() {
    return { client_id: printer.client_id, headers: { authorization: basic() } };
  },
  async client_secret_post() {
    const { client_id, client_secret } = printer;
    return { client_id, parameters: { client_id, client_secret } };
  },
  async private_key_jwt({ metadata }) {
    return { client_id: 'bank', parameters: withAssertion(await sign(keys[0], metadata['issuer'])) };
  },
  async none() {
    const { client_id } = publicClient;
    return { client_id, parameters: { client_id } };
  },
};

async function present(published: Published, method: string): Promise<Credentials> {
  return (presented[method] ?? assert.fail(`this test cannot authenticate by ${method}: teach it`))(published);
}

async function tokens(published: Published, method = 'client_secret_basic') {
  const { client_id, headers, parameters } = await present(published, method);
  const code = await obtainCode(published, { client_id });
  const exchange = { grant_type: 'authorization_code', code, redirect_uri: printer.redirect_uri };
  const request = { ...exchange, code_verifier: verifier, ...parameters };
  return send(published.metadata['token_endpoint'], request, headers);
}

/** Each method that the member lists is accepted with a live token, and an unlisted one is refused. */
const authenticatesBy =
  (member: string, endpoint: string): Check =>
  async (published) => {
    const { metadata } = published;
    for (const method of Object.keys(presented)) {
      const { access_token: token } = (await tokens(published, method)).body;
      const { headers, parameters } = await present(published, method);
      const { status } = await send(metadata[endpoint], { token, ...parameters }, headers);
      assert.equal(status === 200, metadata[member].includes(method), `${method} at ${endpoint}`);
    }
    for (const method of metadata[member]) await present(published, method);
  };

/** Assertions by the listed algorithms are accepted, and by no other. */
const verifies =
  (member: string, endpoint: string): Check =>
  async ({ metadata }) => {
    for (const key of [...keys, { ...keys[1], alg: 'RS256' }, { ...keys[1], alg: 'PS384' }]) {
      const client_id = key.alg === 'RS256' ? 'signs-by-rs256' : 'bank';
      const proof = withAssertion(await sign(key, metadata['issuer'], { client_id }));
      const { body } = await send(metadata[endpoint], {
        grant_type: 'refresh_token',
        token: 'x',
        refresh_token: 'x',
        ...proof,
      });
      assert.equal(body.error !== 'invalid_client', metadata[member].includes(key.alg), key.alg);
    }
    assert.equal(metadata[member].length, keys.length + 1);
  };

const isErrorAtClient = async (published: Published, changes: Parameters<typeof authorizationQuery>[0]) =>
  new URL((await authorize(published, changes)).location ?? '').searchParams.get('error') ?? '';

const isReadableFromAnywhere = async (url: string) => {
  const { status, headers } = await fetch(url, { headers: { origin: 'https://stranger.example' } });
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [200, '*'], url);
};

const isPage = async (url: string) => {
  const response = await fetch(url, { redirect: 'manual' });
  assert.deepEqual([response.status, /^text\/html/.test(response.headers.get('content-type') ?? '')], [200, true]);
};

const serverChecks: Record<string, Check> = {
  async issuer({ metadata, latchkey }) {
    assert.deepEqual(await documentOf(latchkey, metadata['issuer']), metadata, 'found by its issuer [8414 §3.3]');
  },
  async authorization_endpoint(published) {
    assert.match((await authorize(published, { prompt: 'consent' })).text, /id="allow"/);
  },
  async token_endpoint(published) {
    assert.equal((await tokens(published)).status, 200);
  },
  async revocation_endpoint(published) {
    const { access_token: token } = (await tokens(published)).body;
    const headers = { authorization: basic() };
    await send(published.metadata['revocation_endpoint'], { token }, headers);
    const { body } = await send(published.metadata['introspection_endpoint'], { token }, headers);
    assert.deepEqual(body, { active: false });
  },
  async introspection_endpoint(published) {
    const { access_token: token } = (await tokens(published)).body;
    const headers = { authorization: basic() };
    const { body } = await send(published.metadata['introspection_endpoint'], { token }, headers);
    assert.equal(body.active, true);
  },
  async userinfo_endpoint(published) {
    const { access_token } = (await tokens(published)).body;
    const headers = { authorization: `Bearer ${access_token}` };
    const profile = await (await fetch(published.metadata['userinfo_endpoint'], { headers })).json();
    assert.equal(profile.name, 'alice Liddell');
  },
  async pushed_authorization_request_endpoint({ metadata, browser }) {
    const request = Object.fromEntries(new URLSearchParams(authorizationQuery({ prompt: 'consent' })));
    const headers = { authorization: basic() };
    const { body } = await send(metadata['pushed_authorization_request_endpoint'], request, headers);
    const query = encode({ client_id: printer.client_id, request_uri: body.request_uri });
    assert.match((await browser.visit(`${metadata['authorization_endpoint']}?${query}`)).text, /id="allow"/);
  },
  async registration_endpoint({ metadata }) {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ redirect_uris: ['https://a.example/'], token_endpoint_auth_method: 'none' });
    assert.equal((await fetch(metadata['registration_endpoint'], { method: 'POST', headers, body })).status, 201);
  },
  async jwks_uri({ metadata }) {
    await isReadableFromAnywhere(metadata['jwks_uri']);
    assert.ok(Array.isArray((await (await fetch(metadata['jwks_uri'])).json()).keys));
  },
  async scopes_supported(published) {
    for (const scope of published.metadata['scopes_supported']) {
      assert.match((await authorize(published, { scope, prompt: 'consent' })).text, /id="allow"/, scope);
    }
    const { rows } = await published.latchkey.database.query('select name, group_name from scopes');
    const known = new Set(rows.flatMap(({ name, group_name }) => [name, group_name]));
    const isGithub = published.metadata['issuer'].endsWith('/login/oauth');
    if (!isGithub) known.add('offline_access');
    assert.deepEqual(new Set(published.metadata['scopes_supported']), known);
  },
  async response_types_supported(published) {
    for (const response_type of ['code', 'token', 'id_token', 'code token', 'none']) {
      const error = await isErrorAtClient(published, { response_type, prompt: 'junk' });
      const isSupported = published.metadata['response_types_supported'].includes(response_type);
      assert.equal(error !== 'unsupported_response_type', isSupported, response_type);
    }
  },
  async response_modes_supported(published) {
    await obtainCode(published);
    for (const response_mode of [
      'query',
      'form_post',
      'jwt',
      'query.jwt',
      'form_post.jwt',
      'fragment',
      'fragment.jwt',
      'web_message',
    ]) {
      const answer = await authorize(published, { response_mode });
      const isSupported = published.metadata['response_modes_supported'].includes(response_mode);
      assert.equal(/[?&]error=|name="error"/.test(`${answer.location}${answer.text}`), !isSupported, response_mode);
    }
  },
  async authorization_signing_alg_values_supported(published) {
    const { location = '' } = await authorize(published, { response_mode: 'jwt', prompt: 'none' });
    const { alg } = decodeProtectedHeader(new URL(location).searchParams.get('response') ?? '');
    assert.deepEqual(published.metadata['authorization_signing_alg_values_supported'], [alg]);
  },
  async grant_types_supported({ metadata }) {
    const headers = { authorization: basic() };
    for (const grant_type of ['authorization_code', 'refresh_token', 'password', 'client_credentials', 'implicit']) {
      const { body } = await send(metadata['token_endpoint'], { grant_type, code: 'x', refresh_token: 'x' }, headers);
      const isSupported = metadata['grant_types_supported'].includes(grant_type);
      assert.equal(body.error, isSupported ? 'invalid_grant' : 'unsupported_grant_type', grant_type);
    }
  },
  async token_endpoint_auth_methods_supported(published) {
    const { metadata } = published;
    assert.deepEqual(metadata['token_endpoint_auth_methods_supported'].toSorted(), Object.keys(presented).sort());
    for (const method of metadata['token_endpoint_auth_methods_supported']) {
      assert.equal((await tokens(published, method)).status, 200, method);
    }
  },
  token_endpoint_auth_signing_alg_values_supported: verifies(
    'token_endpoint_auth_signing_alg_values_supported',
    'token_endpoint',
  ),
  revocation_endpoint_auth_signing_alg_values_supported: verifies(
    'revocation_endpoint_auth_signing_alg_values_supported',
    'revocation_endpoint',
  ),
  introspection_endpoint_auth_signing_alg_values_supported: verifies(
    'introspection_endpoint_auth_signing_alg_values_supported',
    'introspection_endpoint',
  ),
  revocation_endpoint_auth_methods_supported: authenticatesBy(
    'revocation_endpoint_auth_methods_supported',
    'revocation_endpoint',
  ),
  introspection_endpoint_auth_methods_supported: authenticatesBy(
    'introspection_endpoint_auth_methods_supported',
    'introspection_endpoint',
  ),
  async introspection_signing_alg_values_supported({ metadata }) {
    const response = await fetch(metadata['introspection_endpoint'], {
      method: 'POST',
      headers: { authorization: basic(), accept: 'application/token-introspection+jwt' },
      body: new URLSearchParams({ token: 'x' }),
    });
    const { alg } = decodeProtectedHeader(await response.text());
    assert.deepEqual(metadata['introspection_signing_alg_values_supported'], [alg]);
  },
  async request_object_signing_alg_values_supported({ metadata }) {
    const { issuer, pushed_authorization_request_endpoint: endpoint } = metadata;
    for (const key of [...keys, { ...keys[1], alg: 'RS256' }, { ...keys[1], alg: 'PS384' }]) {
      const request = await signRequest(key, issuer, { client_id: 'bank' });
      const { status } = await send(endpoint, { request, ...withAssertion(await sign(keys[0], issuer)) });
      const isSupported = metadata['request_object_signing_alg_values_supported'].includes(key.alg);
      assert.equal(status === 201, isSupported, key.alg);
    }
  },
  async prompt_values_supported(published) {
    for (const prompt of ['none', 'login', 'consent', 'select_account', 'create', 'junk']) {
      const { location = '', text } = await authorize(published, { prompt, scope: 'repo:write' });
      const isSupported = published.metadata['prompt_values_supported'].includes(prompt);
      assert.equal(`${location}${text}`.includes('error=invalid_request'), !isSupported, prompt);
    }
  },
  async acr_values_supported(published) {
    for (const acr_values of ['1', '2', '0', '3', 'junk']) {
      const { location = '', text } = await authorize(published, { acr_values, scope: 'repo:write' });
      const isSupported = published.metadata['acr_values_supported'].includes(acr_values);
      assert.equal(`${location}${text}`.includes('error=unmet_authentication_requirements'), !isSupported, acr_values);
    }
  },
  async code_challenge_methods_supported(published) {
    for (const [method, challenge] of [
      ['S256', createHash('sha256').update(verifier).digest('base64url')],
      ['plain', verifier],
    ] as const) {
      const request = { code_challenge_method: method, code_challenge: challenge, prompt: 'consent' };
      const { location = '' } = await authorize(published, request);
      const isSupported = published.metadata['code_challenge_methods_supported'].includes(method);
      assert.equal(location.includes('error='), !isSupported, method);
    }
  },
  async dpop_signing_alg_values_supported({ metadata }) {
    const supported = metadata['dpop_signing_alg_values_supported'];
    const request = { grant_type: 'refresh_token', refresh_token: 'x' };
    for (const alg of ['ES256', 'PS256', 'EdDSA', 'Ed25519', 'RS256', 'ES384', 'PS512']) {
      const dpop = await proofFor(await createDpopKey(alg), metadata['token_endpoint'], { header: { alg } });
      const { body } = await send(metadata['token_endpoint'], request, { dpop, authorization: basic() });
      assert.equal(body.error, supported.includes(alg) ? 'invalid_grant' : 'invalid_dpop_proof', alg);
    }
  },
  async authorization_response_iss_parameter_supported(published) {
    assert.equal(published.metadata['authorization_response_iss_parameter_supported'], true);
    const { location = '' } = await authorize(published, { scope: 'nonsense' });
    assert.equal(new URL(location).searchParams.get('iss'), published.metadata['issuer']);
  },
  async ui_locales_supported({ metadata, latchkey }) {
    for (const ui_locales of ['en', 'de', 'fr', 'es', 'zh', 'it', 'pt', 'ja']) {
      const url = `${metadata['authorization_endpoint']}?${authorizationQuery({ ui_locales: `xx ${ui_locales}-XX` })}`;
      const { text } = await new Browser(latchkey.origin).visit(url);
      const isSupported = metadata['ui_locales_supported'].includes(ui_locales);
      assert.equal(text.includes(`<html lang="${ui_locales}"`), isSupported, ui_locales);
    }
  },
  service_documentation: ({ metadata }) => isPage(metadata['service_documentation']),
};

const resourceChecks: Record<string, Check> = {
  async resource({ metadata, latchkey }) {
    const { status, headers } = await fetch(`${metadata['resource']}/user`);
    const [, url = ''] = /resource_metadata="([^"]+)"/.exec(headers.get('www-authenticate') ?? '') ?? [];
    assert.equal(status, 401);
    assert.deepEqual(await (await fetch(url)).json(), metadata, 'the challenge leads here [9728 §5.1]');
    assert.equal(
      url,
      wellKnown(latchkey, 'oauth-protected-resource', metadata['resource']),
      'and so does the name [§3.1]',
    );
  },
  async resource_name({ metadata }) {
    assert.equal(metadata['resource_name'], 'Latchkey');
  },
  async authorization_servers(published) {
    assert.equal(published.metadata['authorization_servers'].length, 1);
    for (const issuer of published.metadata['authorization_servers']) {
      const metadata = await documentOf(published.latchkey, issuer);
      assert.equal(metadata['issuer'], issuer);
      assert.equal((await tokens({ ...published, metadata })).status, 200);
    }
  },
  async scopes_supported(published) {
    const [issuer] = published.metadata['authorization_servers'];
    const metadata = await documentOf(published.latchkey, issuer);
    assert.deepEqual([...published.metadata['scopes_supported'], 'offline_access'], metadata['scopes_supported']);
  },
  async bearer_methods_supported(published) {
    const [issuer] = published.metadata['authorization_servers'];
    const metadata = await documentOf(published.latchkey, issuer);
    const { access_token } = (await tokens({ ...published, metadata })).body;
    const user = `${published.metadata['resource']}/user`;
    const answers = {
      header: await fetch(user, { headers: { authorization: `Bearer ${access_token}` } }),
      body: await fetch(user, { method: 'POST', body: new URLSearchParams({ access_token }) }),
      query: await fetch(`${user}?access_token=${access_token}`),
    };
    const accepted = Object.entries(answers).flatMap(([way, { status }]) => (status === 200 ? [way] : []));
    assert.deepEqual(new Set(published.metadata['bearer_methods_supported']), new Set(accepted));
  },
  async dpop_signing_alg_values_supported({ metadata }) {
    const url = `${metadata['resource']}/user`;
    const challenge = (await fetch(url)).headers.get('www-authenticate') ?? '';
    const [, algorithms = ''] = /DPoP algs="([^"]+)"/.exec(challenge) ?? [];
    assert.deepEqual(metadata['dpop_signing_alg_values_supported'], algorithms.split(' '));
  },
  /** bearer_methods_supported presents a token without a proof. */
  async dpop_bound_access_tokens_required({ metadata }) {
    assert.equal(metadata['dpop_bound_access_tokens_required'], metadata['bearer_methods_supported'].length === 0);
  },
  resource_documentation: ({ metadata }) => isPage(metadata['resource_documentation']),
};

/** The well-known name stands before the path of the identifier [8414 §3.1; 9728 §3.1]. */
function wellKnown({ origin }: Latchkey, name: string, identifier: string): string {
  assert.ok(identifier.startsWith(origin));
  return `${origin}/.well-known/${name}${identifier.slice(origin.length)}`;
}

async function documentOf(latchkey: Latchkey, issuer: string): Promise<Published['metadata']> {
  return (await fetch(wellKnown(latchkey, 'oauth-authorization-server', issuer))).json();
}

const servers = [
  ['', await start()],
  ['/auth', await start({ ISSUER: '/auth', REGISTRATION_ENDPOINT: 'open' })],
] as const;

test('authorization_details_types_supported names the registered choices, which requests can name, and is absent without one [9396 §10]', async () => {
  const { latchkey, browser } = await start();
  const { origin, database } = latchkey;
  const documents = () => Promise.all(['', '/login/oauth'].map((path) => documentOf(latchkey, origin + path)));
  const types = async () => (await documents()).map((metadata) => metadata['authorization_details_types_supported']);
  assert.deepEqual(await types(), [undefined, undefined]);
  await database.query(
    `select register_choice('shelves', '{repo:read}', 'Which shelves?', $$ select $1 as value, 'Mine' as label $$)`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.deepEqual(await types(), [['shelves'], ['shelves']]);
  for (const metadata of await documents()) {
    const asking = (type: string) =>
      authorize({ latchkey, browser, metadata }, { scope: 'repo', authorization_details: JSON.stringify([{ type }]) });
    assert.match((await asking('shelves')).text, /id="allow"/);
    assert.match((await asking('unknown')).location ?? '', /error=invalid_authorization_details/);
  }
  await database.query(`update choices set disabled_at = now()`);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  assert.deepEqual(await types(), [undefined, undefined]);
});

for (const [base, { latchkey, browser }] of servers) {
  const { origin } = latchkey;
  for (const [path, checks] of [
    [`/.well-known/oauth-authorization-server${base}`, serverChecks],
    [`/.well-known/oauth-authorization-server${base}/login/oauth`, serverChecks],
    [`/.well-known/oauth-protected-resource${base}`, resourceChecks],
  ] as const) {
    const metadata = await (await fetch(origin + path)).json();
    for (const member of Object.keys(metadata)) {
      test(`${member} in ${path} is true [A299]`, async () => {
        const check = checks[member] ?? assert.fail(`nothing checks ${member}: add it to this file`);
        await check({ latchkey, browser, metadata });
      });
    }
    test(`${path} lacks no member`, () => {
      // GitHub has no such addresses; the next test is about the registration
      const others = path.endsWith('/login/oauth')
        ? /^(registration|revocation|introspection|pushed|request_object)_/
        : /^registration_/;
      const expected = Object.keys(checks).filter((member) => !others.test(member));
      assert.deepEqual(
        expected.filter((member) => !(member in metadata)),
        [],
      );
    });
    test(`${path} may be read by pages of any origin`, () => isReadableFromAnywhere(origin + path));
  }

  test(`registration is named at ${base || '/'} if it is possible`, async () => {
    const metadata = await documentOf(latchkey, latchkey.deps.config.issuer);
    assert.equal('registration_endpoint' in metadata, base === '/auth');
    assert.equal((await fetch(`${origin}/register`, { method: 'POST' })).status === 404, base !== '/auth');
  });

  test(`there is no OpenID Connect at ${base || '/'}, so nothing says that there is`, async () => {
    for (const path of [`${base}/.well-known/openid-configuration`, `/.well-known/openid-configuration${base}`]) {
      assert.equal((await fetch(origin + path)).status, 404, path);
    }
  });
}
