import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCredential } from '../../../src/lib/secrets.ts';
import { createSweep } from '../../../src/operations/sweep.sql.ts';
import type { Page } from '../../support/browser.ts';
import { authorizationQuery, basic, getUser, obtainCode, redeem, signedInBrowser } from '../../support/flow.ts';
import { printer, registerPeople, registerPrinter, startLatchkey } from '../../support/latchkey.ts';
import { refusalStored } from '../../support/refusals.ts';

const { origin, database, url } = await startLatchkey({ TRUST_PROXY: 'true' });
await registerPeople(database, ['alice', 'bob']);
await registerPrinter(database);
const cards = { client_id: 'post-cards', client_secret: 'another-secret-that-a-machine-has-made-0123' };
await registerPrinter(database, { ...cards, name: 'Post Cards' });
await database.query("update clients set owner_id = (select user_id from users where username = 'alice')");
const alice = await signedInBrowser(origin);
const bob = await signedInBrowser(origin, 'bob');
const path = `/developer/applications/${printer.client_id}/activity`;

type Refused = { headers: Headers };
const idOf = ({ headers }: Refused) => headers.get('x-request-id') ?? assert.fail('no request id');

/** The lines of the list about this answer, once it is there: an answer does not wait until its refusal is stored. */
async function toldOf(refused: Refused, page = path): Promise<string> {
  await stored(refused);
  const { text } = await alice.visit(`${page}?request_id=${idOf(refused)}`);
  const [, list = ''] = /<h2 id="refusals">([\s\S]*?)<\/section>/.exec(text) ?? [];
  const [, rows = ''] = /<ul class="index">([\s\S]*)<\/ul>/.exec(list) ?? [];
  return rows
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

const stored = (refused: Refused) => refusalStored(database, idOf(refused));

const count = async (client_id: string = printer.client_id) =>
  Number((await database.query('select count(*) from refusals where client_id = $1', [client_id])).rows[0].count);

test('the owner of an application can read its refusals and their reasons, and find one by request id', async () => {
  const code = await obtainCode(bob, { prompt: 'consent' });
  assert.equal((await redeem(origin, code)).status, 200);
  const again = await redeem(origin, code);
  const wrongSecret = await redeem(origin, code, {}, { authorization: basic(printer.client_id, 'wrong') });
  const wrongType = await fetch(`${origin}/authorize?${authorizationQuery({ response_type: 'token' })}`, {
    redirect: 'manual',
  });
  assert.match(
    await toldOf(again),
    new RegExp(`^.* · ${idOf(again)} invalid_grant : code used before \\(POST /token\\)$`),
  );
  assert.match(await toldOf(wrongSecret), /invalid_client : secret wrong \(POST \/token\)$/);
  assert.match(await toldOf(wrongType), /unsupported_response_type : response_type must be code \(GET \/authorize\)$/);
  const all = await alice.visit(path);
  for (const refused of [again, wrongSecret, wrongType]) assert.ok(all.text.includes(idOf(refused)));
  assert.match(await toldOf(again, '/developer/applications'), /code used before/);
  assert.match(all.text, /<a href="\/errors\/invalid_grant"><code>invalid_grant<\/code><\/a>/);
  assert.match(all.text, /<time [^>]*>\d+ \w+ \d{4}, \d\d:\d\d:\d\d UTC<\/time>/, 'with seconds');
});

test('the refusal of an expired or revoked access token is shown to the owner of its application', async () => {
  const { body } = await redeem(origin, await obtainCode(bob, { prompt: 'consent' }));
  await database.query("update access_tokens set expires_at = now() - interval '1 second'");
  const refused = await getUser(origin, body['access_token']);
  assert.match(await toldOf(refused), /invalid_token : access token expired \(GET \/user\)$/);
});

test('no other user can read a refusal, and the search covers the owner’s applications only', async () => {
  const refused = await redeem(origin, createCredential('authorization_code'));
  await stored(refused);
  assert.equal((await bob.visit(`${path}?request_id=${idOf(refused)}`)).status, 404);
  assert.ok(!(await bob.visit('/developer/applications')).text.includes(idOf(refused)));
  const { text } = await alice.visit(`/developer/applications/${cards.client_id}/activity?request_id=${idOf(refused)}`);
  assert.doesNotMatch(text, /code unknown/);
  assert.match(text, /There is no stored refusal with this request ID/);
});

test('the owner of an application that presents another application’s code does not learn that the code is real', async () => {
  const code = await obtainCode(bob, { prompt: 'consent' });
  const refused = await redeem(origin, code, {}, { authorization: basic(cards.client_id, cards.client_secret) });
  const told = await toldOf(refused, `/developer/applications/${cards.client_id}/activity`);
  assert.match(told, /invalid_grant : code unknown \(POST \/token\)$/);
  assert.equal((await redeem(origin, code)).status, 200);
});

test('secrets in an address are not recorded', async () => {
  const secret = createCredential('access_token');
  const redirect_uri = `https://printer.example/callback?x=${secret}&y=${secret.toUpperCase()}`;
  const refused = await fetch(`${origin}/authorize?${authorizationQuery({ redirect_uri })}`);
  assert.match(await toldOf(refused), /redirect_uri not registered \(GET \/authorize\)/);
  const { rows } = await database.query('select * from refusals');
  assert.doesNotMatch(JSON.stringify(rows), /lk_at_/i);
  assert.match(JSON.stringify(rows), /callback\?x=\(secret\)&y=\(secret\)/);
});

test('the list shows fifty kinds of refusal; three hundred are kept for each application, for a week', async () => {
  await database.query('delete from refusals');
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason, happened_at)
     select $1, 'request-' || n, 'POST /token', 'invalid_grant', 'code expired ' || n, now() - interval '2 hours'
     from generate_series(1, 700) n`,
    [printer.client_id],
  );
  await stored(await redeem(origin, createCredential('authorization_code')));
  assert.equal(await count(), 301);
  const { text } = await alice.visit(path);
  assert.equal(text.match(/invalid_grant<\/code>/g)?.length, 50);
  await database.query("update refusals set happened_at = now() - interval '8 days' where request_id = 'request-700'");
  assert.match(
    (await alice.visit(`${path}?request_id=request-700`)).text,
    /There is no stored refusal with this request ID/,
  );
  assert.match((await alice.visit(`${path}?request_id=request-699`)).text, /code expired/);
  await createSweep(database)();
  assert.equal(await count(), 300);
});

test('older refusals are on later pages, each once, of one application and of all', async () => {
  await database.query('delete from refusals');
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason)
     select case n % 2 when 0 then $1 else $2 end, 'request-' || n, 'POST /token', 'invalid_grant', 'code expired ' || n
     from generate_series(1, 260) n`,
    [printer.client_id, cards.client_id],
  );
  const shownFrom = async (first: string) => {
    const [seen, pages]: [string[], Page[]] = [[], []];
    for (let next: string | undefined = first; next !== undefined; ) {
      const page: Page = await alice.visit(next);
      pages.push(page);
      seen.push(...[...page.text.matchAll(/<code>(request-\d+)<\/code>/g)].map(([, id = '']) => id));
      const hrefs = [...page.text.matchAll(/rel="next" href="([^"]+)"/g)].map(([, href = '']) => href);
      next = hrefs.find((href) => href.includes('older='))?.replaceAll('&amp;', '&');
      // refused meanwhile: on the first page, and pushes none over the edge of a later one
      await database.query(
        "insert into refusals (client_id, request_id, request, error, reason) values ($1, 'new', 'GET /', 'invalid_request', gen_random_uuid())",
        [printer.client_id],
      );
    }
    return { seen, pages };
  };
  const numbers = (step: number) => Array.from({ length: 260 / step }, (_, index) => `request-${260 - index * step}`);
  const own = await shownFrom(path);
  assert.deepEqual([own.seen, own.pages.length], [numbers(2), 3]);
  assert.match(own.pages[1]?.text ?? '', /activity#refusals">Back to the first page/);
  assert.doesNotMatch(own.pages[0]?.text ?? '', /Back to the first page/);
  assert.deepEqual((await shownFrom('/developer/applications')).seen, numbers(1));
  // of the applications on the second page of the list
  const [first, second] = (await shownFrom(`/developer/applications?after=${cards.client_id}`)).pages;
  for (const page of [first, second])
    assert.match(page?.text ?? '', new RegExp(`href="/developer/applications\\?after=${cards.client_id}&`));
  for (const strange of ['x', '9'.repeat(40), '-1', '1&older=2', "';--"]) {
    const page = await alice.visit(`${path}?older=${strange}`);
    assert.deepEqual([page.status, page.text.includes('request-260')], [200, true], strange);
  }
});

