import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { unseal } from '../../src/lib/sealing.ts';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import type { Browser, Page } from '../support/browser.ts';
import { getUser, signedInBrowser } from '../support/flow.ts';
import { type Latchkey, registerPeople, startLatchkey } from '../support/latchkey.ts';
import { commandsOn, startLink, stepsOf, values } from '../support/playground.ts';

const people = [
  'alice',
  'plain',
  'prover',
  'thief',
  'denier',
  'attacker',
  'curl',
  'keys',
  'forger',
  'barred',
  'longname',
];

async function startPlayground(env: Record<string, string> = {}): Promise<Latchkey> {
  const server = await startLatchkey({ DEMO: 'true', ...env });
  await registerPlayground(server.deps);
  await registerPeople(server.database, people);
  return server;
}

const latchkey = await startPlayground();
const demanding = await startPlayground({ DPOP_NONCE: 'on' });

interface Story {
  browser: Browser;
  page: Page;
}

/** From the start page to the consent page, by the button that a person would press. */
async function ask(browser: Browser): Promise<Page> {
  return browser.submit(await browser.open('/playground?mode=bound'), 'id="start"');
}

async function run(username: string, server = latchkey): Promise<Story> {
  const browser = await signedInBrowser(server.origin, username);
  return { browser, page: await browser.submit(await ask(browser), 'id="allow"') };
}

const press = ({ browser, page }: Story, name: string) => browser.submit(page, `value="${name}"`);

const flow = [
  'push_request 201',
  'authorization_by_reference',
  'authorization_response',
  'token_request 200',
  'introspection_request 200',
  'resource_request 200',
];

/** The proofs in the requests on the page, from the first to the last. */
const proofsOn = (page: Page) =>
  [...page.text.matchAll(/<span class="soft">DPoP:<\/span> ([\w.-]+)/g)].map(([, proof = '']) => proof);

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

test('the start page shows the request that its button pushes, and the URL has only a reference to it [9126 §4]', async () => {
  const browser = await signedInBrowser(latchkey.origin);
  const start = await browser.open('/playground?mode=bound');
  assert.deepEqual(stepsOf(start), ['push_request']);
  assert.equal(values(start, 'response_type').length, 1);
  const consent = await browser.submit(start, 'id="start"');
  const sent = new URL(consent.url).searchParams;
  assert.deepEqual([...sent.keys()].sort(), ['client_id', 'request_uri']);
  const done = await browser.submit(consent, 'id="allow"');
  assert.deepEqual(stepsOf(done), flow);
  assert.deepEqual(values(done, 'state'), [...values(start, 'state'), ...values(start, 'state')]);
  assert.deepEqual(new Set(values(done, 'request_uri')), new Set([sent.get('request_uri')]));
});

test('the plain flow has no pushed request and no proof, and the switch leads to both kinds', async () => {
  const browser = await signedInBrowser(latchkey.origin, 'plain');
  const start = await browser.open('/playground');
  assert.match(start.text, /href="\/playground" aria-current="true">Plain/);
  assert.match(start.text, /href="\/playground\?mode=bound">Pushed request/);
  const done = await browser.submit(await browser.visit(startLink(start)), 'id="allow"');
  assert.deepEqual(values(done, 'token_type'), ['Bearer']);
  assert.deepEqual(proofsOn(done), []);
  assert.match((await browser.open('/playground?mode=bound')).text, /href="\/playground\?mode=bound" aria-current/);
});

test('each proof is made for its request, shown decoded, and of the key that introspection names [9449 §4.2, §6.2]', async () => {
  const { page } = await run('prover');
  const [access_token = ''] = values(page, 'access_token');
  assert.deepEqual(values(page, 'token_type'), ['DPoP', 'DPoP']);
  const [cnf = ''] = values(page, 'cnf');
  const { jkt } = JSON.parse(cnf);
  assert.deepEqual(values(page, 'dpop_jkt'), [jkt]);
  assert.deepEqual(values(page, 'thumbprint'), [jkt, jkt]);
  const requests = [
    { htm: 'POST', htu: `${latchkey.origin}/token`, ath: undefined },
    { htm: 'GET', htu: `${latchkey.origin}/user`, ath: digest(access_token) },
  ];
  for (const [at, proof] of proofsOn(page).entries()) {
    const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt' });
    const { htm, htu, ath, jti, iat } = payload;
    assert.deepEqual({ htm, htu, ath }, requests[at]);
    assert.equal(await calculateJwkThumbprint(protectedHeader.jwk ?? {}), jkt);
    for (const [name, value] of Object.entries({ htm, htu, jti, iat })) {
      assert.equal(values(page, name).filter((shown) => shown === String(value)).length > 0, true, name);
    }
    assert.equal(values(page, 'jwk')[at], JSON.stringify(protectedHeader.jwk, undefined, 2));
  }
  assert.deepEqual(values(page, 'ath'), [digest(access_token)]);
  assert.equal(proofsOn(page).length, requests.length);
  assert.match(page.text, /A random name by which the server recognizes a proof/);
  // only the first one is open
  assert.deepEqual(
    [...page.text.matchAll(/<details( open)?>\s*<summary>The DPoP proof/g)].map(([, open]) => open),
    [' open', undefined],
  );
});

