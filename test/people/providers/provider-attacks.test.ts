import assert from 'node:assert/strict';
import { createHmac, createPublicKey } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { Browser, formRequest, type Page } from '../../support/browser.ts';
import { authorizationQuery, signedInBrowser } from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { createOtherRsaKey, signIdToken, startProvider } from '../../support/openid-provider.ts';
import {
  answerOf,
  authorizeAt,
  pressButton,
  problemOn,
  registerFake,
  registerProvider,
  signInAt,
} from '../../support/providers.ts';

const { origin, database, url, logged } = await startLatchkey();
const second = await startLatchkey({ ISSUER: origin }, url);
const op = await startProvider();
const evil = await startProvider();
await registerPeople(database, ['alice', 'bob', 'mallory']);
await registerPrinter(database);

beforeEach(async () => {
  op.reset();
  evil.reset();
  await database.query('delete from providers');
  await database.query('delete from identities');
  await database.query('delete from attempts');
  await database.query(`delete from users where source <> 'here'`);
  await database.query('update users set disabled_at = null');
});

const link = (username: string, subject = 'ada-at-acme', issuer = op.issuer) =>
  database.query('select link_identity($1, $2, $3)', [username, issuer, subject]);

const userOf = async (browser: Browser) =>
  /Username<\/span><bdi>([^<]+)/.exec((await browser.visit('/account')).text)?.[1];

async function isSignedIn(browser: Browser): Promise<boolean> {
  return (await browser.open('/account')).status === 200;
}

async function stored(): Promise<unknown[]> {
  const { rows } = await database.query(`select source from users where source <> 'here'`);
  return rows;
}

test('no address finds an account, whatever the provider says about it', async () => {
  await registerFake(database, op, { people: 'registered' });
  for (const email_verified of [true, false, undefined, 'true']) {
    op.claims = { sub: 'stranger', email: 'alice@example.com', email_verified, preferred_username: 'alice' };
    const browser = new Browser(origin);
    assert.equal(problemOn(await signInAt(browser)), 'no_account');
    assert.equal(await isSignedIn(browser), false);
  }
});

test('where accounts are made, a verified address that somebody has makes none, and an unverified one is no address', async () => {
  await registerFake(database, op, { people: 'created' });
  op.claims = { sub: 'stranger', email: 'Alice@Example.com', email_verified: true };
  assert.equal(problemOn(await signInAt(new Browser(origin))), 'address_taken');
  assert.deepEqual(await stored(), []);
  op.claims = { sub: 'stranger', email: 'alice@example.com', email_verified: false };
  const browser = new Browser(origin);
  assert.equal(problemOn(await signInAt(browser)), undefined);
  assert.notEqual(await userOf(browser), 'alice');
  const { rows } = await database.query(`select email_verified from users where source = 'provider:acme'`);
  assert.deepEqual(rows, [{ email_verified: false }]);
});

test('whoever claims an address here first gets nothing when its owner comes from the provider', async () => {
  await registerFake(database, op, { people: 'created' });
  await database.query(
    `update users set email = 'carol@example.com', email_verified = false where username = 'mallory'`,
  );
  op.claims = { email: 'carol@example.com', email_verified: true };
  const browser = new Browser(origin);
  assert.equal(problemOn(await signInAt(browser)), undefined);
  assert.equal(await userOf(browser), 'carol');
  const { rows } = await database.query(
    `select email_verified from users where email = 'carol@example.com' and source = 'provider:acme'`,
  );
  assert.deepEqual(rows, [{ email_verified: true }]);
});

const tenant = '11111111-2222-4333-8444-555555555555';
const stranger = '99999999-2222-4333-8444-555555555555';

