import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applySeed } from '../../../src/postgres/migrations.ts';
import { commandLineFor, registration } from '../../support/command-line.ts';
import { signedInBrowser } from '../../support/flow.ts';
import { cheapHash, startLatchkey } from '../../support/latchkey.ts';

const { origin, database, url } = await startLatchkey({ REGISTRATION_ENDPOINT: 'open' });
const { latchkey } = commandLineFor(url);
const directory = mkdtempSync(join(tmpdir(), 'latchkey-origin-'));
after(() => rmSync(directory, { recursive: true }));

const site = `site_domain => 'cards.example', redirect_uris => array['https://cards.example/callback'], scopes => array['user']`;
const text = `
  select register_user(username => 'alice', password => '${cheapHash}', is_admin => true);
  select register_client(client_id => 'cards', name => 'Cards', owner => 'alice', ${site});`;
async function seed(): Promise<void> {
  const path = join(directory, 'production.sql');
  writeFileSync(path, text);
  await applySeed({ connectionString: url }, path);
}
await seed();
const alice = await signedInBrowser(origin);

/** What the page of an application says about where it came from. */
async function originOf(client_id: string, part = ''): Promise<string> {
  const page = await alice.visit(`/developer/applications/${client_id}${part}`);
  const [, shown = ''] = /<p id="origin"[^>]*>(.*?)<\/p>/s.exec(page.text) ?? [];
  return shown.replaceAll(/<[^>]*>/g, '');
}

test('the page of a seed’s application names the seed, and what was changed here until the next run brings it back', async () => {
  assert.equal(
    await originOf('cards'),
    'The operator’s seed file production.sql sets up this application: each run of the seed overwrites changes made here.',
  );
  const page = await alice.visit('/developer/applications/cards/registration');
  await alice.submit(page, 'class="primary"', { name: 'My Cards' });
  assert.match(
    await originOf('cards'),
    /^The operator’s seed file production\.sql .* Changed since the last run: name\.$/,
  );
  assert.equal(await originOf('cards', '/registration'), await originOf('cards'), 'also where it is changed');
  const { seed: name, drift } = JSON.parse((await latchkey(['client', 'show', 'cards', '--json'])).out);
  assert.deepEqual({ name, drift }, { name: 'production.sql', drift: ['name'] });
  await seed();
  assert.doesNotMatch(await originOf('cards'), /Changed/);
});

test('an application is shown by which way it came, whatever it states about that', async () => {
  const page = await alice.submit(await alice.visit('/developer/applications/new'), 'class="primary"', {
    name: 'Post Cards',
    site_domain: 'cards.example',
    redirect_uris: 'https://cards.example/callback',
    'use:user:name': 'required',
  });
  const [, typed = ''] = /applications\/([^/?]+)/.exec(page.url) ?? [];
  assert.equal(await originOf(typed), 'Registered in the developer console.');
  assert.equal((await latchkey(registration('of-a-command'))).code, 0);
  assert.equal(await originOf('of-a-command'), 'Registered with a command.');
  const stated = { origin: 'console', seed: 'production.sql', managed_by: 'seed', source: 'seed' };
  const answer = await fetch(`${origin}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: ['https://app.example/callback'], client_name: 'App', ...stated }),
  });
  const { client_id } = (await answer.json()) as { client_id: string };
  assert.equal(answer.status, 201);
  assert.equal(await originOf(client_id), 'Registered by the application itself.');
  await database.query(`select register_client(client_id => 'of-sql', name => 'Of SQL', ${site})`);
  assert.equal(await originOf('of-sql'), '');
});

test('the id of a pruned application is not free for others', async () => {
  const path = join(directory, 'production.sql');
  writeFileSync(path, text.replace(/select register_client[^;]*;/, ''));
  await applySeed({ connectionString: url }, path, { prune: true });
  const { code, err } = await latchkey(registration('cards'));
  assert.equal(code, 1);
  assert.match(err, /There is already a client "cards"/);
});
