import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeJwt } from 'jose';
import pg from 'pg';
import { diagnose } from '../../support/doctor.ts';
import { basic, getUser, obtainCode, post, redeem, refresh, signedInBrowser } from '../../support/flow.ts';
import {
  printer,
  registerJwtResource,
  registerPeople,
  registerPrinter,
  startLatchkey,
} from '../../support/latchkey.ts';

const { origin, database, logged, url } = await startLatchkey();
await registerPeople(database, ['alice', 'bob']);
// what the operator has beside this server
await database.query(`
  create schema company;
  create table company.members (subject text, team text);
  create index on company.members (subject);
  insert into company.members values ('1', 'sales'), ('1', 'board'), ('2', 'support');
  grant usage on schema company to latchkey_reader;
  grant select on company.members to latchkey_reader`);

const teams = `select jsonb_agg(team order by team) from company.members where subject = $1`;
const registerClaim = (claim: Record<string, unknown>) => {
  const values = { sentence: 'See the groups you are in', ...claim };
  const parameters = Object.keys(values).map((name, index) => `${name} => $${index + 1}`);
  return database.query(`select register_claim(${parameters.join(', ')})`, Object.values(values));
};
await registerClaim({
  name: 'groups',
  scope: 'user:groups',
  query: teams,
  sentences: JSON.stringify({ de: 'Ihre Gruppen sehen' }),
});
const change = (query: string) => registerClaim({ name: 'more', scope: 'user:more', query });
await change(`select to_jsonb('fine ' || $1)`);
const resource = 'https://claims.example/';
const other = 'https://other.example/';
await registerJwtResource(database, resource, ['user', 'user:groups', 'user:more']);
await registerJwtResource(database, other, ['user']);
await registerPrinter(database, { scopes: ['user', 'user:groups', 'user:more'] });
const browser = await signedInBrowser(origin);

const tokensFor = async (changes = {}) => (await redeem(origin, await obtainCode(browser, changes))).body;
const introspect = async (token: unknown) =>
  (await post(`${origin}/introspect`, { token: String(token) }, { authorization: basic() })).body;

/** The statements that a request sends, on every connection; those for a claim together as one. */
async function statementsOf(request: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, statement: pg.QueryConfig | string, ...rest: unknown[]) {
    if (typeof statement !== 'string') sent.push(statement.name ?? statement.text);
    else if (statement.startsWith('begin read only')) sent.push('claim');
    return Reflect.apply(query, this, [statement, ...rest]);
  } as typeof query;
  try {
    await request();
  } finally {
    pg.Client.prototype.query = query;
  }
  return sent;
}

test('a claim is shown where its scope is in the token: at /user, in introspection, in a JWT, and after a refresh', async () => {
  const tokens = await tokensFor({ scope: 'user:name user:groups' });
  const user = (await getUser(origin, tokens['access_token'])).body;
  assert.deepEqual(user['groups'], ['board', 'sales']);
  assert.deepEqual((await introspect(tokens['access_token']))['groups'], ['board', 'sales']);
  assert.deepEqual((await introspect(tokens['refresh_token']))['groups'], ['board', 'sales']);
  const signed = await tokensFor({ scope: 'user:groups', resource });
  assert.deepEqual(decodeJwt(String(signed['access_token']))['groups'], ['board', 'sales']);
  await database.query(`insert into company.members values ('1', 'new')`);
  const { body: later } = await refresh(origin, signed['refresh_token']);
  assert.deepEqual(decodeJwt(String(later['access_token']))['groups'], ['board', 'new', 'sales']);
  await database.query(`delete from company.members where team = 'new'`);
  assert.equal((await introspect(later['access_token']))['active'], true, 'the JWT counts with its older claims');
});

test('a token with nothing but the scope of a claim opens /user, for the person who granted it', async () => {
  const { access_token } = await tokensFor({ scope: 'user:groups' });
  const { status, body } = await getUser(origin, access_token);
  assert.deepEqual([status, body], [200, { id: 1, sub: '1', groups: ['board', 'sales'] }]);
  const bob = await signedInBrowser(origin, 'bob');
  const { body: tokens } = await redeem(origin, await obtainCode(bob, { scope: 'user:groups' }));
  assert.deepEqual((await getUser(origin, tokens['access_token'])).body['groups'], ['support']);
});

test('without its scope, or at a resource that does not list it, the query is not run', async () => {
  const { access_token } = await tokensFor({ scope: 'user:name' });
  await getUser(origin, access_token);
  let body: Record<string, unknown> = {};
  const sent = await statementsOf(async () => {
    body = (await getUser(origin, access_token)).body;
  });
  assert.deepEqual(sent, ['find_active_access_token']);
  assert.ok(!('groups' in body));
  const { access_token: elsewhere } = await tokensFor({ scope: 'user:name', resource: other });
  assert.ok(!('groups' in decodeJwt(String(elsewhere))));
  const { access_token: revealing } = await tokensFor({ scope: 'user:groups' });
  await getUser(origin, revealing);
  const asked = await statementsOf(() => getUser(origin, revealing));
  assert.deepEqual(asked, ['find_active_access_token', 'claim']);
});

