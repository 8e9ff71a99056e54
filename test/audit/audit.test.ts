import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSecret } from '../../src/lib/secrets.ts';
import { eventsOf, freshTokens } from '../support/attack.ts';
import { Browser } from '../support/browser.ts';
import { authorizationQuery, basic, codeIn, obtainCode, post, redeem, refresh, verifier } from '../support/flow.ts';
import { password, printer, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, logged } = await startWithPrinter();

/** What was written while something happened: rows of the audit trail and lines of the log, of which there must be one for each. */
async function written(happening: () => Promise<unknown>) {
  const { rows: before } = await database.query('select count(*)::integer as rows from audit_trail');
  const line = logged.length;
  await happening();
  const { rows } = await database.query('select * from audit_trail order by happened_at offset $1', [before[0].rows]);
  const lines = () => logged.slice(line).map((text) => JSON.parse(text) as Record<string, unknown>);
  const said = lines().filter(({ event }) => event !== undefined);
  assert.deepEqual(
    said.map(({ event, request_id, address, user_id, client_id }) => [event, request_id, address, user_id, client_id]),
    rows.map((row) => [row.event, row.request_id, row.address, row.user_id ?? undefined, row.client_id ?? undefined]),
  );
  for (const { request_id, address } of rows) {
    // logged when the connection has the answer, which may be after the client has it
    while (!lines().some((other) => other['msg'] === 'request' && other['request_id'] === request_id)) await pause(5);
    assert.equal(address, '127.0.0.1');
  }
  return rows.map(({ event, user_id, client_id }) => [event, user_id, client_id]);
}

const client_id = printer.client_id;

