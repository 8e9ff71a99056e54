import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import type { Browser } from '../../support/browser.ts';
import { authorizationQuery, basic, codeIn, getUser, redeem, signedInBrowser } from '../../support/flow.ts';
import {
  password,
  printer,
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
} from '../../support/latchkey.ts';
import { register } from '../../support/self-registration.ts';

// Applications of the operator, which ask nobody: consent 'none'.

const one = await startLatchkey({ REGISTRATION: 'open', REGISTRATION_ENDPOINT: 'open' });
const two = await startLatchkey({ ISSUER: one.origin }, one.url);
const { origin, database } = one;
await registerPeople(database, ['alice', 'mallory', 'root', 'carol']);
await database.query("update users set is_admin = true where username = 'root'");
const [alice, elsewhere] = [await signedInBrowser(origin), await signedInBrowser(two.origin)];
const mallory = await signedInBrowser(origin, 'mallory');
const root = await signedInBrowser(origin, 'root');

const client_id = 'portal';
const narrow = { client_id, scopes: ['user:name'], consent: 'none' };
type Changes = Parameters<typeof registerPrinter>[1];
const registerPortal = (changes: Changes = {}) => registerPrinter(database, { ...narrow, ...changes } as Changes);

beforeEach(async () => {
  await database.query(`delete from clients where client_id = $1`, [client_id]);
  await registerPortal();
});

const ask = (browser: Browser, changes: Parameters<typeof authorizationQuery>[0] = {}) =>
  browser.open(`/authorize?${authorizationQuery({ client_id, scope: undefined, ...changes })}`);

/** Whether the answer came at once; otherwise the boxes of the consent page, as they are ticked. */
async function askedOf(browser: Browser, changes: Parameters<typeof authorizationQuery>[0] = {}) {
  const page = await ask(browser, changes);
  if (page.location !== undefined) return { code: codeIn(page) };
  assert.equal(page.status, 200, page.text);
  const boxes = [...page.text.matchAll(/<input\b[^>]*name="scope" value="([^"]+)"([^>]*)>/g)];
  return { page, ticked: boxes.filter(([, , more]) => more?.includes('checked')).map(([, name]) => name) };
}

async function isSilent(browser = alice, changes: Parameters<typeof authorizationQuery>[0] = {}): Promise<boolean> {
  return (await askedOf(browser, changes)).code !== undefined;
}

const tokensOf = async (code: string | undefined) =>
  (await redeem(origin, code ?? assert.fail('asked'), {}, { authorization: basic(client_id) })).body;

const consentOf = async (id = client_id) =>
  (await database.query('select consent from clients where client_id = $1', [id])).rows[0]?.consent;

async function end(browser: Browser): Promise<void> {
  const page = await browser.visit(`/account/applications/${client_id}`);
  await browser.submit(page, 'class="revoke danger"');
}

/** A week and a day later, without the codes that were not redeemed. */
async function sweepGrants(): Promise<void> {
  const age = "revoked_at = revoked_at - interval '8 days', expires_at = expires_at - interval '8 days'";
  await database.query(`update grants set ${age} where client_id = $1`, [client_id]);
  await database.query(`update authorization_codes set expires_at = expires_at - interval '8 days'`);
  await createSweep(database)();
  const left = 'select from grants where client_id = $1 and least(revoked_at, expires_at) < now()';
  assert.equal((await database.query(left, [client_id])).rowCount, 0);
}

test('a first use asks nobody, and the grant is recorded, listed as allowed by the brand, and can be ended', async () => {
  const { access_token, scope } = await tokensOf((await askedOf(alice)).code);
  assert.equal(scope, 'user:name');
  assert.equal((await getUser(origin, access_token)).body['username'], 'alice');
  assert.equal(await isSilent(elsewhere, { prompt: 'none' }), true, 'on another instance, too');
  for (const path of ['/account/applications', `/account/applications/${client_id}`]) {
    assert.match((await alice.visit(path)).text, /Allowed by the operator of Latchkey, without asking you/);
  }
  const { rows } = await database.query(
    "select detail from audit_events where event = 'consent_given' and client_id = $1",
    [client_id],
  );
  assert.deepEqual(rows, [{ detail: 'without asking: user:name' }], 'once');
  await end(alice);
  assert.equal((await getUser(origin, access_token)).status, 401);
});

test('two tabs at once, on two instances, get one grant and are not asked', async () => {
  for (let round = 0; round < 5; round += 1) {
    await database.query('delete from grants where client_id = $1', [client_id]);
    const tabs = [alice, elsewhere, alice, elsewhere].map((browser) => isSilent(browser));
    assert.deepEqual(await Promise.all(tabs), [true, true, true, true]);
    const { rows } = await database.query('select silent from grants where client_id = $1', [client_id]);
    assert.deepEqual(rows, [{ silent: true }]);
  }
});

