import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startCounting } from '../../../src/operations/counting.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import { basic, obtainCode, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, settle, startLatchkey } from '../../support/latchkey.ts';
import { refusalStored } from '../../support/refusals.ts';

const { origin, database, deps } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
await registerPrinter(database, {
  client_id: 'post-cards',
  client_secret: 'another-secret-that-a-machine-has-made-0123',
  name: 'Post Cards',
});
await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
const alice = await signedInBrowser(origin);
const bob = await signedInBrowser(origin, 'bob');
const list = '/developer/applications';

/** The figures of each application on a page, as people read them. */
async function shown(path = `${list}/${printer.client_id}`): Promise<string[]> {
  const { text } = await alice.visit(path);
  return [...text.matchAll(/<dl class="figures">([\s\S]*?)<\/dl>/g)].map(([, figures = '']) =>
    figures
      .replaceAll(/<[^>]*>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

/** Stores what was counted, as the server does every ten seconds. */
const store = () => startCounting(deps).stop();

test('the overview and the list show people, tokens and refusals of the last seven days, of their application only', async () => {
  assert.deepEqual(await shown(), ['People 0 Tokens issued 0 Refusals 0']);
  const { body } = await redeem(origin, await obtainCode(alice));
  await refresh(origin, String(body['refresh_token']));
  await redeem(origin, await obtainCode(bob));
  await redeem(origin, await obtainCode(bob, { prompt: 'consent' }, { duration: 'once' }));
  const refused = await redeem(origin, 'lk_ac_nonsense', {}, { authorization: basic(printer.client_id, 'wrong') });
  await refusalStored(database, refused.headers.get('x-request-id') ?? '');
  await store();
  const figures = 'People 2 Tokens issued 4 Refusals 1';
  assert.deepEqual(await shown(), [figures]);
  const both = await shown(list);
  assert.deepEqual(both.toSorted(), ['People 0 Tokens issued 0 Refusals 0', figures]);
  const { text } = await alice.visit(`${list}/${printer.client_id}`);
  // connecting is the next step until there are tokens
  assert.match(text, /<a class="button" href="[^"]*\/connect">/);
  const [unused = ''] =
    (await alice.visit(list)).text.match(/(?<=href=")[^"]*\/applications\/(?!new|photo-printer)[^"/]+(?=")/) ?? [];
  assert.match((await alice.visit(unused)).text, /<a class="button primary" href="[^"]*\/connect">/);
  assert.doesNotMatch(text, /or more/, 'what is counted to the end needs no explanation');
  assert.match(text, new RegExp(`<a href="${list}/${printer.client_id}/activity">Refusals</a>`));
  for (const part of ['credentials', 'registration', 'activity']) {
    assert.deepEqual(await shown(`${list}/${printer.client_id}/${part}`), []);
  }
});

test('what cannot be stored is added the next time, and two instances add to the same number', async () => {
  const before = await tokens();
  await redeem(origin, await obtainCode(alice));
  await database.query('alter table issued_tokens rename to away');
  await store();
  await database.query('alter table away rename to issued_tokens');
  await store();
  assert.equal(await tokens(), before + 1);
  await store();
  assert.equal(await tokens(), before + 1);
});

const tokens = async () =>
  Number((await database.query('select sum(total) as total from issued_tokens')).rows[0].total);

test('what is older than seven days, revoked, or only a note is not counted, and the sweep deletes old numbers', async () => {
  await settle({ database });
  await database.query(
    "update grants set last_used_at = now() - interval '8 days', granted_at = now() - interval '9 days' where user_id = 1",
  );
  await database.query('update grants set revoked_at = now() where user_id = 2');
  await database.query('update issued_tokens set day = day - 7');
  await database.query("update refusals set happened_at = now() - interval '8 days'");
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason) values ($1, 'r', 'GET /authorize', 'note', 'ignored')`,
    [printer.client_id],
  );
  assert.deepEqual(await shown(), ['People 0 Tokens issued 0 Refusals 0']);
  await createSweep(database)();
  assert.equal((await database.query('select from issued_tokens')).rowCount, 1);
  await database.query('update issued_tokens set day = day - 1');
  await createSweep(database)();
  assert.equal((await database.query('select from issued_tokens')).rowCount, 0);
});

test('of very many people and refusals only the newest are read, and the figures say that there are more', async () => {
  await database.query(
    `insert into users (user_id, username, name, password_bcrypt) overriding system value
     select 1000 + n, 'user' || n, 'User ' || n, password_bcrypt from users, generate_series(1, 1500) n where user_id = 1`,
  );
  await database.query(
    `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
     select user_id, $1, '{user:name}', '{user:name}', '{}', 'always' from users where user_id > 1000`,
    [printer.client_id],
  );
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason)
     select $1, 'r' || n, 'POST /token', 'invalid_grant', 'code expired' from generate_series(1, 400) n`,
    [printer.client_id],
  );
  await database.query("insert into issued_tokens values ($1, (now() at time zone 'UTC')::date, 1234567)", [
    printer.client_id,
  ]);
  assert.deepEqual(await shown(), ['People 1,000+ Tokens issued 1,234,567 Refusals 300+']);
  const { text } = await alice.visit(`${list}/${printer.client_id}`);
  assert.match(text, /1,000\+ means 1,000 or more\./);
  assert.ok((await shown(list)).includes('People 100+ Tokens issued 1,234,567 Refusals 100+'));
});
