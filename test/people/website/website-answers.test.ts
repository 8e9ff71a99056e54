import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import { Browser } from '../../support/browser.ts';
import { authorizationQuery, codeIn, encode, redeem } from '../../support/flow.ts';
import { registerPeople, startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { writeFile } from '../../support/scratch.ts';
import {
  type Asked,
  answerBy,
  answerTo,
  macWith,
  now,
  readRequest,
  returnWith,
  sentToWebsite,
  sharedSecret,
  signedWith,
  websiteKey,
} from '../../support/website.ts';

const SIGN_IN_URL = 'https://www.provider.example/oauth-sign-in';
const { origin, database, url, logged } = await startWithPrinter({ SIGN_IN_URL, SIGN_IN_SECRET: sharedSecret });

const [w1, w2, other] = [websiteKey('w1'), websiteKey('w2', 'EdDSA'), websiteKey('w1')];
const SIGN_IN_JWKS = writeFile('website-keys.json', JSON.stringify({ keys: [w1.public_jwk, w2.public_jwk] }));
const byKey = await startLatchkey({ SIGN_IN_URL, SIGN_IN_JWKS }, url);

const people = async () => (await database.query('select count(*)::integer as count from users')).rows[0].count;

/** The answer is refused on a page, nobody is signed in, no account is made, and there is a way on. */
async function refuses(browser: Browser, response: string, status = 400): Promise<string> {
  const before = await people();
  const page = await returnWith(browser, response);
  assert.equal(page.status, status, page.text);
  assert.match(page.text, /<a class="button primary" href="\/[^"]*">/);
  assert.equal(browser.cookies().get('session'), undefined);
  assert.equal(await people(), before);
  return /<h1>([^<]*)/.exec(page.text)?.[1] ?? '';
}

let subjects = 0;
function somebody() {
  subjects += 1;
  return { sub: `somebody-${subjects}` };
}

test('each spoilt claim of an answer is refused, and a sound answer is taken', async () => {
  const far = now() + 3600;
  const spoilt: [string, Record<string, unknown> | ((asked: Asked) => Record<string, unknown>)][] = [
    ['no sub', { sub: undefined }],
    ['an empty sub', { sub: '' }],
    ['a sub that is a number', { sub: 7 }],
    ['a sub of 256 characters', { sub: 'x'.repeat(256) }],
    ['a sub with NUL', { sub: 'a\0b' }],
    ['another nonce', ({ nonce }) => ({ nonce: nonce.replace(/^./, (one) => (one === 'A' ? 'B' : 'A')) })],
    ['no nonce', { nonce: undefined }],
    ['no audience', { aud: undefined }],
    ['the audience of another server', { aud: 'https://test.provider.example' }],
    ['two audiences', { aud: [origin, 'https://test.provider.example'] }],
    ['a slash after the audience', { aud: `${origin}/` }],
    ['an audience in other letters', { aud: origin.toUpperCase() }],
    ['an audience that is an object', { aud: { iss: origin } }],
    ['no jti', { jti: undefined }],
    ['no exp', { exp: undefined }],
    ['an exp that is text', { exp: String(now() + 60) }],
    ['an exp that is over', { exp: now() - 1, iat: now() - 60 }],
    ['an exp that is long over', { exp: now() - 40, iat: now() - 90 }],
    ['an exp in an hour', { exp: far }],
    ['an exp in an hour, and a late iat', { exp: far, iat: far - 100 }],
    ['no iat', { iat: undefined }],
    ['an iat in two minutes', { iat: now() + 120, exp: now() + 130 }],
    ['an iat ten minutes ago', { iat: now() - 600 }],
    ['an nbf in two minutes', { nbf: now() + 120 }],
    ['an nbf that is text', { nbf: 'now' }],
    ['no auth_time', { auth_time: undefined }],
    ['an auth_time in ten minutes', { auth_time: now() + 600 }],
    ['an auth_time that is text', { auth_time: String(now()) }],
    ['an auth_time of 0', { auth_time: 0 }],
    ['a negative auth_time', { auth_time: -1 }],
    ['a fraction in auth_time', { auth_time: now() - 0.5 }],
  ];
  const titles = new Set<string>();
  for (const [name, change] of spoilt) {
    const { browser, asked } = await sentToWebsite(origin);
    const changes = typeof change === 'function' ? change(asked) : change;
    titles.add(`${name}: ${await refuses(browser, answerTo(asked, { ...somebody(), ...changes }))}`);
  }
  const sound = await sentToWebsite(origin);
  assert.match((await returnWith(sound.browser, answerTo(sound.asked, somebody()))).text, /id="allow"/);
  const kinds = new Set([...titles].map((title) => title.split(': ')[1]));
  assert.deepEqual([...kinds].sort(), ['The response cannot be used', 'This sign-in cannot be completed']);
  assert.equal(
    [...titles].filter((title) => title.includes('cannot be completed')).length,
    1,
    'another nonce is of no sign-in',
  );
});

test('with a secret, no other algorithm and no other secret counts', async () => {
  const secret = { signer: macWith(sharedSecret) };
  const forged: [string, Parameters<typeof answerTo>[2]][] = [
    ['none', { header: { alg: 'none' }, signer: () => 'AA' }],
    ['None, with the right MAC', { header: { alg: 'None' }, ...secret }],
    ['no alg', { header: { alg: undefined }, ...secret }],
    ['a list of algs', { header: { alg: ['HS256'] }, ...secret }],
    [
      'HS512',
      { header: { alg: 'HS512' }, signer: (input) => createHmac('sha512', sharedSecret).update(input).digest() },
    ],
    ['ES256 with the key in the header', { header: { alg: 'ES256', jwk: w1.public_jwk }, signer: signedWith(w1) }],
    [
      'HS256 with the key in the header',
      { header: { jwk: { kty: 'oct', k: 'AAAA' } }, signer: macWith(Buffer.alloc(3)) },
    ],
    ['an empty secret', { signer: macWith('') }],
    ['a cut MAC', { signer: (input) => macWith(sharedSecret)(input).subarray(0, 16) }],
    ['an unknown extension', { header: { crit: ['exp'] }, ...secret }],
    ['the kind of an access token', { header: { typ: 'at+jwt' }, ...secret }],
    ['the kind of our own request', { header: { typ: 'sign-in-request+jwt' }, ...secret }],
  ];
  for (const [name, how] of forged) {
    const { browser, asked } = await sentToWebsite(origin);
    assert.equal(await refuses(browser, answerTo(asked, somebody(), how)), 'The response cannot be used', name);
  }
  const { browser, asked } = await sentToWebsite(origin);
  const typed = answerTo(asked, somebody(), { header: { typ: 'JWT', kid: 'any' } });
  assert.match((await returnWith(browser, typed)).text, /id="allow"/);
});

test('with keys, no secret and no other key counts, whatever the header says', async () => {
  const [jwk, spki] = [JSON.stringify(w1.public_jwk), String(w1.public_key.export({ type: 'spki', format: 'pem' }))];
  const { x = '', y = '' } = w1.public_jwk as { x?: string; y?: string };
  const point = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const byAnother = { header: { alg: 'ES256', kid: 'w1' }, signer: signedWith(other) };
  const forged: [string, Parameters<typeof answerTo>[2]][] = [
    ['none', { header: { alg: 'none', kid: 'w1' }, signer: () => 'AA' }],
    ...[jwk, spki, spki.trim(), point].map((key): [string, Parameters<typeof answerTo>[2]] => [
      'HS256 with what everybody knows',
      { header: { alg: 'HS256', kid: 'w1' }, signer: macWith(key) },
    ]),
    ['64 zero bytes', { header: { alg: 'ES256', kid: 'w1' }, signer: () => Buffer.alloc(64) }],
    ['the key of somebody else', byAnother],
    ['the key of somebody else in the header', { ...byAnother, header: { alg: 'ES256', jwk: other.public_jwk } }],
    ['an unknown key', { header: { alg: 'ES256', kid: 'w9' }, signer: signedWith(w1) }],
    ['RS256', { header: { alg: 'RS256', kid: 'w1' }, signer: signedWith(w1) }],
    ['the algorithm of the other key', { header: { alg: 'EdDSA', kid: 'w1' }, signer: signedWith(w1) }],
  ];
  for (const [name, how] of forged) {
    const { browser, asked } = await sentToWebsite(byKey.origin);
    assert.equal(await refuses(browser, answerTo(asked, somebody(), how)), 'The response cannot be used', name);
  }
  for (const key of [w1, w2]) {
    const { browser, asked } = await sentToWebsite(byKey.origin);
    assert.match((await returnWith(browser, answerBy(key, asked, somebody()))).text, /id="allow"/, key.alg);
  }
});

test('an answer counts in the browser in which its sign-in began, and nowhere else', async () => {
  await registerPeople(database, ['victim']);
  const attacker = await sentToWebsite(origin);
  const response = answerTo(attacker.asked, somebody());
  const victims: [string, () => Promise<Browser>][] = [
    ['a browser without a sign-in', async () => new Browser(origin)],
    ['a browser with a sign-in of its own', async () => (await sentToWebsite(origin)).browser],
  ];
  for (const [name, open] of victims) {
    assert.equal(await refuses(await open(), response), 'This sign-in cannot be completed', name);
  }
  const signedIn = await sentToWebsite(origin);
  await returnWith(signedIn.browser, answerTo(signedIn.asked, somebody()));
  const session = signedIn.browser.cookies().get('session');
  assert.equal((await returnWith(signedIn.browser, response)).status, 400);
  assert.equal(signedIn.browser.cookies().get('session'), session);
  // the owner of the sign-in still succeeds
  assert.match((await returnWith(attacker.browser, response)).text, /id="allow"/);
});

test('whoever sends their own request to a victim does not become the victim', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'cross-site' };
  for (const form of [false, true]) {
    // the website knows the victim already, and answers at once; the nonce can be read in the request
    const mallory = await sentToWebsite(origin);
    const response = answerTo(mallory.asked, somebody());
    const victim = new Browser(origin);
    const arrived = form
      ? await victim.visit('/login/return', { method: 'POST', headers, body: encode({ response }) })
      : await returnWith(victim, response);
    assert.match(arrived.text, /This sign-in cannot be completed/);
    assert.doesNotMatch(arrived.url, /response=/);
    const page = await mallory.browser.visit(`/login/return?nonce=${mallory.asked.nonce}`);
    assert.equal(page.status, 400, page.url);
    assert.equal(mallory.browser.cookies().get('session'), undefined);
    // her own answer counts, whatever was brought before
    assert.match((await returnWith(mallory.browser, answerTo(mallory.asked, somebody()))).text, /id="allow"/);
  }
});