test('what a person ended does not come back silently, also when the ended grant has been swept', async () => {
  assert.equal(await isSilent(), true);
  await end(alice);
  assert.equal(await isSilent(), false);
  await sweepGrants();
  assert.equal(await isSilent(), false);
  assert.equal(await isSilent(mallory), true, 'others are not asked');
  const refused = await ask(alice, { prompt: 'none' });
  assert.match(refused.location ?? '', /error=consent_required/);
});

test('a refusal on a page that was asked for, and a duration chosen there, hold afterwards', async () => {
  const { page = assert.fail() } = await askedOf(alice, { prompt: 'consent' });
  await alice.submit(page, 'id="deny"');
  assert.equal(await isSilent(), false);
  const shown = await askedOf(mallory, { prompt: 'consent' });
  await mallory.submit(shown.page ?? assert.fail(), 'id="allow"', { duration: '30d' });
  await database.query("update grants set expires_at = now() - interval '1 second' where client_id = $1", [client_id]);
  assert.equal(await isSilent(mallory), false, 'the 30 days are over');
  await sweepGrants();
  assert.equal(await isSilent(mallory), false);
});

test('what a person ended or refused while it was an ordinary application does not come back when it is one of the operator', async () => {
  const takeTrust = () => database.query('update clients set vouched = false where client_id = $1', [client_id]);
  assert.equal(await isSilent(), true);
  await takeTrust();
  await end(alice);
  const { page = assert.fail() } = await askedOf(mallory);
  await mallory.submit(page, 'id="deny"');
  await registerPortal({ vouched: true } as Changes);
  assert.equal(await isSilent(mallory), false);
  await sweepGrants();
  assert.equal(await isSilent(), false);
});

test('what a person ended together with a password, or took back before everything was revoked, does not come back', async () => {
  const form = { old_password: password, new_password: 'another-wonderland', repeat_password: 'another-wonderland' };
  const carol = await signedInBrowser(origin, 'carol');
  for (const browser of [alice, carol]) assert.equal(await isSilent(browser), true);
  await carol.submit(await carol.visit('/account/password'), 'name="old_password"', { ...form, end_access: 'true' });
  const details = await alice.visit(`/account/applications/${client_id}`);
  await alice.submit(details, 'class="primary"', {});
  await database.query('update grants set revoked_at = now() where client_id = $1 and revoked_at is null', [client_id]);
  await sweepGrants();
  assert.equal(await isSilent(), false);
  assert.equal(await isSilent(carol), false);
});

test('prompt=consent always asks, and a permission that was taken back stays away', async () => {
  await registerPortal({ scopes: ['user'] });
  assert.equal(await isSilent(), true);
  assert.ok((await askedOf(alice, { prompt: 'consent' })).page);
  const details = await alice.visit(`/account/applications/${client_id}`);
  await alice.submit(details, 'class="primary"', { scope: 'user:name' });
  const { scope } = await tokensOf((await askedOf(alice)).code);
  assert.equal(scope, 'user:name', 'not asked, and no more than what is left');
});

test('a wider registration asks once for what is new, those who allowed the narrower one; also at a resource', async () => {
  assert.equal(await isSilent(), true);
  await registerResource(database, 'https://api.example/', ['user:email'], null as unknown as string);
  await registerPortal({ scopes: ['user'] });
  assert.equal(await isSilent(alice, { scope: 'user:name' }), true, 'the part that is not new');
  const { page = assert.fail('not asked'), ticked } = await askedOf(alice, { scope: 'user' });
  assert.deepEqual(ticked, ['user:email', 'user:name'], 'what is new first');
  await alice.submit(page, 'id="allow"', { scope: 'user:name' });
  const { scope } = await tokensOf((await askedOf(alice, { scope: 'user' })).code);
  assert.equal(scope, 'user:name', 'asked once; the token has what was allowed');
  assert.equal(await isSilent(alice, { scope: 'user:email', resource: 'https://api.example/' }), false);
});

