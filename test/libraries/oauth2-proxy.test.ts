// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Browser } from '../support/browser.ts';
import { findFreePort } from '../support/free-port.ts';
import { printer, registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { openServer } from './application.ts';
import { signInAndAllow } from './person.ts';
import { startProgram } from './program.ts';

const program = fileURLToPath(new URL('oauth2-proxy/target/oauth2-proxy', import.meta.url));
const skip =
  !process.env['CI'] && !existsSync(program) && 'oauth2-proxy is not installed (test/libraries/install.sh go)';
const { origin, database } = await startWithPrinter();

/** oauth2-proxy in front of an application that answers with the headers that it gets; returns its origin once it listens. */
async function startProxy(): Promise<string> {
  const application = await openServer();
  application.answer((req, res) => res.end(JSON.stringify(req.headers)));
  const address = `127.0.0.1:${await findFreePort()}`;
  const redirect_uri = `http://${address}/oauth2/callback`;
  await registerPrinter(database, { site_domain: 'localhost', redirect_uris: [redirect_uri] });
  const proxy = startProgram(program, [
    '--provider=github',
    `--login-url=${origin}/login/oauth/authorize`,
    `--redeem-url=${origin}/login/oauth/access_token`,
    `--validate-url=${origin}/api/v3/user`,
    `--client-id=${printer.client_id}`,
    `--client-secret=${printer.client_secret}`,
    `--redirect-url=${redirect_uri}`,
    '--code-challenge-method=S256',
    '--email-domain=example.com',
    // it asks whether the token is still good once a second, because it counts whole ones
    '--cookie-refresh=1ns',
    '--cookie-secret=a-secret-for-cookies-of-32-bytes',
    '--cookie-secure=false',
    '--skip-provider-button',
    `--http-address=${address}`,
    `--upstream=${application.origin}`,
  ]);
  await proxy.said(/Cookie settings/);
  while (!(await fetch(`http://${address}/ping`).catch(() => undefined))) await pause(10);
  return `http://${address}`;
}

/** Opens the application without a session, signs in, and returns the browser with the page after that. */
async function signIn(proxy: string) {
  const browser = new Browser(proxy);
  const { location = '' } = await browser.visit('/');
  assert.equal(new URL(location).searchParams.get('code_challenge_method'), 'S256');
  const page = await browser.visit((await signInAndAllow(location)).href);
  return { browser, page };
}

test('oauth2-proxy signs a person in with PKCE until the token is revoked', { skip }, async () => {
  const { browser, page } = await signIn(await startProxy());
  const { 'x-forwarded-user': user, 'x-forwarded-email': email } = JSON.parse(page.text);
  assert.deepEqual([user, email], ['alice', 'alice@example.com']);
  const visitLater = () => pause(1000).then(() => browser.visit('/'));
  assert.equal((await visitLater()).status, 200);
  await database.query('update grants set revoked_at = now()');
  const again = await visitLater();
  assert.equal(new URL(again.location ?? '').origin, origin, 'to sign in again');
});

test('oauth2-proxy refuses a person whose e-mail address nobody has verified', { skip }, async () => {
  await database.query('update users set email_verified = false');
  const { page } = await signIn(await startProxy());
  assert.equal(page.status, 403);
});
