import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createClientKey, sign, withAssertion } from '../support/client-assertion.ts';
import { callback, type Internet, problemOn, requestOf, startInternet } from '../support/client-documents.ts';
import { commandLineFor } from '../support/command-line.ts';
import { codeIn, post, refresh, signedInBrowser, verifier } from '../support/flow.ts';
import { startLatchkey } from '../support/latchkey.ts';
import { enterNetwork } from '../support/network.ts';
import { register, sendJson } from '../support/self-registration.ts';

// A client offers several methods, and this server chooses the strongest [OpenID Connect RP Metadata Choices 1.0].

const skip = await enterNetwork(import.meta.url);
const { latchkey, alice, published } = skip ? ({} as Internet) : await startInternet();
const registering = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
const noHeader = { authorization: '' };

beforeEach(async () => {
  published?.clear();
  for (const one of [registering, latchkey]) await one?.database.query('delete from attempts');
});

const key = createClientKey('1');
const jwks = { keys: [key.jwk] };
const jwks_uri = 'https://client.example/jwks';
const none = undefined;

for (const [offered, others, chosen] of [
  [['none', 'private_key_jwt'], { jwks }, 'private_key_jwt'],
  [['none', 'private_key_jwt'], { jwks, token_endpoint_auth_method: 'none' }, 'private_key_jwt'],
  [['private_key_jwt'], { jwks, token_endpoint_auth_method: 'none' }, 'private_key_jwt'],
  [['none'], { jwks, token_endpoint_auth_method: 'private_key_jwt' }, 'private_key_jwt'],
  [['private_key_jwt', 'client_secret_basic', 'none'], { jwks_uri }, 'private_key_jwt'],
  [['none', 'client_secret_post', 'client_secret_basic'], {}, 'client_secret_basic'],
  [['none', 'client_secret_basic'], { token_endpoint_auth_method: 'client_secret_post' }, 'client_secret_post'],
  [['none', 'private_key_jwt'], {}, 'none'],
  [['none', 'private_key_jwt'], { jwks, token_endpoint_auth_signing_alg: 'RS256' }, 'private_key_jwt'],
  [['none', 'private_key_jwt'], { jwks, token_endpoint_auth_signing_alg: 'HS256' }, 'none'],
  [['none', 'client_secret_jwt', 'private_key_jwt'], { jwks }, 'private_key_jwt'],
  [['none', 'tls_client_auth'], { tls_client_auth_subject_dn: 'CN=app' }, 'none'],
  [['private_key_jwt'], {}, none],
  [['client_secret_jwt'], {}, none],
  [[], {}, none],
  ['private_key_jwt', { jwks }, none],
  [['private_key_jwt', 7], { jwks }, none],
  [['private_key_jwt', '<b>'], { jwks }, none],
  [Array.from({ length: 21 }, () => 'none'), {}, none],
  [['none'], { token_endpoint_auth_method: 'private_key_jwt' }, none],
] as [unknown, Record<string, unknown>, string | undefined][]) {
  const stated = { token_endpoint_auth_method: undefined, token_endpoint_auth_methods_supported: offered, ...others };
  test(`a client that states ${JSON.stringify({ offered, ...others, jwks: undefined })} has the method ${chosen ?? 'refused'}`, async () => {
    const { status, body } = await register(registering.origin, stated);
    assert.deepEqual(
      [status, body['error'] ?? body['token_endpoint_auth_method']],
      chosen === undefined ? [400, 'invalid_client_metadata'] : [201, chosen],
      JSON.stringify(body),
    );
    if (chosen) assert.deepEqual(body['token_endpoint_auth_methods_supported'], offered);
  });
}

test('an algorithm of assertions is kept with the method that needs it, and left out with others [7591 §2]', async () => {
  const stated = { jwks, token_endpoint_auth_signing_alg: 'ES256' };
  const algorithmOf = async (changes: object) => {
    const { body } = await register(registering.origin, { ...stated, ...changes });
    return body['token_endpoint_auth_signing_alg'] ?? body['error_description'];
  };
  assert.equal(await algorithmOf({ token_endpoint_auth_method: 'private_key_jwt' }), 'ES256');
  assert.equal(await algorithmOf({ token_endpoint_auth_signing_alg: 'HS256' }), undefined);
  const unknown = { token_endpoint_auth_method: 'private_key_jwt', token_endpoint_auth_signing_alg: 'HS256' };
  assert.match(String(await algorithmOf(unknown)), /^token_endpoint_auth_signing_alg is malformed/);
});

test('a change at /register chooses anew, and cannot make the client public [A544]', async () => {
  const offered = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'], jwks };
  const { body } = await register(registering.origin, { ...offered, token_endpoint_auth_method: undefined });
  const { client_id, registration_client_uri, registration_access_token } = body;
  const { redirect_uris } = body;
  const change = (changes: object) =>
    sendJson(registration_client_uri, 'PUT', { client_id, redirect_uris, ...changes }, registration_access_token);
  assert.equal((await change({ ...offered, jwks: undefined })).status, 400, 'only none is left');
  assert.equal((await change({ token_endpoint_auth_method: 'none' })).status, 400);
  const { body: changed } = await change({ token_endpoint_auth_method: 'private_key_jwt', jwks });
  assert.deepEqual(
    [changed['token_endpoint_auth_method'], changed['token_endpoint_auth_methods_supported']],
    ['private_key_jwt', undefined],
  );
});