test('a claim that a seed has disabled is shown to nobody', async () => {
  const { access_token } = await tokensFor({ scope: 'user:name user:groups' });
  assert.ok('groups' in (await getUser(origin, access_token)).body);
  await database.query(`update claims set disabled_at = now() where name = 'groups'`);
  const second = await startLatchkey({ ISSUER: origin }, url);
  assert.ok(!('groups' in (await getUser(second.origin, access_token)).body));
  await registerClaim({ name: 'groups', scope: 'user:groups', query: teams });
});

test('the consent page names the permission in the language of the person, or as the operator wrote it', async () => {
  const path = (ui_locales: string) =>
    `/authorize?client_id=${printer.client_id}&response_type=code&scope=user:groups&prompt=consent&redirect_uri=${encodeURIComponent(printer.redirect_uri)}&ui_locales=${ui_locales}`;
  assert.match((await browser.visit(path('de'))).text, /Ihre Gruppen sehen/);
  assert.match((await browser.visit(path('fr'))).text, /See the groups you are in/);
  await registerClaim({ name: 'groups', scope: 'user:groups', query: teams, sentence: '<b>Everything</b>' });
  await new Promise((resolve) => setTimeout(resolve, 5100));
  assert.match((await browser.visit(path('en'))).text, /&lt;b&gt;Everything&lt;\/b&gt;/);
  await registerClaim({ name: 'groups', scope: 'user:groups', query: teams });
});

test('names and scopes that mean something else, and queries that are none, are refused with all problems at once', async () => {
  for (const name of ['sub', 'SUB', 'iss', 'exp', 'scope', 'active', 'email', 'username', '__proto__', 'constructor']) {
    await assert.rejects(
      registerClaim({ name, scope: 'user:x', query: teams }),
      /means something else|is no letter/,
      name,
    );
  }
  for (const name of ['', ' sub', '\u0455ub', 'a b', 'x'.repeat(58), 'a"b', null]) {
    await assert.rejects(registerClaim({ name, scope: 'user:x', query: teams }), /is no letter with at most 56/);
  }
  for (const scope of ['user', 'repo', 'user:name', 'repo:write']) {
    await assert.rejects(registerClaim({ name: 'x', scope, query: teams }), /has another meaning/, scope);
  }
  for (const [query, problem] of [
    ['select 1; select 2', /more than one statement/],
    ['select to_jsonb(1)', /does not use \$1/],
    ["select to_jsonb('$1'::text)", /does not use \$1/],
    ['delete from users where username = $1 returning to_jsonb(1)', /query is refused: syntax error/],
    [
      'with gone as (delete from users where username = $1 returning 1) select to_jsonb(1)',
      /query is refused: WITH clause/,
    ],
    [
      'select jsonb_agg(x) from no_such_table where x = $1',
      /query is refused: relation "no_such_table" does not exist/,
    ],
    ['select $1::text', /query is refused: return type mismatch/],
    ['select nonsense', /does not use \$1/],
  ] as const) {
    await assert.rejects(registerClaim({ name: 'x', scope: 'user:x', query }), problem, query);
  }
  await assert.rejects(registerClaim({ name: 'x', scope: 'user:x' }), /no view latchkey_claims/);
  await assert.rejects(
    registerClaim({ name: 'x y', scope: 'User', sentence: ' ', query: 'select 1' }),
    /name .*; scope .*; sentence is missing.*; query does not use/,
  );
  const { rows } = await database.query(`select name from claims order by name`);
  assert.deepEqual(rows, [{ name: 'groups' }, { name: 'more' }]);
});

