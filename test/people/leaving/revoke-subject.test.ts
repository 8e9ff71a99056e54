import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Browser } from '../../support/browser.ts';
import {
  authorizationQuery,
  codeIn,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../../support/flow.ts';
import { password, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { inSeconds, logoutToken, revocationToken, sendLogout } from '../../support/logout-token.ts';
import { createOtherRsaKey, startProvider } from '../../support/openid-provider.ts';
import { answerOf, authorizeAt, pressButton, problemOn, registerFake, signInAt } from '../../support/providers.ts';

const { origin, database, url, logged } = await startLatchkey();
const second = await startLatchkey({ ISSUER: origin }, url);
const op = await startProvider();
const other = await startProvider();
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);

beforeEach(async () => {
  op.reset();
  other.reset();
  op.claims = { auth_time: inSeconds() - 60 };
  for (const table of ['providers', 'identities', 'attempts', 'ended_at_providers', 'sessions', 'grants'])
    await database.query(`delete from ${table}`);
  await registerFake(database, op);
  await database.query('select link_identity($1, $2, $3)', ['alice', op.issuer, 'ada-at-acme']);
});

const alice = () => ({ sub_id: { format: 'iss_sub', iss: op.issuer, sub: 'ada-at-acme' } });

function ask(token: string | undefined, body: unknown = alice(), init: RequestInit & { at?: string } = {}) {
  const authorization = token === undefined ? undefined : `Bearer ${token}`;
  return fetch(`${init.at ?? origin}/revoke-subject`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...init,
    headers: { 'content-type': 'application/json', ...(authorization && { authorization }), ...init.headers },
  });
}

const token = (claims: Record<string, unknown> = {}, more = {}) => revocationToken(op, origin, claims, more);
const isSignedIn = async (browser: Browser) => (await browser.open('/account')).status === 200;

async function refused(response: Response, what: string): Promise<void> {
  assert.equal(response.status, 401, what);
  assert.equal(response.headers.get('www-authenticate'), 'Bearer error="invalid_token"', what);
  const { error, error_description } = (await response.json()) as Record<string, string>;
  assert.deepEqual([error, error_description], ['invalid_token', 'the bearer token is not valid here'], what);
}

const wrong: Record<string, () => [Record<string, unknown>, object?]> = {
  'aud with a slash': () => [{ aud: `${origin}/revoke-subject/` }],
  'aud the issuer': () => [{ aud: origin }],
  'aud /token': () => [{ aud: `${origin}/token` }],
  'aud a list': () => [{ aud: [`${origin}/revoke-subject`] }],
  'aud with a query': () => [{ aud: `${origin}/revoke-subject?x` }],
  'exp in six minutes': () => [{ exp: inSeconds() + 360 }],
  'no exp': () => [{ exp: undefined }],
  'exp over': () => [{ exp: inSeconds() - 60 }],
  'iat ahead': () => [{ iat: inSeconds() + 120 }],
  'no iat': () => [{ iat: undefined }],
  'no jti': () => [{ jti: undefined }],
  'no sub': () => [{ sub: undefined }],
  'sub a person': () => [{ sub: 'ada-at-acme' }],
  'sub another client': () => [{ sub: 'attacker' }],
  'iss with a slash': () => [{ iss: `${op.issuer}/` }],
  'iss unknown': () => [{ iss: other.issuer }],
  'iss with NUL': () => [{ iss: `${op.issuer}\0` }],
  ...Object.fromEntries(
    [undefined, 'JWT', 'at+jwt', 'logout+jwt', 'secevent+jwt', '', 7].map((typ) => [
      `typ ${typ}`,
      () => [{}, { header: { typ } }],
    ]),
  ),
  'the key of a stranger': () => [{}, { key: { ...createOtherRsaKey(), kid: op.keys[0]?.kid } }],
  'alg none': () => [{}, { header: { alg: 'none' } }],
  HS256: () => [{}, { header: { alg: 'HS256' } }],
  'the key in the header': () => {
    const key = createOtherRsaKey();
    return [{}, { key: { ...key, kid: op.keys[0]?.kid }, header: { jwk: key.jwk, jku: `${other.issuer}/keys` } }];
  },
};

test('only a JWT of the provider about our client there, for this address, is accepted; all others get one answer [A570] [A571]', async () => {
  const browser = await signedInBrowser(origin);
  for (const [what, make] of Object.entries(wrong)) {
    const [claims, more] = make();
    await refused(await ask(token(claims, more)), what);
  }
  await refused(await ask(undefined), 'no header');
  await refused(await ask(undefined, alice(), { headers: { authorization: `Basic ${btoa('latchkey:x')}` } }), 'Basic');
  await refused(await ask(undefined, alice(), { headers: { authorization: `DPoP ${token()}` } }), 'DPoP');
  await refused(await ask(undefined, { ...alice(), access_token: token() }), 'in the body');
  await refused(await fetch(`${origin}/revoke-subject?access_token=${token()}`, { method: 'POST' }), 'in the query');
  const parts = token().split('.');
  const hmac = createHmac('sha256', op.client_secret).update(`${parts[0]}.${parts[1]}`).digest('base64url');
  await refused(await ask(`${parts[0]}.${parts[1]}.${hmac}`), 'HMAC by the client secret');
  await refused(await ask(logoutToken(op, { sub: 'ada-at-acme' })), 'a logout token');
  assert.equal((await sendLogout(origin, token())).status, 400);
  assert.deepEqual(other.requests, [], 'an unknown issuer was asked');
  await database.query('update providers set disabled_at = now()');
  await refused(await ask(token()), 'disabled');
  await database.query('update providers set disabled_at = null');
  assert.equal(await isSignedIn(browser), true);
  assert.equal((await ask(token())).status, 204);
  assert.equal(await isSignedIn(browser), false);
});