/** Like Entra: all tenants share metadata and keys, and name themselves in their ID tokens. */
async function shareIssuer(changes: Record<string, unknown> = {}) {
  const shared = await startProvider({ path: '/common/v2.0' });
  shared.metadata = {
    issuer: shared.issuer.replace('common', '{tenantid}'),
    authorization_response_iss_parameter_supported: undefined,
  };
  shared.redirect = { iss: undefined };
  const issuer = shared.issuer.replace('common', tenant);
  shared.claims = { iss: issuer, tid: tenant, oid: 'alice-there', sub: 'pairwise' };
  await registerProvider(database, {
    issuer: shared.issuer,
    client_secret: shared.client_secret,
    kind: 'entra',
    tenants: [tenant],
    ...changes,
  });
  return { shared, issuer };
}

test('at Entra the identity is the tenant with oid, and nothing that mallory can change in her own tenant', async () => {
  const { shared, issuer } = await shareIssuer();
  await link('alice', 'alice-there', issuer);
  const browser = new Browser(origin);
  assert.equal(problemOn(await signInAt(browser)), undefined);
  assert.equal(await userOf(browser), 'alice');
  // as the answers of providers that announce it name the issuer [9207]
  shared.redirect = { iss: issuer };
  assert.equal(problemOn(await signInAt(new Browser(origin))), undefined);
  for (const iss of [shared.issuer, shared.issuer.replace('common', stranger)]) {
    shared.redirect = { iss };
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'provider_wrong', iss);
  }
  shared.redirect = { iss: undefined };
  const known = shared.claims;
  for (const claims of [
    { ...known, oid: 'mallory-there', email: 'alice@example.com', preferred_username: 'alice', upn: 'alice' },
    { ...known, sub: 'alice-there', oid: 'mallory-there' },
  ]) {
    shared.claims = claims;
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'no_account');
  }
  for (const claims of [
    { ...known, iss: shared.issuer.replace('common', stranger), tid: stranger },
    { ...known, iss: shared.issuer.replace('common', '{tenantid}') },
    { ...known, iss: shared.issuer },
    { ...known, oid: undefined },
  ]) {
    shared.claims = claims;
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'provider_wrong', JSON.stringify(claims));
  }
});

test('at Entra an address counts as verified only by xms_edov, which an administrator of a tenant cannot make up', async () => {
  const { shared } = await shareIssuer({ people: 'created', domains: ['entra.example'] });
  const known = { ...shared.claims, email: 'ada@entra.example' };
  for (const [index, said] of [{ email_verified: true }, { xms_edov: false }, { xms_edov: '0' }].entries()) {
    shared.claims = { ...known, oid: `unknown-${index}`, ...said };
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'foreign_domain', JSON.stringify(said));
  }
  for (const [index, xms_edov] of [true, 1, '1'].entries()) {
    shared.claims = { ...known, oid: `known-${index}`, email: `ada-${index}@entra.example`, xms_edov };
    assert.equal(problemOn(await signInAt(new Browser(origin))), undefined, String(xms_edov));
  }
});

test('the answer to mallory’s connecting counts in her browser and session only', async () => {
  await registerFake(database, op);
  const mallory = await signedInBrowser(origin, 'mallory');
  const alice = await signedInBrowser(origin, 'alice');
  const begin = async (browser: Browser) => {
    const form = await browser.visit('/account/connect/acme');
    return answerOf(new URL((await browser.submit(form, 'id="connect"', { password })).location ?? ''));
  };
  assert.equal(problemOn(await alice.visit(await begin(mallory))), 'sign_in_lost');
  assert.equal(problemOn(await mallory.visit(await begin(alice))), 'sign_in_lost');
  // in the same browser, but as somebody else
  const answer = await begin(mallory);
  const page = await mallory.visit('/login?to=/account');
  await mallory.submit(await mallory.visit('/account'), 'class="link"');
  assert.ok(page);
  await mallory.submit(await mallory.visit('/login'), 'id="login"', { username: 'bob', password });
  assert.equal(problemOn(await mallory.visit(answer)), 'connect_lost');
  // as the same person, in a later session
  await mallory.submit(await mallory.visit('/account'), 'class="link"');
  await mallory.submit(await mallory.visit('/login'), 'id="login"', { username: 'mallory', password });
  const earlier = await begin(mallory);
  await mallory.submit(await mallory.visit('/account'), 'class="link"');
  await mallory.submit(await mallory.visit('/login'), 'id="login"', { username: 'mallory', password });
  assert.equal(problemOn(await mallory.visit(earlier)), 'connect_lost');
  const { rows } = await database.query('select user_id from identities');
  assert.deepEqual(rows, []);
  assert.match((await mallory.visit(await begin(mallory))).text, /Connected/);
});

