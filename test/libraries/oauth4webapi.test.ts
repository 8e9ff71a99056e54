// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import { Browser } from '../support/browser.ts';
import { registerKey } from '../support/client-assertion.ts';
import { authorizationQuery, getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import {
  printer,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  startLatchkey,
  startWithPrinter,
} from '../support/latchkey.ts';
import { signInAndAllow } from './person.ts';

const { origin, database } = await startWithPrinter();
const insecure = { [oauth.allowInsecureRequests]: true };

async function discover(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(origin);
  const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
  return oauth.processDiscoveryResponse(issuer, discovery);
}

test('oauth4webapi finds the endpoints, exchanges the code, refreshes and revokes; the profile lacks the e-mail address that the user unticked', async () => {
  const server = await discover();
  const client = { client_id: printer.client_id };
  const authentication = oauth.ClientSecretBasic(printer.client_secret);
  const code_verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const code_challenge = await oauth.calculatePKCECodeChallenge(code_verifier);

  const link = `${server.authorization_endpoint}?${authorizationQuery({ state, code_challenge })}`;
  const callback = await signInAndAllow(link, ['user:name']);
  const parameters = oauth.validateAuthResponse(server, client, callback, state);
  const exchange = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    parameters,
    printer.redirect_uri,
    code_verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange);
  assert.equal(tokens.scope, 'user:name');

  const resource = await oauth.protectedResourceRequest(
    tokens.access_token,
    'GET',
    new URL('/user', origin),
    undefined,
    null,
    insecure,
  );
  assert.deepEqual(await resource.json(), { id: 1, sub: '1', username: 'alice', name: 'alice Liddell' });

  const refreshing = await oauth.refreshTokenGrantRequest(
    server,
    client,
    authentication,
    tokens.refresh_token ?? '',
    insecure,
  );
  const refreshed = await oauth.processRefreshTokenResponse(server, client, refreshing);
  assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
  assert.equal((await getUser(origin, refreshed.access_token)).status, 200);

  const revoking = await oauth.revocationRequest(
    server,
    client,
    authentication,
    refreshed.refresh_token ?? '',
    insecure,
  );
  await oauth.processRevocationResponse(revoking);
  assert.equal((await getUser(origin, refreshed.access_token)).status, 401);
});

test('oauth4webapi verifies a signed answer with the code, and a signed error', async () => {
  const server = await discover();
  const client = { client_id: printer.client_id };
  const request = { response_mode: 'jwt', prompt: 'consent' };
  const signed = await signInAndAllow(`${server.authorization_endpoint}?${authorizationQuery(request)}`);
  assert.deepEqual([...signed.searchParams.keys()], ['response']);
  const parameters = await oauth.validateJwtAuthResponse(server, client, signed, 'the-state', insecure);
  assert.equal((await redeem(origin, parameters.get('code') ?? '')).status, 200);

  const link = `/authorize?${authorizationQuery({ ...request, scope: 'nonsense' })}`;
  const refused = new URL((await new Browser(origin).visit(link)).location ?? '');
  const error = oauth.validateJwtAuthResponse(server, client, refused, 'the-state', insecure);
  await assert.rejects(error, { error: 'invalid_scope' });
});

test('oauth4webapi signs its request and pushes it', async () => {
  const server = await discover();
  const client = { client_id: printer.client_id };
  const privateKey = await registerKey(database, client.client_id);
  const parameters = new URLSearchParams(authorizationQuery({ prompt: 'consent' }));
  const request = await oauth.issueRequestObject(server, client, parameters, privateKey);
  const authentication = oauth.ClientSecretBasic(printer.client_secret);
  const pushing = await oauth.pushedAuthorizationRequest(server, client, authentication, { request }, insecure);
  const { request_uri } = await oauth.processPushedAuthorizationResponse(server, client, pushing);
  const link = new URL(server.authorization_endpoint ?? '');
  link.search = String(new URLSearchParams({ ...client, request_uri }));
  const callback = await signInAndAllow(link);
  const answer = oauth.validateAuthResponse(server, client, callback, 'the-state');
  assert.equal((await redeem(origin, answer.get('code') ?? '')).status, 200);
});