test('a stolen bound token is refused as a bearer token, with a used proof and with a proof of another key [9449 §7.1, §11.1]', async () => {
  const story = await run('thief');
  const bearer = await press(story, 'stolen_bearer');
  assert.deepEqual(stepsOf(bearer), ['stolen_bearer 401']);
  const replayed = await press({ ...story, page: bearer }, 'stolen_replayed');
  assert.deepEqual(stepsOf(replayed), ['resource_request 200', 'stolen_replayed 401']);
  const [first, second] = proofsOn(replayed);
  assert.equal(first, second);
  assert.match(values(replayed, 'error_description')[0] ?? '', /it was used before/);
  const other = await press({ ...story, page: replayed }, 'stolen_other_key');
  assert.deepEqual(stepsOf(other), ['stolen_other_key 401']);
  assert.notDeepEqual(values(other, 'thumbprint'), values(story.page, 'dpop_jkt'));
  for (const page of [bearer, replayed, other]) {
    assert.match(page.text, /Refused, as it should be\./);
    assert.doesNotMatch(page.text, /Accepted: the thief/);
  }
  // the application itself is not harmed
  assert.deepEqual(stepsOf(await press({ ...story, page: other }, 'refresh')), [
    'refresh_request 200',
    'resource_request 200',
  ]);
});

test('a stolen bearer token works for the thief, and the page says so', async () => {
  const browser = await signedInBrowser(latchkey.origin, 'plain');
  const consent = await browser.visit(startLink(await browser.open('/playground?prompt=consent')));
  const page = await browser.submit(consent, 'id="allow"');
  assert.doesNotMatch(page.text, /value="stolen_(replayed|other_key)"/);
  const stolen = await press({ browser, page }, 'stolen_bearer');
  assert.deepEqual(stepsOf(stolen), ['stolen_accepted 200']);
  assert.match(stolen.text, /Accepted: the thief reads your profile\./);
  assert.match(stolen.text, /id="try-bound" class="button primary" href="\/playground\?mode=bound"/);
  assert.equal(stolen.text.match(/class="button primary"/g)?.length, 1, 'one primary button');
  assert.deepEqual(values(stolen, 'username'), ['plain']);
  assert.equal((await getUser(latchkey.origin, values(page, 'access_token')[0])).status, 200);
});

test('a denied pushed request is shown as a denial, and starting over pushes again', async () => {
  const browser = await signedInBrowser(latchkey.origin, 'denier');
  const page = await browser.submit(await ask(browser), 'id="deny"');
  assert.deepEqual(stepsOf(page), ['push_request 201', 'authorization_by_reference', 'refused_response']);
  assert.match(page.text, /id="restart"[^>]*href="\/playground\?mode=bound"/);
});

/** Each attempt of a bound flow with what the server answers; the last one revokes the tokens. */
const attempts: [name: string, steps: string[]][] = [
  ['refresh', ['refresh_request 200', 'resource_request 200']],
  ['change_profile', ['change_request 200']],
  ['tampered_token', ['tampered_token 401']],
  ['token_twice', ['token_twice 400']],
  ['wrong_secret', ['wrong_secret 401', 'resource_request 200']],
  ['foreign_redirect_uri', ['foreign_redirect_uri 400']],
  ['expired_token', ['expired_token 401', 'refresh_request 200', 'resource_request 200']],
  ['wrong_verifier', ['wrong_verifier 400', 'spent_code 400']],
  ['refresh_replay', ['refresh_request 200', 'refresh_request 200', 'refresh_replay 400', 'revoked_token 401']],
];

test('uses and attacks get the same answers with a bound token as with a bearer token', async () => {
  const story = await run('attacker');
  for (const [name, steps] of attempts) {
    story.page = await press(story, name);
    assert.deepEqual(stepsOf(story.page), steps, name);
    // whatever is refused is refused for its own reason
    assert.doesNotMatch(values(story.page, 'error').join(), /dpop/, name);
  }
  assert.doesNotMatch(story.page.text, /value="stolen_bearer"/);
  const again = { ...story, page: await story.browser.visit('/playground?mode=bound') };
  const done = await story.browser.submit(again.page, 'id="start"');
  assert.deepEqual(stepsOf(await press({ ...story, page: done }, 'reused_code')), [
    'reused_code 400',
    'revoked_token 401',
  ]);
});