test('a name that no provider can have is unknown, wherever it stands', async () => {
  await registerFake(database, op);
  const browser = await signedInBrowser(origin);
  const begun = await pressButton(new Browser(origin));
  const other = new Browser(origin);
  await pressButton(other);
  for (const name of ['%00', 'acme%00', 'ACME', 'x'.repeat(33), '..', '%2e%2e%2facme', "' or 1=1--"]) {
    assert.equal((await browser.visit(`/account/connect/${name}`)).status, 404, name);
    const page = await other.visit(`/login/provider/${name}/callback?code=c&state=${begun.searchParams.get('state')}`);
    assert.ok([400, 404].includes(page.status), `${name}: ${page.status}`);
  }
  assert.equal((await browser.visit('/account/connect/acme')).status, 200);
});

test('connecting needs a POST, the key of the form and the password, and nobody else’s', async () => {
  await registerFake(database, op);
  const browser = await signedInBrowser(origin, 'bob');
  const form = await browser.visit('/account/connect/acme');
  assert.equal(form.location, undefined);
  const [path, request] = formRequest(form, 'id="connect"', { password });
  const changes: [string, RequestInit][] = [
    [path, { ...request, body: String(request.body).replace(/csrf=[^&]*/, 'csrf=wrong') }],
    [path, { ...request, headers: { ...(request.headers as object), 'sec-fetch-site': 'cross-site' } }],
    [path, { ...request, body: String(request.body).replace(/&password=[^&]*/, '') }],
    [path, { ...request, body: String(request.body).replace(/&password=[^&]*/, '&password=guess') }],
  ];
  for (const [to, init] of changes) {
    const page = await browser.open(to, init);
    assert.equal(page.location, undefined, String(init.body));
    assert.ok(page.status >= 400);
  }
  assert.ok((await browser.open(path, request)).location?.startsWith(op.issuer));
});

test('administrators are connected by operators only', async () => {
  await registerFake(database, op);
  const browser = await signedInBrowser(origin, 'bob');
  const form = await browser.visit('/account/connect/acme');
  const begun = await browser.submit(form, 'id="connect"', { password });
  await database.query(`update users set is_admin = true where username = 'bob'`);
  try {
    assert.equal((await browser.submit(form, 'id="connect"', { password })).status, 403);
    assert.equal(problemOn(await browser.visit(await answerOf(new URL(begun.location ?? '')))), 'identity_taken');
    await link('bob');
    assert.equal(problemOn(await signInAt(new Browser(origin))), undefined);
  } finally {
    await database.query(`update users set is_admin = false where username = 'bob'`);
  }
});

test('an identity that is bob’s is not connected again, and nobody is told whose it is', async () => {
  await registerFake(database, op);
  await link('bob');
  const alice = await signedInBrowser(origin);
  const form = await alice.visit('/account/connect/acme');
  const { location = '' } = await alice.submit(form, 'id="connect"', { password });
  const page = await alice.visit(await answerOf(new URL(location)));
  assert.equal(page.status, 409);
  assert.equal(problemOn(page), 'identity_taken');
  assert.doesNotMatch(page.text, /bob/);
});

