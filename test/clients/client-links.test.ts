import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery, obtainCode, signedInBrowser } from '../support/flow.ts';
import { registerPrinter, startWithPrinter } from '../support/latchkey.ts';
import { metadata, register, sendJson } from '../support/self-registration.ts';

const { origin, database } = await startWithPrinter({ REGISTRATION_ENDPOINT: 'open' });
const browser = await signedInBrowser(origin);
const links = { policy_uri: 'https://app.example/privacy', tos_uri: 'https://www.app.example/terms?a=1&b=2' };
const own = { policy_uri: 'https://printer.example/privacy', tos_uri: 'https://printer.example/terms' };

const consentOf = async (client_id: string, redirect_uri: string) =>
  (
    await browser.visit(
      `/authorize?${authorizationQuery({ client_id, redirect_uri, scope: undefined, prompt: 'consent' })}`,
    )
  ).text;
const kept = async (client_id: string) => {
  const { rows } = await database.query('select policy_uri, tos_uri from clients where client_id = $1', [client_id]);
  return rows[0];
};

test('policy_uri and tos_uri are registered, answered and changed as client_uri is [7591 §2, §3.2.1; 7592 §2.2]', async () => {
  const { status, body } = await register(origin, { ...links, redirect_uris: ['https://app.example/cb'] });
  assert.equal(status, 201);
  assert.deepEqual([body['policy_uri'], body['tos_uri']], [links.policy_uri, links.tos_uri]);
  const { client_id, registration_client_uri: uri, registration_access_token: token } = body;
  assert.deepEqual((await sendJson(uri, 'GET', undefined, token)).body, body);
  const changed = await sendJson(uri, 'PUT', { ...metadata, client_id, tos_uri: 'https://app.example/new' }, token);
  assert.deepEqual([changed.body['policy_uri'], changed.body['tos_uri']], [undefined, 'https://app.example/new']);
});

test('the consent page links to them; those of a client that nobody vouches for are its claims, and no links [7591 §2, §5]', async () => {
  const { body } = await register(origin, links);
  const claimed = await consentOf(body.client_id, 'https://app.example/cb');
  assert.match(
    claimed,
    /The application refers to these pages\. This server has not verified that they belong to the application:<br>Privacy policy: <bdi>https:\/\/app\.example\/privacy<\/bdi><br>Terms of service: <bdi>https:\/\/www\.app\.example\/terms\?a=1&amp;b=2<\/bdi>/,
  );
  await registerPrinter(database, { client_id: 'vouched', ...own });
  const vouched = await consentOf('vouched', 'https://printer.example/callback');
  assert.match(vouched, /Published by <bdi[^>]*>printer\.example<\/bdi>:[\s\S]*printer\.example\/privacy/);
  assert.doesNotMatch(vouched, /This server has not verified that they/);
  await obtainCode(browser, { client_id: 'vouched' });
  const { text } = await browser.visit('/account/applications/vouched');
  assert.match(text, /href="https:\/\/printer\.example\/terms"/);
  assert.doesNotMatch(text, /Published by/, 'the site already stands before these links');
});

test('without them the consent page says nothing about them, and with one it shows that one', async () => {
  const neither = await consentOf('photo-printer', 'https://printer.example/callback');
  assert.match(neither, /id="allow"/);
  assert.doesNotMatch(neither, /Published by|Privacy policy|Terms of service/);
  await registerPrinter(database, { client_id: 'one', policy_uri: own.policy_uri });
  const one = await consentOf('one', 'https://printer.example/callback');
  assert.match(one, /Privacy policy/);
  assert.doesNotMatch(one, /Terms of service/);
});

test('a change by the version before, whose form does not have them, keeps them, unless it moves the client to another site', async () => {
  await registerPrinter(database, { client_id: 'moving', ...own });
  const change = (site_domain: string) => {
    const changes = {
      site_domain,
      redirect_uris: [`https://${site_domain}/callback`],
      homepage_uri: null,
      logo_uri: null,
    };
    return database.query("select change_client('moving', $1, by_admin => true)", [changes]);
  };
  await change('printer.example');
  assert.deepEqual(await kept('moving'), own);
  await change('moved.example');
  assert.deepEqual(await kept('moving'), { policy_uri: null, tos_uri: null });
});

test('a developer states them in the console, changes them and empties them', async () => {
  await registerPrinter(database, { client_id: 'stated' });
  await database.query(
    "update clients set owner_id = (select user_id from users where username = 'alice') where client_id = 'stated'",
  );
  const path = '/developer/applications/stated';
  const save = async (changes: Record<string, string>) =>
    browser.submit(await browser.visit(`${path}/registration`), `action="${path}"`, changes);
  assert.equal((await save(own)).status, 200);
  assert.deepEqual(await kept('stated'), own);
  assert.match(
    await consentOf('stated', 'https://printer.example/callback'),
    /printer\.example\/privacy[\s\S]*printer\.example\/terms/,
  );
  assert.equal((await save({ name: 'Better Printer' })).status, 200);
  assert.deepEqual(await kept('stated'), own);
  const elsewhere = await save({ policy_uri: 'https://evil.example/privacy', tos_uri: 'http://printer.example/terms' });
  assert.equal(elsewhere.status, 400);
  assert.match(elsewhere.text, /id="policy_uri-problem">[^<]* is not on printer\.example[\s\S]*id="tos_uri-problem">/);
  assert.match(elsewhere.text, /value="https:\/\/evil\.example\/privacy"/);
  assert.deepEqual(await kept('stated'), own);
  assert.equal((await save({ policy_uri: '', tos_uri: ' ' })).status, 200);
  assert.deepEqual(await kept('stated'), { policy_uri: null, tos_uri: null });
});