test('a nonce that the server demands is in the next proof, and the demand is shown [9449 §8]', async () => {
  const story = await run('prover', demanding);
  assert.deepEqual(stepsOf(story.page), [...flow.slice(0, 3), 'nonce_demanded 400', ...flow.slice(3)]);
  const [demanded] = [...story.page.text.matchAll(/DPoP-Nonce:<\/span> ([\w-]+)/g)].map(([, nonce]) => nonce);
  assert.deepEqual(values(story.page, 'nonce')[0], demanded);
  // unless its minutes are over, the nonce of the latest answer serves for the next request
  const steps = stepsOf(await press(story, 'refresh')).filter((step) => !step.startsWith('nonce_demanded'));
  assert.deepEqual(steps, ['refresh_request 200', 'resource_request 200']);
  const stolen = stepsOf(await press(story, 'stolen_other_key'));
  assert.equal(stolen.at(-1), 'stolen_other_key 401');
});

test('the cookie holds a bound flow with nonces and an attempt, for a user with a long name', async () => {
  await demanding.database.query(`update users set name = repeat('名', 200), email = repeat('a', 190) || '@example.com'
    where username = 'longname'`);
  const story = await run('longname', demanding);
  assert.equal(stepsOf(story.page).at(-1), 'resource_request 200');
  const replayed = await press(story, 'refresh_replay');
  assert.equal(stepsOf(replayed).at(-1), 'revoked_token 401');
  assert.ok((story.browser.cookies().get('playground') ?? '').length <= 4000);
});

const shell = promisify(execFile);
const skip = !process.env['CI'] && spawnSync('curl', ['--version']).error !== undefined && 'there is no curl here';

test('each curl command runs, and the page says of those that cannot be repeated why', { skip }, async () => {
  const { page } = await run('curl');
  const commands = commandsOn(page);
  const statuses = [];
  for (const command of commands) {
    const { stdout } = await shell('sh', ['-c', command]);
    statuses.push(/^HTTP\/1\.1 (\d+)/.exec(stdout)?.[1]);
  }
  // the push, the answered request, the exchange with a used proof, the introspection, the resource with a used proof
  assert.deepEqual(statuses, ['201', '400', '400', '200', '401']);
  const said = page.text
    .split('<li class="exchange"')
    .map((html) => /accepts a proof only once|already answered/.exec(html));
  assert.deepEqual(
    said.map((match) => match?.[0]),
    [
      undefined,
      undefined,
      'already answered',
      undefined,
      'accepts a proof only once',
      undefined,
      'accepts a proof only once',
    ],
  );
});

test('each flow has a key of its own, which is in the encrypted cookie only: not on a page and not in the log', async () => {
  const { browser, page } = await run('keys');
  const cookie = Buffer.from(browser.cookies().get('playground') ?? '', 'base64url');
  const content = unseal(latchkey.deps.sessionSecrets, 'playground memory 3', cookie) ?? assert.fail('no memory');
  const { key } = JSON.parse(brotliDecompressSync(content).toString()).holding;
  assert.equal(await calculateJwkThumbprint(key), values(page, 'dpop_jkt')[0]);
  const everything = [page.text, (await press({ browser, page }, 'stolen_other_key')).text, ...latchkey.logged].join();
  assert.ok(!everything.includes(key.d));
  for (const proof of proofsOn(page)) assert.ok(!latchkey.logged.join().includes(proof));
  const next = await browser.open('/playground?mode=bound');
  assert.notDeepEqual(values(next, 'dpop_jkt'), values(page, 'dpop_jkt'));
});

test('a form that another site posts to the start of a bound flow pushes nothing', async () => {
  const pushed = async () => (await latchkey.database.query('select from pushed_requests')).rowCount;
  const browser = await signedInBrowser(latchkey.origin, 'forger');
  const start = await browser.open('/playground?mode=bound');
  const before = await pushed();
  assert.equal((await browser.submit(start, 'id="start"', { csrf: 'forged' })).status, 403);
  assert.equal(await pushed(), before);
  assert.match((await browser.submit(start, 'id="start"')).url, /request_uri=/);
  assert.notEqual(await pushed(), before);
});

test('a push that the server refuses is shown with its answer', async () => {
  const server = await startPlayground();
  const browser = await signedInBrowser(server.origin, 'barred');
  const start = await browser.open('/playground?mode=bound');
  await server.database.query("update clients set disabled_at = now() where client_id = 'playground'");
  assert.deepEqual(stepsOf(await browser.submit(start, 'id="start"')), ['push_request 401']);
  await server.database.query("update clients set disabled_at = null where client_id = 'playground'");
  assert.match((await browser.submit(start, 'id="start"')).url, /request_uri=/);
});