test('of twenty who connect one identity at once on two instances, one gets it', async () => {
  await registerFake(database, op);
  const names = Array.from({ length: 20 }, (_, number) => `crowd-${number}`);
  await registerPeople(database, names);
  const begun = await Promise.all(
    names.map(async (name, number) => {
      const browser = await signedInBrowser(number % 2 ? origin : second.origin, name);
      const form = await browser.visit('/account/connect/acme');
      const { location = '' } = await browser.submit(form, 'id="connect"', { password });
      return { browser, answer: new URL(await answerOf(new URL(location))) };
    }),
  );
  const pages = await Promise.all(begun.map(({ browser, answer }) => browser.visit(answer.pathname + answer.search)));
  const outcomes = pages.map(problemOn);
  assert.equal(outcomes.filter((problem) => problem === undefined).length, 1);
  assert.equal(outcomes.filter((problem) => problem === 'identity_taken').length, 19);
  const { rows } = await database.query('select user_id from identities');
  assert.equal(rows.length, 1);
});

test('of twenty first sign-ins of one person at once on two instances, one makes the account', async () => {
  await registerFake(database, op, { people: 'created' });
  op.claims = { preferred_username: 'ada', email: 'ada@acme.example', email_verified: true };
  const begun = await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      const browser = new Browser(number % 2 ? origin : second.origin);
      return { browser, answer: new URL(await answerOf(await pressButton(browser))) };
    }),
  );
  const pages = await Promise.all(begun.map(({ browser, answer }) => browser.visit(answer.pathname + answer.search)));
  assert.deepEqual(new Set(pages.map(problemOn)), new Set([undefined]));
  assert.equal((await stored()).length, 1);
});

test('of two tabs that remove the last two ways in, one keeps its own', async () => {
  await registerFake(database, op);
  await registerFake(database, evil, { name: 'second', people: 'created' });
  const browser = new Browser(origin);
  await signInAt(browser, '', 'second');
  const { rows } = await database.query('select user_id from identities');
  await database.query('insert into identities (issuer, subject, user_id) values ($1, $2, $3)', [
    op.issuer,
    'other',
    rows[0].user_id,
  ]);
  const page = await browser.visit('/account/security');
  const handles = [...page.text.matchAll(/name="identity" value="(\w+)"/g)].map(([, handle = '']) => handle);
  assert.equal(handles.length, 2);
  const answers = await Promise.all(
    handles.map((identity) => browser.open(...formRequest(page, 'unlink', { identity }))),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [302, 409]);
  const left = await database.query('select user_id from identities');
  assert.equal(left.rows.length, 1);
  // an identity at a provider that is switched off is no way in
  await database.query('insert into identities (issuer, subject, user_id) values ($1, $2, $3)', [
    `${op.issuer}/gone`,
    'x',
    rows[0].user_id,
  ]);
  const again = await browser.visit('/account/security');
  const gone = op.issuer.replace('http://', '');
  assert.match(
    again.text,
    new RegExp(`<h3><bdi>${gone}/gone</bdi></h3>\\s*<p class="small">This server no longer supports`),
  );
  const [, kept = ''] = /name="identity" value="(\w+)"[^>]*>/.exec(again.text) ?? [];
  assert.equal((await browser.open(...formRequest(again, 'unlink', { identity: kept }))).status, 409);
});

test('a code of one provider never reaches the other one', async () => {
  await registerFake(database, op);
  await registerFake(database, evil, { name: 'evil' });
  await link('alice');
  const browser = new Browser(origin);
  // begun at the hostile one, which sends the browser on to the honest one
  const begun = await pressButton(browser, '', 'evil');
  const onward = new URL(`${op.issuer}/authorize`);
  onward.search = begun.search;
  const mixed = new URL(await answerOf(onward));
  assert.equal(problemOn(await browser.visit(mixed.href)), 'provider_wrong', 'iss names the honest one');
  const other = new URL(await answerOf(await pressButton(browser, '', 'evil')));
  other.pathname = other.pathname.replace('evil', 'acme');
  assert.equal(problemOn(await browser.visit(other.href)), 'sign_in_lost', 'state belongs to the hostile one');
  assert.deepEqual([...evil.seen('/token'), ...op.seen('/token')], []);
});

