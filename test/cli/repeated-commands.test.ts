import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { commandLineFor } from '../support/command-line.ts';
import { signedInBrowser } from '../support/flow.ts';
import { cheapHash, printer, registerPeople, startWithPrinter } from '../support/latchkey.ts';

const { origin, database, url } = await startWithPrinter();
await registerPeople(database, ['bob']);
const { latchkey, directory } = commandLineFor(url);

const said = async (...words: string[]) => {
  const { code, out, err } = await latchkey(words);
  assert.equal(code, 0, err);
  return out;
};
const events = async () =>
  (await database.query("select event from audit_events where event ~ '_(disabled|enabled|changed)$'")).rowCount;

test('what is so already is said to be so, without an event, and the time of the first time stays', async () => {
  await database.query(
    `select register_provider(name => 'acme', issuer => 'https://acme.example', client_id => 'us', client_secret => 'a-secret-that-a-machine-has-made-0123456789')`,
  );
  await database.query("update users set is_admin = true where username = 'alice'");
  const timeOf = async () =>
    (
      await database.query(
        `select (select disabled_at from users where username = 'bob') as person, (select disabled_at from clients where client_id = $1) as client`,
        [printer.client_id],
      )
    ).rows[0];
  for (const words of [
    ['user', 'update', 'bob', '--admin'],
    ['user', 'update', 'bob', '--no-admin'],
    ['user', 'disable', 'bob'],
    ['client', 'disable', printer.client_id],
    ['provider', 'disable', 'acme'],
    ['user', 'enable', 'bob'],
    ['client', 'enable', printer.client_id],
    ['provider', 'enable', 'acme'],
    ['client', 'unvouch', printer.client_id],
    ['client', 'vouch', printer.client_id],
  ]) {
    const before = await events();
    const [first, times, second] = [await said(...words), await timeOf(), await said(...words)];
    assert.doesNotMatch(first, /nothing was changed/);
    if (!words.join(' ').includes('vouch')) assert.match(second, /nothing was changed/, words.join(' '));
    assert.deepEqual(await timeOf(), times);
    assert.equal(await events(), (before ?? 0) + 1, words.join(' '));
  }
});

test('what a seed has pruned and an operator disables, too, at whichever door, its seed does not enable again', async () => {
  const path = join(directory, 'production.sql');
  const seed = (text: string) => {
    writeFileSync(path, text);
    return said('seed', path, '--prune', '--force');
  };
  const client = `select register_client(client_id => 'pruned', name => 'Pruned', site_domain => 'pruned.example',
    redirect_uris => array['https://pruned.example/cb'], scopes => array['user']);\n`;
  const user = `select register_user(username => 'pruned', password => '${cheapHash}');\n`;
  await database.query("update users set is_admin = true where username = 'alice'");
  const alice = await signedInBrowser(origin);
  const disabled = async () =>
    (
      await database.query(
        `select (select disabled_at from users where username = 'pruned') as person, (select disabled_at from clients where client_id = 'pruned') as client`,
      )
    ).rows[0];
  const doors = [
    async () => () => said('client', 'disable', 'pruned'),
    // pages that were opened before
    ...['/admin', '/developer'].map((root) => async () => {
      const page = await alice.visit(`${root}/applications/pruned`);
      const button = root === '/admin' ? 'id="disable"' : 'action="/developer/applications/pruned/disable"';
      return () => alice.submit(page, button);
    }),
  ];
  for (const open of doors) {
    await seed(client + user);
    const disable = await open();
    await seed('select 1;');
    await disable();
    await said('user', 'disable', 'pruned');
    assert.match(await said('user', 'disable', 'pruned'), /nothing was changed/);
    await seed(client + user);
    const still = await disabled();
    assert.ok(still.person && still.client);
    await said('client', 'enable', 'pruned');
    await said('user', 'enable', 'pruned');
  }
});