test('a query cannot read the tables of this server, become somebody else, write, or lift its limits', async () => {
  const { access_token } = await tokensFor({ scope: 'user:groups user:more', prompt: 'consent' });
  await database.query(
    `create function company.writes() returns int language plpgsql security definer as $$ begin delete from company.members; return 1; end $$`,
  );
  await database.query('create sequence company.numbers; grant usage on sequence company.numbers to latchkey_reader');
  for (const query of [
    `select to_jsonb(password_bcrypt) from users where username = $1 or true limit 1`,
    `select to_jsonb(value) from settings where name = $1 or true limit 1`,
    `select to_jsonb(set_config('role', 'none', false) || $1)`,
    `select to_jsonb(set_config('role', (select rolname from pg_roles where rolsuper limit 1), true) || $1)`,
    `select to_jsonb(set_config('session_authorization', 'default', false) || $1)`,
    `select to_jsonb(set_config('transaction_read_only', 'off', false) || $1)`,
    `select to_jsonb(query_to_xml('select * from users', true, false, $1)::text)`,
    `select to_jsonb(pg_read_file('/etc/passwd') || $1)`,
    `select to_jsonb(company.writes()) where $1 is not null`,
    `select to_jsonb(nextval('company.numbers')) where $1 is not null`,
    `select to_jsonb(1 / (length($1) - 1))`,
    `select to_jsonb(x) from generate_series(1, 2) x where $1 is not null`,
    `select to_jsonb(pg_sleep(5)::text || $1)`,
    `select jsonb_agg(x || $1) from generate_series(1, 100000000) x`,
    `select to_jsonb(repeat('x', 4095) || $1)`,
  ]) {
    await change(query);
    logged.length = 0;
    const started = performance.now();
    const { status, body } = await getUser(origin, access_token);
    assert.equal(status, 200, query);
    assert.deepEqual(body['groups'], ['board', 'sales'], query);
    assert.ok(!('more' in body), `${query}: ${JSON.stringify(body['more'])}`);
    assert.equal(logged.filter((line) => /"claim":"more"/.test(line)).length, 1, query);
    assert.ok(performance.now() - started < 2000);
  }
  assert.equal((await database.query('select from company.members')).rowCount, 3);
  // what a query sets or locks ends with it, also when it succeeds
  await change(
    `select to_jsonb(set_config('statement_timeout', '0', false) || set_config('search_path', 'company', false) || set_config('my.mark', 'set', false) || (pg_advisory_lock(42)::text) || $1)`,
  );
  for (let index = 0; index < 8; index += 1) {
    assert.match(String((await getUser(origin, access_token)).body['more']), /set/);
  }
  await change(`select jsonb_build_array(current_setting('my.mark', true), current_setting('search_path') = 'company',
    current_setting('statement_timeout'), (select count(*) from pg_locks where database = (select oid from pg_database where datname = current_database()) and locktype = 'advisory' and objid = 42), left($1, 0))`);
  for (let index = 0; index < 8; index += 1) {
    const [mark, ...others] = (await getUser(origin, access_token)).body['more'] as unknown as unknown[];
    assert.deepEqual([mark || null, ...others], [null, false, '50ms', 0, '']);
  }
});