for (const [what, redirect] of [
  ['no iss although it announces one', { iss: undefined }],
  ['a wrong iss', { iss: 'https://other.example' }],
  ['iss twice', { iss: ['https://other.example', 'https://other.example'] }],
  ['code twice', { code: ['one', 'two'] }],
  ['no code', { code: undefined }],
  ['an ID token in the front channel', { id_token: 'x.y.z' }],
] as const) {
  test(`an answer with ${what} is refused before the code is sent`, async () => {
    await registerFake(database, op);
    await link('alice');
    op.redirect = redirect as typeof op.redirect;
    const browser = new Browser(origin);
    const page = await signInAt(browser);
    assert.equal(page.status, 400);
    assert.equal(await isSignedIn(browser), false);
    assert.deepEqual(op.seen('/token'), []);
    op.redirect = {};
    assert.equal(problemOn(await signInAt(browser)), undefined);
  });
}

test('an answer counts once, in the browser in which it began, and for ten minutes', async () => {
  await registerFake(database, op);
  await link('alice');
  const alice = new Browser(origin);
  const answer = await answerOf(await pressButton(alice));
  const late = await answerOf(await pressButton(alice));
  assert.equal(problemOn(await new Browser(origin).visit(answer)), 'sign_in_lost');
  assert.equal(problemOn(await alice.visit(answer)), undefined);
  assert.equal(problemOn(await alice.visit(answer)), 'sign_in_lost');
  await database.query('update started_sign_ins set expires_at = now()');
  assert.equal(problemOn(await alice.visit(late)), 'sign_in_lost');
});

const now = () => Math.floor(Date.now() / 1000);
const [rsa] = op.keys;

const wrongTokens: [string, () => Partial<Pick<typeof op, 'claims' | 'header' | 'tokens'>>][] = [
  ['for another client', () => ({ claims: { aud: 'another' } })],
  ['for two clients without azp', () => ({ claims: { aud: ['latchkey', 'another'] } })],
  ['for two clients with the azp of the other', () => ({ claims: { aud: ['latchkey', 'another'], azp: 'another' } })],
  ['with the azp of another client', () => ({ claims: { azp: 'another' } })],
  ['of another issuer', () => ({ claims: { iss: 'https://other.example' } })],
  ['of the issuer with a slash', () => ({ claims: { iss: `${op.issuer}/` } })],
  ['that has expired', () => ({ claims: { exp: now() - 31 } })],
  ['without exp', () => ({ claims: { exp: undefined } })],
  ['that was issued two days ago', () => ({ claims: { iat: now() - 172_800 } })],
  ['that is issued in two minutes', () => ({ claims: { iat: now() + 120 } })],
  ['without a nonce', () => ({ claims: { nonce: undefined } })],
  ['with another nonce', () => ({ claims: { nonce: 'another' } })],
  ['without a subject', () => ({ claims: { sub: undefined } })],
  ['with a number as subject', () => ({ claims: { sub: 7 } })],
  ['with an empty subject', () => ({ claims: { sub: '' } })],
  ['with a subject of 300 characters', () => ({ claims: { sub: 'x'.repeat(300) } })],
  ['with NUL in its subject', () => ({ claims: { sub: 'ada\0' } })],
  ['with the hash of another access token', () => ({ claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } })],
  ['whose auth_time is in the future', () => ({ claims: { auth_time: now() + 600 } })],
  ['that is not signed', () => ({ header: { alg: 'none' } })],
  ['by another algorithm', () => ({ header: { alg: 'PS256' } })],
  ['with critical extensions', () => ({ header: { crit: ['b64'], b64: true } })],
  [
    'that is encrypted',
    () => ({ tokens: { id_token: ['eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0', '', 'AA', 'AA', 'AA'].join('.') } }),
  ],
  ['that is missing', () => ({ tokens: { id_token: undefined } })],
  ['that is no text', () => ({ tokens: { id_token: { sub: 'ada-at-acme' } } })],
  ['beside no access token', () => ({ tokens: { access_token: undefined } })],
];