test('a cookie that somebody has planted, or given twice, leads nowhere', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const victim = new Browser(origin);
  victim.setCookie('sign-in', browser.cookies().get('sign-in') ?? '');
  victim.setCookie('sign-in ', 'another; sign-in=x');
  assert.equal(await refuses(victim, answerTo(asked, somebody())), 'This sign-in cannot be completed');
  const secure = await startLatchkey({ SIGN_IN_URL, SIGN_IN_SECRET: sharedSecret, ISSUER: 'https://id.example' }, url);
  const login = await new Browser(secure.origin).open(`/login?to=/account`);
  const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(login.text) ?? [];
  const cookies = login.headers.getSetCookie().map((line) => line.split(';')[0]);
  const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie: cookies.join('; ') };
  const sent = await fetch(`${secure.origin}/login?to=/account`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    body: encode({ csrf, website: '1' }),
  });
  const [cookie = ''] = sent.headers.getSetCookie().filter((line) => line.includes('sign-in'));
  assert.match(cookie, /^__Host-sign-in=[\w-]{22}; Max-Age=3600; Path=\/; .*HttpOnly; Secure; SameSite=Lax$/);
});

test('the nonce is made here, for one request, and the answer goes to the request that it names', async () => {
  const first = await sentToWebsite(origin, { nonce: 'chosen-by-the-caller', state: 'first' });
  assert.notEqual(first.asked.nonce, 'chosen-by-the-caller');
  const second = await sentToWebsite(origin, { state: 'second' }, first.browser);
  assert.notEqual(second.asked.nonce, first.asked.nonce);
  const page = await returnWith(first.browser, answerTo(first.asked, somebody()));
  assert.match(page.url, /state=first/);
  const answer = await first.browser.submit(page, 'id="allow"');
  assert.equal(new URL(answer.location ?? '').searchParams.get('state'), 'first');
});

