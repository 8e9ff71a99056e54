import assert from 'node:assert/strict';
import { test } from 'node:test';
import { endDemo } from '../../src/playground/demo.ts';
import { registerPlayground } from '../../src/playground/demo-client.ts';
import { applySeed } from '../../src/postgres/migrations.ts';
import type { Browser, Page } from '../support/browser.ts';
import { signedInBrowser } from '../support/flow.ts';
import { type Latchkey, startLatchkey } from '../support/latchkey.ts';
import { startLink, stepsOf, values } from '../support/playground.ts';

const seed = (url: string) => applySeed({ connectionString: url }, 'migrations/seeds/demo.sql');

async function startDemo(prepare = ''): Promise<Latchkey & { url: string }> {
  const latchkey = await startLatchkey({ DEMO: 'true' });
  await latchkey.database.query(prepare);
  await seed(latchkey.url);
  await registerPlayground(latchkey.deps);
  return latchkey;
}

const demo = await startDemo();
const chosen = 'choice.albums';
const album = (identifier: string) => ({ type: 'albums', identifier });

const consent = async (browser: Browser, mode = 'plain') => {
  const start = await browser.open(`/playground?prompt=consent&mode=${mode}`);
  return mode === 'plain' ? browser.visit(startLink(start)) : browser.submit(start, 'id="start"');
};

async function run(browser: Browser, albums: string | string[] | undefined, mode?: string): Promise<Page> {
  const scope = ['user:name', 'albums:read'];
  return browser.submit(await consent(browser, mode), 'id="allow"', { scope, [chosen]: albums });
}

/** What the page lists as chosen, in the language of the browser. */
const listed = (page: Page) =>
  [...page.text.matchAll(/<li class="yes"><code>albums<\/code> <bdi>([^<]*)<\/bdi>/g)].map(([, text]) => text);

const details = (page: Page) => values(page, 'authorization_details').map((text) => JSON.parse(text));

test('the playground lists the albums that alice chose, which every answer says', async () => {
  const browser = await signedInBrowser(demo.origin);
  const asked = await consent(browser);
  assert.match(asked.text, /Which albums may <bdi>Playground<\/bdi> see\?/);
  assert.match(asked.text, /Dinah’s kittens[\s\S]*17 pictures/);
  const page = await browser.submit(asked, 'id="allow"', { [chosen]: ['kittens', 'snow'] });
  assert.deepEqual(listed(page), ['kittens', 'snow']);
  assert.deepEqual(details(page), Array(2).fill([album('kittens'), album('snow')]));
  assert.match(page.text, /href="\/account\/applications\/playground"/);
  assert.match((await browser.open('/account/applications/playground')).text, /value="kittens" checked/);
});

test('all albums, and none', async () => {
  const browser = await signedInBrowser(demo.origin);
  const all = await run(browser, '*');
  assert.deepEqual(listed(all), ['All, including future ones']);
  assert.doesNotMatch(all.text, /value="narrow"/);
  const none = await run(browser, undefined);
  assert.deepEqual([listed(none), details(none)], [[], []]);
  assert.match(none.text, /<li class="no">See your photo albums <code>albums:read/);
});

test('all twelve albums one by one fit into the memory of the playground, also in a bound flow', async () => {
  const browser = await signedInBrowser(demo.origin);
  const { rows } = await demo.database.query(
    `select album from latchkey_demo.albums where person !~ 'demo' order by 1`,
  );
  const albums = rows.map(({ album }) => album);
  assert.equal(albums.length, 12);
  const page = await run(browser, albums, 'bound');
  assert.equal(stepsOf(page).at(-1), 'resource_request 200');
  assert.deepEqual(listed(page), albums);
});

test('a token for one of the albums, and the next one for all that were chosen again', async () => {
  const browser = await signedInBrowser(demo.origin);
  const narrowed = await browser.submit(await run(browser, ['snow', 'wales']), 'value="narrow"');
  assert.deepEqual(stepsOf(narrowed), ['narrowed_request 200', 'resource_request 200']);
  assert.deepEqual(details(narrowed), Array(3).fill([album('snow')]));
  const whole = await browser.submit(narrowed, 'value="refresh"');
  assert.deepEqual(details(whole), Array(2).fill([album('snow'), album('wales')]));
});

test('the seed of the demo can run again: what was chosen stays', async () => {
  const browser = await signedInBrowser(demo.origin);
  await run(browser, ['rabbit', 'snow']);
  await seed(demo.url);
  await registerPlayground(demo.deps);
  const page = await browser.visit(startLink(await browser.open('/playground')));
  assert.deepEqual(listed(page), ['rabbit', 'snow']);
});

test('after the demo neither its scope nor its choice is left, unless another client asks for it', async () => {
  const ended = await startDemo();
  const left = async () => {
    const scopes = `select name from scopes where name = 'albums:read' union all select name from choices`;
    return (await ended.database.query(scopes)).rows.length;
  };
  await ended.database.query(`
    select register_client(client_id => 'other', name => 'Other', site_domain => 'other.example',
      redirect_uris => array['https://other.example/'], scopes => array['albums:read']);
    select register_user(username => 'alice', password => 'a password of her own')`);
  await endDemo(ended.database);
  assert.equal(await left(), 2);
  await ended.database.query(`delete from clients where client_id = 'other'`);
  await endDemo(ended.database);
  assert.equal(await left(), 0);
});

test('a scope of the same name that the demo did not make stays as it is', async () => {
  const { database } = await startDemo(`select register_scope('albums:read', 'Hear your records')`);
  const { rows } = await database.query(`select sentence from scopes where name = 'albums:read'
    union all select name from choices`);
  assert.deepEqual(rows, [{ sentence: 'Hear your records' }]);
});
