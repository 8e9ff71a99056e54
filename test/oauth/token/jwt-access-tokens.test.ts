import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { rotateKey } from '../../../src/oauth/token/signing-keys.ts';
import { dumpDatabase } from '../../support/attack.ts';
import {
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
  type TokenAnswer,
  verifier,
} from '../../support/flow.ts';
import {
  printer,
  registerJwtResource,
  registerPrinter,
  startLatchkey,
  startWithPrinter,
} from '../../support/latchkey.ts';

const { origin, deps, database, url, logged } = await startWithPrinter();
const resource = 'https://jwt.example/v1';
const opaqueResource = 'https://opaque.example/';
await registerPrinter(database, { client_id: 'api' });

const registerResource = (name: string, token_format: string) =>
  database.query(
    `select register_resource(resource => $1, scopes => array['user', 'repo'], client_id => 'api', token_format => $2)`,
    [name, token_format],
  );
await registerResource(resource, 'jwt');
await registerResource(opaqueResource, 'opaque');
const browser = await signedInBrowser(origin);

/** Through consent to the answer of the token endpoint. */
async function freshTokens(changes = {}, at = origin): Promise<TokenAnswer['body']> {
  return (await redeem(at, await obtainCode(browser, { resource, ...changes }))).body;
}

/** As the server of the resource does it: it knows the issuer and its own name. */
async function verified(token: unknown) {
  const metadata = await (await fetch(`${origin}/.well-known/oauth-authorization-server`)).json();
  const options = { issuer: metadata.issuer, audience: resource, typ: 'at+jwt', algorithms: ['ES256'] };
  return jwtVerify(String(token), createRemoteJWKSet(new URL(metadata.jwks_uri)), options);
}

async function introspect(token: unknown, client_id = printer.client_id): Promise<Record<string, unknown>> {
  return (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic(client_id) })).body;
}

test('a token for a resource of the format jwt is verified by its server alone, and has the claims of RFC 9068 [9068 §2.2] [A359]', async () => {
  const before = Date.now() / 1000;
  const { access_token, token_type, expires_in, scope } = await freshTokens({ scope: 'user repo:read' });
  const after = Date.now() / 1000;
  const { payload } = await verified(access_token);
  const { iat = 0, exp = 0, jti, auth_time, ...claims } = payload;
  assert.deepEqual(claims, { iss: origin, aud: resource, sub: '1', client_id: printer.client_id, acr: '1', scope });
  assert.ok(Number(auth_time) <= iat);
  assert.deepEqual([token_type, scope], ['Bearer', 'user repo:read']);
  assert.match(String(jti), /^[\w-]{51}$/);
  // in whole seconds, and the clock of the database may differ a little
  assert.ok(iat > before - 5 && iat < after + 5);
  assert.ok(exp - iat <= 600 && Math.abs(Number(expires_in) - (exp - iat)) <= 1);
});

test('/jwks publishes a key as soon as a resource has the format jwt: its server may not start with an empty set', async () => {
  const fresh = await startWithPrinter();
  const published = async () => (await (await fetch(`${fresh.origin}/jwks`)).json()).keys;
  await fresh.database.query(
    `select register_resource(resource => 'https://opaque.example/', scopes => array['user'])`,
  );
  assert.equal((await published()).length, 0);
  await registerJwtResource(fresh.database, 'https://jwt.example/', ['user']);
  const keys = await published();
  assert.equal(keys.length, 1);
  assert.deepEqual(await published(), keys);
});

test('/jwks publishes a key as soon as a client has one, which may have read /jwks before it asks for a signed answer', async () => {
  const fresh = await startWithPrinter();
  const published = async () => (await (await fetch(`${fresh.origin}/jwks`)).json()).keys;
  assert.equal((await published()).length, 0);
  await fresh.database.query("update clients set jwks_uri = 'https://printer.example/jwks'");
  assert.equal((await published()).length, 1);
});

test('each token of a code has the format of its resource: a code for several resources gives both kinds', async () => {
  const both = { resource: [resource, opaqueResource] };
  const code = await obtainCode(browser, both);
  const first = (await redeem(origin, code, { resource: opaqueResource })).body;
  assert.match(String(first['access_token']), /^lk_at_/);
  assert.equal(first['expires_in'], 3600);
  const second = (await refresh(origin, first['refresh_token'], { resource })).body;
  assert.equal((await verified(second['access_token'])).payload.aud, resource);
  const own = await freshTokens({ resource: undefined });
  assert.equal((await getUser(origin, own['access_token'])).status, 200);
});

test('a JWT lives for ten minutes at most, and no longer than ACCESS_TOKEN_TTL and the grant', async () => {
  const lived = async (at: string, form = {}) => {
    const { body } = await redeem(at, await obtainCode(browser, { resource, prompt: 'consent' }, form));
    const { iat = 0, exp = 0 } = decodeJwt(String(body['access_token']));
    return exp - iat;
  };
  assert.ok((await lived(origin)) >= 599 && (await lived(origin)) <= 600);
  const brief = await startLatchkey({ ISSUER: origin, ACCESS_TOKEN_TTL: '60' }, url);
  assert.ok((await lived(brief.origin)) <= 60);
  const { body } = await redeem(origin, await obtainCode(browser, { resource, prompt: 'consent' }));
  await database.query(`update grants set expires_at = now() + interval '100 seconds' where revoked_at is null`);
  const refreshed = (await refresh(origin, body['refresh_token'])).body;
  const { iat = 0, exp = 0 } = decodeJwt(String(refreshed['access_token']));
  assert.ok(exp - iat <= 100);
  await database.query('update grants set revoked_at = now()');
});