test('a query that ignores its end delays nothing for longer than a second, and takes no connection of other requests', async () => {
  const { access_token } = await tokensFor({ scope: 'user:groups user:more', prompt: 'consent' });
  const hangs = () =>
    database.query(
      `select pid from pg_stat_activity where datname = current_database() and state = 'active' and query like '%"claim more"%' and pid <> pg_backend_pid()`,
    );
  await database.query(`create function company.hangs() returns text language plpgsql as $$
    declare
      started timestamptz := clock_timestamp();
    begin
      while clock_timestamp() < started + interval '4 seconds' loop
        begin
          perform pg_sleep(0.1);
        exception when query_canceled then null;
        end;
      end loop;
      return 'late';
    end $$`);
  await change(`select to_jsonb(company.hangs() || $1)`);
  for (let round = 0; round < 3; round += 1) {
    const started = performance.now();
    const answers = await Promise.all(Array.from({ length: 12 }, () => getUser(origin, access_token)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.ok(performance.now() - started < 2000, `${performance.now() - started}`);
  }
  assert.equal((await hangs()).rowCount, 4, 'no more than have a turn');
  const started = performance.now();
  assert.ok((await redeem(origin, await obtainCode(browser, { scope: 'user:more', resource }))).body['access_token']);
  assert.ok(performance.now() - started < 1500);
  while ((await hangs()).rowCount) await new Promise((resolve) => setTimeout(resolve, 100));
  await change(`select to_jsonb('fine ' || $1)`);
  const { body } = await getUser(origin, access_token);
  assert.deepEqual([body['more'], body['groups']], ['fine 1', ['board', 'sales']]);
});

test('4 KB are shown whole, one byte more is left out whole; nothing found is no member', async () => {
  const { access_token } = await tokensFor({ scope: 'user:groups user:more', prompt: 'consent' });
  const more = async () => (await getUser(origin, access_token)).body['more'];
  await change(`select to_jsonb(repeat('x', 4093) || $1)`);
  assert.equal(String(await more()).length, 4094);
  await change(`select to_jsonb(repeat('x', 4094) || $1)`);
  assert.equal(await more(), undefined);
  await change(`select to_jsonb(repeat('é', 2047) || left($1, 0))`);
  assert.equal(String(await more()).length, 2047);
  await change(`select to_jsonb(repeat('é', 2048) || left($1, 0))`);
  assert.equal(await more(), undefined);
  await change(`select to_jsonb(team) from company.members where subject = $1 and false`);
  assert.equal(await more(), undefined);
  await change(`select 'null'::jsonb where $1 is not null`);
  assert.equal(await more(), undefined);
});

test('a number that JSON does not carry exactly is left out with its claim, and the log says why', async () => {
  const { access_token } = await tokensFor({ scope: 'user:groups user:more', prompt: 'consent' });
  for (const [number, shown] of [
    ['9007199254740991', 9007199254740991],
    ['-0.5', -0.5],
    ['9007199254740993', undefined],
    ['-12345678901234567890', undefined],
    ['1e400', undefined],
  ] as const) {
    await change(`select jsonb_build_array('${number}'::numeric) where $1 is not null`);
    logged.length = 0;
    const { body } = await getUser(origin, access_token);
    assert.deepEqual(body['more'], shown && [shown], number);
    assert.deepEqual(body['groups'], ['board', 'sales']);
    assert.equal(logged.filter((line) => /give it as a text/.test(line)).length, shown ? 0 : 1);
  }
});

test('a JWT that would be too long with claims is written without them', async () => {
  await change(`select to_jsonb(repeat('x', 4000) || $1)`);
  await registerClaim({ name: 'again', scope: 'user:more', query: `select to_jsonb(repeat('y', 4000) || $1)` });
  await new Promise((resolve) => setTimeout(resolve, 5100));
  logged.length = 0;
  const { access_token } = await tokensFor({ scope: 'user:more', resource, prompt: 'consent' });
  const claims = decodeJwt(String(access_token));
  assert.ok(!('more' in claims) && !('again' in claims));
  assert.equal(logged.filter((line) => /a JWT is too large/.test(line)).length, 1);
  assert.equal((await introspect(access_token))['active'], true);
});

test('a JWT counts where its claim is not known: at an instance that has not read it yet, and after its removal', async () => {
  await change(`select to_jsonb('short ' || $1)`);
  const second = await startLatchkey({ ISSUER: origin }, url);
  const count = async (at: string, token: unknown) =>
    (await post(`${at}/introspect`, { token: String(token) }, { authorization: basic() })).body['active'];
  const { access_token: earlier } = await tokensFor({ scope: 'user:groups', resource, prompt: 'consent' });
  assert.equal(await count(second.origin, earlier), true);
  await registerClaim({ name: 'late', scope: 'user:groups', query: `select to_jsonb($1)` });
  await new Promise((resolve) => setTimeout(resolve, 4000));
  const { access_token } = await tokensFor({ scope: 'user:groups', resource, prompt: 'consent' });
  await database.query(`delete from claims where name in ('late', 'groups')`);
  await new Promise((resolve) => setTimeout(resolve, 5100));
  assert.ok('groups' in decodeJwt(String(access_token)));
  assert.equal(await count(origin, access_token), true);
  assert.equal(await count(second.origin, access_token), true);
  await registerClaim({ name: 'groups', scope: 'user:groups', query: teams });
});

test('claims without a query are the rows of the view latchkey_claims', async () => {
  await database.query(`create view latchkey_claims as
    select subject, 'more'::text as name, to_jsonb(team) as value from company.members where team = 'sales'
    union all select '2', 'sub', to_jsonb('evil'::text)`);
  await database.query('select register_claim(name => $1, scope => $2, sentence => $3)', [
    'more',
    'user:more',
    'See more',
  ]);
  await database.query(`delete from claims where name = 'again'`);
  await new Promise((resolve) => setTimeout(resolve, 5100));
  const { access_token } = await tokensFor({ scope: 'user:more', prompt: 'consent' });
  assert.equal((await getUser(origin, access_token)).body['more'], 'sales');
  assert.equal((await getUser(origin, access_token)).body['sub'], '1');
  const second = await startLatchkey({ ISSUER: origin }, url);
  assert.equal((await getUser(second.origin, access_token)).body['more'], 'sales');
});

test('latchkey doctor names claims whose function is missing, or has the rights of somebody else', async () => {
  const claim = async () => (await diagnose({ DATABASE_URL: url })).found.get('claim_function')?.value;
  await change(`select to_jsonb('fine ' || $1)`);
  assert.equal(await claim(), undefined);
  await database.query('alter function "claim more" owner to current_user');
  assert.equal(await claim(), 'more');
  await database.query('drop function "claim groups"');
  assert.equal(await claim(), 'groups, more');
  await change(`select to_jsonb('fine ' || $1)`);
  await registerClaim({ name: 'groups', scope: 'user:groups', query: teams });
  assert.equal(await claim(), undefined);
});
