import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allClientsPush } from '../../src/clients/clients.sql.ts';
import { startFapi2 } from '../support/fapi2.ts';
import { authorizationQuery } from '../support/flow.ts';
import { registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { runOn } from '../support/server-for-tests.ts';

const { latchkey, browser } = await startFapi2();
const { origin, database } = latchkey;
const address = `${origin}/.well-known/oauth-authorization-server`;

const metadata = async (url = address): Promise<Record<string, unknown>> => (await fetch(url)).json();

/** The values of a member, which must be an array of texts. */
const valuesOf = (document: Record<string, unknown>, member: string): unknown[] => {
  const values = document[member];
  assert.ok(Array.isArray(values), member);
  return values;
};

test('the metadata is JSON, answered with 200 and no redirect, and its issuer is the one of its address [8414 §3.2, §3.3]', async () => {
  const response = await fetch(address, { redirect: 'manual' });
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'application/json;charset=UTF-8']);
  assert.equal((await response.json()).issuer, origin);
  const within = await startLatchkey({ ISSUER: '/auth' }, latchkey.url);
  const { issuer } = await metadata(`${within.origin}/.well-known/oauth-authorization-server/auth`);
  assert.equal(issuer, `${within.origin}/auth`);
});

test('the metadata has what a client of the profile needs [FAPI2 5.3.2.1-1] [8414 §2]', async () => {
  const document = await metadata();
  const { issuer, authorization_endpoint, token_endpoint, pushed_authorization_request_endpoint } = document;
  assert.deepEqual(
    [issuer, authorization_endpoint, token_endpoint, pushed_authorization_request_endpoint],
    [origin, `${origin}/authorize`, `${origin}/token`, `${origin}/par`],
  );
  assert.deepEqual(document['response_types_supported'], ['code']);
  assert.deepEqual(document['grant_types_supported'], ['authorization_code', 'refresh_token']);
  assert.deepEqual(document['code_challenge_methods_supported'], ['S256']);
  assert.ok(valuesOf(document, 'token_endpoint_auth_methods_supported').includes('private_key_jwt'));
  // clients without the profile may sign assertions by RS256, too
  for (const [member, ...others] of [
    ['token_endpoint_auth_signing_alg_values_supported', 'RS256'],
    ['dpop_signing_alg_values_supported'],
  ] as const) {
    const expected = new Set(['PS256', 'ES256', 'EdDSA', 'Ed25519', ...others]);
    assert.deepEqual(new Set(valuesOf(document, member)), expected, member);
  }
  assert.equal(document['authorization_response_iss_parameter_supported'], true);
  assert.ok(valuesOf(document, 'scopes_supported').includes('user'));
});

test('the metadata says that requests must be pushed, as long as no client can send them otherwise [9126 §5] [FAPI2 5.3.2.2-2]', async () => {
  const isRequired = async (at = origin) =>
    (await metadata(`${at}/.well-known/oauth-authorization-server`))['require_pushed_authorization_requests'];
  assert.equal(await isRequired(), true);
  const page = await browser.open(`/authorize?${authorizationQuery({ client_id: 'bank' })}`);
  assert.equal(new URL(page.location ?? '').searchParams.get('error'), 'invalid_request');
  for (const env of [{ REGISTRATION_ENDPOINT: 'open' }, { CLIENT_ID_DOCUMENTS: 'on' }]) {
    assert.equal(await isRequired((await startLatchkey(env, latchkey.url)).origin), undefined, JSON.stringify(env));
  }

  await registerPrinter(database);
  assert.equal(await isRequired(), undefined);
  await database.query(`update clients set disabled_at = now() where client_id = 'photo-printer'`);
  assert.equal(await isRequired(), true);
  const empty = await startLatchkey();
  assert.equal(await isRequired(empty.origin), undefined, 'before anybody is registered, nothing is promised');
});

