import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { Browser } from '../../support/browser.ts';
import { problemOn, requestOf } from '../../support/client-documents.ts';
import { commandLineFor, registration } from '../../support/command-line.ts';
import { codeIn, getUser, post, refresh, signedInBrowser, verifier } from '../../support/flow.ts';
import { registerPeople, startLatchkey } from '../../support/latchkey.ts';
import { type Registration, register, sendJson } from '../../support/self-registration.ts';

// A client that registered itself is deleted when nobody has used it for long. If it comes back with its id, the page says what to do.

const { origin, database, url } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
await registerPeople(database);
const alice = await signedInBrowser(origin);
const sweep = createSweep(database);
const redirect_uri = 'https://app.example/cb';
const noHeader = { authorization: '' };

beforeEach(() => database.query('delete from attempts'));

async function registered(client_name: string): Promise<Registration> {
  const { status, body } = await register(origin, { client_name });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

const request = (client_id: string) => requestOf(client_id, { redirect_uri });
const codeFor = async (client_id: string) =>
  codeIn(await alice.submit(await alice.visit(request(client_id)), 'id="allow"'));

async function use(client_id: string) {
  const code = await codeFor(client_id);
  const exchange = { grant_type: 'authorization_code', client_id, code, redirect_uri, code_verifier: verifier };
  const { status, body } = await post(`${origin}/token`, exchange, noHeader);
  assert.equal(status, 200, JSON.stringify(body));
  // no answer waits for the note
  for (;;) {
    const { rows } = await database.query('select last_used_at from clients where client_id = $1', [client_id]);
    if (rows[0].last_used_at !== null) return body;
    await pause(20);
  }
}

/** As if the grants had ended, and everything about the client had been so many days earlier. */
async function age(client_id: string, days: number): Promise<void> {
  await database.query('update grants set revoked_at = now() where client_id = $1 and revoked_at is null', [client_id]);
  await database.query(
    "update grants set revoked_at = revoked_at - make_interval(days => 8) where client_id = $1 and revoked_at > now() - interval '1 day'",
    [client_id],
  );
  await database.query(
    `update clients
     set created_at = created_at - make_interval(days => $2), last_used_at = last_used_at - make_interval(days => $2)
     where client_id = $1`,
    [client_id, days],
  );
  // the codes go first, and the grants after them
  await sweep();
  await sweep();
}

const exists = async (client_id: string) =>
  (await database.query('select from clients where client_id = $1', [client_id])).rows.length > 0;

async function buried(client_name: string): Promise<Registration & { tokens: Awaited<ReturnType<typeof use>> }> {
  const client = await registered(client_name);
  const tokens = await use(client.client_id);
  await age(client.client_id, 401);
  assert.equal(await exists(client.client_id), false);
  return { ...client, tokens };
}

test('a client that registered itself lives for 30 days if nobody uses it, and for 400 days after its last use', async () => {
  const [unused, used] = [await registered('Unused'), await registered('Used')];
  await use(used.client_id);
  for (const [days, ...alive] of [
    [29, true, true],
    [2, false, true],
    [368, false, true],
    [2, false, false],
  ] as const) {
    for (const { client_id } of [unused, used]) await age(client_id, days);
    assert.deepEqual([await exists(unused.client_id), await exists(used.client_id)], alive);
  }
});

const wordsOn = (text: string) => /<p id="buried">(.*?)<\/p>/.exec(text)?.[1]?.replace(/<[^>]*>/g, '');

test('its page at /authorize names it, and says in each language what to do [A558]', async () => {
  const { client_id } = await buried('Claude & <Co>');
  for (const [language, words] of [
    ['en', /^“Claude &amp; &lt;Co&gt;” is no longer registered here.*disconnect this server and connect it again\.$/],
    ['de', /^„Claude &amp; &lt;Co&gt;“ ist hier nicht mehr registriert.*Trennen Sie/],
    ['fr', /^«\u202fClaude &amp; &lt;Co&gt;\u202f» n’est plus enregistrée ici/],
    ['es', /^«Claude &amp; &lt;Co&gt;» ya no está registrada aquí/],
    ['zh', /^“Claude &amp; &lt;Co&gt;”因长期无人使用/],
  ] as const) {
    for (const browser of [alice, new Browser(origin)]) {
      const page = await browser.open(`${request(client_id)}&ui_locales=${language}`);
      assert.equal(problemOn(page), 'client_id names no application registered here');
      assert.match(wordsOn(page.text) ?? page.text, words);
      assert.doesNotMatch(page.text, /Please send the developer|You were not redirected/);
    }
  }
});

test('nothing names a client that was never used, was disabled or deleted, or never existed [A558]', async () => {
  const names = ['Never', 'Disabled', 'Deleted', 'Itself'];
  const [never, disabled, deleted, itself] = await Promise.all(names.map(registered));
  assert.ok(never && disabled && deleted && itself);
  for (const { client_id } of [disabled, deleted, itself]) await use(client_id);
  await database.query('update clients set disabled_at = now() where client_id = $1', [disabled.client_id]);
  await database.query('update clients set deleted_at = now(), disabled_at = now() where client_id = $1', [
    deleted.client_id,
  ]);
  const { registration_client_uri, registration_access_token } = itself;
  assert.equal((await sendJson(registration_client_uri, 'DELETE', undefined, registration_access_token)).status, 204);
  for (const { client_id } of [never, disabled, deleted, itself]) await age(client_id, 500);
  const random = `app-${'0'.repeat(32)}`;
  const pages = [];
  for (const client_id of [random, ...[never, disabled, deleted, itself].map((one) => one.client_id)]) {
    const page = await new Browser(origin).open(request(client_id));
    assert.equal(problemOn(page), 'client_id names no application registered here');
    const own = /[0-9a-f]{12}-\d+/g;
    pages.push(page.text.replaceAll(client_id, 'ID').replaceAll(encodeURIComponent(client_id), 'ID').replace(own, ''));
  }
  for (const page of pages) {
    assert.equal(page, pages[0]);
    for (const name of names) assert.doesNotMatch(page, new RegExp(name));
  }
  // while it is there, it bars its site
  await database.query('delete from clients where client_id = $1', [disabled.client_id]);
});

test('programs get the answer that an unknown client gets, and the graves are not looked at for it [A558]', async () => {
  const { client_id, tokens } = await buried('Buried');
  const ask = async (id: string) => {
    const answers = [];
    for (const [path, parameters] of [
      ['/token', { grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) }],
      ['/token', { grant_type: 'authorization_code', code: 'x', redirect_uri, code_verifier: verifier }],
      ['/par', Object.fromEntries(new URLSearchParams(request(id).split('?')[1]))],
      ['/revoke', { token: String(tokens['refresh_token']) }],
      ['/introspect', { token: String(tokens['access_token']) }],
    ] as [string, Record<string, string>][]) {
      await database.query('delete from attempts');
      const { status, body, headers } = await post(`${origin}${path}`, { ...parameters, client_id: id }, noHeader);
      const { request_id: _, ...rest } = body;
      const names = [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name));
      answers.push({ path, status, rest, names });
    }
    return answers;
  };
  await database.query('alter table buried_clients rename to renamed');
  try {
    const answers = await ask(client_id);
    assert.deepEqual(answers, await ask(`app-${'1'.repeat(32)}`));
    assert.deepEqual([answers[0]?.status, answers[0]?.rest['error']], [401, 'invalid_client']);
  } finally {
    await database.query('alter table renamed rename to buried_clients');
  }
});

