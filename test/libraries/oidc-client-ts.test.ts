// ci: programs of others, and other languages
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { launchBrowser, skip as withoutChromium } from '../browser/chromium.ts';
import { getUser } from '../support/flow.ts';
import { password, startWithPrinter } from '../support/latchkey.ts';
import { openApplication } from './application.ts';
import { load } from './library.ts';

const { skip: withoutLibrary } = await load('oidc-client-ts');
const { origin, database } = await startWithPrinter();

/** A single-page application: no server of its own takes part in the flow. */
const page = (redirect_uri: string) => `<!doctype html>
<title>A single-page application</title>
<button id="sign-in">Sign in</button>
<script src="/oidc-client-ts.js"></script>
<script type="module">
  const manager = new oidc.UserManager({
    authority: '${origin}',
    metadataUrl: '${origin}/.well-known/oauth-authorization-server',
    client_id: 'single-page',
    redirect_uri: '${redirect_uri}',
    scope: 'user',
    loadUserInfo: true,
  });
  document.querySelector('#sign-in').onclick = () => manager.signinRedirect();
  if (location.pathname === '/callback') {
    const { profile } = await manager.signinCallback();
    const { access_token } = await manager.signinSilent();
    document.body.insertAdjacentHTML('beforeend', '<pre>' + JSON.stringify({ profile, access_token }) + '</pre>');
    await manager.revokeTokens();
    document.body.insertAdjacentHTML('beforeend', '<p id="revoked"></p>');
  }
</script>`;

test('oidc-client-ts in a browser finds the endpoints, signs in from another origin, renews the tokens and revokes them', {
  skip: withoutChromium || withoutLibrary,
}, async (t) => {
  const script = readFileSync(new URL('node_modules/oidc-client-ts/dist/browser/oidc-client-ts.js', import.meta.url));
  const application = await openApplication(database, '/callback', { client_id: 'single-page', client_secret: null });
  application.answer((req, res) => {
    const isScript = req.url === '/oidc-client-ts.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    res.end(isScript ? script : page(application.redirect_uri));
  });
  const chromium = await launchBrowser();
  t.after(() => chromium.close());
  const tab = await chromium.newPage();
  await tab.goto(application.origin);
  await tab.click('#sign-in');
  await tab.fill('#username', 'alice');
  await tab.fill('#password', password);
  await tab.click('#login');
  await tab.click('#allow');
  await tab.waitForSelector('#revoked', { state: 'attached' });
  const { profile, access_token } = JSON.parse((await tab.textContent('pre')) ?? '');
  assert.equal(profile.username, 'alice');
  assert.equal((await getUser(origin, access_token)).status, 401);
});