test('a refresh gives a JWT, and a repeated refresh the same one signed again', async () => {
  const { access_token, refresh_token } = await freshTokens();
  const first = (await refresh(origin, refresh_token)).body;
  const second = (await refresh(origin, refresh_token)).body;
  assert.deepEqual(decodeJwt(String(second['access_token'])), decodeJwt(String(first['access_token'])));
  assert.equal(second['refresh_token'], first['refresh_token']);
  await verified(second['access_token']);
  assert.notEqual(decodeJwt(String(first['access_token'])).jti, decodeJwt(String(access_token)).jti);
  await post(`${origin}/revoke`, { token: String(second['access_token']) });
  assert.deepEqual(await introspect(first['access_token']), { active: false });
});

test('a repeated refresh for less scope narrows the token that was answered before, as this server sees it', async () => {
  const { refresh_token } = await freshTokens({ scope: 'user:name repo:read' });
  const first = (await refresh(origin, refresh_token)).body;
  const second = (await refresh(origin, refresh_token, { scope: 'repo:read' })).body;
  assert.equal((await verified(second['access_token'])).payload['scope'], 'repo:read');
  for (const { access_token } of [first, second]) assert.equal((await introspect(access_token))['scope'], 'repo:read');
});

test('a JWT of the GitHub-compatible endpoints names the same issuer, which knows its keys [A359]', async () => {
  const code = await obtainCode(browser, { resource, scope: 'repo' }, {}, '/login/oauth/authorize');
  const { body } = await post(
    `${origin}/login/oauth/access_token`,
    { code, code_verifier: verifier },
    { accept: 'application/json' },
  );
  const { payload } = await verified(body['access_token']);
  assert.deepEqual([payload.iss, payload['scope']], [origin, 'repo']);
});

test('introspection says the same as the JWT, to its client and to the server of its resource', async () => {
  const { access_token } = await freshTokens();
  const { jti, ...claims } = decodeJwt(String(access_token));
  for (const client_id of [printer.client_id, 'api']) {
    const { active, username, token_type, ...told } = await introspect(access_token, client_id);
    assert.deepEqual({ active, ...told }, { active: true, ...claims });
  }
});

test('the clock of the database decides whether a JWT has expired, not that of an instance', async (t) => {
  const { access_token } = await freshTokens();
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
  assert.equal((await introspect(access_token))['active'], true);
  t.mock.timers.reset();
  const brief = await startLatchkey({ ISSUER: origin, ACCESS_TOKEN_TTL: '1' }, url);
  const { access_token: ended } = await freshTokens({}, brief.origin);
  await pause(1100);
  assert.deepEqual(await introspect(ended), { active: false });
});

test('tokens that are issued while keys are rotated all verify [A362]', async () => {
  const tokens = Promise.all(Array.from({ length: 20 }, () => freshTokens()));
  for (let round = 0; round < 3; round += 1) await rotateKey(deps, { request_id: 'a-test', address: null });
  for (const { access_token } of await tokens) await verified(access_token);
});

test('/user is another resource: it refuses a JWT, and the log says why', async () => {
  const { access_token } = await freshTokens();
  for (const path of ['/user', '/api/v3/user']) {
    const { status, body } = await getUser(origin, access_token, path);
    assert.deepEqual([status, body['error']], [401, 'invalid_token']);
  }
  assert.match(logged.join('\n'), /"reason":"access token for another resource"/);
  assert.equal((await introspect(access_token))['active'], true);
});

test('tokens keep working when their resource changes its format, and the next ones have the new format [A361]', async () => {
  const asJwt = await freshTokens();
  await registerResource(resource, 'opaque');
  const asOpaque = (await refresh(origin, asJwt['refresh_token'])).body;
  assert.match(String(asOpaque['access_token']), /^lk_at_/);
  await registerResource(resource, 'jwt');
  for (const { access_token } of [asJwt, asOpaque]) assert.equal((await introspect(access_token))['active'], true);
  await verified((await refresh(origin, asOpaque['refresh_token'])).body['access_token']);
});

test('the developer finds the history of a JWT, which fits into the field', async () => {
  const token = String((await freshTokens())['access_token']);
  await database.query('update clients set owner_id = 1');
  const path = `/developer/applications/${printer.client_id}`;
  const page = await browser.visit(`${path}/activity`);
  const [, maxlength] = /name="token"[^>]* maxlength="(\d+)"/.exec(page.text) ?? [];
  assert.ok(Number(maxlength) > token.length);
  const history = await browser.submit(page, `action="${path}/token"`, { token });
  assert.match(history.text, /Access token\.<\/strong> It is valid/);
});

test('a JWT is not stored, and not logged when it was sent to the wrong place', async () => {
  const { access_token } = await freshTokens();
  const [header, payload, signature = ''] = String(access_token).split('.');
  const before = logged.length;
  await fetch(`${origin}/${access_token}`);
  await fetch(`${origin}/user&access_token=${access_token}`);
  await fetch(`${origin}/${String(access_token).replaceAll('.', '%2E')}`);
  await post(`${origin}/token`, { grant_type: 'refresh_token', refresh_token: String(access_token) });
  await browser.visit(`/authorize?client_id=${access_token}`);
  // logged when the connection has the answer, which may be after the client has it
  while (logged.length < before + 5) await pause(5);
  const said = logged.join('\n');
  for (const part of [`${header}.`, payload, signature]) assert.ok(!said.includes(String(part)), part);
  assert.ok(!(await dumpDatabase(database)).includes(signature));
});
