import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery, obtainCode, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import {
  answerBy,
  answerTo,
  listen,
  macWith,
  returnWith,
  sentToWebsite,
  sharedSecret,
  type WebsiteKey,
  websiteKey,
} from '../../support/website.ts';

/** The address where the website publishes its keys, or does not. */
const site = { keys: [] as WebsiteKey[], isAway: false, requests: 0 };
const address = await listen((req, res) => {
  site.requests += 1;
  if (site.isAway) return void req.socket.destroy();
  res.setHeader('content-type', 'application/jwk-set+json');
  res.end(JSON.stringify({ keys: site.keys.map(({ public_jwk }) => public_jwk) }));
});
const env = { SIGN_IN_URL: `${address}/sign-in`, SIGN_IN_JWKS: `${address}/jwks` };
const { origin, database, url } = await startWithPrinter(env);
const [first, second, third] = [websiteKey('k1'), websiteKey('k2', 'EdDSA'), websiteKey('k3')];

let subjects = 0;
async function signInBy(key: WebsiteKey, at = origin) {
  subjects += 1;
  const { browser, asked } = await sentToWebsite(at);
  const page = await returnWith(browser, answerBy(key, asked, { sub: `key-${subjects}` }));
  return { browser, page };
}
const pass = (seconds: number) =>
  database.query(
    `update website_key_sets
     set next_try_at = next_try_at - make_interval(secs => $1), fetched_at = fetched_at - make_interval(secs => $1)`,
    [seconds],
  );

test('while the keys cannot be fetched, the page asks to try again, and the same address then succeeds', async () => {
  site.isAway = true;
  const { browser, page } = await signInBy(first);
  assert.equal(page.status, 503);
  assert.equal(page.headers.get('retry-after'), '6');
  assert.match(page.text, /Please try again in a moment/);
  const [, again = ''] = /href="(\/login\/return\?nonce=[\w-]+)">Try again/.exec(page.text) ?? assert.fail(page.text);
  site.isAway = false;
  site.keys = [first, second];
  await pass(6);
  assert.match((await browser.visit(again)).text, /id="allow"/);
});

test('known keys go on while their address is away, also after a restart and at another instance', async () => {
  site.isAway = true;
  const requests = site.requests;
  for (const key of [first, second]) assert.match((await signInBy(key)).page.text, /id="allow"/);
  const restarted = await startLatchkey(env, url);
  assert.match((await signInBy(first, restarted.origin)).page.text, /id="allow"/);
  assert.equal(site.requests, requests);
  await pass(400);
  assert.match((await signInBy(first)).page.text, /id="allow"/);
  assert.equal(site.requests, requests + 1, 'it was asked, in vain');
});

test('an unknown key leads to one fetch in a while, and is never a definite refusal', async () => {
  site.isAway = false;
  await pass(10);
  const requests = site.requests;
  const statuses = await Promise.all([1, 2, 3].map(async () => (await signInBy(third)).page.status));
  assert.deepEqual(statuses, [503, 503, 503]);
  assert.equal(site.requests, requests + 1);
  site.keys = [second, third];
  await pass(6);
  assert.match((await signInBy(third)).page.text, /id="allow"/);
  assert.equal((await signInBy(first)).page.status, 503, 'the removed key');
});

test('a wrong signature of a known key is a refusal', async () => {
  const impostor = websiteKey('k3');
  assert.equal((await signInBy(impostor)).page.status, 400);
  const { browser, asked } = await sentToWebsite(origin);
  const byMac = answerTo(asked, {}, { header: { alg: 'HS256', kid: 'k3' }, signer: macWith(sharedSecret) });
  assert.equal((await returnWith(browser, byMac)).status, 400);
});

test('known keys are forgotten after a day in which their address was away', async () => {
  site.isAway = true;
  await pass(86_500);
  assert.equal((await signInBy(third)).page.status, 503);
  site.isAway = false;
  await pass(6);
  assert.match((await signInBy(third)).page.text, /id="allow"/);
});

test('what is no set of keys replaces none', async () => {
  const kept = site.keys;
  for (const keys of [[], Array.from({ length: 11 }, (_, at) => websiteKey(`many-${at}`))]) {
    site.keys = keys;
    await pass(400);
    assert.match((await signInBy(third)).page.text, /id="allow"/);
  }
  site.keys = kept;
});

test('sessions, tokens and passwords need nothing of a website that is away', async () => {
  site.isAway = true;
  const browser = await signedInBrowser(origin);
  const requests = site.requests;
  const { body } = await redeem(origin, await obtainCode(browser));
  assert.equal((await refresh(origin, body['refresh_token'])).status, 200);
  assert.match((await browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`)).text, /id="allow"/);
  assert.equal(site.requests, requests);
  site.isAway = false;
});