test('the answer to a sign-in that began more than ten minutes ago is refused', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  await database.query(`update started_sign_ins set expires_at = now() - interval '1 second'`);
  assert.equal(await refuses(browser, answerTo(asked, somebody())), 'This sign-in cannot be completed');
});

test('a forged answer with the right nonce uses nothing up, whether it comes before or after the one of the website', async () => {
  const forge = (asked: Asked) => answerTo(asked, { sub: 'mallory' }, { signer: macWith('x'.repeat(32)) });
  const early = await sentToWebsite(origin);
  const refused = await returnWith(early.browser, forge(early.asked));
  assert.equal(refused.status, 400);
  assert.match((await returnWith(early.browser, answerTo(early.asked))).text, /id="allow"/);

  const late = await sentToWebsite(origin);
  const kept = await late.browser.open(`/login/return?${encode({ response: answerTo(late.asked) })}`);
  const forged = await late.browser.open(`/login/return?${encode({ response: forge(late.asked) })}`);
  assert.equal(kept.location, forged.location);
  assert.match((await late.browser.visit(kept.location ?? '')).text, /id="allow"/);
  const { rowCount } = await database.query(`select from users where subject = 'mallory'`);
  assert.equal(rowCount, 0);
});

test('a jti counts once, at whichever instance', async () => {
  const second = await startLatchkey({ SIGN_IN_URL, SIGN_IN_SECRET: sharedSecret, ISSUER: origin }, url);
  const jti = 'one-of-a-kind';
  const first = await sentToWebsite(origin);
  assert.match((await returnWith(first.browser, answerTo(first.asked, { ...somebody(), jti }))).text, /id="allow"/);
  const again = await sentToWebsite(origin);
  const elsewhere = new Browser(second.origin);
  for (const [name, value] of again.browser.cookies()) elsewhere.setCookie(name, value);
  assert.equal(await refuses(elsewhere, answerTo(again.asked, { ...somebody(), jti })), 'The response cannot be used');
});

