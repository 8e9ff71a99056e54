import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authorizationQuery, basic, getUser, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { startLatchkey, startWithPrinter } from '../../support/latchkey.ts';
import { refusalStored } from '../../support/refusals.ts';

// What a process remembers, src/operations/growing.md: with two instances on one database.

const first = await startWithPrinter({ TRUST_PROXY: 'true' });
const second = await startLatchkey({ TRUST_PROXY: 'true', ISSUER: first.origin }, first.url);
const { database } = first;
const instances = [first, second];
await database.query(`insert into scopes (name, group_name, sentence) values ('door', 'door', 'Open the door')`);
await database.query(`update clients set scopes = scopes || '{door}'`);

test('a new sentence of a scope is shown by every instance after five seconds; what a token permits is never remembered', async (t) => {
  const browsers = await Promise.all(instances.map(({ origin }) => signedInBrowser(origin)));
  const consents = async () => {
    const query = authorizationQuery({ prompt: 'consent', scope: 'door user' });
    const pages = await Promise.all(browsers.map((browser) => browser.visit(`/authorize?${query}`)));
    return pages.map(({ text }) => text.match(/Open the (door|window)/)?.[1]);
  };
  assert.deepEqual(await consents(), ['door', 'door']);
  const { body } = await redeem(first.origin, await obtainCode(browsers[0] ?? assert.fail()));
  await database.query(`update scopes set sentence = 'Open the window' where name = 'door'`);
  await database.query(`update clients set scopes = '{user:name,door}'`);
  for (const { origin } of instances) {
    const { name, email } = (await getUser(origin, body['access_token'])).body;
    assert.deepEqual([name, email], ['alice Liddell', undefined], 'withdrawn at once');
  }
  const { now } = performance;
  t.mock.method(performance, 'now', () => now.call(performance) + 5001);
  assert.deepEqual(await consents(), ['window', 'window']);
});

test('each instance stores so many refusals of a client and network in a minute, however often it is asked', async (t) => {
  // within one minute, however slow the machine is
  const moment = performance.now();
  t.mock.method(performance, 'now', () => moment);
  const refused = (origin: string, address: string) =>
    redeem(origin, 'x', {}, { authorization: basic('photo-printer', 'wrong'), 'x-forwarded-for': address });
  const stored = async ({ headers }: { headers: Headers }) =>
    refusalStored(database, headers.get('x-request-id') ?? assert.fail());
  for (const { origin } of instances) {
    const answers = [];
    for (let time = 0; time < 30; time += 1) answers.push(await refused(origin, '203.0.113.1'));
    assert.ok(answers.every(({ status }) => status === 401));
    await Promise.all(answers.slice(0, 20).map(stored));
    await stored(await refused(origin, '198.51.100.1'));
  }
  const { rows } = await database.query('select count(*)::integer as stored from refusals');
  assert.equal(rows[0].stored, 2 * 21);
});