test('refusals that are alike within an hour are one row with their number, so they push nothing else out', async () => {
  await database.query('delete from refusals');
  await database.query(
    `insert into refusals (client_id, request_id, request, error, reason, happened_at)
     select $1, 'request-' || n, 'POST /token', 'invalid_grant', case n when 1 then 'secret wrong' else 'code expired' end,
       now() - case when n < 100 then interval '2 hours' else interval '0' end
     from generate_series(1, 250) n`,
    [printer.client_id],
  );
  const rows = (await alice.visit(path)).text.match(/<li>\s*<p class="small">[\s\S]*?<\/li>/g) ?? [];
  assert.equal(rows.length, 3);
  assert.match(rows[0] ?? '', /request-250<\/code> · at least 151 times in the same hour[\s\S]*code expired/);
  assert.match(rows[1] ?? '', /request-99<\/code> · at least 98 times in the same hour[\s\S]*code expired/);
  assert.match(rows[2] ?? '', /request-1<\/code><\/span>[\s\S]*secret wrong/);
  assert.match((await alice.visit(`${path}?request_id=request-7`)).text, /request-7<\/code><\/span>/, 'each is found');
});

test('what a note is, is explained where one is listed', async () => {
  await database.query('delete from refusals');
  const store = (error: string) =>
    database.query(
      `insert into refusals (client_id, request_id, request, error, reason) values ($1, 'r', 'GET /authorize', $2, 'ignored')`,
      [printer.client_id, error],
    );
  await store('invalid_scope');
  assert.doesNotMatch((await alice.visit(path)).text, /An entry called/);
  await store('note');
  assert.match((await alice.visit(path)).text, /An entry called “note”/);
});

test('a client that is refused continuously neither fills the table nor delays answers', async () => {
  await database.query('delete from refusals');
  // its minutes begin with the first refusal
  const fresh = await startLatchkey({ TRUST_PROXY: 'true' }, url);
  const client = await database.connect();
  await client.query('begin');
  await client.query('lock table refusals');
  const ask = (address: string) =>
    redeem(fresh.origin, 'x', {}, { authorization: basic(cards.client_id, 'wrong'), 'x-forwarded-for': address });
  const start = performance.now();
  // the table cannot be written, and the answers come all the same
  for (let index = 0; index < 40; index += 1) assert.equal((await ask('203.0.113.1')).status, 401);
  const minutes = Math.floor((performance.now() - start) / 60_000) + 1;
  await client.query('commit');
  client.release();
  // what others are refused is stored all the same
  await stored(await ask('198.51.100.1'));
  await stored(await redeem(fresh.origin, createCredential('authorization_code')));
  assert.ok((await count(cards.client_id)) <= 20 * minutes + 1, 'twenty of one application and address in a minute');
});