test('finding out whether all of twenty thousand clients push reads no more than a few blocks', async () => {
  // without the time limits of a request
  await runOn(
    latchkey.url,
    `insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types, secrets_sha256,
      secrets_since, require_pushed_authorization_requests)
    select 'many-' || n, 'Many', 'many.example', '{}', '{}', '{}', '{}', '{}', '{}', true
    from generate_series(1, 20000) n`,
  );
  await runOn(latchkey.url, 'analyze clients');
  const { query } = database;
  const texts: string[] = [];
  database.query = ((statement: { text: string }, ...rest: unknown[]) => {
    texts.push(statement.text);
    return Reflect.apply(query, database, [statement, ...rest]);
  }) as typeof query;
  await allClientsPush(database);
  database.query = query;
  const { rows } = await database.query(`explain (analyze, buffers, format json) ${texts[0]}`);
  const { 'Shared Hit Blocks': hit, 'Shared Read Blocks': read } = rows[0]['QUERY PLAN'][0].Plan;
  assert.ok(hit + read < 20, `${hit + read} blocks`);
});

const isUrl = (value: unknown) => typeof value === 'string' && URL.canParse(value);
const isFlag = (value: unknown) => typeof value === 'boolean';
const isList = (value: unknown) =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
const areUrls = (value: unknown) => typeof value === 'object' && value !== null && Object.values(value).every(isUrl);

/** Members of the IANA registry OAuth Authorization Server Metadata, as far as this server knows them, and their types. */
const registered: Record<string, (value: unknown) => boolean> = {
  // RFC 8414
  issuer: isUrl,
  authorization_endpoint: isUrl,
  token_endpoint: isUrl,
  jwks_uri: isUrl,
  registration_endpoint: isUrl,
  scopes_supported: isList,
  response_types_supported: isList,
  response_modes_supported: isList,
  grant_types_supported: isList,
  token_endpoint_auth_methods_supported: isList,
  token_endpoint_auth_signing_alg_values_supported: isList,
  service_documentation: isUrl,
  ui_locales_supported: isList,
  revocation_endpoint: isUrl,
  revocation_endpoint_auth_methods_supported: isList,
  revocation_endpoint_auth_signing_alg_values_supported: isList,
  introspection_endpoint: isUrl,
  introspection_endpoint_auth_methods_supported: isList,
  introspection_endpoint_auth_signing_alg_values_supported: isList,
  code_challenge_methods_supported: isList,
  // RFC 8705
  mtls_endpoint_aliases: areUrls,
  tls_client_certificate_bound_access_tokens: isFlag,
  // RFC 9101, RFC 9126, RFC 9207, RFC 9449, RFC 9701
  request_object_signing_alg_values_supported: isList,
  pushed_authorization_request_endpoint: isUrl,
  require_pushed_authorization_requests: isFlag,
  authorization_response_iss_parameter_supported: isFlag,
  dpop_signing_alg_values_supported: isList,
  introspection_signing_alg_values_supported: isList,
  // JARM, OpenID Connect Discovery, Initiating User Registration
  authorization_signing_alg_values_supported: isList,
  userinfo_endpoint: isUrl,
  prompt_values_supported: isList,
  acr_values_supported: isList,
  // draft-ietf-oauth-client-id-metadata-document
  client_id_metadata_document_supported: isFlag,
};

test('every member of the metadata is a registered one, and of its type [8414 §7.1]', async () => {
  const full = { REGISTRATION_ENDPOINT: 'open', CLIENT_ID_DOCUMENTS: 'on', TRUST_PROXY: 'loopback' };
  const certificates = { CLIENT_CERT_HEADER: 'X-Client-Cert', MTLS_URL: 'https://mtls.example' };
  const everything = await startLatchkey({ ...full, ...certificates }, latchkey.url);
  for (const at of [origin, everything.origin]) {
    for (const path of ['', '/login/oauth']) {
      const document = await metadata(`${at}/.well-known/oauth-authorization-server${path}`);
      for (const [member, value] of Object.entries(document)) {
        assert.equal(registered[member]?.(value), true, `${member}: ${JSON.stringify(value)}`);
      }
    }
  }
});