for (const [what, changed] of wrongTokens) {
  test(`refuses an ID token ${what}`, async () => {
    await registerFake(database, op, { people: 'created' });
    Object.assign(op, changed());
    const browser = new Browser(origin);
    const page = await signInAt(browser);
    assert.ok(['provider_wrong', 'not_confirmed'].includes(problemOn(page) ?? ''), page.text);
    assert.equal(await isSignedIn(browser), false);
    assert.deepEqual(await stored(), []);
    Object.assign(op, { claims: {}, header: {}, tokens: {} });
    assert.equal(problemOn(await signInAt(browser)), undefined);
  });
}

test('refuses an ID token that is signed with the client secret, with the public key, or with a key that is not published', async () => {
  await registerFake(database, op, { people: 'created' });
  assert.ok(rsa);
  const pem = createPublicKey(rsa.private_key).export({ type: 'spki', format: 'pem' });
  const forgeries = [op.client_secret, pem].map(
    (key) => (signed: string) => createHmac('sha256', key).update(signed).digest('base64url'),
  );
  const other = createOtherRsaKey();
  const browser = new Browser(origin);
  for (const forge of [...forgeries, undefined]) {
    const begun = await pressButton(browser);
    const claims = {
      iss: op.issuer,
      sub: 'ada-at-acme',
      aud: 'latchkey',
      iat: now(),
      exp: now() + 300,
      auth_time: now(),
      nonce: begun.searchParams.get('nonce'),
    };
    const header = { alg: forge ? 'HS256' : 'RS256', kid: op.keys[0]?.kid };
    const genuine = signIdToken(other, header, claims);
    const signed = genuine.slice(0, genuine.lastIndexOf('.'));
    op.tokens = { id_token: forge ? `${signed}.${forge(signed)}` : genuine };
    assert.equal(problemOn(await browser.visit(await answerOf(begun))), 'provider_wrong');
  }
  assert.deepEqual(await stored(), []);
});

test('a userinfo answer about somebody else refuses the whole sign-in', async () => {
  await registerFake(database, op, { people: 'created' });
  for (const sub of ['somebody-else', undefined, 7]) {
    op.userinfo = { sub, email: 'ada@acme.example', email_verified: true };
    await database.query('delete from provider_documents');
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'provider_wrong', String(sub));
  }
  assert.deepEqual(await stored(), []);
});

test('the same subject at two providers is two identities, and one at a former issuer is nobody', async () => {
  await registerFake(database, op);
  await registerFake(database, evil, { name: 'second' });
  await link('alice');
  assert.equal(problemOn(await signInAt(new Browser(origin), '', 'second')), 'no_account');
  await database.query(`delete from providers`);
  await registerFake(database, evil);
  assert.equal(
    problemOn(await signInAt(new Browser(origin))),
    'no_account',
    'the name of the provider counts for nothing',
  );
});

test('the answer of a former issuer is not sent to the one that has its name now', async () => {
  await registerFake(database, op, { people: 'created' });
  op.redirect = { iss: undefined };
  evil.metadata = { authorization_response_iss_parameter_supported: undefined };
  const browser = new Browser(origin);
  const answer = await answerOf(await pressButton(browser));
  await registerFake(database, evil, { people: 'created' });
  assert.equal(problemOn(await browser.visit(answer)), 'provider_gone');
  assert.deepEqual(evil.requests, []);
  assert.equal(problemOn(await signInAt(browser)), undefined);
});

