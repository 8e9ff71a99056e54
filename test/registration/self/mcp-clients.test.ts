import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from '../../support/browser.ts';
import { createClientKey, now, sign, withAssertion } from '../../support/client-assertion.ts';
import { type Internet, requestOf, startInternet } from '../../support/client-documents.ts';
import { codeIn, getUser, post, refresh, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, registerResource, startLatchkey } from '../../support/latchkey.ts';
import { chatgptDocuments, chatgptKeys, mcpBodies, mcpDocuments } from '../../support/mcp-clients.ts';
import { enterNetwork, publicAddress } from '../../support/network.ts';
import { sendJson } from '../../support/self-registration.ts';

// The MCP clients that people have, as they are: each comes to /authorize with what it says about itself, and gets a token.

const skip = await enterNetwork(import.meta.url);
const { latchkey, alice, nameServer, published } = skip ? ({} as Internet) : await startInternet();
const registering = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(registering.database);
const alsoAlice = await signedInBrowser(registering.origin);

/** From the authorization request to the profile; on a device, the consent page says where the answer goes. */
async function readName(browser: Browser, origin: string, client_id: string, redirect_uri: string): Promise<void> {
  const page = await browser.visit(requestOf(client_id, { redirect_uri }));
  assert.equal(page.status, 200, `${redirect_uri}: ${page.text}`);
  const isLocal = redirect_uri.startsWith('http:');
  assert.equal(/you will return to an application on this device/.test(page.text), isLocal, redirect_uri);
  const answer = await browser.submit(page, 'id="allow"');
  assert.ok(answer.location?.startsWith(`${redirect_uri}?`), answer.location);
  const exchange = { grant_type: 'authorization_code', client_id, code: codeIn(answer), redirect_uri };
  const { body } = await post(`${origin}/token`, { ...exchange, code_verifier: verifier }, { authorization: '' });
  assert.equal((await getUser(origin, body['access_token'])).body['username'], 'alice');
}

for (const { name, document, callbacks } of mcpDocuments) {
  test(`${name} signs in with its metadata document`, { skip }, async () => {
    const { client_id } = document;
    nameServer.hosts.set(new URL(client_id).hostname, [publicAddress]);
    published.set(client_id, { body: JSON.stringify(document) });
    for (const uri of callbacks) await readName(alice, latchkey.origin, client_id, uri);
    const elsewhere = requestOf(client_id, { redirect_uri: 'http://localhost:50000/elsewhere' });
    assert.equal((await alice.open(elsewhere)).status, 400);
  });
}

test('a client whose document names no scope asks an MCP server for what changes something', { skip }, async () => {
  const { document, callbacks } = mcpDocuments[0] ?? assert.fail();
  const { client_id } = document;
  const resource = 'https://mcp.example/mcp';
  await latchkey.database.query(`select register_scope('mcp:write', 'Change your notes')`);
  await registerResource(latchkey.database, resource, ['mcp:write']);
  const request = requestOf(client_id, { redirect_uri: callbacks[0], scope: 'mcp:write', resource });
  const code = codeIn(await alice.submit(await alice.visit(request), 'id="allow"'));
  const exchange = { grant_type: 'authorization_code', client_id, code, redirect_uri: callbacks[0] };
  const { body } = await post(
    `${latchkey.origin}/token`,
    { ...exchange, code_verifier: verifier },
    { authorization: '' },
  );
  assert.equal(body['scope'], 'mcp:write', JSON.stringify(body));
});

const chatgptKey = createClientKey('chatgpt-1', 'RS256');
for (const { document, callback } of chatgptDocuments) {
  const { client_id } = document;

  test(`ChatGPT signs in at ${callback}, and refreshes, by assertions of RS256 for the token endpoint`, {
    skip,
  }, async () => {
    const { origin, database } = latchkey;
    await database.query('delete from attempts');
    nameServer.hosts.set('chatgpt.com', [publicAddress]);
    published.set(client_id, { body: JSON.stringify(document) });
    published.set(chatgptKeys, { body: JSON.stringify({ keys: [{ ...chatgptKey.jwk, use: 'sig', alg: 'RS256' }] }) });
    const proof = async (changes = {}, key = chatgptKey) =>
      withAssertion(await sign(key, `${origin}/token`, { client_id, claims: { exp: now() + 300 }, ...changes }));
    const ask = async () => {
      const page = await alice.visit(requestOf(client_id, { redirect_uri: callback }));
      // such a client cannot be anybody, so the consent is remembered
      if (page.location) return codeIn(page);
      assert.match(page.text, /chatgpt\.com/);
      return codeIn(await alice.submit(page, 'id="allow"'));
    };
    const request = { grant_type: 'authorization_code', redirect_uri: callback, code_verifier: verifier };
    const send = (code: string, parameters: object) =>
      post(`${origin}/token`, { ...request, code, ...parameters }, { authorization: '' });
    const code = await ask();
    const { status, body } = await send(code, await proof());
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal((await getUser(origin, body['access_token'])).body['username'], 'alice');
    const refreshed = await refresh(origin, body['refresh_token'], await proof(), { authorization: '' });
    assert.equal((await getUser(origin, refreshed.body['access_token'])).status, 200);

    // beside it: nobody else gets so far
    const stolen = refreshed.body['refresh_token'];
    const stranger = createClientKey('chatgpt-1', 'RS256');
    for (const parameters of [
      { client_id },
      { client_id, client_assertion: '' },
      await proof({}, stranger),
      await proof({}, { ...chatgptKey, alg: 'PS256' }),
      await proof({ claims: { aud: `${origin}/par` } }),
      await proof({ claims: { aud: [`${origin}/token`, origin] } }),
      await proof({ claims: { aud: 'https://evil.example/token' } }),
    ]) {
      await database.query('delete from attempts');
      assert.equal((await send(await ask(), parameters)).status, 401, JSON.stringify(parameters));
      const again = await refresh(origin, stolen, parameters, { authorization: '' });
      assert.equal(again.status, 401, JSON.stringify(parameters));
    }
    assert.equal((await refresh(origin, stolen, await proof(), { authorization: '' })).status, 200);
  });
}

for (const { name, body, callbacks } of mcpBodies) {
  test(`${name} registers itself and signs in`, async () => {
    await registering.database.query('delete from attempts');
    const { status, body: registered } = await sendJson(`${registering.origin}/register`, 'POST', body);
    assert.equal(status, 201, JSON.stringify(registered));
    for (const uri of callbacks) await readName(alsoAlice, registering.origin, registered.client_id, uri);
  });
}

test('a scheme of one word is left out of a registration that has other addresses, and refused alone [7591 §3.2.1] [8252 §7.1]', async () => {
  const uris = ['cursor://anysphere.cursor-mcp/oauth/callback', 'http://localhost:8787/callback'];
  const register = (redirect_uris: string[]) =>
    sendJson(`${registering.origin}/register`, 'POST', { redirect_uris, token_endpoint_auth_method: 'none' });
  const { body } = await register(uris);
  assert.deepEqual(body['redirect_uris'], uris.slice(1), 'the answer says so');
  const [scheme = ''] = uris;
  assert.equal((await alsoAlice.open(requestOf(body.client_id, { redirect_uri: scheme }))).status, 400);
  assert.deepEqual([(await register([scheme])).status, (await register(['https://*/', scheme])).status], [400, 400]);
});