test('a change of owner, destination or trust, or a wider scope, ends it until the operator renews it', async () => {
  const owner = await database.query("select user_id from users where username = 'mallory'");
  const changes: [what: string, change: () => Promise<unknown>][] = [
    [
      'owner',
      () => database.query('update clients set owner_id = $2 where client_id = $1', [client_id, owner.rows[0].user_id]),
    ],
    ['redirection URI', () => change({ redirect_uris: [printer.redirect_uri, 'https://other.printer.example/'] })],
    ['site', () => change({ site_domain: 'shop.printer.example', redirect_uris: ['https://shop.printer.example/'] })],
    ['trust', () => database.query('update clients set vouched = false where client_id = $1', [client_id])],
    ['scopes', () => change({ scopes: ['user:name', 'repo'] })],
  ];
  const change = (stated: object) =>
    database.query('select change_client($1, $2, true)', [client_id, JSON.stringify(stated)]);
  for (const [what, apply] of changes) {
    await registerPortal({ vouched: true, owner: 'root' });
    assert.equal(await consentOf(), 'none', what);
    await apply();
    assert.equal(await consentOf(), null, what);
    await database.query('update clients set vouched = true where client_id = $1', [client_id]);
    assert.equal(await consentOf(), null, 'and does not come back');
  }
  await registerPortal({ vouched: true });
  await change({ name: 'The portal', scopes: ['user:name'] });
  await database.query('update clients set disabled_at = now() where client_id = $1', [client_id]);
  await database.query('update clients set disabled_at = null where client_id = $1', [client_id]);
  assert.equal(await consentOf(), 'none', 'a name, a pause or the same scopes change nothing of it');
  assert.equal(await isSilent(mallory), true);
  await registerPortal({ redirect_uris: [printer.redirect_uri, 'https://other.printer.example/'] });
  assert.equal(await isSilent(mallory), true, 'renewed for the new destination');
});

test('nobody but the operator can give it: not /register, the console, or a parameter of a request', async () => {
  const words = { consent: 'none', first_party: true, skip_consent: true };
  const { body } = await register(origin, words);
  assert.ok(body.client_id, JSON.stringify(body));
  assert.equal(await consentOf(body.client_id), null);
  const put = await fetch(body.registration_client_uri, {
    method: 'PUT',
    headers: { authorization: `Bearer ${body.registration_access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      client_id: body.client_id,
      redirect_uris: ['https://app.example/cb'],
      ...words,
      token_endpoint_auth_method: 'none',
    }),
  });
  assert.equal(put.status, 200);
  assert.equal(await consentOf(body.client_id), null);
  for (const browser of [mallory, root]) {
    const form = {
      name: 'Cards',
      site_domain: 'cards.example',
      redirect_uris: 'https://cards.example/',
      'use:user:name': 'optional',
    };
    const page = await browser.visit('/developer/applications/new');
    const { url } = await browser.submit(page, 'class="primary"', { ...form, consent: 'none' });
    assert.match(url, /applications\/cards-/);
  }
  const { rows } = await database.query("select consent from clients where name = 'Cards'");
  assert.deepEqual(rows, [{ consent: null }, { consent: null }]);
  await registerPortal({ consent: null } as Changes);
  assert.equal(await isSilent(alice, { consent: 'none', skip_consent: 'true' }), false);
});

test('it is refused where another program could receive the answer, or nobody vouches, with a sentence [8252 §8.6]', async () => {
  const refused: [changes: object, sentence: RegExp][] = [
    [{ site_domain: 'localhost', redirect_uris: ['http://127.0.0.1/cb'] }, /another program on the device/],
    [
      { client_secret: null, redirect_uris: [printer.redirect_uri, 'example.printer:/cb'] },
      /another program on the device/,
    ],
    [{ vouched: false }, /nobody vouches/],
    [{ consent: 'always' }, /knows none/],
  ];
  for (const [changes, sentence] of refused) {
    await assert.rejects(registerPortal(changes as Changes), sentence);
  }
  await database.query('update clients set vouched = false where client_id = $1', [client_id]);
  await assert.rejects(registerPortal(), /nobody vouches/, 'for the one that is there');
  const { body } = await register(origin);
  await database.query('update clients set vouched = true where client_id = $1', [body.client_id]);
  await assert.rejects(registerPortal({ client_id: body.client_id } as Changes), /registered itself/);
  const { rows } = await database.query(
    "select detail from audit_events where event = 'consent_waived' and client_id = $1 limit 1",
    [client_id],
  );
  assert.match(rows[0].detail, /^by the database role \w+$/);
});

test('a public client at an https address does not ask either, and still needs PKCE', async () => {
  await registerPortal({ client_secret: null });
  assert.equal(await isSilent(), true);
  assert.equal(await isSilent(), true, 'nor the second time');
  assert.match(
    (await ask(alice, { code_challenge: undefined, code_challenge_method: undefined })).location ?? '',
    /invalid_request/,
  );
});
