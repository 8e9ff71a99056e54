// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { Browser } from '../support/browser.ts';
import { obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerJwtResource, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';
import { scratch } from '../support/scratch.ts';
import { signInAndAllow, signInTo } from './person.ts';
import { skip, startPython } from './python.ts';

const { origin, database } = await startLatchkey();
await registerPeople(database);
const withoutEmail = { id: 1, sub: '1', username: 'alice', name: 'alice Liddell' };
const profile = { ...withoutEmail, email: 'alice@example.com', email_verified: true };

/** The file as a client of its own, whose redirection URIs are these paths at its port. */
async function start(file: string, { paths = ['/callback'], env = {} } = {}) {
  const PORT = String(await findFreePort());
  const application = `http://127.0.0.1:${PORT}`;
  const redirect_uris = paths.map((path) => application + path);
  await registerPrinter(database, { client_id: file, redirect_uris, site_domain: 'localhost' });
  const program = startPython(file, {
    ISSUER: origin,
    CLIENT_ID: file,
    CLIENT_SECRET: printer.client_secret,
    REDIRECT_URI: `${application}/callback`,
    SCOPE: 'user:name user:email',
    PORT,
    ...env,
  });
  return { program, application };
}

/** What it printed after the person allowed what is ticked. */
async function answerOf({ program }: Awaited<ReturnType<typeof start>>, ticked?: string[]): Promise<unknown> {
  const [link] = await program.said(/http\S+\/authorize\?\S+(?=\n)/);
  program.type((await signInAndAllow(link, ticked)).href);
  const [answer] = await program.said(/\{.*\}(?=\n)/);
  return JSON.parse(answer);
}

test('requests-oauthlib exchanges the code with PKCE, refreshes and reads the profile', { skip }, async () => {
  const answer = await answerOf(await start('requests_oauthlib_session.py'));
  assert.deepEqual(answer, { profile, scope: ['user:name', 'user:email'] });
});

test('requests-oauthlib accepts fewer permissions than it asked for where OAUTHLIB_RELAX_TOKEN_SCOPE is set, and only there', {
  skip,
}, async () => {
  const file = 'requests_oauthlib_session.py';
  await assert.rejects(answerOf(await start(file), ['user:name']), /Scope has changed from/);
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  const relaxed = await start(file, { env: { OAUTHLIB_RELAX_TOKEN_SCOPE: '1' } });
  assert.deepEqual(await answerOf(relaxed, ['user:name']), { profile: withoutEmail, scope: ['user:name'] });
});

test('Authlib exchanges the code with PKCE, refreshes, reads the profile and revokes', { skip }, async () => {
  const answer = await answerOf(await start('authlib_session.py'));
  assert.deepEqual(answer, { profile, scope: 'user:name user:email', status_after_revocation: 401 });
});

test('Authlib in Flask signs a person in, configured by the metadata alone', { skip }, async () => {
  const { program, application } = await start('authlib_flask.py');
  await program.said(/Running on/);
  assert.deepEqual(JSON.parse((await signInTo(application, '/login')).text), profile);
});

test('social-auth-core signs a person in to Django, by its GitHub Enterprise backend and by BaseOAuth2PKCE', {
  skip,
}, async () => {
  const { program, application } = await start('social_auth_django.py', {
    paths: ['/complete/github-enterprise/', '/complete/latchkey/'],
    env: { DATABASE: join(scratch, 'django.sqlite3') },
  });
  await program.said(/Quit the server/);
  for (const backend of ['github-enterprise', 'latchkey']) {
    const browser = new Browser(application);
    const { location = '' } = await browser.visit(`/login/${backend}/`, { method: 'POST' });
    const page = await browser.visit((await signInAndAllow(location)).href);
    const { provider, uid, email } = JSON.parse(page.text);
    assert.deepEqual([provider, uid, email], [backend, '1', 'alice@example.com']);
  }
});

test('PyJWT verifies a token for an API with the keys of the issuer, and refuses one for another API', {
  skip,
}, async () => {
  const [audience, other] = ['https://api.example/', 'https://other.example/'];
  for (const resource of [audience, other]) await registerJwtResource(database, resource, ['user', 'repo']);
  await registerPrinter(database);
  const browser = await signedInBrowser(origin);
  const verify = async (resource: string): Promise<Record<string, string>> => {
    const { body } = await redeem(origin, await obtainCode(browser, { resource, scope: 'repo' }));
    const program = startPython('verify_jwt.py', { ISSUER: origin, AUDIENCE: audience });
    program.type(String(body['access_token']));
    const [claims] = await program.said(/\{.*\}(?=\n)/);
    return JSON.parse(claims);
  };
  const { sub, client_id, scope } = await verify(audience);
  assert.deepEqual([sub, client_id, scope], ['1', printer.client_id, 'repo']);
  await assert.rejects(verify(other), /InvalidAudienceError/);
});