test('a person who is disabled here cannot enter, and one whose identity was removed is unknown', async () => {
  await registerFake(database, op);
  await link('alice');
  await database.query(`update users set disabled_at = now() where username = 'alice'`);
  const browser = new Browser(origin);
  assert.equal(problemOn(await signInAt(browser)), 'account_disabled');
  assert.equal(await isSignedIn(browser), false);
  await database.query('update users set disabled_at = null');
  assert.equal(problemOn(await signInAt(browser)), undefined);
});

test('a disabled provider completes nothing: no sign-in that has begun, and no connecting', async () => {
  await registerFake(database, op);
  await link('alice');
  const browser = new Browser(origin);
  const answer = await answerOf(await pressButton(browser));
  const bob = await signedInBrowser(origin, 'bob');
  const form = await bob.visit('/account/connect/acme');
  const begun = await bob.submit(form, 'id="connect"', { password });
  const login = await browser.visit('/login');
  await database.query('update providers set disabled_at = now()');
  assert.equal(problemOn(await browser.visit(answer)), 'provider_gone');
  assert.equal(problemOn(await bob.visit(await answerOf(new URL(begun.location ?? '')))), 'provider_gone');
  assert.equal((await bob.submit(form, 'id="connect"', { password })).status, 404);
  assert.equal(problemOn(await browser.submit(login, 'value="acme"')), 'provider_gone');
  assert.doesNotMatch((await browser.visit('/login')).text, /value="acme"/);
  assert.deepEqual(op.seen('/token'), []);
  await registerFake(database, op);
  assert.doesNotMatch((await browser.visit('/login')).text, /value="acme"/, 'a seed does not enable it');
  await database.query('update providers set disabled_at = null');
  assert.equal(problemOn(await signInAt(browser)), undefined);
});

for (const [what, auth_time] of [
  ['no time', () => undefined],
  ['an old time', () => now() - 600],
  ['a time before the click', () => now() - 10],
  ['a future time', () => now() + 600],
  ['a text', () => '1'],
  ['zero', () => 0],
] as const) {
  test(`prompt=login is not fulfilled by an authentication with ${what}, and there is no second try by itself`, async () => {
    await registerFake(database, op);
    await link('alice');
    op.claims = { auth_time: auth_time() };
    const page = await authorizeAt(await signedInBrowser(origin), { prompt: 'login' });
    assert.ok(['not_confirmed', 'provider_wrong'].includes(problemOn(page) ?? ''), page.location ?? page.text);
    assert.equal(page.location, undefined);
    op.claims = {};
    assert.equal(problemOn(await authorizeAt(new Browser(origin), { prompt: 'login' })), undefined);
  });
}

test('max_age=60 is fulfilled by an authentication of 59 seconds ago and not by one of 65', async () => {
  await registerFake(database, op);
  await link('alice');
  op.claims = { auth_time: now() - 59 };
  assert.equal(problemOn(await authorizeAt(new Browser(origin), { max_age: '60' })), undefined);
  op.claims = { auth_time: now() - 65 };
  assert.equal(problemOn(await authorizeAt(new Browser(origin), { max_age: '60' })), 'not_confirmed');
});

test('an answer that is held back does not make an old authentication a new one', async () => {
  await registerFake(database, op);
  await link('alice');
  const browser = new Browser(origin);
  const answer = await answerOf(await pressButton(browser, authorizationQuery({ prompt: 'login' })));
  await database.query(`update started_sign_ins set started_at = started_at - interval '9 minutes'`);
  // some providers make the ID token when the person arrives, here without asking who it is
  op.claims = { iat: now() - 540, auth_time: now() - 1000 };
  assert.equal(problemOn(await browser.visit(answer)), 'not_confirmed');
  const other = await answerOf(await pressButton(browser, authorizationQuery({ prompt: 'login' })));
  await database.query(`update started_sign_ins set started_at = started_at - interval '9 minutes'`);
  op.claims = { iat: now() - 530, auth_time: now() - 535 };
  assert.equal(problemOn(await browser.visit(other)), undefined, 'five seconds after the click, and sent late');
});

