import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from '../../support/browser.ts';
import { type Internet, requestOf, startInternet } from '../../support/client-documents.ts';
import { codeIn, getUser, post, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { mcpBodies, mcpDocuments } from '../../support/mcp-clients.ts';
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
  assert.equal(/you will return to a program on this device/.test(page.text), isLocal, redirect_uri);
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