test('only a provider that may, and for its own people only: 403; a person whom nobody knows: 404', async () => {
  await registerFake(database, other, { name: 'other' });
  const theirs = revocationToken(other, origin);
  assert.equal((await ask(theirs)).status, 403);
  assert.equal((await ask(token(), { sub_id: { ...alice().sub_id, sub: 'ADA-AT-ACME' } })).status, 404);
  assert.equal((await ask(token(), { sub_id: { ...alice().sub_id, sub: 'alice' } })).status, 404);
  await registerFake(database, op, { global_token_revocation: false });
  const browser = await signedInBrowser(origin);
  assert.equal((await ask(token())).status, 403);
  assert.equal(await isSignedIn(browser), true);
});

test('a token counts once, with any body, at two instances; a body that is refused uses nothing up [A570]', async () => {
  const one = token();
  assert.equal((await ask(one, {})).status, 400);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => {
      const sub = index % 3 ? 'ada-at-acme' : 'nobody';
      return ask(one, { sub_id: { ...alice().sub_id, sub } }, { at: index % 2 ? origin : second.origin });
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 204 || status === 404).length, 1);
  assert.equal(answers.filter(({ status }) => status === 401).length, 19);
});

test('nobody is found by an address, a number or a name, and what is no subject is refused [A573]', async () => {
  const browser = await signedInBrowser(origin);
  const { iss } = alice().sub_id;
  const bodies: unknown[] = [
    ...[
      { format: 'email', email: 'alice@example.com' },
      { format: 'phone_number', phone_number: '+15550100' },
      { format: 'opaque', id: 'ada-at-acme' },
      { format: 'account', uri: 'acct:alice@example.com' },
      { format: 'did', url: 'did:example:alice' },
      { format: 'aliases', identifiers: [alice().sub_id] },
      { format: 'unknown' },
      { iss, sub: 'ada-at-acme' },
      ...[7, '', 'x'.repeat(300), 'a\0', null, undefined, []].map((sub) => ({ format: 'iss_sub', iss, sub })),
      { format: 'iss_sub', sub: 'ada-at-acme' },
      [alice().sub_id],
      null,
      'ada-at-acme',
    ].map((sub_id) => ({ sub_id })),
    { subject: alice().sub_id },
    [alice()],
    '',
    'null',
    '{"sub_id":',
    `{"sub_id":${JSON.stringify(alice().sub_id)},"sub_id":${JSON.stringify(alice().sub_id)}}`,
    `{"__proto__":{"sub_id":${JSON.stringify(alice().sub_id)}}}`,
    `{"sub_id":${'['.repeat(5000)}${']'.repeat(5000)}}`,
  ];
  for (const body of bodies) {
    const response = await ask(token(), body);
    assert.equal(response.status, 400, JSON.stringify(body).slice(0, 100));
    assert.equal(((await response.json()) as { error: string }).error, 'invalid_request');
  }
  assert.equal((await ask(token(), `{"sub_id":${'x'.repeat(1_000_000)}`)).status, 413);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await ask(token(), 'sub_id=x', { headers: form })).status, 400);
  assert.equal(await isSignedIn(browser), true);
  assert.equal((await ask(token(), { ...alice(), more: 1 })).status, 204);
});

