// ci: starts demos
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { endDemo } from '../../src/playground/demo.ts';
import { openDatabase } from '../../src/postgres/database.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import { Browser } from '../support/browser.ts';
import { commandLineFor } from '../support/command-line.ts';
import { createDatabase } from '../support/database.ts';
import { startProcess, startServing } from '../support/process.ts';
import { writeFile } from '../support/scratch.ts';

const DATABASE_URL = await createDatabase();
const database = openDatabase({ connectionString: DATABASE_URL }, 2);
after(() => database.end());
const { latchkey } = commandLineFor(DATABASE_URL);

const server = { DATABASE_URL, DRAIN_DELAY: '0' };
const demo = { ...server, DEMO: 'true' };

/** Leaves the database as a demo would, without running one. */
const seedDemo = () => applySeed({ connectionString: DATABASE_URL }, 'migrations/seeds/demo.sql');

async function signIn(origin: string, password: string): Promise<number> {
  const browser = new Browser(origin);
  return (await browser.submit(await browser.visit('/login'), 'id="login"', { username: 'alice', password })).status;
}

/** Whether the playground is an enabled client: its authorization request is redirected, not answered with a page. */
async function knowsPlayground(origin: string): Promise<boolean> {
  const query = new URLSearchParams({ client_id: 'playground', redirect_uri: `${origin}/playground/callback` });
  const { status } = await fetch(`${origin}/authorize?${query}`, { redirect: 'manual' });
  return status === 302;
}

async function isAdministrator(): Promise<boolean> {
  const { rows } = await database.query(`select is_admin from users where username = 'alice'`);
  return rows[0].is_admin;
}

async function refusal(): Promise<string> {
  const refused = await startProcess(server);
  await assert.rejects(refused.said(/Latchkey serves/), 'it serves');
  assert.equal(await refused.exit, 1);
  return refused.output();
}

const wellKnown =
  /^The demo account alice still has its well-known password: .*latchkey user set-password alice.*latchkey user disable alice/m;

test('a start without DEMO ends the demo: it is refused while alice has the well-known password, and later removes the client and alice’s admin rights', async () => {
  const shown = await startServing(demo);
  assert.equal(await signIn(shown.origin, 'wonderland'), 200);
  assert.ok(await knowsPlayground(shown.origin));
  assert.ok(await isAdministrator());
  assert.doesNotMatch(shown.output(), /"level":40.*alice/);
  await shown.kill();
  assert.match(await refusal(), wellKnown);
  assert.equal(await isAdministrator(), false);
  assert.equal((await latchkey(['user', 'set-password', 'alice'], { input: 'a password of her own\n' })).code, 0);
  const real = await startServing(server);
  assert.equal(await knowsPlayground(real.origin), false);
  assert.equal((await fetch(`${real.origin}/playground`)).status, 404);
  assert.equal(await signIn(real.origin, 'wonderland'), 401);
  assert.equal(await signIn(real.origin, 'a password of her own'), 200);
  assert.equal(await isAdministrator(), false);
  await real.kill();

  // admin rights that an operator grants afterwards are not the demo's
  await database.query(`update users set is_admin = true where username = 'alice'`);
  await endDemo(database);
  assert.ok(await isAdministrator());

  const again = await startServing(demo);
  assert.ok(await knowsPlayground(again.origin));
  await again.kill();
  await database.query('delete from users');
});

test('a playground that an operator has disabled stays so at the next start of the demo, which says how to enable it', async () => {
  const shown = await startServing(demo);
  assert.ok(await knowsPlayground(shown.origin));
  assert.equal((await latchkey(['client', 'disable', 'playground'])).code, 0);
  await shown.kill();
  const again = await startServing(demo);
  assert.equal(await knowsPlayground(again.origin), false);
  assert.match(again.output(), /"level":40.*The playground is disabled: latchkey client enable playground/);
  assert.equal((await latchkey(['client', 'enable', 'playground'])).code, 0);
  assert.ok(await knowsPlayground(again.origin));
  await again.kill();
  await database.query('delete from users');
});

test('disabling the demo account also lets the server start; enabling it is refused until its password is changed', async () => {
  await seedDemo();
  assert.equal((await latchkey(['user', 'disable', 'alice'])).code, 0);
  const real = await startServing(server);
  const { code, err } = await latchkey(['user', 'enable', 'alice']);
  assert.equal(code, 1);
  assert.match(err, wellKnown);
  assert.equal(await signIn(real.origin, 'wonderland'), 401);
  assert.equal((await latchkey(['user', 'set-password', 'alice'], { input: 'a password of her own\n' })).code, 0);
  assert.equal((await latchkey(['user', 'enable', 'alice'])).code, 0);
  assert.equal(await signIn(real.origin, 'a password of her own'), 200);
  await real.kill();
  await database.query('delete from users');
});

test('users and applications with the demo’s names that were not created by a demo are left unchanged', async () => {
  const seed = `
    select register_user(username => 'alice', password => 'wonderland', is_admin => true);
    select register_client(client_id => 'playground', name => 'A Real One', site_domain => 'play.example',
      redirect_uris => array['https://play.example/'], scopes => array['user']);`;
  await database.query(`delete from users`);
  await database.query(`delete from clients`);
  await applySeed({ connectionString: DATABASE_URL }, writeFile('namesakes.sql', seed));
  await endDemo(database);
  assert.ok(await isAdministrator());
  const { rows } = await database.query(`select disabled_at from clients where client_id = 'playground'`);
  assert.deepEqual(rows, [{ disabled_at: null }]);
  await database.query('delete from users');
});

test('the server warns about a demo that is reachable from outside, and tells how to create an account when there is none', async () => {
  const reached = await startServing({ ...demo, ISSUER: 'https://id.example' });
  assert.match(reached.output(), /"level":40.*ISSUER https:\/\/id\.example.*alice/);
  await reached.kill();
  await database.query('delete from users');
  const empty = await startServing(server);
  assert.match(empty.output(), / user create NAME --admin/);
  await empty.kill();
});