let urls = 0;
function publish(changes: Record<string, unknown>): string {
  urls += 1;
  const url = `https://client.example/choice-${urls}.json`;
  published.set(url, { changes });
  return url;
}

const choice = {
  token_endpoint_auth_method: undefined,
  token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
};

test('a document with a key and a choice is a client that proves the key: without a proof it gets nothing [A544]', {
  skip,
}, async () => {
  const { origin, database } = latchkey;
  const client_id = publish({ ...choice, jwks });
  const proof = async () => withAssertion(await sign(key, origin, { client_id }));
  const ask = async () => codeIn(await alice.submit(await alice.visit(requestOf(client_id)), 'id="allow"'));
  const exchange = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier };
  const code = await ask();
  const pushed = Object.fromEntries(new URLSearchParams(requestOf(client_id).split('?')[1]));
  const wrong = withAssertion(await sign(createClientKey('1'), origin, { client_id }));
  for (const parameters of [{}, { client_assertion: '' }, { ...wrong, client_assertion: 'x.y.z' }, wrong]) {
    const send = async (path: string, more: object) =>
      (await post(`${origin}${path}`, { client_id, ...more, ...parameters }, noHeader)).status;
    await database.query('delete from attempts');
    assert.equal(await send('/token', { ...exchange, code }), 401);
    assert.equal(await send('/par', pushed), 401);
    assert.equal(await send('/revoke', { token: 'x' }), 401);
  }
  const { body } = await post(`${origin}/token`, { ...exchange, code, ...(await proof()) }, noHeader);
  const again = (parameters: Record<string, string>) =>
    refresh(origin, body['refresh_token'], { client_id, ...parameters }, noHeader);
  assert.equal((await again({})).status, 401);

  // the next day the document says that the client is public
  published.set(client_id, { changes: { token_endpoint_auth_method: 'none' } });
  await database.query(
    "update client_documents set fetched_at = now() - interval '3 hours', fresh_until = now() - interval '1 hour' where client_id = $1",
    [client_id],
  );
  await alice.open(requestOf(client_id));
  assert.equal((await again({})).status, 401);
  assert.equal((await again(await proof())).status, 200);
});

test('a client whose keys cannot be had is told to try again, and never public [A544]', { skip }, async () => {
  const { origin } = latchkey;
  const client_id = publish({ ...choice, jwks_uri: 'https://client.example/nothing-there' });
  const code = codeIn(await alice.submit(await alice.visit(requestOf(client_id)), 'id="allow"'));
  const send = (parameters: object) =>
    post(
      `${origin}/token`,
      { grant_type: 'authorization_code', code, redirect_uri: callback, code_verifier: verifier, ...parameters },
      noHeader,
    );
  const { status, headers } = await send(withAssertion(await sign(key, origin, { client_id })));
  assert.deepEqual([status, Number(headers.get('retry-after')) > 0], [503, true]);
  assert.equal((await send({ client_id })).status, 401);
});

test('a document offers no secret, which everybody could read', { skip }, async () => {
  const secret = ['client_secret_basic', 'client_secret_post'];
  const methodOf = async (methods: string[], changes = {}) => {
    const client_id = publish({ ...choice, token_endpoint_auth_methods_supported: methods, ...changes });
    const page = await alice.open(requestOf(client_id));
    if (page.status === 400) return problemOn(page);
    const { rows } = await latchkey.database.query('select * from clients where client_id = $1', [client_id]);
    return rows[0].token_endpoint_auth_method;
  };
  assert.equal(await methodOf([...secret, 'none']), 'none');
  assert.equal(await methodOf([...secret, 'none'], { token_endpoint_auth_method: 'client_secret_basic' }), 'none');
  assert.equal(await methodOf([...secret, 'none', 'private_key_jwt'], { jwks }), 'private_key_jwt');
  assert.match(await methodOf(secret), /token_endpoint_auth_methods_supported is malformed or not supported/);
});

test('the console and client show say which method was chosen, of what, and no longer once an operator has chosen', {
  skip,
}, async () => {
  const { database, origin, url } = latchkey;
  const client_id = publish({ ...choice, jwks });
  await alice.open(requestOf(client_id));
  await database.query("update users set is_admin = true where username = 'alice'");
  const admin = await signedInBrowser(origin);
  const console = `/developer/applications/${encodeURIComponent(client_id)}`;
  assert.match((await admin.visit(console)).text, /id="choice".*chosen.*private_key_jwt.*none, private_key_jwt/);
  const { latchkey: run } = commandLineFor(url);
  const shown = async () => (await run(['client', 'show', client_id])).out;
  assert.match(
    await shown(),
    /method_choice: +private_key_jwt, the strongest that it can use and this server supports of none, private_key_jwt/,
  );
  await database.query(
    `select register_client(client_id => $1, name => 'App', site_domain => 'client.example', redirect_uris => array[$2],
       scopes => array['user:name'], token_endpoint_auth_method => 'private_key_jwt', jwks => $3)`,
    [client_id, callback, JSON.stringify(jwks)],
  );
  assert.match(await shown(), /method_choice: +-/);
  assert.doesNotMatch((await admin.visit(console)).text, /id="choice"/);
});
