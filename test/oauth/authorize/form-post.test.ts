import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { authorizationQuery, challenge, codeIn, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPrinter, startWithPrinter } from '../../support/latchkey.ts';

const { origin, database } = await startWithPrinter();
await registerPrinter(database, { client_id: 'strange', redirect_uris: ['https://printer.example/cb?shop=1'] });
await database.query("update clients set vouched = false where client_id = 'strange'");
const app = 'example.printer.app:/callback';
await registerPrinter(database, { client_id: 'app', client_secret: null, redirect_uris: [app] });

const request = (changes: Parameters<typeof authorizationQuery>[0] = {}, path = '/authorize') =>
  `${path}?${authorizationQuery({ response_mode: 'form_post', ...changes })}`;

/** What the form of the page would send, and where; the page must not be a redirect. */
function posted(page: Page): { action: string; fields: Record<string, string> } {
  assert.equal(page.location, undefined);
  const [action, { body }] = formRequest(page, 'id="continue"');
  return { action, fields: Object.fromEntries(new URLSearchParams(String(body))) };
}

const sendsItself = ({ text }: Page) => text.includes('form-post.js');

test('with response_mode=form_post, code, state and iss are in a form to the redirection URI, and not in its address', async () => {
  for (const [path, issuer] of [
    ['/authorize', origin],
    ['/login/oauth/authorize', `${origin}/login/oauth`],
  ] as const) {
    const browser = await signedInBrowser(origin);
    await database.query('delete from grants');
    const page = await browser.submit(await browser.visit(request({ state: 'a "b" <é>&' }, path)), 'id="allow"');
    const { action, fields } = posted(page);
    assert.deepEqual([page.status, action, sendsItself(page)], [200, printer.redirect_uri, true]);
    const { code = '', ...others } = fields;
    assert.deepEqual(others, { state: 'a "b" <é>&', iss: issuer });
    assert.equal((await redeem(origin, code)).status, 200);
    const remembered = posted(await browser.visit(request({ prompt: 'none' }, path)));
    assert.match(remembered.fields['code'] ?? '', /^lk_ac_/);
  }
});

test('errors and a refusal are posted, too', async () => {
  const browser = await signedInBrowser(origin);
  await database.query('delete from grants');
  const { error, state, iss } = posted(await browser.visit(request({ scope: 'nonsense' }))).fields;
  assert.deepEqual([error, state, iss], ['invalid_scope', 'the-state', origin]);
  assert.equal(posted(await browser.visit(request({ prompt: 'none' }))).fields['error'], 'consent_required');
  const denied = await browser.submit(await browser.visit(request()), 'id="deny"');
  assert.deepEqual([posted(denied).fields['error'], sendsItself(denied)], ['access_denied', true]);
});

test('to a client that no administrator vouches for, an error is posted by a press of a button only [A370]', async () => {
  const browser = await signedInBrowser(origin);
  const strange = { client_id: 'strange', redirect_uri: undefined };
  for (const changes of [{ prompt: 'none' }, { scope: 'nonsense' }]) {
    const page = await browser.visit(request({ ...strange, ...changes }));
    assert.deepEqual([page.status, sendsItself(page)], [400, false]);
    assert.match(page.text, /Continue to <bdi[^>]*>printer\.example/);
    const { action, fields } = posted(page);
    assert.equal(action, 'https://printer.example/cb?shop=1');
    assert.deepEqual([fields['state'], fields['iss']], ['the-state', origin]);
  }
  for (const [button, field] of [
    ['deny', 'error'],
    ['allow', 'code'],
  ] as const) {
    const page = await browser.submit(await browser.visit(request(strange)), `id="${button}"`);
    assert.ok(sendsItself(page), 'the person has decided');
    assert.ok(posted(page).fields[field]);
  }
});

test('the page with the form is not stored, not framed, and may send its form to the client [A370]', async () => {
  const browser = await signedInBrowser(origin);
  const { headers } = await browser.visit(request({ scope: 'nonsense' }));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('referrer-policy'), 'strict-origin');
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self'; .*base-uri 'none'; frame-ancestors 'none'$/);
});

test('a request that is sent again is answered with another code', async () => {
  const browser = await signedInBrowser(origin);
  await browser.submit(await browser.visit(request({ prompt: 'consent' })), 'id="allow"');
  const [first, again] = [await browser.visit(request()), await browser.visit(request())];
  assert.notEqual(posted(first).fields['code'], posted(again).fields['code']);
  const [path, init] = formRequest(await browser.visit(request({ prompt: 'consent' })), 'id="allow"');
  const allowed = posted(await browser.visit(path, init)).fields['code'];
  const reloaded = await browser.visit(path, init);
  assert.ok(reloaded.text.includes('id="allow"') && !reloaded.text.includes(allowed ?? '?'), 'the form counts once');
});

test('a form cannot be posted to an app, nor carry a state with line breaks: the error is in the query', async () => {
  const browser = new Browser(origin);
  const cases: [changes: Parameters<typeof authorizationQuery>[0], redirect_uri: string][] = [
    [{ client_id: 'app', redirect_uri: app }, app],
    [{ state: 'a\nb' }, printer.redirect_uri],
    [{ state: 'a\rb' }, printer.redirect_uri],
    [{ response_mode: ['form_post', 'form_post'] }, printer.redirect_uri],
  ];
  for (const [changes, redirect_uri] of cases) {
    const { location = '' } = await browser.visit(request(changes));
    assert.ok(location.startsWith(`${redirect_uri}?error=invalid_request&`), location);
  }
  const alice = await signedInBrowser(origin);
  const inQuery = request({ client_id: 'app', redirect_uri: app, response_mode: 'query', code_challenge: challenge });
  assert.ok(codeIn(await alice.submit(await alice.visit(inQuery), 'id="allow"')));
});
