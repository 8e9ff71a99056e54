// ci: fills tables with a million rows
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import pg from 'pg';
import { findEvents } from '../../src/audit/audit-search.sql.ts';
import type { Page } from '../support/browser.ts';
import { authorizationQuery, getUser, obtainCode, redeem, signedInBrowser } from '../support/flow.ts';
import { fillHistory } from '../support/history.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../support/latchkey.ts';

/** Rows of each kind: ROWS=1000000 shows the same costs at a million, in two minutes. */
const often = Number(process.env['ROWS'] ?? 100_000);
/** Blocks that one statement may read: fewer than any of the tables has, and no more at a million rows. */
const mostBlocks = 1000;
const { origin, database, deps } = await startLatchkey({ REGISTRATION: 'open' });
await registerPeople(database, ['alice', 'root']);
await registerPrinter(database);
await database.query("update users set is_admin = true where username = 'root'");
await database.query('update clients set owner_id = 1');
const alice = await signedInBrowser(origin);
const root = await signedInBrowser(origin, 'root');
const { body: tokens } = await redeem(origin, await obtainCode(alice));
const console = `/developer/applications/${printer.client_id}`;

before(() => fillHistory(database, 1, often));

function element(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : String(value);
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

/** A value as it stands in a statement. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  // untyped, so that it becomes whatever the statement takes
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(',')}}`);
  return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
}

/** Blocks of the database that the dearest statement of a request reads: some for each row that is shown. */
async function blocksOf(request: () => Promise<unknown>): Promise<{ blocks: number; name: string }> {
  const asked: { name: string; text: string; values: unknown[] }[] = [];
  const pools = new Set([database, deps.database]);
  for (const pool of pools) {
    const { query } = pool;
    pool.query = ((statement: (typeof asked)[number], ...rest: unknown[]) => {
      asked.push(statement);
      return Reflect.apply(query, pool, [statement, ...rest]);
    }) as typeof query;
  }
  try {
    await request();
  } finally {
    for (const pool of pools) Reflect.deleteProperty(pool, 'query');
  }
  assert.ok(asked.length > 0);
  const client = await database.connect();
  await client.query('begin');
  const costs = [];
  for (const { name, text, values = [] } of asked) {
    await client.query('savepoint before');
    // a second row of the same digest is refused, which costs nothing either
    await client.query(`prepare explained as ${text}`);
    const given = values.length > 0 ? `(${values.map(literal).join(', ')})` : '';
    const run = `explain (analyze, buffers, format json) execute explained${given}`;
    const explained = await client.query(run).catch((error: pg.DatabaseError) => {
      if (error.code === '23505') return undefined;
      throw error;
    });
    await client.query('rollback to savepoint before; deallocate explained');
    const plan = explained?.rows[0]['QUERY PLAN'][0].Plan ?? { 'Shared Hit Blocks': 0, 'Shared Read Blocks': 0 };
    costs.push({ name, blocks: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] });
  }
  await client.query('rollback');
  client.release(true);
  return costs.reduce((dearest, one) => (one.blocks > dearest.blocks ? one : dearest));
}

/** What the request answers, after its statements were seen to read no more than their rows. */
async function cheaply(request: () => Promise<Page>): Promise<Page> {
  let answer: Page | undefined;
  const { name, blocks } = await blocksOf(async () => {
    answer = await request();
  });
  assert.ok(answer);
  assert.ok(answer.status < 400, `${answer.status} ${answer.url}`);
  assert.ok(blocks < mostBlocks, `${name} reads ${blocks} blocks`);
  return answer;
}