test('of one answer that arrives many times at once, one signs in', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const kept = await browser.open(`/login/return?${encode({ response: answerTo(asked, somebody()) })}`);
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const once = () => fetch(origin + kept.location, { redirect: 'manual', headers: { cookie } });
  const statuses = (await Promise.all(Array.from({ length: 10 }, once))).map(({ status }) => status);
  assert.deepEqual(
    [302, 400].map((status) => statuses.filter((one) => one === status).length),
    [1, 9],
  );
});

test('prompt=login and max_age are checked by the auth_time of the website', async () => {
  const stale = 'A new sign-in is needed';
  const cases: [Record<string, string>, number, string | undefined][] = [
    [{ prompt: 'login' }, 0, undefined],
    [{ prompt: 'login' }, 10, stale],
    [{ max_age: '60' }, 50, undefined],
    [{ max_age: '60' }, 60, undefined],
    [{ max_age: '60' }, 65, stale],
    [{ max_age: '0' }, 0, undefined],
    [{ max_age: '0' }, 5, stale],
    [{}, 36_000, undefined],
  ];
  for (const [demand, age, title] of cases) {
    const { browser, asked } = await sentToWebsite(origin, demand);
    const response = answerTo(asked, { ...somebody(), auth_time: now() - age });
    if (title === undefined)
      assert.match((await returnWith(browser, response)).text, /id="allow"/, JSON.stringify([demand, age]));
    else assert.equal(await refuses(browser, response), title);
  }
});