test('each event is written once, to the audit trail and to the log, with request id, address, client and user [A314]', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit(`/authorize?${authorizationQuery()}`);
  const signIn = (attempt: string, username = 'alice') =>
    browser.submit(login, 'id="login"', { username, password: attempt });
  assert.deepEqual(await written(() => signIn('wrong')), [['sign_in_refused', 1, null]]);
  assert.deepEqual(await written(() => signIn('x'.repeat(73), 'nobody')), [['sign_in_refused', null, null]]);
  assert.deepEqual(await written(() => signIn(password)), [['signed_in', 1, null]]);

  const ask = () => browser.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`);
  const decide = async (button: string) => browser.submit(await ask(), button);
  assert.deepEqual(await written(() => decide('id="deny"')), [['consent_refused', 1, client_id]]);
  let code = '';
  const allow = async () => {
    code = codeIn(await decide('id="allow"'));
  };
  assert.deepEqual(await written(allow), [['consent_given', 1, client_id]]);

  assert.deepEqual(await written(() => redeem(origin, code)), [['tokens_issued', 1, client_id]]);
  assert.deepEqual(await written(() => redeem(origin, code)), [['code_reused', 1, client_id]]);
  // it is over already: nothing happens any more
  assert.deepEqual(await written(() => redeem(origin, code)), []);
  await allow();
  const guess = () => redeem(origin, code, { code_verifier: verifier.replace('a', 'b') });
  assert.deepEqual(await written(guess), [['code_verifier_wrong', 1, client_id]]);
  const stranger = () => redeem(origin, code, {}, { authorization: basic(client_id, 'wrong') });
  // anybody can be refused: that is for the log and the owner of the client, not for the trail
  assert.deepEqual(await written(stranger), []);

  const first = await freshTokens(origin, browser, {});
  const second = async () => String((await refresh(origin, first.refresh_token)).body['refresh_token']);
  assert.deepEqual(await written(second), [['tokens_refreshed', 1, client_id]]);
  // the same answer again is not another refresh
  assert.deepEqual(await written(second), []);
  await refresh(origin, await second());
  assert.deepEqual(await written(second), [['refresh_token_reused', 1, client_id]]);

  const { access_token, refresh_token } = await freshTokens(origin, browser, {});
  const revoke = () => post(`${origin}/revoke`, { token: access_token });
  assert.deepEqual(await written(revoke), [['token_revoked', 1, client_id]]);
  assert.deepEqual(await written(revoke), []);
  const leak = () => post(`${origin}/leaked`, { token: refresh_token }, { authorization: '' });
  assert.deepEqual(await written(leak), [['token_leaked', 1, client_id]]);
  assert.deepEqual(await written(leak), []);
  const foreign = () => browser.visit(`/authorize?${authorizationQuery({ redirect_uri: 'https://evil.example/' })}`);
  assert.deepEqual(await written(foreign), []);
  const signOut = async () => browser.submit(await browser.visit('/'), 'action="/logout"');
  assert.deepEqual(await written(signOut), [['signed_out', 1, null]]);
});

test('a client that revokes an access token after each refresh leaves one event a day in the trail that is kept for long', async () => {
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password });
  let tokens: { access_token: string; refresh_token: string } = await freshTokens(origin, browser, {
    prompt: 'consent',
  });
  const count = async (table: string) =>
    Number((await database.query(`select count(*) from ${table} where event = 'token_revoked'`)).rows[0].count);
  const [kept, all] = [await count('audit_events'), await count('audit_trail')];
  for (let time = 0; time < 4; time += 1) {
    const { access_token } = tokens;
    assert.deepEqual(await written(() => post(`${origin}/revoke`, { token: access_token })), [
      ['token_revoked', 1, client_id],
    ]);
    tokens = (await refresh(origin, tokens.refresh_token)).body as typeof tokens;
  }
  assert.deepEqual([await count('audit_events'), await count('audit_trail')], [kept + 1, all + 4]);
});

test('a profile change by an application is recorded [A314]', async () => {
  const browser = new Browser(origin);
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password });
  const { access_token } = await freshTokens(origin, browser, { scope: 'user user:write', prompt: 'consent' });
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const change = () => fetch(`${origin}/user`, { method: 'PATCH', headers, body: '{"name":"Alice L."}' });
  assert.deepEqual(await written(change), [['profile_changed', 1, client_id]]);
  assert.deepEqual(await written(change), [], 'nothing was changed');
  const page = await browser.visit('/account');
  const save = (name: string) => () => browser.submit(page, 'name="email"', { name });
  assert.deepEqual(await written(save('Alice P.')), [['profile_changed', 1, null]]);
  assert.deepEqual(await written(save('Alice P.')), []);
  let status = 0;
  for (let count = 0; count < 40 && status !== 429; count += 1) ({ status } = await change());
  assert.equal(status, 429, 'a person changes the profile so often, and no more');
  await database.query('delete from attempts');
  assert.equal((await change()).status, 200);
});

test('the audit trail is append-only: update, delete and truncate are refused [A314]', async () => {
  for (const statement of [
    "update audit_events set event = 'nothing'",
    'delete from audit_events',
    'truncate audit_events',
    "update audit_events set detail = '' where false",
    "update routine_events set event = 'nothing'",
    'truncate routine_events',
    // only the sweep deletes, what is older than a day
    'delete from routine_events',
  ]) {
    await assert.rejects(database.query(statement), /append-only/, statement);
  }
});

test('a secret is left out of an audit row and of a refusal, however they are written [A314]', async () => {
  for (const kind of ['access_token', 'refresh_token', 'authorization_code', 'client_secret', 'mailed_link'] as const) {
    const text = `see ${kind === 'refresh_token' ? `lk_rt_${'x'.repeat(132)}` : createSecret(kind)}.`;
    const { rows: events } = await database.query(
      "insert into audit_events (event, request_id, detail) values ('x', 'x', $1) returning detail",
      [text],
    );
    assert.deepEqual(events, [{ detail: 'see (secret).' }]);
    const { rows: refusals } = await database.query(
      `insert into refusals (client_id, request_id, request, error, reason, redirect_uri)
       values ($1, 'x', $2, 'x', $2, $2)
       returning request, reason, redirect_uri`,
      [client_id, text],
    );
    assert.deepEqual(new Set(Object.values(refusals[0])), new Set(['see (secret).']));
  }
});

test('attempts during a wait do not fill the audit trail [A31]', async () => {
  const browser = new Browser(origin);
  const login = await browser.visit('/login');
  for (let index = 0; index < 30; index += 1) {
    await browser.submit(login, 'id="login"', { username: 'nobody', password: 'x'.repeat(73) });
  }
  assert.ok((await eventsOf(database, 'sign_in_delayed')).length <= 5);
});

test('redeeming a code that was revoked with its grant is refused without an audit event [A232]', async () => {
  const browser = new Browser(origin);
  await database.query('delete from attempts');
  await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password });
  const code = await obtainCode(browser, { prompt: 'consent' });
  await database.query('update grants set revoked_at = now() where revoked_at is null');
  assert.deepEqual(await written(() => redeem(origin, code)), []);
  const fresh = await obtainCode(browser, {});
  assert.equal((await redeem(origin, code)).status, 400, 'a new consent does not bring an old code back');
  assert.equal((await redeem(origin, fresh)).status, 200);
});
