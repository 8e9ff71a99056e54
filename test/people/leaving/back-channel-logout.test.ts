import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { Browser } from '../../support/browser.ts';
import { codeIn, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { inSeconds, logoutEvent, logoutToken, sendLogout } from '../../support/logout-token.ts';
import { createOtherRsaKey, startProvider } from '../../support/openid-provider.ts';
import { answerOf, authorizeAt, pressButton, problemOn, registerFake, signInAt } from '../../support/providers.ts';
import { codeOf, setUpApp } from '../../support/second-factor.ts';

const { origin, database, url, logged } = await startLatchkey();
const second = await startLatchkey({ ISSUER: origin }, url);
const op = await startProvider();
const other = await startProvider();
await registerPeople(database, ['alice', 'bob', 'carol']);
await registerPrinter(database);

const withoutSecondFactor = () =>
  database.query('delete from totp_factors; update users set second_factor_since = null');

beforeEach(async () => {
  await withoutSecondFactor();
  op.reset();
  other.reset();
  op.claims = { sid: 's1', auth_time: inSeconds() - 60 };
  for (const table of ['providers', 'identities', 'attempts', 'ended_at_providers', 'sessions', 'grants'])
    await database.query(`delete from ${table}`);
  await registerFake(database, op);
  await database.query('select link_identity($1, $2, $3)', ['alice', op.issuer, 'ada-at-acme']);
  await database.query('select link_identity($1, $2, $3)', ['bob', op.issuer, 'bob-at-acme']);
});

/** A browser in which somebody has signed in at the provider. */
async function signedInAt(claims: Record<string, unknown> = {}, name = 'acme'): Promise<Browser> {
  const provider = name === 'acme' ? op : other;
  const before = provider.claims;
  provider.claims = { ...before, ...claims };
  const browser = new Browser(origin);
  assert.equal(problemOn(await signInAt(browser, '', name)), undefined);
  provider.claims = before;
  return browser;
}

const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;
const areSignedIn = (...browsers: Browser[]) => Promise.all(browsers.map(isSignedIn));
const end = (claims: Record<string, unknown>) => sendLogout(origin, logoutToken(op, claims));

async function refused(response: Response, what = ''): Promise<void> {
  assert.equal(response.status, 400, what);
  assert.equal(response.headers.get('cache-control'), 'no-store', what);
  const { error, error_description } = (await response.json()) as Record<string, string>;
  assert.equal(error, 'invalid_request', what);
  assert.ok(error_description, what);
}

test('a logout token ends the session that came from there, at every instance, and the answer is empty', async () => {
  const browser = await signedInAt();
  const response = await end({ sub: 'ada-at-acme', sid: 's1' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(await response.text(), '');
  assert.equal(await isSignedIn(browser), false);
  const elsewhere = new Browser(second.origin);
  for (const [name, value] of browser.cookies()) elsewhere.setCookie(name, value);
  assert.equal(await isSignedIn(elsewhere), false);
  assert.equal(problemOn(await signInAt(browser, '')), 'ended_there', 'the same session there');
  op.claims = { sid: 's2', auth_time: inSeconds() + 1 };
  assert.equal(problemOn(await signInAt(browser)), undefined);
  assert.equal(await isSignedIn(browser), true);
});

test('one event names the provider and jti, and the page of the person shows why', async () => {
  await signedInAt();
  assert.equal((await end({ sub: 'ada-at-acme', jti: 'the-jti' })).status, 200);
  const { rows } = await database.query(
    `select username, detail, address is not null as has_address from audit_events join users using (user_id) where detail like '%the-jti'`,
  );
  assert.deepEqual(rows, [{ username: 'alice', detail: 'provider:acme logout the-jti', has_address: true }]);
  assert.ok(logged.some((line) => line.includes('"detail":"provider:acme logout the-jti"')));
  const page = await (await signedInBrowser(origin)).visit('/account/activity');
  assert.match(page.text, /Signed out by the provider at which you signed in/);
  assert.equal((await end({ sub: 'nobody', jti: 'other-jti' })).status, 200);
  const { rows: events } = await database.query(
    `select user_id, detail from audit_events where detail like '%other-jti'`,
  );
  assert.deepEqual(events, [{ user_id: null, detail: 'provider:acme logout other-jti' }]);
});

const wrongClaims: Record<string, Record<string, unknown>> = {
  'no events': { events: undefined },
  'events null': { events: null },
  'events a list': { events: [logoutEvent] },
  'events empty': { events: {} },
  'events a string': { events: logoutEvent },
  'event null': { events: { [logoutEvent]: null } },
  'event a list': { events: { [logoutEvent]: [] } },
  'event a number': { events: { [logoutEvent]: 1 } },
  'event with a slash': { events: { [`${logoutEvent}/`]: {} } },
  'event with https': { events: { [logoutEvent.replace('http', 'https')]: {} } },
  'event for events': { events: undefined, event: { [logoutEvent]: {} } },
  'the event of a prototype': { events: JSON.parse(`{"__proto__":{"${logoutEvent}":{}}}`) },
  'another event': { events: { 'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {} } },
  ...Object.fromEntries(['', null, false, 0, 'x'].map((nonce) => [`nonce ${JSON.stringify(nonce)}`, { nonce }])),
  'another issuer': { iss: 'https://other.example' },
  'an issuer with a slash': { iss: `${op.issuer}/` },
  'an issuer in a list': { iss: [op.issuer] },
  'another audience': { aud: 'other' },
  'two audiences': { aud: ['latchkey', 'other'] },
  'no audience': { aud: undefined },
  'no iat': { iat: undefined },
  'iat ahead': { iat: inSeconds() + 3600, exp: inSeconds() + 3700 },
  'iat a string': { iat: String(inSeconds()) },
  'no exp': { exp: undefined },
  'exp over': { exp: inSeconds() - 60 },
  'exp in two days': { exp: inSeconds() + 172_800 },
  'exp enormous': { exp: 1e300 },
  'no jti': { jti: undefined },
  'jti a number': { jti: 7 },
  'jti empty': { jti: '' },
  'jti of 300 characters': { jti: 'x'.repeat(300) },
  'neither sub nor sid': { sub: undefined, sid: undefined },
  ...Object.fromEntries(
    [7, '', 'x'.repeat(300), 'a\0b', null, ['ada-at-acme'], {}].map((sub) => [
      `sub ${JSON.stringify(sub)?.slice(0, 20)}`,
      { sub },
    ]),
  ),
  ...Object.fromEntries(
    [7, '', 'x'.repeat(300), 'a\0b', null].map((sid) => [`sid ${JSON.stringify(sid)?.slice(0, 20)}`, { sid }]),
  ),
};

test('a token with a wrong claim ends nothing, and the same token without the fault does [A561]', async () => {
  const browser = await signedInAt();
  for (const [what, claims] of Object.entries(wrongClaims))
    await refused(await end({ sub: 'ada-at-acme', sid: 's1', ...claims }), what);
  assert.equal(await isSignedIn(browser), true);
  const two = { 'urn:other': {}, [logoutEvent]: {} };
  assert.equal((await end({ sub: 'ada-at-acme', sid: 's1', events: two, aud: ['latchkey'] })).status, 200);
  assert.equal(await isSignedIn(browser), false);
});

test('only typ logout+jwt, JWT and none are those of a logout token [A562]', async () => {
  for (const typ of ['at+jwt', 'secevent+jwt', 'dpop+jwt', 'global-token-revocation+jwt', '', 7, null])
    await refused(await sendLogout(origin, logoutToken(op, { sub: 'ada-at-acme' }, { header: { typ } })), String(typ));
  for (const typ of ['logout+jwt', 'application/logout+jwt', 'JWT', undefined]) {
    const browser = await signedInAt();
    const token = logoutToken(op, { sub: 'ada-at-acme', iat: inSeconds() - 1 }, { header: { typ } });
    assert.equal((await sendLogout(origin, token)).status, 200, String(typ));
    assert.equal(await isSignedIn(browser), false, String(typ));
    await database.query('delete from ended_at_providers');
  }
});

test('an ID token of the provider is no logout token, and a logout token signs nobody in [A562]', async () => {
  const answers: string[] = [];
  op.answers.set('/token', (res, usual) => {
    const { end: send } = res;
    res.end = ((text: string) => {
      answers.push(JSON.parse(text).id_token);
      return send.call(res, text, 'utf8');
    }) as typeof res.end;
    usual();
  });
  const browser = await signedInAt();
  await refused(await sendLogout(origin, answers[0] ?? ''));
  assert.equal(await isSignedIn(browser), true);
  op.answers.clear();
  for (const nonce of [undefined, 'x']) {
    op.tokens = { id_token: logoutToken(op, { sub: 'ada-at-acme', auth_time: inSeconds(), nonce }) };
    assert.equal(problemOn(await signInAt(new Browser(origin))), 'provider_wrong');
  }
});

test('the body is a form with one logout_token; what else it has is ignored [A561]', async () => {
  const token = logoutToken(op, { sub: 'ada-at-acme', sid: 's1' });
  const address = `${origin}/login/provider/acme/logout`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const bodies: [string, RequestInit][] = [
    ['two tokens', { headers: form, body: `logout_token=${token}&logout_token=${token}` }],
    ['JSON', { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ logout_token: token }) }],
    ['the token alone', { headers: { 'content-type': 'application/logout+jwt' }, body: token }],
    ['nothing', { headers: form, body: '' }],
    ['no JWT', { headers: form, body: 'logout_token=a.b' }],
    ['a long text', { headers: form, body: `logout_token=${'x'.repeat(9000)}` }],
    ['another name', { headers: form, body: `token=${token}` }],
  ];
  const browser = await signedInAt();
  for (const [what, init] of bodies) await refused(await fetch(address, { method: 'POST', ...init }), what);
  await refused(await fetch(`${address}?logout_token=${token}`, { method: 'POST', headers: form }), 'in the query');
  assert.equal((await fetch(address)).status, 405);
  assert.equal(await isSignedIn(browser), true);
  assert.equal((await sendLogout(origin, { logout_token: token, state: 'x', __proto__: 'y' })).status, 200);
  assert.equal(await isSignedIn(browser), false);
});

test('signatures are judged as those of ID tokens are: each forgery is refused in both places [A564]', async () => {
  await signedInAt();
  const browser = await signedInAt();
  const elliptic = op.addKey('ES256');
  const [rsa] = op.keys;
  assert.ok(rsa);
  await database.query(`delete from provider_documents where kind = 'keys'`);
  const stranger = createOtherRsaKey();
  const parts = (header: object, claims: object, signature: string | ((signed: string) => string)) => {
    const signed = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
    return `${signed}.${typeof signature === 'string' ? signature : signature(signed)}`;
  };
  const hmac = (secret: string | Buffer) => (signed: string) =>
    createHmac('sha256', secret).update(signed).digest('base64url');
  const pem = Buffer.from(JSON.stringify(rsa.jwk));
  const forgeries: Record<string, (claims: object) => string> = {
    'alg none': (claims) => parts({ alg: 'none' }, claims, ''),
    'alg none with a signature': (claims) => parts({ alg: 'none', kid: rsa.kid }, claims, 'AAAA'),
    'no alg': (claims) => parts({ kid: rsa.kid }, claims, 'AAAA'),
    'HS256 by the client secret': (claims) => parts({ alg: 'HS256' }, claims, hmac(op.client_secret)),
    'HS256 by the public key': (claims) => parts({ alg: 'HS256', kid: rsa.kid }, claims, hmac(pem)),
    'ES256 where RS256 is registered': (claims) =>
      logoutToken(op, claims as Record<string, unknown>, { key: elliptic }),
    'ES256 of zeros': (claims) =>
      parts({ alg: 'ES256', kid: elliptic.kid }, claims, Buffer.alloc(64).toString('base64url')),
    'the key of a stranger': (claims) =>
      logoutToken(op, claims as Record<string, unknown>, { key: { ...stranger, kid: rsa.kid } }),
    'the key in the header': (claims) =>
      logoutToken(op, claims as Record<string, unknown>, {
        key: { ...stranger, kid: rsa.kid },
        header: { jwk: stranger.jwk, jku: `${other.issuer}/keys`, x5u: `${other.issuer}/x` },
      }),
    crit: (claims) => logoutToken(op, claims as Record<string, unknown>, { key: rsa, header: { crit: ['exp'] } }),
    'five parts': (claims) => `${logoutToken(op, claims as Record<string, unknown>, { key: rsa })}.AAAA.AAAA`,
    'a signature cut short': (claims) => logoutToken(op, claims as Record<string, unknown>, { key: rsa }).slice(0, -4),
    'kid a number': (claims) => logoutToken(op, claims as Record<string, unknown>, { key: rsa, header: { kid: 7 } }),
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    const now = inSeconds();
    const usual = { iss: op.issuer, aud: op.client_id, iat: now, exp: now + 120, sub: 'ada-at-acme' };
    const events = { [logoutEvent]: {} };
    await refused(await sendLogout(origin, forge({ ...usual, jti: what.replaceAll(' ', '-'), events })), what);
    const there = await pressButton(new Browser(origin));
    op.tokens = { id_token: forge({ ...usual, nonce: there.searchParams.get('nonce'), auth_time: now }) };
    const back = new Browser(origin);
    const own = await pressButton(back);
    op.tokens = { id_token: forge({ ...usual, nonce: own.searchParams.get('nonce'), auth_time: now }) };
    assert.match(String(problemOn(await back.visit(await answerOf(own)))), /^provider_(wrong|away)$/, what);
  }
  assert.deepEqual(other.requests, [], 'an address of the header was asked');
  assert.equal(await isSignedIn(browser), true);
  assert.equal((await sendLogout(origin, logoutToken(op, { sub: 'ada-at-acme' }, { key: rsa }))).status, 200);
});

test('a key that is not known is looked up once in the pause for all instances; until then, and while keys are away, the answer is 503 [A564]', async () => {
  await signedInAt();
  const asked = () => op.seen('/keys').length;
  const before = asked();
  await database.query(`update provider_documents set next_try_at = now() - interval '1 minute' where kind = 'keys'`);
  const token = () => logoutToken(op, { sub: 'ada-at-acme' }, { header: { kid: `unknown-${Math.random()}` } });
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => sendLogout(index % 2 ? origin : second.origin, token())),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assert.deepEqual([...new Set(statuses)], [400, 503]);
  assert.equal(statuses.filter((status) => status === 400).length, 1);
  assert.ok(answers.every(({ status, headers }) => status === 400 || Number(headers.get('retry-after')) > 0));
  assert.equal(asked(), before + 1);
  await database.query('delete from provider_documents');
  op.answers.set('/keys', (res) => res.writeHead(500).end());
  const away = await end({ sub: 'ada-at-acme' });
  assert.equal(away.status, 503);
  assert.ok(Number(away.headers.get('retry-after')) > 0);
  op.answers.clear();
  await database.query(`update provider_documents set next_try_at = now() - interval '1 minute'`);
  assert.equal((await end({ sub: 'ada-at-acme' })).status, 200);
});

test('a token counts once, at two instances; a forged one with its jti spends nothing', async () => {
  const forged = logoutToken(op, { sub: 'ada-at-acme', jti: 'once' }, { key: createOtherRsaKey() });
  await database.query('delete from provider_documents');
  assert.notEqual((await sendLogout(origin, forged)).status, 200);
  await database.query('delete from provider_documents');
  const token = logoutToken(op, { sub: 'ada-at-acme', jti: 'once' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => sendLogout(index % 2 ? origin : second.origin, token)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(400)]);
});

test('unknown providers, disabled ones and GitHub take no logout, and each token counts at the address of its provider only', async () => {
  await registerFake(database, other, { name: 'other' });
  const token = logoutToken(op, { sub: 'ada-at-acme', sid: 's1' });
  const browser = await signedInAt();
  for (const name of ['other', 'nobody', 'A', '__proto__']) await refused(await sendLogout(origin, token, name), name);
  await database.query(`update providers set disabled_at = now() where name = 'acme'`);
  await refused(await sendLogout(origin, token));
  await database.query(`update providers set disabled_at = null where name = 'acme'`);
  assert.equal(await isSignedIn(browser), true);
  assert.equal((await sendLogout(origin, token)).status, 200);
});

test('sub ends all sessions of a person that came from there, sid the sessions of one sign-in, and both must match [A565]', async () => {
  const one = await signedInAt({ sid: 's1' });
  const two = await signedInAt({ sid: 's2' });
  const none = await signedInAt({ sid: undefined });
  const bob = await signedInAt({ sub: 'bob-at-acme', sid: 's3' });
  const byPassword = await signedInBrowser(origin);
  const all = () => areSignedIn(one, two, none, bob, byPassword);
  for (const claims of [
    { sub: 'ADA-AT-ACME' },
    { sub: 'nobody' },
    { sub: 'alice' },
    { sid: 'S1' },
    { sid: 's4' },
    { sub: 'ada-at-acme', sid: 's3', iat: inSeconds() - 3600 },
    { sub: 'nobody', sid: 's1' },
  ])
    assert.equal((await end(claims)).status, 200, JSON.stringify(claims));
  assert.deepEqual(await all(), [true, true, true, true, true]);
  assert.equal((await end({ sid: 's1' })).status, 200);
  assert.deepEqual(await all(), [false, true, true, true, true]);
  // the session without sid may be the one that is meant
  assert.equal((await end({ sub: 'ada-at-acme', sid: 's3' })).status, 200);
  assert.deepEqual(await all(), [false, true, false, true, true]);
  assert.equal((await end({ sub: 'ada-at-acme', sid: 's2' })).status, 200);
  assert.deepEqual(await all(), [false, false, false, true, true]);
  assert.equal((await end({ sub: 'bob-at-acme' })).status, 200);
  assert.deepEqual(await all(), [false, false, false, false, true]);
});

test('a session that began there after iat stays, and so do those of another provider with the same sid [A565]', async () => {
  await registerFake(database, other, { name: 'other' });
  await database.query('select link_identity($1, $2, $3)', ['alice', other.issuer, 'ada-at-acme']);
  other.claims = { sid: 's1', auth_time: inSeconds() - 60 };
  const elsewhere = await signedInAt({}, 'other');
  const late = await signedInAt({ auth_time: inSeconds() - 10 });
  const early = await signedInAt({ auth_time: inSeconds() - 40 });
  assert.equal((await end({ sub: 'ada-at-acme', iat: inSeconds() - 20 })).status, 200);
  assert.deepEqual(await areSignedIn(elsewhere, late, early), [true, true, false]);
  assert.equal((await end({ sid: 's1' })).status, 200);
  assert.deepEqual(await areSignedIn(elsewhere, late), [true, false]);
});

test('a session is ended also if its identity was disconnected since [A565]', async () => {
  const browser = await signedInAt();
  await database.query('delete from identities');
  assert.equal((await end({ sub: 'ada-at-acme' })).status, 200);
  assert.equal(await isSignedIn(browser), false);
});

const consentAfterSignIn = async () => {
  const browser = new Browser(origin);
  const page = await authorizeAt(browser);
  assert.match(page.text, /id="allow"/);
  return { browser, page };
};

test('a logout that overtakes the exchange of the code leaves no session [A567]', async () => {
  for (const claims of [{ sub: 'ada-at-acme' }, { sid: 's1' }, { sub: 'ada-at-acme', sid: 's1' }]) {
    await database.query('delete from ended_at_providers');
    const browser = new Browser(origin);
    const there = await pressButton(browser);
    op.answers.set('/token', (_res, usual) => {
      sendLogout(second.origin, logoutToken(op, claims)).then(usual, usual);
    });
    assert.equal(problemOn(await browser.visit(await answerOf(there))), 'ended_there', JSON.stringify(claims));
    assert.equal(await isSignedIn(browser), false);
    op.answers.clear();
  }
});

test('a provider that tells no auth_time: a sign-in that began before the logout is over, too', async () => {
  op.claims = { sid: 's1', auth_time: undefined };
  const browser = new Browser(origin);
  const there = await answerOf(await pressButton(browser));
  assert.equal((await end({ sub: 'ada-at-acme' })).status, 200);
  assert.equal(problemOn(await browser.visit(there)), 'ended_there');
});

test('a logout before the second factor, on the consent page, and between code and token [A567]', async () => {
  const app = await setUpApp(await signedInBrowser(origin));
  const half = new Browser(origin);
  const step = await signInAt(half);
  assert.match(step.text, /name="ticket"/);
  assert.equal((await end({ sid: 's1' })).status, 200);
  const after = await half.submit(step, 'id="verify"', { code: codeOf(app.secret) });
  assert.equal(await isSignedIn(half), false);
  assert.match(after.text, /id="login"/);
  await withoutSecondFactor();
  await database.query('delete from ended_at_providers');

  const { browser, page } = await consentAfterSignIn();
  assert.equal((await end({ sid: 's1' })).status, 200);
  const pressed = await browser.submit(page, 'id="allow"');
  assert.equal(pressed.location, undefined);
  assert.match(pressed.text, /id="login"/);
  assert.equal((await database.query('select from grants')).rowCount, 0);
  await database.query('delete from ended_at_providers');

  const later = await consentAfterSignIn();
  const code = codeIn(await later.browser.submit(later.page, 'id="allow"'));
  assert.equal((await end({ sid: 's1' })).status, 200);
  const { status, body } = await redeem(origin, code);
  assert.deepEqual([status, body['error']], [400, 'invalid_grant']);
});

test('logout and sign-in at the same moment, and logout and code: nothing survives [A567]', async () => {
  for (let round = 0; round < 30; round += 1) {
    await database.query('delete from ended_at_providers; delete from attempts; delete from grants');
    const browser = new Browser(origin);
    const there = await answerOf(await pressButton(browser));
    await Promise.all([
      browser.visit(there).catch(() => {}),
      sendLogout(second.origin, logoutToken(op, { sid: 's1' })),
    ]);
    assert.equal(await isSignedIn(browser), false, `sign-in, round ${round}`);
    await database.query('delete from ended_at_providers');
    const { browser: asking, page } = await consentAfterSignIn();
    const [answer] = await Promise.all([
      asking.submit(page, 'id="allow"'),
      sendLogout(second.origin, logoutToken(op, { sub: 'ada-at-acme' })),
    ]);
    assert.equal(await isSignedIn(asking), false, `consent, round ${round}`);
    if (!answer.location?.includes('code=')) continue;
    assert.equal((await redeem(origin, codeIn(answer))).status, 400, `code, round ${round}`);
  }
});

/** An application that has tokens of a session. */
async function familyOf(browser: Browser) {
  const { body } = await redeem(origin, await obtainCode(browser));
  return body;
}

const works = async ({ access_token, refresh_token }: Record<string, unknown>) => {
  const { status } = await getUser(origin, access_token);
  return [status, (await refresh(origin, refresh_token)).status];
};

test("on_logout 'sessions' touches no token, and 'access' ends what applications got in the sessions that end [A568]", async () => {
  const password = await signedInBrowser(origin);
  const families = [
    await familyOf(password),
    await familyOf(await signedInAt()),
    await familyOf(await signedInAt({ sid: 's2' })),
  ];
  assert.equal((await end({ sid: 's1' })).status, 200);
  const states = () =>
    Promise.all(families.map(async ({ access_token }) => (await getUser(origin, access_token)).status));
  assert.deepEqual(await states(), [200, 200, 200]);
  await registerFake(database, op, { on_logout: 'access' });
  // 's1' has ended already: what its families have stays with the setting of that moment
  assert.equal((await end({ sid: 's1' })).status, 200);
  assert.deepEqual(await states(), [200, 200, 200]);
  const fresh = await familyOf(await signedInAt({ auth_time: inSeconds() + 1 }));
  families.push(fresh);
  assert.equal((await end({ sub: 'ada-at-acme', jti: 'with-access', iat: inSeconds() + 5 })).status, 200);
  assert.deepEqual(await states(), [200, 200, 401, 401]);
  assert.deepEqual(await works(fresh), [401, 400]);
  assert.deepEqual((await works(families[0] ?? {}))[1], 200);
  const { body } = await post(`${origin}/introspect`, { token: String(fresh['access_token']) });
  assert.equal(body['active'], false);
  const { rows } = await database.query(
    `select detail from audit_events where event = 'session_ended' and detail like '%with-access'`,
  );
  assert.deepEqual(rows, [{ detail: 'provider:acme logout_with_access with-access' }]);
  const page = await password.visit('/account/activity');
  assert.match(page.text, /applications lost the access they got there/);
});

test('the sweep deletes a sign-in when neither session nor family needs it, and what was ended after twenty minutes', async () => {
  const kept = await signedInAt();
  await familyOf(kept);
  await database.query('delete from sessions');
  await signedInAt({ sid: 's2' });
  await database.query('delete from sessions');
  const renewed = await signedInAt({ sid: 's3' });
  await database.query(`update provider_sessions set created_at = now() - interval '3 days'`);
  await createSweep(database)();
  const { rows } = await database.query('select sid from provider_sessions order by sid');
  assert.deepEqual(rows, [{ sid: 's1' }, { sid: 's3' }]);
  assert.equal((await end({ sid: 's3' })).status, 200);
  assert.equal(await isSignedIn(renewed), false);
});

test('failed logouts are counted as wrong credentials are', async () => {
  await database.query('delete from attempts');
  await refused(await sendLogout(origin, 'x.y.z'));
  const { rows } = await database.query(`select count(*)::integer from attempts`);
  assert.notEqual(rows[0].count, 0);
});