test('oauth4webapi asks about a token and verifies the signature of the answer', async () => {
  const server = await discover();
  const client = { client_id: printer.client_id };
  const { access_token } = (await redeem(origin, await obtainCode(await signedInBrowser(origin), { scope: 'repo' })))
    .body;
  const response = await oauth.introspectionRequest(
    server,
    client,
    oauth.ClientSecretBasic(printer.client_secret),
    String(access_token),
    { ...insecure, requestJwtResponse: true },
  );
  const { active, sub, scope } = await oauth.processIntrospectionResponse(server, client, response);
  await oauth.validateApplicationLevelSignature(server, response, insecure);
  assert.deepEqual([active, sub, scope], [true, '1', 'repo']);
});

for (const DPOP_NONCE of ['off', 'on']) {
  test(`oauth4webapi pushes its request, and binds code, token and refresh to a key of its own [9449]: DPOP_NONCE=${DPOP_NONCE}`, async () => {
    const server = await startLatchkey({ DPOP_NONCE });
    await registerPeople(server.database);
    await registerPrinter(server.database);
    const issuer = new URL(server.origin);
    const discovery = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    const metadata = await oauth.processDiscoveryResponse(issuer, discovery);
    const client: oauth.Client = { client_id: printer.client_id };
    const authentication = oauth.ClientSecretBasic(printer.client_secret);
    const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'));
    const options = { ...insecure, DPoP };
    /** As the library documents it: it remembers the nonce of the error for the second attempt. */
    const retried = <Result>(attempt: () => Promise<Result>) =>
      attempt().catch((error) => {
        assert.ok(DPOP_NONCE === 'on' && oauth.isDPoPNonceError(error), String(error));
        return attempt();
      });

    const code_verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const code_challenge = await oauth.calculatePKCECodeChallenge(code_verifier);
    const request = new URLSearchParams(authorizationQuery({ state, code_challenge }));
    const { request_uri } = await retried(async () => {
      const pushing = await oauth.pushedAuthorizationRequest(metadata, client, authentication, request, options);
      return oauth.processPushedAuthorizationResponse(metadata, client, pushing);
    });
    const query = new URLSearchParams({ client_id: client.client_id, request_uri });
    const callback = await signInAndAllow(`${metadata.authorization_endpoint}?${query}`, ['user:name']);
    const parameters = oauth.validateAuthResponse(metadata, client, callback, state);
    const { redirect_uri } = printer;
    const tokens = await retried(async () => {
      const exchange = await oauth.authorizationCodeGrantRequest(
        metadata,
        client,
        authentication,
        parameters,
        redirect_uri,
        code_verifier,
        options,
      );
      return oauth.processAuthorizationCodeResponse(metadata, client, exchange);
    });
    assert.equal(tokens.token_type, 'dpop');
    const refreshed = await retried(async () => {
      const { refresh_token = '' } = tokens;
      const refreshing = await oauth.refreshTokenGrantRequest(metadata, client, authentication, refresh_token, options);
      return oauth.processRefreshTokenResponse(metadata, client, refreshing);
    });
    const user = new URL('/user', server.origin);
    for (const { access_token } of [tokens, refreshed]) {
      const answer = await oauth.protectedResourceRequest(access_token, 'GET', user, undefined, null, options);
      assert.equal((await answer.json()).username, 'alice');
      assert.equal((await getUser(server.origin, access_token)).status, 401);
    }
  });
}

test('oauth4webapi verifies a JWT in front of an API, with the keys that the metadata names', async () => {
  const resource = 'https://api.example/';
  await registerJwtResource(database, resource, ['repo']);
  const code = await obtainCode(await signedInBrowser(origin), { scope: 'repo', resource });
  const { access_token } = (await redeem(origin, code)).body;
  const request = new Request(resource, { headers: { authorization: `Bearer ${access_token}` } });
  const claims = await oauth.validateJwtAccessToken(await discover(), request, resource, insecure);
  assert.deepEqual([claims.sub, claims.client_id, claims.scope], ['1', printer.client_id, 'repo']);
});
