import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { Browser, type Page } from '../../support/browser.ts';
import { authorizationQuery, codeIn, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import {
  password,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  startLatchkey,
  startWithPrinter,
} from '../../support/latchkey.ts';
import { startProvider } from '../../support/openid-provider.ts';
import { answerOf, pressButton, registerFake } from '../../support/providers.ts';
import { answerTo, returnWith, sentToWebsite, sharedSecret } from '../../support/website.ts';

// Two instances; at a third server, scopes demand something.

const one = await startWithPrinter();
const { origin, database } = one;
const two = await startLatchkey({ ISSUER: origin }, one.url);
const jwtResource = 'https://jwt.example';
await registerJwtResource(database, jwtResource, ['user', 'repo']);
const credentials = { username: 'alice', password };

/** What a test does in place of a second factor, and of time that passes. */
const setSessions = (methods: string, age = 0, of = database) =>
  of.query('update sessions set methods = $1, auth_time = now() - make_interval(secs => $2)', [methods, age]);

const errorIn = ({ location, text }: Page) => {
  const answer = new URL(location ?? assert.fail(text)).searchParams;
  assert.equal(answer.get('state'), 'the-state');
  return answer.get('error');
};
const request = (changes: Record<string, string>) => `/authorize?${authorizationQuery(changes)}`;
const isLogin = (page: Page) => page.location === undefined && page.text.includes('id="login"');

/** alice, with a grant that is remembered. */
async function aliceWithGrant(): Promise<Browser> {
  const alice = await signedInBrowser(origin);
  await obtainCode(alice);
  return alice;
}

const introspect = async (token: unknown, at = origin) =>
  (await post(`${at}/introspect`, { token: String(token) })).body;

const signInOf = ({ acr, auth_time }: Record<string, unknown>) => ({ acr, auth_time });

test('a JWT and introspection tell the sign-in, which ten refreshes, their repetition and later sign-ins change in no way [9470 §6] [A520]', async () => {
  const alice = await aliceWithGrant();
  await setSessions('{password}', 3000);
  const { rows } = await database.query(
    'select floor(extract(epoch from auth_time))::integer as auth_time from sessions',
  );
  const expected = { acr: '1', auth_time: rows[0].auth_time };
  let tokens = (await redeem(origin, await obtainCode(alice, { resource: jwtResource }))).body;
  const signIns: unknown[] = [signInOf(decodeJwt(String(tokens['access_token'])))];
  // another proof, and another authorization at the other level
  await alice.submit(await alice.visit(request({ prompt: 'login' })), 'id="login"', credentials);
  await setSessions('{password,totp}');
  const stronger = (await redeem(origin, await obtainCode(alice, { acr_values: '2' }))).body;
  for (let number = 0; number < 10; number += 1) {
    const old = tokens['refresh_token'];
    const at = number % 2 === 0 ? two.origin : origin;
    tokens = (await refresh(at, old)).body;
    const repeated = (await refresh(at === origin ? two.origin : origin, old)).body;
    assert.equal(repeated['refresh_token'], tokens['refresh_token']);
    for (const answer of [tokens, repeated]) signIns.push(signInOf(decodeJwt(String(answer['access_token']))));
    signIns.push(
      signInOf(await introspect(tokens['access_token'])),
      signInOf(await introspect(tokens['refresh_token'])),
    );
  }
  for (const signIn of signIns) assert.deepEqual(signIn, expected);
  const { acr, auth_time } = await introspect(stronger['access_token']);
  assert.equal(acr, '2');
  assert.ok(Number(auth_time) > expected.auth_time + 2900);
});

test('the time of a sign-in is the same in the code that its own answer brings and in a later one', async () => {
  const alice = await aliceWithGrant();
  const first = await alice.submit(await alice.visit(request({ prompt: 'login' })), 'id="login"', credentials);
  const second = await alice.visit(request({}));
  const times = [];
  for (const page of [first, second]) {
    times.push((await introspect((await redeem(origin, codeIn(page))).body['access_token']))['auth_time']);
  }
  assert.equal(times[0], times[1]);
  assert.ok(Math.abs(Number(times[0]) - Date.now() / 1000) < 60);
});

test('acr_values leads to the sign-in form, which says why; a remembered grant answers once the sign-in is strong enough', async () => {
  const alice = await aliceWithGrant();
  const login = await alice.visit(request({ acr_values: '2' }));
  assert.ok(isLogin(login));
  assert.match(
    login.text,
    /id="step-up"><bdi[^>]*>Photo Printer<\/bdi> .* requires two-step verification. Sign in again/,
  );
  assert.match(login.text, /name="username" value="alice"/);
  assert.match(
    (await alice.visit(request({ acr_values: '2', ui_locales: 'de' }))).text,
    /verlangt die Anmeldung in zwei Schritten/,
  );
  await setSessions('{password,totp}');
  assert.ok(codeIn(await alice.visit(request({ acr_values: '2' }))));
  await setSessions('{passkey}');
  assert.ok(codeIn(await alice.visit(request({ acr_values: '2', prompt: 'none' }))));
});

test('a person who signs in by one factor brings the client unmet_authentication_requirements, and no code [9470 §5]', async () => {
  const alice = await aliceWithGrant();
  const login = await alice.visit(request({ acr_values: '2' }));
  const offer = await alice.submit(login, 'id="login"', credentials);
  assert.equal(errorIn(await alice.submit(offer, 'id="decline"')), 'unmet_authentication_requirements');
  const stranger = new Browser(origin);
  const first = await stranger.visit(request({ acr_values: '2' }));
  assert.ok(isLogin(first));
  assert.doesNotMatch(first.text, /id="step-up"/);
  const answer = await stranger.submit(await stranger.submit(first, 'id="login"', credentials), 'id="decline"');
  assert.equal(errorIn(answer), 'unmet_authentication_requirements');
  assert.ok(codeIn(await alice.visit(request({}))), 'without the demand');
});

test('under prompt=none, a sign-in that is too old or too weak is login_required, of a person with one factor unmet_authentication_requirements', async () => {
  const alice = await aliceWithGrant();
  const weak = request({ acr_values: '2', prompt: 'none' });
  assert.equal(errorIn(await alice.visit(weak)), 'unmet_authentication_requirements');
  await setSessions('{website}');
  assert.equal(errorIn(await alice.visit(weak)), 'login_required', 'of whom another place may know a second factor');
  assert.equal(errorIn(await alice.visit(request({ max_age: '0', prompt: 'none' }))), 'login_required');
  assert.ok(codeIn(await alice.visit(request({ acr_values: '1', prompt: 'none' }))));
});

test('any of the names is enough; names that this server does not know are none', async () => {
  const alice = await aliceWithGrant();
  for (const acr_values of ['1', '2 1', '1 2', 'gold 1']) {
    assert.ok(codeIn(await alice.visit(request({ acr_values }))), acr_values);
  }
  assert.ok(isLogin(await alice.visit(request({ acr_values: 'gold 2' }))));
  assert.equal(errorIn(await alice.visit(request({ acr_values: 'gold silver' }))), 'unmet_authentication_requirements');
  for (const acr_values of [' 1', '1  2', '1\n2', `1 ${'x'.repeat(1000)}`]) {
    assert.equal(errorIn(await alice.visit(request({ acr_values }))), 'invalid_request', acr_values.slice(0, 10));
  }
});

test('a pushed request is refused at once if it names unknown levels only, and demands what it names', async () => {
  const push = (acr_values: string) =>
    post(`${origin}/par`, Object.fromEntries(new URLSearchParams(authorizationQuery({ acr_values }))));
  const { status, body } = await push('gold');
  assert.deepEqual([status, body['error']], [400, 'unmet_authentication_requirements']);
  const { body: pushed } = await push('2');
  const alice = await aliceWithGrant();
  const path = `/authorize?client_id=photo-printer&request_uri=${encodeURIComponent(String(pushed['request_uri']))}`;
  assert.ok(isLogin(await alice.visit(path)));
  await setSessions('{password,totp}');
  assert.ok(codeIn(await alice.visit(path)));
});

test('a consent form counts for the sign-in of its session: after a weaker one, the person is asked again', async () => {
  const alice = await signedInBrowser(origin);
  await setSessions('{password,totp}');
  const form = await alice.visit(request({ acr_values: '2', prompt: 'consent' }));
  assert.match(form.text, /id="allow"/);
  await setSessions('{password}');
  const again = await alice.submit(form, 'id="allow"');
  assert.ok(isLogin(again));
  await setSessions('{password,totp}');
  assert.ok(codeIn(await alice.submit(form, 'id="allow"')));
});

test('a remembered grant replaces no sign-in: max_age=0 asks for one, once, in each tab [A521]', async () => {
  const alice = await aliceWithGrant();
  const [first, second] = [await alice.visit(request({ max_age: '0' })), await alice.visit(request({ max_age: '0' }))];
  assert.ok(isLogin(first) && isLogin(second));
  codeIn(await alice.submit(first, 'id="login"', credentials));
  assert.ok(
    isLogin(await alice.visit(request({ max_age: '0' }))),
    'the sign-in for another request is none for this one',
  );
  // the form of a session that is over by now is shown once more
  const shown = await alice.submit(second, 'id="login"', credentials);
  assert.equal(shown.status, 403);
  codeIn(await alice.submit(shown, 'id="login"', credentials));
});

test('somebody else at the second sign-in gets a consent form of their own, and no code for the first person [A521]', async () => {
  await registerPeople(database, ['carol']);
  const alice = await aliceWithGrant();
  const login = await alice.visit(request({ max_age: '0' }));
  const page = await alice.submit(login, 'id="login"', { username: 'carol', password });
  assert.equal(page.location, undefined);
  assert.match(page.text, /id="allow"[\s\S]*/);
  assert.match(page.text, /carol Liddell/);
});

test('what scopes demand is demanded at once, of a request that names them, or names none', async () => {
  const strict = await startLatchkey();
  await registerPeople(strict.database);
  await registerPrinter(strict.database);
  await strict.database.query("update scopes set acr = 2 where name = 'user:email'");
  await strict.database.query("update scopes set max_age = 300 where name = 'repo:write'");
  const alice = await signedInBrowser(strict.origin);
  assert.ok(codeIn(await alice.submit(await alice.visit(request({ scope: 'user:name' })), 'id="allow"')));
  for (const scope of ['user:email', 'user', 'user:name user:email']) {
    const login = await alice.visit(request({ scope }));
    assert.ok(isLogin(login), scope);
    assert.match(login.text, /id="step-up"/);
    const offer = await alice.submit(login, 'id="login"', credentials);
    assert.equal(errorIn(await alice.submit(offer, 'id="decline"')), 'unmet_authentication_requirements');
  }
  const everything = authorizationQuery({ scope: undefined });
  assert.ok(isLogin(await alice.visit(`/authorize?${everything}`)));
  const silent = request({ scope: 'user', prompt: 'none' });
  assert.equal(errorIn(await alice.visit(silent)), 'unmet_authentication_requirements');
  await setSessions('{password,totp}', 299, strict.database);
  assert.ok(codeIn(await alice.submit(await alice.visit(`/authorize?${everything}`), 'id="allow"')));
  await setSessions('{password,totp}', 310, strict.database);
  const tooOld = await alice.visit(request({ scope: 'repo:write' }));
  assert.ok(isLogin(tooOld));
  assert.doesNotMatch(tooOld.text, /id="step-up"/);
  assert.ok(codeIn(await alice.visit(request({ scope: 'user' }))), 'of which nothing demands that');
});

test('of a website that says amr and acr, only what the operator has written down is the second level', async () => {
  const site = await startWithPrinter({
    SIGN_IN_URL: 'https://www.provider.example/sign-in',
    SIGN_IN_SECRET: sharedSecret,
    TWO_FACTORS_ELSEWHERE: 'website:amr=mfa,website:acr=urn:two',
    ACR_VALUES: 'urn:one,urn:two',
  });
  const answered = async (said: object) => {
    const { browser, asked } = await sentToWebsite(site.origin, { acr_values: 'urn:two' });
    assert.equal(asked['acr_values'], 'urn:two');
    const page = await returnWith(browser, answerTo(asked, said as Record<string, unknown>));
    return page.location?.startsWith(site.origin) || page.location?.startsWith('/')
      ? browser.visit(page.location)
      : page;
  };
  for (const said of [
    {},
    { amr: ['pwd', 'otp'] },
    { acr: '2' },
    { acr: 'mfa' },
    { amr: 'mfa' },
    { amr: ['mfa', ...Array(20).fill('x')] },
    { amr: [{ mfa: 1 }] },
  ]) {
    assert.equal(errorIn(await answered(said)), 'unmet_authentication_requirements', JSON.stringify(said));
  }
  for (const said of [{ amr: ['pwd', 'mfa'] }, { acr: 'urn:two' }]) {
    const consent = await answered(said);
    assert.match(consent.text, /id="allow"/, JSON.stringify(said));
  }
});

test('a provider is asked for what two factors are called there, and its answer counts as the operator has written it down', async () => {
  const acme = await startWithPrinter({
    TWO_FACTORS_ELSEWHERE: 'provider:acme:acr=https://acme.example/two,provider:acme:amr=mfa,website:amr=otp',
  });
  const op = await startProvider();
  await registerFake(acme.database, op, { people: 'created' });
  const browser = new Browser(acme.origin);
  const sent = await pressButton(browser, authorizationQuery({ acr_values: '2' }));
  assert.equal(sent.searchParams.get('acr_values'), 'https://acme.example/two');
  const signedIn = async (claims: object) => {
    op.claims = claims as typeof op.claims;
    const person = new Browser(acme.origin);
    return person.visit(await answerOf(await pressButton(person, authorizationQuery({ acr_values: '2' }))));
  };
  for (const claims of [{}, { amr: ['pwd', 'otp'] }, { acr: '2' }, { acr: ['https://acme.example/two'] }]) {
    assert.equal(errorIn(await signedIn(claims)), 'unmet_authentication_requirements', JSON.stringify(claims));
  }
  for (const claims of [{ acr: 'https://acme.example/two' }, { amr: ['mfa'] }]) {
    assert.match((await signedIn(claims)).text, /id="allow"/, JSON.stringify(claims));
  }
});

test('the names of the levels can be others, and the metadata has them', async () => {
  const named = await startWithPrinter({ ACR_VALUES: 'https://id.example/one,https://id.example/two' });
  const metadata = await (await fetch(`${named.origin}/.well-known/oauth-authorization-server`)).json();
  assert.deepEqual(metadata.acr_values_supported, ['https://id.example/one', 'https://id.example/two']);
  const alice = await signedInBrowser(named.origin);
  const code = await obtainCode(alice, { acr_values: 'https://id.example/one' });
  const { access_token } = (await redeem(named.origin, code)).body;
  assert.equal((await introspect(access_token, named.origin))['acr'], 'https://id.example/one');
  assert.equal(errorIn(await alice.visit(request({ acr_values: '1' }))), 'unmet_authentication_requirements');
});
