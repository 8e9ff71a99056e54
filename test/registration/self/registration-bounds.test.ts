import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecret } from '../../../src/lib/secrets.ts';
import { startLatchkey } from '../../support/latchkey.ts';
import { invite, metadata, register, sendJson } from '../../support/self-registration.ts';

const open = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
const invited = await startLatchkey({ REGISTRATION_ENDPOINT: 'token' }, open.url);
const { database } = open;

/** What fills a body of 16 KB: one host with 7500 labels. */
const endless = `https://${'a.'.repeat(7500)}example/cb`;
const harmless = `https://app.example/${'a.'.repeat(7500)}`;

async function registerFreely(changes: Record<string, unknown>) {
  await database.query('delete from attempts');
  return register(open.origin, changes);
}

/** Microseconds of this process, which includes the server: the least of three times, as it also collects garbage and compiles. */
async function workOf(run: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const begun = process.cpuUsage();
    await run();
    times.push(process.cpuUsage(begun).user);
  }
  return Math.min(...times);
}

test('a host with thousands of labels costs no more work than another text of its length, with an invitation, without and in a change [A334]', async () => {
  const { body: own } = await registerFreely({});
  const change = (redirect_uri: string) =>
    sendJson(
      `${open.origin}/register/${own.client_id}`,
      'PUT',
      { ...metadata, client_id: own.client_id, redirect_uris: [redirect_uri] },
      own.registration_access_token,
    );
  const strangers = () => createSecret('initial_access_token');
  for (const [what, send] of [
    ['open', (redirect_uri: string) => registerFreely({ redirect_uris: [redirect_uri] })],
    ['invited', async (uri: string) => register(invited.origin, { redirect_uris: [uri] }, await invite(database))],
    ['made-up invitation', (uri: string) => register(invited.origin, { redirect_uris: [uri] }, strangers())],
    ['change', change],
  ] as const) {
    await send(harmless);
    const repeat = (uri: string) =>
      workOf(async () => {
        for (let count = 0; count < 5; count += 1) await send(uri);
      });
    const usual = await repeat(harmless);
    const work = await repeat(endless);
    assert.ok(work < 5 * usual, `${what}: ${work} instead of ${usual} microseconds`);
  }
});

test('an invitation that counts for nothing is refused before anything else is looked at [7591 §3] [A326]', async () => {
  const used = await invite(database);
  assert.equal((await register(invited.origin, {}, used)).status, 201);
  for (const token of [used, createSecret('initial_access_token')]) {
    for (const changes of [{ redirect_uris: [] }, { redirect_uris: [endless] }, { scope: 'nonsense' }, { jwks: 7 }]) {
      const { status, body } = await register(invited.origin, changes, token);
      assert.deepEqual([status, body['error']], [401, 'invalid_token'], Object.keys(changes)[0]);
    }
  }
  assert.equal((await register(invited.origin, {}, await invite(database))).status, 201);
});

const label = 'a'.repeat(63);
/** 63 + 1 + 63 + 1 + 63 + 1 + 53 + 8 */
const longest = `${label}.${label}.${label}.${'a'.repeat(53)}.example`;

test('a host has at most 253 characters and each of its labels 63, at every place where it is registered [1035 §2.3.4] [A334]', async () => {
  const bySeed = (site_domain: string, redirect_uri: string) =>
    database.query(
      `select register_client(client_id => 'seeded', client_secret => repeat('x', 40), name => 'App', site_domain => $1,
         redirect_uris => array[$2], scopes => array['user:name'])`,
      [site_domain, redirect_uri],
    );
  assert.equal(longest.length, 253);
  for (const [host, fits] of [
    [longest, true],
    [`a${longest}`, false],
    [`${label}.example`, true],
    [`a${label}.example`, false],
    [`${'a.'.repeat(7500)}example`, false],
  ] as const) {
    const uri = `https://${host}/cb`;
    const { status, body } = await registerFreely({ redirect_uris: [uri] });
    assert.equal(status, fits ? 201 : 400, host);
    if (!fits)
      assert.match(String(body['error_description']), /^redirect_uris: (host too long|uri too long) \(URI 1\)$/, host);
    const scheme = `${host.split('.').reverse().join('.')}:/cb`;
    assert.equal((await registerFreely({ redirect_uris: [scheme] })).status, fits ? 201 : 400, scheme);
    const seeded = bySeed(host, uri);
    await (fits
      ? seeded
      : assert.rejects(seeded, /site_domain is longer than 253 characters, or a part of it longer than 63/));
    const faultOfUri = fits ? /lies outside/ : /has a host name longer than 253|is longer than 2000/;
    await assert.rejects(bySeed('localhost', uri), faultOfUri);
  }
});
