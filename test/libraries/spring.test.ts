// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerJwtResource, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { writeFile } from '../support/scratch.ts';
import { skip, startSpring } from './java.ts';
import { signInAndAllow } from './person.ts';

// Spring refreshes a token in the last minute of its life, so each of these whenever it is used
const { origin, database } = await startWithPrinter({ ACCESS_TOKEN_TTL: '50' });

test('Spring Security signs a person in with issuer-uri and PKCE, and refreshes', { skip }, async () => {
  const port = await findFreePort();
  const application = `http://127.0.0.1:${port}`;
  const redirect_uris = [`${application}/login/oauth2/code/latchkey`];
  await registerPrinter(database, { client_id: 'spring', redirect_uris, site_domain: 'localhost' });
  const registration = 'spring.security.oauth2.client.registration.latchkey';
  const properties = `
    server.port=${port}
    ${registration}.client-id=spring
    ${registration}.client-secret=${printer.client_secret}
    ${registration}.authorization-grant-type=authorization_code
    ${registration}.redirect-uri={baseUrl}/login/oauth2/code/{registrationId}
    ${registration}.scope=user:name,user:email
    spring.security.oauth2.client.provider.latchkey.issuer-uri=${origin}`;
  await startSpring('Login.java', writeFile('login.properties', properties));

  const browser = new Browser(application);
  const { location = '' } = await browser.visit('/');
  assert.equal(new URL(location).searchParams.get('code_challenge_method'), 'S256');
  const callback = await signInAndAllow(location);
  const address = { email: 'alice@example.com', email_verified: true };
  const profile = { id: 1, sub: '1', username: 'alice', name: 'alice Liddell', ...address };
  const signedIn = await browser.visit(callback.href);
  assert.deepEqual(JSON.parse(signedIn.text), { name: '1', attributes: profile });
  const again = await browser.visit('/profile');
  assert.deepEqual(JSON.parse(again.text), profile);
  const { rowCount } = await database.query('select from access_tokens');
  assert.equal(rowCount, 2, 'it refreshed before the second use');
});

test('Spring Security lets into an API those whose token introspection reports as active', { skip }, async () => {
  await registerPrinter(database, { client_id: 'api', resource_server: true });
  const port = await findFreePort();
  const opaqueToken = 'spring.security.oauth2.resourceserver.opaquetoken';
  const properties = `
    server.port=${port}
    ${opaqueToken}.introspection-uri=${origin}/introspect
    ${opaqueToken}.client-id=api
    ${opaqueToken}.client-secret=${printer.client_secret}`;
  await startSpring('Api.java', writeFile('api.properties', properties));

  const api = `http://127.0.0.1:${port}`;
  const { body: tokens } = await redeem(
    origin,
    await obtainCode(await signedInBrowser(origin), { scope: 'user repo' }),
  );
  const { status, body } = await getUser(api, tokens['access_token'], '/');
  assert.deepEqual([status, body], [200, { name: '1', scopes: ['SCOPE_repo', 'SCOPE_user'] }]);
  const call = (token: unknown) => fetch(api, { headers: { authorization: `Bearer ${token}` } });
  assert.equal((await call(tokens['refresh_token'])).status, 401);
});

test('Spring Security lets into an API those with a JWT for it, verified with the keys of the issuer', {
  skip,
}, async () => {
  const [audience, other] = ['https://api.example/', 'https://other.example/'];
  for (const resource of [audience, other]) await registerJwtResource(database, resource, ['user', 'repo']);
  const port = await findFreePort();
  const settings = `server.port=${port}\nissuer=${origin}\naudience=${audience}`;
  // before any token was issued
  await startSpring('JwtApi.java', writeFile('jwt-api.properties', settings));

  const browser = await signedInBrowser(origin);
  const call = async (resource: string) => {
    const code = await obtainCode(browser, { resource, scope: 'user repo' });
    const { body } = await redeem(origin, code);
    return fetch(`http://127.0.0.1:${port}`, { headers: { authorization: `Bearer ${body['access_token']}` } });
  };
  const expected = { name: '1', scopes: ['SCOPE_repo', 'SCOPE_user'] };
  assert.deepEqual(await (await call(audience)).json(), expected);
  assert.equal((await call(other)).status, 401);
});