test('a session whose provider has not said when the person signed in is too old for every max_age', async () => {
  await registerFake(database, op);
  await link('alice');
  op.claims = { auth_time: undefined };
  const browser = new Browser(origin);
  assert.equal(problemOn(await authorizeAt(browser)), undefined);
  const page = await browser.visit(`/authorize?${authorizationQuery({ max_age: '31536000' })}`);
  assert.match(page.text, /id="login"/);
});

test('amr and acr of a provider raise no level, and claims about rights are dropped', async () => {
  await registerFake(database, op, { people: 'created' });
  op.claims = { amr: ['pwd', 'otp', 'mfa'], acr: '2', is_admin: true, groups: ['admin'], scope: 'repo' };
  await signInAt(new Browser(origin));
  const { rows } = await database.query(
    `select methods, is_admin from sessions join users using (user_id) order by sessions.created_at desc limit 1`,
  );
  assert.deepEqual(rows, [{ methods: ['provider'], is_admin: false }]);
});

test('hostile names of a provider are shortened or dropped', async () => {
  await registerFake(database, op, { people: 'created' });
  const texts = ['x'.repeat(20_000), 'nul\0', 'line\nbreak', '‮', '   ', '@', '@@', '"><script>'];
  for (const [number, text] of texts.entries()) {
    op.claims = { sub: `s-${number}`, preferred_username: text, name: text, email: text, email_verified: true };
    const page = await signInAt(new Browser(origin));
    assert.equal(problemOn(page), undefined, `${text.slice(0, 20)} ${page.text.slice(0, 300)}`);
  }
  assert.equal((await stored()).length, texts.length);
});

test('an address that a provider gives as a name becomes no name by which to sign in, however it is written', async () => {
  await registerFake(database, op, { people: 'created' });
  for (const [index, claims] of [
    { name: 'victim@example.com' },
    { preferred_username: 'victim@example.com' },
    // the same name, once compared
    { preferred_username: 'victim\uff20example.com' },
    { name: 'victim\ufe6bexample.com' },
  ].entries()) {
    op.claims = { ...claims, sub: `mallory-${index}` };
    assert.equal(problemOn(await signInAt(new Browser(origin))), undefined);
  }
  const taken = `select name from sign_in_names where name like '%victim@%'`;
  assert.deepEqual((await database.query(taken)).rows, []);
  op.claims = { sub: 'victim', email: 'victim@example.com', email_verified: true };
  await signInAt(new Browser(origin));
  const { rows } = await database.query(`select email_verified from users where email = 'victim@example.com'`);
  assert.deepEqual(rows, [{ email_verified: true }]);
});

test('the log says why, without codes, tokens and secrets', async () => {
  await registerFake(database, op);
  await link('alice');
  logged.length = 0;
  op.claims = { aud: 'another' };
  const answer = new URL(await answerOf(await pressButton(new Browser(origin))));
  const browser = new Browser(origin);
  const begun = await pressButton(browser);
  const sent = new URL(await answerOf(begun));
  const page: Page = await browser.visit(sent.href);
  assert.equal(problemOn(page), 'provider_wrong');
  const line = logged.find((one) => one.includes('provider acme:'));
  assert.match(line ?? '', /"aud"|aud/);
  const secrets = [answer, sent].flatMap(({ searchParams }) =>
    ['code', 'state'].map((name) => searchParams.get(name) ?? '?'),
  );
  for (const secret of [...secrets, op.client_secret, begun.searchParams.get('nonce') ?? '?']) {
    assert.ok(!logged.some((one) => one.includes(secret)), secret);
    assert.ok(!page.text.includes(secret));
  }
});