test('a session is as old as the sign-in at the website, and a later demand sees that', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  await returnWith(browser, answerTo(asked, { ...somebody(), auth_time: now() - 300 }));
  assert.match((await browser.visit(`/authorize?${authorizationQuery({ max_age: '200' })}`)).text, /id="website"/);
  assert.match((await browser.visit(`/authorize?${authorizationQuery({ max_age: '400' })}`)).text, /id="allow"/);
});

test('a clock that is ahead makes no session of the future', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const ahead = now() + 20;
  await returnWith(browser, answerTo(asked, { sub: 'ahead', auth_time: ahead, iat: ahead, exp: ahead + 60 }));
  const { rows } = await database.query(
    `select auth_time <= now() as is_past from sessions join users using (user_id) where subject = 'ahead'`,
  );
  assert.deepEqual(rows, [{ is_past: true }]);
});

test('the clock of the database decides, whatever that of the instance says', async () => {
  const { now: real } = Date;
  const returnAt = async (seconds: number, changes: Record<string, unknown>) => {
    const { browser, asked } = await sentToWebsite(origin);
    const response = answerTo(asked, { ...somebody(), ...changes });
    Date.now = () => real() + seconds * 1000;
    try {
      return (await returnWith(browser, response)).status;
    } finally {
      Date.now = real;
    }
  };
  const hour = now() + 3600;
  for (const seconds of [90, -90, 3600]) assert.equal(await returnAt(seconds, {}), 200);
  assert.equal(await returnAt(3600, { iat: hour, exp: hour + 60, auth_time: hour }), 400);
});

test('the website cannot speak for an account of another source, nor for an administrator of here [A455]', async () => {
  await database.query(
    `select register_user(username => 'root', subject => 'root-1', password => 'correct horse', is_admin => true)`,
  );
  await database.query(`select keep_person('provider:acme', 'acme-1', 'from-acme')`);
  const { rows: before } = await database.query('select * from users order by user_id');
  const local = before.find(({ username }) => username === 'alice');
  for (const sub of ['root-1', 'acme-1', String(local.user_id)]) {
    const { browser, asked } = await sentToWebsite(origin);
    const title = await refuses(browser, answerTo(asked, { sub, username: 'taken-over', name: 'Taken Over' }), 403);
    assert.equal(title, 'You sign in to this account another way');
  }
  const { rows: after } = await database.query('select * from users order by user_id');
  assert.deepEqual(after, before);
  const { rows } = await database.query(`select detail from audit_events where event = 'sign_in_refused'`);
  assert.ok(rows.some(({ detail }) => detail === 'website: of_another_source'));
});

test('a disabled account cannot be opened, and the operator decides whose accounts the website may open', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  await database.query(`select keep_person('website', 'barred-1', 'barred')`);
  await database.query(`update users set disabled_at = now() where subject = 'barred-1'`);
  assert.equal(await refuses(browser, answerTo(asked, { sub: 'barred-1' }), 403), 'Your account is disabled');
  await database.query(`select register_user(username => 'moved', subject => 'moved-1')`);
  await database.query(`select move_account('moved-1', 'website')`);
  const sent = await sentToWebsite(origin);
  assert.match((await returnWith(sent.browser, answerTo(sent.asked, { sub: 'moved-1' }))).text, /id="allow"/);
});