const nextOf = (page: Page) =>
  (/href="([^"]*)" rel="next"|rel="next" href="([^"]*)"/.exec(page.text)?.[2] ?? '').replaceAll('&amp;', '&');
const count = (page: Page, pattern: RegExp) => [...page.text.matchAll(pattern)].length;

test('connected applications are paged, the latest first, and each application appears once', async () => {
  const first = await cheaply(() => alice.visit('/account/applications'));
  assert.equal(count(first, /class="revoke/g), 50);
  const second = await cheaply(() => alice.visit(nextOf(first)));
  assert.equal(count(second, /class="revoke/g), 50);
  const names = (page: Page) =>
    [...page.text.matchAll(/<bdi>(Application \d+|Photo Printer)<\/bdi>/g)].map(([, name]) => name);
  assert.equal(new Set([...names(first), ...names(second)]).size, 100);
  assert.match(second.text, /href="\/account\/applications">Back to the first page/);
});

test('the home page counts the latest grants only', async () => {
  const page = await cheaply(() => alice.visit('/'));
  assert.match(page.text, /Active sessions: 100<[\s\S]*Applications with access: 50\+</);
});

test('showing, changing and revoking one connected application reads only its own rows', async () => {
  const page = await cheaply(() => alice.visit(`/account/applications/${printer.client_id}`));
  const saved = await cheaply(() => alice.submit(page, 'class="primary"'));
  await cheaply(() => alice.submit(saved, 'class="revoke'));
  assert.equal((await getUser(origin, tokens['access_token'])).status, 401);
});

test('showing and giving a consent reads only its own rows, whether one-time or standing', async () => {
  for (const duration of ['once', 'always']) {
    const page = await cheaply(() => alice.visit(`/authorize?${authorizationQuery({ prompt: 'consent' })}`));
    const answer = await cheaply(() => alice.submit(page, 'id="allow"', { duration }));
    assert.match(answer.location ?? '', /code=/);
  }
  const remembered = await cheaply(() => alice.visit(`/authorize?${authorizationQuery()}`));
  assert.match(remembered.location ?? '', /code=/);
});

test('the account pages show the latest sessions and events, and link to earlier ones', async () => {
  const sessions = await cheaply(() => alice.visit('/account/sessions'));
  assert.ok(count(sessions, /name="session"/g) <= 100);
  const page = await cheaply(() => alice.visit('/account/activity'));
  assert.equal(count(page, /<li><time/g), 20);
  const earlier = await cheaply(() => alice.visit(nextOf(page)));
  assert.equal(count(earlier, /<li><time/g), 20);
  await cheaply(() => alice.submit(sessions, 'name="session"'));
});

test('a developer and an administrator find any number of applications page by page', async () => {
  for (const browser of [alice, root]) {
    const first = await cheaply(() => browser.visit('/developer/applications'));
    assert.equal(count(first, /<li class="row">/g), 50);
    const second = await cheaply(() => browser.visit(nextOf(first)));
    assert.equal(count(second, /<li class="row">/g), 50);
    assert.notEqual(nextOf(first), nextOf(second));
  }
});

test('the console of a popular application costs as little as that of a new one, and so does a token’s history', async () => {
  for (const part of ['', '/credentials', '/registration']) await cheaply(() => alice.visit(console + part));
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason)
     select client_id, 'r' || n, 'POST /token', 'invalid_grant', 'code expired ' || n
     from (select client_id from clients where client_id <> $1 limit 1000) others, generate_series(1, $2::integer / 1000) n
     union all
     select $1, 'r' || n, 'POST /token', 'invalid_grant', 'code expired ' || n from generate_series(1, 5000) n`,
    [printer.client_id, often],
  );
  await database.query('analyze refusals');
  await database.query(
    `insert into issued_tokens (client_id, day, total)
     select 'application-' || n, current_date - day, 1 from generate_series(1, $1::integer / 10) n, generate_series(0, 9) day`,
    [often],
  );
  await database.query('analyze issued_tokens');
  const overview = await cheaply(() => alice.visit(console));
  assert.match(overview.text, /<dd>(9\d\d|1,000)\+<\/dd>[\s\S]*<dd>300\+<\/dd>/);
  await cheaply(() => root.visit('/developer/applications'));
  const page = await cheaply(() => alice.visit(`${console}/activity`));
  const older = await cheaply(() => alice.visit(nextOf(page)));
  for (const { text } of [page, older]) assert.equal(text.match(/invalid_grant<\/code>/g)?.length, 50);
  const story = await cheaply(() =>
    alice.submit(page, `action="${console}/token"`, { token: String(tokens['access_token']) }),
  );
  assert.match(story.text, /Revoked by the user/);
});

test('listing the latest audit events reads few blocks, however many events there are', async () => {
  const { blocks } = await blocksOf(() => findEvents(database, {}, undefined, 100));
  assert.ok(blocks < mostBlocks, String(blocks));
});

test('deleting an application with any number of users takes one cheap statement', async () => {
  const page = await alice.visit(console);
  const gone = await cheaply(() => alice.submit(page, 'name="confirm"', { confirm: printer.name }));
  assert.match(gone.text, /Application deleted/);
  assert.equal((await alice.open(console)).status, 404);
  assert.equal((await alice.open(`/account/applications/${printer.client_id}`)).status, 404);
});