test('a buried id is given to nobody, nothing of it lives, and no page shows it [A559]', async () => {
  const { client_id, tokens, registration_client_uri, registration_access_token, ...stated } = await buried('Ghost');
  const seed = `select register_client(client_id => '${client_id}', name => 'New', site_domain => 'app.example',
    redirect_uris => array['${redirect_uri}'], scopes => array['user:name'])`;
  await assert.rejects(database.query(seed), /was that of an application that had registered itself/);
  const { latchkey } = commandLineFor(url);
  const { code, err } = await latchkey(registration(client_id));
  assert.deepEqual([code, /choose another one/.test(err)], [1, true], err);
  const members = { client_id, redirect_uris: stated['redirect_uris'] };
  for (const [method, body] of [['PUT', members], ['GET'], ['DELETE']] as [string, object?][]) {
    const answer = await sendJson(registration_client_uri, method, body, registration_access_token);
    assert.equal(answer.status, 401, method);
  }
  assert.notEqual((await registered('Ghost')).client_id, client_id);
  assert.equal((await getUser(origin, tokens['access_token'])).status, 401);
  assert.equal((await refresh(origin, tokens['refresh_token'], { client_id }, noHeader)).status, 401);
  assert.doesNotMatch((await alice.visit('/account')).text, new RegExp(client_id));
  const application = await alice.open(`/account/applications/${client_id}`);
  assert.equal(application.status, 404);
  const { rows } = await database.query('select from clients where client_id = $1', [client_id]);
  assert.deepEqual(rows, []);
});

test('a grave is kept for 400 days', async () => {
  const { client_id } = await buried('Forgotten');
  const graves = async (days: number) => {
    await database.query(
      'update buried_clients set buried_at = buried_at - make_interval(days => $2) where client_id = $1',
      [client_id, days],
    );
    await sweep();
    return (await database.query('select name from buried_clients where client_id = $1', [client_id])).rows;
  };
  assert.deepEqual(await graves(399), [{ name: 'Forgotten' }]);
  assert.deepEqual(await graves(2), []);
  assert.equal(wordsOn((await alice.open(request(client_id))).text), undefined);
});
