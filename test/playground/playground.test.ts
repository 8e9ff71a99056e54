import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { findClient } from '../../src/clients/clients.sql.ts';
import { credentialKey } from '../../src/lib/secrets.ts';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { Browser, type Page } from '../support/browser.ts';
import { getUser, signedInBrowser } from '../support/flow.ts';
import { password, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { commandsOn, startLink, stepsOf, values } from '../support/playground.ts';
import { unescapeHtml } from '../support/shown-program.ts';

const latchkey = await startLatchkey({ DEMO: 'true' });
await registerPlayground(latchkey.deps);
// a user for each test, so that the remembered consent of one test does not affect another
await registerPeople(latchkey.database, [
  ...[
    'alice',
    'ticked',
    'refuser',
    'reuser',
    'verifier',
    'foreign',
    'expired',
    'refresher',
    'replayer',
    'secretive',
    'teller',
    'folder',
  ],
  ...[
    'tamperer',
    'twice',
    'writer',
    'revoker',
    'forger',
    'reloader',
    'continuer',
    'longname',
    'curl',
    'pasted',
    'unseen',
    'explained',
    'worker',
    'boxed',
  ],
]);

/** From the start page to the consent page, by the link that a person would click. */
async function ask(browser: Browser, path = '/playground'): Promise<Page> {
  const start = await browser.open(path);
  assert.equal(start.status, 200);
  return browser.visit(startLink(start));
}

/** The flow with all boxes but the given ones left ticked; the page that tells what happened. */
async function run(username: string, unticked: string[] = []): Promise<{ browser: Browser; page: Page }> {
  const browser = await signedInBrowser(latchkey.origin, username);
  const consent = await ask(browser);
  const scope = ['user:name', 'user:email', 'user:write', 'repo:read', 'repo:write'];
  const ticked = scope.filter((name) => !unticked.includes(name));
  return { browser, page: await browser.submit(consent, 'id="allow"', { scope: ticked }) };
}

const press = ({ browser, page }: { browser: Browser; page: Page }, name: string) =>
  browser.submit(page, `value="${name}"`);

test('the start page explains the request that its link sends', async () => {
  const browser = await signedInBrowser(latchkey.origin);
  const page = await browser.open('/playground');
  const sent = new URL(startLink(page)).searchParams;
  assert.deepEqual([...sent.keys()].sort(), [
    'client_id',
    'code_challenge',
    'code_challenge_method',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
  ]);
  for (const [name, value] of sent) assert.deepEqual(values(page, name), [value]);
  const [, whole = ''] = /<pre class="http" id="url">([^<]*)<\/pre>/.exec(page.text) ?? [];
  assert.equal(unescapeHtml(whole), startLink(page), 'the whole address can be copied');
  assert.match(page.text, /data-copy="url"/);
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(page.text, /<a href="\/developer">Developer documentation<\/a>/);
});

test('the table of an answer explains every member, of the tokens and of the profile', async () => {
  const { page } = await run('explained');
  const rows = [...page.text.matchAll(/<th scope="row">(\w+)<\/th><td>([\s\S]*?)<\/td>/g)];
  const names = rows.map(([, name = '']) => name);
  const told = ['refresh_token_expires_in', 'id', 'sub', 'username', 'email'];
  assert.deepEqual(
    told.filter((name) => !names.includes(name)),
    [],
  );
  const ofScope = rows.flatMap(([, name, cell = '']) => (name === 'scope' ? /<small>(.*?)</.exec(cell)?.[1] : []));
  assert.deepEqual(ofScope, ['What the application asks for.', 'What the user allowed.']);
  const unexplained = rows.filter(([, , cell = '']) => !/<small>[^<]/.test(cell));
  assert.deepEqual(
    unexplained.map(([, name]) => name),
    [],
  );
});

test('the playground does not receive an e-mail address that the user unticked', async () => {
  const { page } = await run('ticked', ['user:email', 'repo:write']);
  assert.deepEqual(stepsOf(page), [
    'authorization_request',
    'authorization_response',
    'token_request 200',
    'resource_request 200',
  ]);
  assert.deepEqual(values(page, 'username'), ['ticked']);
  assert.doesNotMatch(page.text, /ticked@example\.com/);
  assert.deepEqual(
    [...page.text.matchAll(/<li class="(yes|no)">[\s\S]*?<code>([\w:]+)<\/code>/g)].map(
      ([, is, name]) => `${name} ${is}`,
    ),
    ['user:name yes', 'user:email no', 'user:write yes', 'repo:read yes', 'repo:write no'],
  );
});

test('reloading the result page does not redeem the code again', async () => {
  const { browser, page } = await run('reloader');
  assert.match(page.url, /\/playground\/flow$/);
  const again = await browser.open(page.url);
  assert.deepEqual(stepsOf(again), stepsOf(page));
  const [access_token] = values(page, 'access_token');
  assert.equal((await getUser(latchkey.origin, access_token)).status, 200);
});

test('a denied consent is shown as a denial', async () => {
  const browser = await signedInBrowser(latchkey.origin, 'refuser');
  const page = await browser.submit(await ask(browser), 'id="deny"');
  assert.equal(page.status, 200);
  assert.deepEqual(stepsOf(page), ['authorization_request', 'refused_response']);
  assert.deepEqual(values(page, 'error'), ['access_denied']);
  assert.match(page.text, /id="outcome"/);
  assert.doesNotMatch(page.text, /id="worked"/);
});

test('the page says that the flow worked once the profile was read, beside no attempt, and leads to the registration', async () => {
  const story = await run('worker');
  assert.match(story.page.text, /id="worked"><p><strong>It worked\.<\/strong>.*href="\/developer\/register"/);
  for (const attempt of ['refresh', 'wrong_secret', 'refresh_replay'])
    assert.doesNotMatch((await press(story, attempt)).text, /id="worked"/, attempt);
  assert.match((await story.browser.visit('/playground/flow')).text, /id="worked"/);
  assert.doesNotMatch((await story.browser.visit('/playground')).text, /id="worked"/);
  await latchkey.database.query("update users set is_admin = true where username = 'worker'");
  assert.match(
    (await story.browser.visit('/playground/flow')).text,
    /id="register" class="button primary" href="\/developer\/applications\/new"/,
    'only administrators may register applications here',
  );
});

test('the request is said once: a box below its address shows it only with its headers', async () => {
  const { page } = await run('boxed');
  const shown = [...page.text.matchAll(/<h3>Request<\/h3>([\s\S]*?)<h3>Response/g)].map(([, html = '']) => html);
  assert.equal(shown.length > 1, true);
  for (const html of shown) assert.equal(html.includes('class="http"'), html.includes('Authorization:'));
});

test('every message is laid out below its address and status, and can be folded', async () => {
  const story = await run('folder');
  const laidOut = ({ text }: Page) =>
    [...text.matchAll(/<details( open)?>\s*<summary><code><b>(\w+)<\/b> \S+( → <b>\d+<\/b>)?<\/code>/g)].map(
      ([, open = '', method, status = '']) => `${method}${status.replace(/<\/?b>/g, '')}${open}`,
    );
  assert.deepEqual(laidOut(story.page), ['GET open', 'GET open', 'POST → 200 open', 'GET → 200 open']);
  const attempt = await press(story, 'refresh');
  assert.deepEqual(laidOut(attempt), ['POST → 200 open', 'GET → 200 open']);
  assert.ok(story.page.text.indexOf('id="use"') < story.page.text.indexOf('class="exchange" id='));
  assert.ok(
    attempt.text.indexOf('class="exchange" id=') < attempt.text.indexOf('id="use"'),
    'what came of it is first',
  );
});

test('redeeming a code twice is refused, and its tokens are revoked [6749 §4.1.2]', async () => {
  const story = await run('reuser');
  const page = await press(story, 'reused_code');
  assert.deepEqual(stepsOf(page), ['reused_code 400', 'revoked_token 401']);
  assert.deepEqual(values(page, 'error'), ['invalid_grant', 'invalid_token']);
  assert.equal((await getUser(latchkey.origin, values(story.page, 'access_token')[0])).status, 401);
  // nothing that needs a token is offered any more, and the page says why
  assert.match(page.text, /The server revoked the tokens because of this attack\. Start over to get new ones\./);
  assert.match(page.text, /href="#break"/);
  assert.doesNotMatch(page.text, /id="(use|theft)"/);
});

test('a refused exchange is named above all messages as refused, and a successful one is not', async () => {
  const story = await run('teller');
  // a notice with a link to each message of which it speaks
  const refusedOn = ({ text }: Page) => {
    const [above = ''] = text.split('<div class="steps">');
    const [, notice = ''] = /Refused, as it should be\.<\/strong>([\s\S]*?)<\/div>/.exec(above) ?? [];
    return [...notice.matchAll(/<code>([^<]*)<\/code> · <a href="#([^"]*)"/g)].map(([, code, place]) => [code, place]);
  };
  assert.deepEqual(refusedOn(await press(story, 'refresh')), []);
  const replayed = await press(story, 'refresh_replay');
  assert.deepEqual(stepsOf(replayed), [
    'refresh_request 200',
    'refresh_request 200',
    'refresh_replay 400',
    'revoked_token 401',
  ]);
  assert.deepEqual(refusedOn(replayed), [
    ['400 invalid_grant', 'refresh_replay-3'],
    ['401 invalid_token', 'revoked_token-4'],
  ]);
  for (const [, place] of refusedOn(replayed)) assert.ok(replayed.text.includes(`<li class="exchange" id="${place}"`));
  assert.equal(replayed.text.match(/Refused, as it should be/g)?.length, 1);
  assert.doesNotMatch(replayed.text, /id="outcome"/);
});

test('a wrong verifier spends the new code and leaves the earlier tokens valid [7636 §4.6]', async () => {
  const story = await run('verifier');
  const page = await press(story, 'wrong_verifier');
  assert.deepEqual(stepsOf(page), ['wrong_verifier 400', 'spent_code 400']);
  assert.notEqual(values(page, 'code')[0], values(story.page, 'code')[0]);
  assert.equal((await getUser(latchkey.origin, values(story.page, 'access_token')[0])).status, 200);
});

test('an unregistered redirection URI gets an error page and no redirect [6749 §3.1.2.4]', async () => {
  const page = await press(await run('foreign'), 'foreign_redirect_uri');
  assert.deepEqual(stepsOf(page), ['foreign_redirect_uri 400']);
  assert.doesNotMatch(page.text, />Location:</);
  const shown = /<p><a href="([^"]*attacker[^"]*)"/.exec(page.text)?.[1] ?? '';
  const own = await fetch(unescapeHtml(shown), { redirect: 'manual' });
  assert.equal(own.status, 400);
  assert.match(await own.text(), /id="error"/);
});

test('an expired access token is refused, and a refresh replaces it [6750 §3.1]', async () => {
  const story = await run('expired');
  const page = await press(story, 'expired_token');
  assert.deepEqual(stepsOf(page), ['expired_token 401', 'refresh_request 200', 'resource_request 200']);
  const [access_token] = values(story.page, 'access_token');
  const { rows } = await latchkey.database.query(
    `select expires_at <= now() as is_expired, revoked_at from access_tokens
     where access_token_sha256 = $1`,
    [credentialKey(access_token ?? '')],
  );
  assert.deepEqual(rows, [{ is_expired: true, revoked_at: null }]);
});

test('a refresh returns new tokens, which the next request uses', async () => {
  const story = await run('refresher');
  const first = await press(story, 'refresh');
  assert.deepEqual(stepsOf(first), ['refresh_request 200', 'resource_request 200']);
  const second = await press({ ...story, page: first }, 'refresh');
  const [presented, next] = values(second, 'refresh_token');
  assert.equal(presented, values(first, 'refresh_token')[1]);
  assert.notEqual(next, presented);
});

test('reusing an old refresh token revokes the whole family [9700 §4.14.2]', async () => {
  const page = await press(await run('replayer'), 'refresh_replay');
  assert.deepEqual(stepsOf(page), [
    'refresh_request 200',
    'refresh_request 200',
    'refresh_replay 400',
    'revoked_token 401',
  ]);
  assert.doesNotMatch(page.text, /value="refresh"/);
});

test('a wrong client secret gets a challenge and revokes nothing [6749 §5.2]', async () => {
  const page = await press(await run('secretive'), 'wrong_secret');
  assert.deepEqual(stepsOf(page), ['wrong_secret 401', 'resource_request 200']);
  assert.deepEqual(values(page, 'error'), ['invalid_client']);
  assert.match(page.text, /WWW-Authenticate:<\/span> Basic/);
});

test('an access token with one character changed is refused', async () => {
  const page = await press(await run('tamperer'), 'tampered_token');
  assert.deepEqual(stepsOf(page), ['tampered_token 401']);
  assert.deepEqual(values(page, 'error'), ['invalid_token']);
});

test('a valid access token that is sent twice in one request is refused [6750 §2]', async () => {
  const page = await press(await run('twice'), 'token_twice');
  assert.deepEqual(stepsOf(page), ['token_twice 400']);
  assert.deepEqual(values(page, 'error'), ['invalid_request']);
});

test('the profile can be changed with the write scope, and not without it [6750 §3.1]', async () => {
  const story = await run('writer', ['user:write']);
  const refused = await press(story, 'change_profile');
  assert.deepEqual(stepsOf(refused), ['change_request 403']);
  assert.match(refused.text, /scope=&#34;user:write&#34;/);
  const consent = await ask(story.browser, '/playground?prompt=consent');
  const scope = ['user:name', 'user:write'];
  const page = await story.browser.submit(consent, 'id="allow"', { scope });
  assert.deepEqual(stepsOf(await press({ ...story, page }, 'change_profile')), ['change_request 200']);
});

test('a revoked token is invalid at once [7009 §2]', async () => {
  const page = await press(await run('revoker'), 'revoke');
  assert.deepEqual(stepsOf(page), ['revocation_request 200', 'revoked_token 401']);
});

test('a response with a wrong state or issuer is discarded, and the genuine one still works', async () => {
  const browser = await signedInBrowser(latchkey.origin, 'forger');
  const consent = await ask(browser);
  const state = new URL(consent.url).searchParams.get('state') ?? '';
  const iss = latchkey.origin;
  for (const forged of [
    { code: 'stolen', state: 'of-somebody-else', iss },
    { code: 'stolen', state, iss: 'https://other.example' },
    { code: 'stolen', state },
    { state, iss },
  ]) {
    const page = await browser.open(`/playground/callback?${new URLSearchParams(forged as Record<string, string>)}`);
    assert.equal(page.status, 400);
    assert.match(page.text, /id="problem"/);
    assert.doesNotMatch(page.text, /stolen/);
  }
  assert.deepEqual(stepsOf(await browser.submit(consent, 'id="allow"')).at(-1), 'resource_request 200');
});

test('a callback without the playground’s cookie suggests that the host names differ', async () => {
  const page = await fetch(`${latchkey.origin}/playground/callback?code=x&state=y&iss=z`);
  assert.equal(page.status, 400);
  assert.match(await page.text(), /a cookie for 127\.0\.0\.1 is not sent to localhost/);
});

test('the playground, opened under a host other than the issuer’s, says so and links to the right one', async () => {
  const page = await fetch(`${latchkey.origin.replace('127.0.0.1', 'localhost')}/playground`);
  const text = await page.text();
  const notice = /id="other-host">[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
  assert.match(notice, /localhost/);
  assert.ok(notice.includes(`class="button primary" href="${latchkey.origin}/playground"`));
  assert.match(notice, /so signing in would not work here/);
  // a flow that would fail for lack of cookies is not the first choice, and is folded away
  const anyway = /<summary>Start here anyway[^<]*<\/summary>(?:(?!<\/details>)[\s\S])*id="start" class="button"/;
  assert.match(text, anyway);
  assert.doesNotMatch(text, /class="enter"/, 'a sign-in here is of no use to the flow');
  const own = await (await fetch(`${latchkey.origin}/playground`)).text();
  assert.match(own, /id="start" class="button primary"/);
  assert.match(own, /class="enter" href="\/login\?to=%2Fplayground"/);
  assert.doesNotMatch(own, /Start here anyway|other-host/);
});

test('behind a proxy the playground still reaches the server, and shows the issuer’s addresses', async () => {
  const issuer = 'https://id.example/auth';
  const server = await startLatchkey({ DEMO: 'true', ISSUER: issuer });
  await registerPlayground(server.deps);
  await registerPeople(server.database);
  const inside = (address = '') => address.replace(new URL(issuer).origin, server.origin);
  const browser = new Browser(server.origin);
  const start = await browser.open('/auth/playground');
  const consent = await browser.visit(inside(startLink(start)));
  const asked = await browser.submit(consent, 'id="login"', { username: 'alice', password });
  const answered = await browser.submit(asked, 'id="allow"');
  const page = await browser.visit(inside(answered.location));
  assert.deepEqual(stepsOf(page).slice(2), ['token_request 200', 'resource_request 200']);
  assert.match(page.text, /<b>POST<\/b> https:\/\/id\.example\/auth\/token/);
  assert.doesNotMatch(page.text, /<b>(GET|POST)<\/b> http:/);
});

test('the playground’s cookie holds the result for a user with a long multi-byte name', async () => {
  await latchkey.database.query(`update users set name = repeat('名', 200), email = repeat('a', 190) || '@example.com'
    where username = 'longname'`);
  const { page } = await run('longname');
  assert.equal(stepsOf(page).at(-1), 'resource_request 200');
});

test('a form that another site posts to the playground has no effect', async () => {
  const { browser, page } = await run('alice');
  const refused = await browser.submit(page, 'value="reused_code"', { csrf: 'forged' });
  assert.equal(refused.status, 403);
  assert.equal((await getUser(latchkey.origin, values(page, 'access_token')[0])).status, 200);
});

const shell = promisify(execFile);
const skip = !process.env['CI'] && spawnSync('curl', ['--version']).error !== undefined && 'there is no curl here';

test('each curl command produces in a terminal what the page shows', { skip }, async () => {
  const { page } = await run('curl');
  const commands = commandsOn(page);
  assert.equal(commands.length, 3);
  const statuses = [];
  // the resource first: the token request is a replay, which ends the token
  for (const command of [commands[0], commands[2], commands[1]]) {
    const { stdout } = await shell('sh', ['-c', command ?? '']);
    statuses.push(/^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1]);
  }
  assert.deepEqual(statuses, ['302', '200', '400']);
});

test('the curl command of a person whose name attacks who pastes it sends that name and runs nothing else [A374]', {
  skip,
}, async () => {
  const name = `';echo pwned;'$(echo pwned)\`echo pwned\`"\\`;
  await latchkey.database.query("update users set name = $1 where username = 'pasted'", [name]);
  const changed = await press(await run('pasted'), 'change_profile');
  const [command = ''] = commandsOn(changed);
  const { stdout } = await shell('sh', ['-c', command]);
  const [, body = ''] = stdout.split('\r\n\r\n');
  assert.equal(JSON.parse(body).name, name);

  await latchkey.database.query("update users set name = 'Alice\u202e' where username = 'unseen'");
  const [hidden = ''] = commandsOn(await press(await run('unseen'), 'change_profile'));
  assert.match(hidden, /PUT-THE-VALUE-HERE/);
  assert.doesNotMatch(hidden, /\u202e/);
});

test('another process continues the run, because its state is in the cookie', async () => {
  const { browser, page } = await run('continuer');
  const other = await startLatchkey({ DEMO: 'true', ISSUER: latchkey.origin }, latchkey.url);
  const cookie = [...browser.cookies()].map(([name, value]) => `${name}=${value}`).join('; ');
  const told = await fetch(`${other.origin}/playground/flow`, { headers: { cookie } });
  assert.match(await told.text(), new RegExp(values(page, 'access_token')[0] ?? 'no token'));
});

test('without DEMO there is neither a playground nor its client', async () => {
  const server = await startLatchkey({ DEMO: 'false' });
  await registerPlayground(server.deps);
  assert.equal(await findClient(server.database, 'playground'), undefined);
  for (const path of ['/playground', '/playground/callback', '/playground/flow', '/playground/tried']) {
    assert.equal((await fetch(server.origin + path)).status, 404);
  }
  assert.equal((await fetch(`${server.origin}/playground/break`, { method: 'POST' })).status, 404);
});