test('claims that overreach change nothing [A455]', async () => {
  const claims = {
    sub: 'overreach-1',
    ...{ is_admin: true, admin: true, groups: ['admins'], scope: 'repo', client_id: 'photo-printer', user_id: 1 },
    ...{ email: 'alice@example.com', email_verified: true, username: 'alice', name: { first: 'A' } },
    ...{ amr: 'mfa', acr: ['2'], locale: 'de' },
  };
  const { browser, asked } = await sentToWebsite(origin);
  const consent = await returnWith(browser, answerTo(asked, claims));
  await redeem(origin, codeIn(await browser.submit(consent, 'id="allow"')));
  const { rows } = await database.query(
    `select username, is_admin, email_verified, users.name, data ? 'acr' or data ? 'amr' as has_level
     from users join sessions using (user_id) where subject = 'overreach-1'`,
  );
  assert.match(rows[0].username, /^alice-/);
  assert.deepEqual(
    { ...rows[0], username: '' },
    { username: '', is_admin: false, email_verified: false, name: null, has_level: false },
  );
  const many = await sentToWebsite(origin);
  const amr = Array.from({ length: 500 }, () => 'x');
  await returnWith(many.browser, answerTo(many.asked, { sub: 'many-1', amr }));
  const levels = await database.query(
    `select data ? 'amr' as has from sessions join users using (user_id) where subject = 'many-1'`,
  );
  assert.deepEqual(levels.rows, [{ has: false }]);
});

test('an answer of more than 8 KiB is refused at once, wherever it stands [A455]', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const response = answerTo(asked, { ...somebody(), padding: 'x'.repeat(9000) });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const start = process.cpuUsage();
  const posted = await browser.open('/login/return', { method: 'POST', headers, body: encode({ response }) });
  const { user, system } = process.cpuUsage(start);
  assert.ok(user + system < 500_000, `${user + system} µs`);
  assert.equal(posted.status, 400);
  assert.equal((await browser.open(`/login/return?${encode({ response })}`)).status, 400);
  const huge = await browser.open('/login/return', {
    method: 'POST',
    headers,
    body: `response=${'x'.repeat(1_000_000)}`,
  });
  assert.equal(huge.status, 413);
  assert.match((await returnWith(browser, answerTo(asked, somebody()))).text, /id="allow"/);
});

test('the way on is that of the stored request, whatever else the address says', async () => {
  for (const name of ['next', 'redirect_uri', 'return_to', 'to', 'client_id', 'query']) {
    const { browser, asked } = await sentToWebsite(origin);
    const evil = encode({ response: answerTo(asked, somebody()), [name]: 'https://evil.example/' });
    const page = await browser.visit(`/login/return?${evil}`);
    assert.equal(new URL(page.url).origin, origin);
    assert.match(page.text, /id="allow"/, name);
    assert.ok(!page.text.includes('evil'));
  }
});

test('what is no answer at all gets a page', async () => {
  const queries = [
    '',
    'response=',
    'response=x',
    'response=a.b.c',
    'nonce=x',
    'response=a&response=b',
    'nonce=%00&error=x',
  ];
  for (const query of [...queries, `nonce=${'x'.repeat(32)}`, `nonce=${'x'.repeat(32)}&error=access_denied`]) {
    const page = await new Browser(origin).visit(`/login/return?${query}`);
    assert.equal(page.status, 400, query);
    assert.match(page.text, /href="\/"/);
  }
});

test('who begins without end is stopped, by network', async () => {
  const { origin: limited, database: own } = await startWithPrinter({ SIGN_IN_URL, SIGN_IN_SECRET: sharedSecret });
  const { browser } = await sentToWebsite(limited);
  const login = await browser.visit(`/authorize?${authorizationQuery()}`);
  const { rowCount } = await own.query(
    `update attempts set attempts = 300, blocked_until = now() + interval '1 minute'`,
  );
  assert.ok(rowCount);
  const refused = await browser.submit(login, 'id="website"');
  assert.equal(refused.status, 429);
  assert.ok(Number(refused.headers.get('retry-after')) > 0);
});

test('each refusal is one line of the log with its reason, and without the answer', async () => {
  const { browser, asked } = await sentToWebsite(origin);
  const response = answerTo(asked, { ...somebody(), aud: 'https://elsewhere.example' });
  const from = logged.length;
  await refuses(browser, response);
  const lines = logged.slice(from).filter((line) => line.includes('aud is not exactly the issuer'));
  assert.equal(lines.length, 1);
  assert.ok(
    !logged
      .slice(from)
      .join('')
      .includes(String(decodeJwt(response)['sub'])),
  );
  assert.ok(await readRequest(origin, (await sentToWebsite(origin)).location));
});