test('everything ends and stays ended, and what the person allowed stays [A574]', async () => {
  const byPassword = await signedInBrowser(origin);
  const families = [];
  for (const browser of [byPassword, byPassword]) {
    const { body } = await redeem(origin, await obtainCode(browser));
    families.push(body);
  }
  const graced = await refresh(origin, families[0]?.['refresh_token']);
  const there = new Browser(origin);
  const open = codeIn(await authorizeAt(there));
  const half = new Browser(origin);
  const answer = await answerOf(await pressButton(half));
  const asking = await signedInBrowser(origin);
  const consent = await asking.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  await database.query(
    `insert into mailed_links (token_sha256, purpose, user_id, expires_at)
     select sha256('x'), 'reset', user_id, now() + interval '1 hour' from users where username = 'alice'`,
  );

  assert.equal((await ask(token({ jti: 'the-jti' }))).status, 204);
  for (const browser of [byPassword, there, asking]) {
    const elsewhere = new Browser(second.origin);
    for (const [name, value] of browser.cookies()) elsewhere.setCookie(name, value);
    assert.equal(await isSignedIn(elsewhere), false);
  }
  assert.equal(problemOn(await half.visit(answer)), 'ended_there');
  assert.equal((await redeem(second.origin, open)).status, 400);
  assert.equal((await asking.submit(consent, 'id="allow"')).location, undefined);
  for (const { access_token } of [...families, graced.body]) {
    assert.equal((await getUser(second.origin, access_token)).status, 401);
    const { body } = await post(`${second.origin}/introspect`, { token: String(access_token) });
    assert.equal(body['active'], false);
  }
  for (const refresh_token of [
    families[0]?.['refresh_token'],
    graced.body['refresh_token'],
    families[1]?.['refresh_token'],
  ])
    assert.equal((await refresh(second.origin, refresh_token)).status, 400);
  const silent = await byPassword.open(`/authorize?${authorizationQuery({ prompt: 'none' })}`);
  assert.match(silent.location ?? '', /error=login_required/);
  assert.equal((await database.query('select from mailed_links')).rowCount, 0);
  assert.equal((await database.query('select from grants where revoked_at is null')).rowCount, 1);
  const { rows } = await database.query(
    `select username from audit_events join users using (user_id) where detail = 'provider:acme revocation the-jti'`,
  );
  assert.deepEqual(rows, [{ username: 'alice' }]);
  assert.ok(logged.some((line) => line.includes('provider:acme revocation the-jti')));

  // the session there is the one of before: only a new authentication counts, however late
  await database.query('delete from ended_at_providers');
  assert.equal(problemOn(await signInAt(new Browser(origin))), 'ended_there');
  op.claims = { auth_time: inSeconds() + 1 };
  const again = new Browser(origin);
  assert.ok(codeIn(await authorizeAt(again)), 'the person was asked for consent again');
});

test('a session that begins while everything ends gets no code [A574]', async () => {
  await obtainCode(await signedInBrowser(origin));
  const late = new Browser(origin);
  const form = await late.visit(`/authorize?${authorizationQuery()}`);
  const ending = await database.connect();
  await ending.query('begin');
  await ending.query(
    `select revoke_subject('acme', $1, 'ada-at-acme', now(), now() + interval '1 minute', 'j', sha256('j'), 'r', null)`,
    [op.issuer],
  );
  const answer = late.submit(form, 'id="login"', { username: 'alice', password });
  // as long as a commit takes that waits for a standby
  await Promise.race([answer, pause(200)]);
  await ending.query('commit');
  ending.release();
  const { location } = await answer;
  if (location?.includes('code=')) assert.equal((await redeem(origin, codeIn(await answer))).status, 400);
  assert.equal(await isSignedIn(late), false);
});

test('what came from there ends, too, after the identity was disconnected; the rest of the account stays', async () => {
  await database.query('select link_identity($1, $2, $3)', ['bob', op.issuer, 'bob-at-acme']);
  const byPassword = await signedInBrowser(origin);
  const { body: elsewhere } = await redeem(origin, await obtainCode(byPassword));
  const there = new Browser(origin);
  const open = codeIn(await authorizeAt(there));
  const { body: got } = await redeem(origin, codeIn(await there.open(`/authorize?${authorizationQuery()}`)));
  const signedOut = new Browser(origin);
  const { body: before } = await redeem(origin, codeIn(await authorizeAt(signedOut)));
  await sendLogout(origin, logoutToken(op, { sub: 'ada-at-acme', jti: 'first' }));
  const again = new Browser(origin);
  await database.query('delete from ended_at_providers');
  assert.equal(problemOn(await signInAt(again)), undefined);
  await database.query(`delete from identities where subject = 'ada-at-acme'`);

  assert.equal((await ask(token({ jti: 'disconnected' }))).status, 204);
  assert.equal(await isSignedIn(again), false);
  assert.equal((await redeem(origin, open)).status, 400);
  for (const { access_token, refresh_token } of [got, before]) {
    assert.equal((await getUser(origin, access_token)).status, 401);
    assert.equal((await refresh(origin, refresh_token)).status, 400);
  }
  assert.equal(await isSignedIn(byPassword), true);
  assert.equal((await getUser(origin, elsewhere['access_token'])).status, 200);
  const { rows } = await database.query(
    `select username from audit_events join users using (user_id) where detail = 'provider:acme revocation disconnected'`,
  );
  assert.deepEqual(rows, [{ username: 'alice' }]);
});

test('the metadata name the address if a provider may use it', async () => {
  const advertised = async () => {
    const fresh = await startLatchkey({ ISSUER: origin }, url);
    const response = await fetch(`${fresh.origin}/.well-known/oauth-authorization-server`);
    return ((await response.json()) as Record<string, unknown>)['global_token_revocation_endpoint'];
  };
  assert.equal(await advertised(), `${origin}/revoke-subject`);
  await registerFake(database, op, { global_token_revocation: false });
  assert.equal(await advertised(), undefined);
});
