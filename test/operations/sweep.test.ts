// ci: fills and sweeps tables
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import pg from 'pg';
import { deleteUser } from '../../src/accounts/leaving/deleted-users.sql.ts';
import { deleteClient } from '../../src/clients/administered-clients.sql.ts';
import { createSweep, type Swept } from '../../src/operations/sweep.sql.ts';
import { statements } from '../../src/postgres/database.ts';
import { eventsOf } from '../support/attack.ts';
import {
  authorizationQuery,
  basic,
  getUser,
  obtainCode,
  post,
  redeem,
  refresh,
  signedInBrowser,
} from '../support/flow.ts';
import {
  registerPeople,
  registerPrinter,
  registerResource,
  startLatchkey,
  startWithPrinter,
} from '../support/latchkey.ts';
import { recorded } from '../support/recorded.ts';
import { register } from '../support/self-registration.ts';

const { origin, database, url } = await startWithPrinter();
let browser = await signedInBrowser(origin);
const sweep = createSweep(database);

const tables = [
  'access_tokens',
  'authorization_codes',
  'grants',
  'sessions',
  'consent_decisions',
  'used_tickets',
  'attempts',
] as const;

async function counts(): Promise<Record<(typeof tables)[number], number>> {
  const { rows } = await database.query(
    tables.map((table) => `select '${table}' as name, count(*)::integer as rows from ${table}`).join(' union all '),
  );
  return Object.fromEntries(rows.map(({ name, rows }) => [name, rows])) as Record<(typeof tables)[number], number>;
}

type Tokens = { access_token: string; refresh_token: string };

async function freshTokens(changes: Parameters<typeof authorizationQuery>[0] = {}, form = {}): Promise<Tokens> {
  const { body } = await redeem(origin, await obtainCode(browser, changes, form));
  return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

async function successorOf({ refresh_token }: Tokens): Promise<Tokens> {
  const { body } = await refresh(origin, refresh_token);
  return { access_token: String(body['access_token']), refresh_token: String(body['refresh_token']) };
}

/** Everything there is becomes older by so many days, as if nothing had happened since. */
async function age(days: number): Promise<void> {
  const times: Record<string, string[]> = {
    access_tokens: ['issued_at', 'expires_at', 'revoked_at'],
    authorization_codes: [
      ...['issued_at', 'expires_at', 'redeemed_at', 'revoked_at', 'family_ends_at'],
      ...['refresh_issued_at', 'refresh_expires_at'],
    ],
    grants: ['granted_at', 'expires_at', 'last_used_at', 'revoked_at'],
  };
  for (const [table, columns] of Object.entries(times)) {
    const changes = columns.map((column) => `${column} = ${column} - interval '${days} days'`);
    await database.query(`update ${table} set ${changes.join(', ')}`);
  }
}

beforeEach(async () => {
  await database.query('truncate grants, access_tokens, consent_decisions, used_tickets, attempts cascade');
});

test('the sweep keeps every row that may still be needed', async () => {
  await successorOf(await freshTokens());
  await obtainCode(browser);
  const before = await counts();
  assert.deepEqual(await sweep(), { rows: 0, skipped: undefined });
  assert.deepEqual(await counts(), before);
});

test('families stay until their end; expired access tokens and unused codes are deleted [F28]', async () => {
  await successorOf(await freshTokens());
  await obtainCode(browser);
  await age(29);
  await sweep();
  const { access_tokens, authorization_codes } = await counts();
  assert.deepEqual({ access_tokens, authorization_codes }, { access_tokens: 0, authorization_codes: 1 });
});

test('a family and its tokens keep their original end when REFRESH_TOKEN_TTL changes', async () => {
  const lowered = await startLatchkey({ ISSUER: origin, REFRESH_TOKEN_TTL: '86400' }, url);
  const first = await freshTokens();
  await age(20);
  await createSweep(lowered.database)();
  const second = await refresh(lowered.origin, first.refresh_token);
  assert.equal(second.status, 200);
  const third = await refresh(lowered.origin, second.body['refresh_token']);
  assert.equal(third.status, 200);
  assert.equal((await getUser(lowered.origin, third.body['access_token'])).status, 200);
});

test('a token that was rotated long ago ends the family when it is presented, after any sweep', async () => {
  const first = await freshTokens();
  const second = await successorOf(first);
  await age(2);
  await sweep();
  const third = await successorOf(second);
  assert.equal((await getUser(origin, third.access_token)).status, 200);
  assert.equal((await refresh(origin, first.refresh_token)).body['error'], 'invalid_grant');
  assert.equal((await getUser(origin, third.access_token)).status, 401);
  assert.equal((await eventsOf(database, 'refresh_token_reused')).length, 1);
});

test('events of issued and refreshed tokens are deleted after AUDIT_RETENTION_ROUTINE days, and no others', async () => {
  const events = async () =>
    (
      await database.query<{ event: string }>('select event from audit_trail where request_id = $1 order by event', [
        'aged',
      ])
    ).rows.map(({ event }) => event);
  for (const [table, event, days] of [
    ['routine_events', 'tokens_refreshed', 8],
    ['routine_events', 'tokens_issued', 6],
    ['audit_events', 'refresh_token_reused', 8],
  ] as const) {
    await database.query(
      `insert into ${table} (event, request_id, happened_at) values ($1, 'aged', now() - make_interval(days => $2))`,
      [event, days],
    );
  }
  await sweep();
  assert.deepEqual(await events(), ['refresh_token_reused', 'tokens_issued', 'tokens_refreshed']);
  await createSweep(database, { audit_retention_routine: 7 })();
  assert.deepEqual(await events(), ['refresh_token_reused', 'tokens_issued']);
});

test('of a hundred thousand events the sweep reads those that it deletes, and nothing else', async () => {
  const insert = `insert into routine_events (event, request_id, happened_at)
    select 'tokens_refreshed', 'many', now() - make_interval(days => $1) from generate_series(1, $2)`;
  await database.query(insert, [3, 100_000]);
  await database.query(insert, [8, 50]);
  const { text = '' } = statements.get('sweep_routine_events') ?? {};
  const deletion = text.replaceAll('$1', '5000').replaceAll('$2', '7');
  const { rows } = await database.query(`explain (analyze, buffers, format json) ${deletion}`);
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
  const pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  assert.ok(pages < 400, `${pages} pages of more than a thousand`);
  const { rows: left } = await database.query("select count(*)::integer from routine_events where request_id = 'many'");
  assert.equal(left[0].count, 100_000);
  await createSweep(database, { audit_retention_routine: 2 })();
  const { rows: none } = await database.query("select count(*)::integer from routine_events where request_id = 'many'");
  assert.equal(none[0].count, 0, 'in many slices');
});

test('an access token that outlives the refresh tokens of its family keeps the family', async () => {
  const { access_token } = await freshTokens();
  await age(32);
  await database.query("update access_tokens set expires_at = now() + interval '1 hour'");
  await sweep();
  await sweep();
  assert.equal((await getUser(origin, access_token)).status, 200);
});

test('expired families are deleted in slices, and so are sessions, decisions and counters', async () => {
  await successorOf(await freshTokens());
  await age(362);
  await database.query("update sessions set last_used_at = now() - interval '2 days'");
  await database.query("update consent_decisions set decided_at = now() - interval '2 days'");
  await database.query("insert into used_tickets values ('old', now() - interval '2 days')");
  await database.query(
    "insert into attempts select 'key ' || n, 1, now(), now() - interval '1 second' from generate_series(1, 2500) n",
  );
  await sweep();
  await sweep();
  assert.deepEqual(
    await counts(),
    { ...Object.fromEntries(tables.map((table) => [table, 0])), grants: 1 },
    'the grant has no end',
  );
  browser = await signedInBrowser(origin);
});

test('revoked, expired and one-time grants are deleted with their families a week later; others stay', async () => {
  const grantsLeft = async (change: string, form = {}) => {
    await database.query('truncate grants, access_tokens cascade');
    await freshTokens({}, form);
    await database.query(`update grants set ${change}`);
    await age(6);
    await sweep();
    const early = await counts();
    await age(2);
    await sweep();
    const late = await counts();
    return [early.grants, early.authorization_codes, late.grants, late.authorization_codes];
  };
  assert.deepEqual(await grantsLeft('last_used_at = now()'), [1, 1, 1, 1], 'alive');
  assert.deepEqual(await grantsLeft('revoked_at = now()'), [1, 1, 0, 0], 'taken back');
  assert.deepEqual(await grantsLeft("expires_at = now(), duration = '30d'"), [1, 1, 0, 0], 'run out');
  assert.deepEqual(await grantsLeft('last_used_at = now()', { duration: 'once' }), [1, 0, 0, 0], 'for once');
});

test('a slice that contains a locked row is retried in smaller ones, until only that row is left', async () => {
  await database.query(
    "insert into attempts select 'key ' || n, 1, now(), now() - interval '1 second' from generate_series(1, 2500) n",
  );
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query('begin');
  await holder.query("select from attempts where key = 'key 1200' for update");
  const { skipped } = await sweep();
  const held = await database.query("select count(*)::integer as left from attempts where ctid::text like '(%'");
  await holder.query('commit');
  await holder.end();
  assert.match(String((skipped as Error).cause), /lock timeout/);
  assert.ok(held.rows[0].left > 0 && held.rows[0].left < 150, `${held.rows[0].left} rows, those of one page`);
  assert.deepEqual(await sweep(), { rows: held.rows[0].left, skipped: undefined } satisfies Swept);
});

test('between two slices a sweep leaves the database to requests for as long as the slice took', async () => {
  await database.query(
    "insert into attempts select repeat('x', 1000) || n, 1, now(), now() - interval '1 second' from generate_series(1, 9000) n",
  );
  const slices: { begin: number; end: number }[] = [];
  const { query } = database;
  database.query = (async (statement: { name: string }, ...rest: unknown[]) => {
    const begin = performance.now();
    try {
      return await Reflect.apply(query, database, [statement, ...rest]);
    } finally {
      if (statement.name === 'sweep_attempts') slices.push({ begin, end: performance.now() });
    }
  }) as typeof query;
  await sweep();
  database.query = query;
  assert.ok(slices.length > 1);
  for (const [index, { begin }] of slices.entries()) {
    const { begin: before, end } = slices[index - 1] ?? { begin, end: begin };
    // timers may be a millisecond early
    assert.ok(begin - end >= end - before - 2, `${begin - end} ms after a slice of ${end - before} ms`);
  }
});

test('sweeps of two instances at the same time delete each row once, and together all of them', async () => {
  const other = await startLatchkey({ ISSUER: origin }, url);
  await database.query(
    "insert into attempts select repeat('x', 1000) || n, 1, now(), now() - interval '1 second' from generate_series(1, 3000) n",
  );
  const [mine, theirs] = await Promise.all([sweep(), createSweep(other.database)()]);
  const { attempts: left } = await counts();
  assert.equal(mine.rows + theirs.rows + left, 3000);
  await sweep();
  assert.equal((await counts()).attempts, 0);
});

test('an interrupted sweep continues where it stopped, not at the first page', async () => {
  await database.query(
    "insert into attempts select repeat('x', 1000) || n, 1, now(), now() - interval '1 second' from generate_series(1, 9000) n",
  );
  const asked: number[] = [];
  const { query } = database;
  database.query = ((statement: { name: string; values: number[] }, ...rest: unknown[]) => {
    if (statement.name === 'sweep_attempts') {
      asked.push(statement.values[0] ?? -1);
      if (asked.length === 2) throw new Error('Connection terminated unexpectedly');
    }
    return Reflect.apply(query, database, [statement, ...rest]);
  }) as typeof query;
  await assert.rejects(sweep(), /the database is unavailable/);
  await sweep();
  database.query = query;
  assert.deepEqual(asked.slice(0, 3), [0, 1000, 1000]);
  assert.ok((await counts()).attempts < 10);
});

test('a client that registered itself and that nobody has allowed anything or used for 30 days is deleted', async () => {
  const registered = await startLatchkey({ ISSUER: origin, REGISTRATION_ENDPOINT: 'open' }, url);
  const ids: Record<string, string> = {};
  for (const name of ['unused', 'new', 'used', 'vouched', 'disabled', 'allowed']) {
    ids[name] = (await register(registered.origin)).body.client_id;
  }
  const client_id = ids['allowed'];
  await obtainCode(browser, { client_id, redirect_uri: 'https://app.example/cb', scope: 'user:name' });
  await database.query(
    `update clients
     set created_at = now() - case when client_id = $1 then interval '29 days' else interval '31 days' end,
       last_used_at = case when client_id = $2 then now() - interval '29 days' end,
       vouched = client_id = $3,
       disabled_at = case when client_id = $4 then now() end
     where client_id = any ($5)`,
    [ids['new'], ids['used'], ids['vouched'], ids['disabled'], Object.values(ids)],
  );
  await database.query(`update clients set created_at = now() - interval '1 year' where client_id = 'photo-printer'`);
  await sweep();
  const { rows } = await database.query('select client_id from clients');
  const left = rows.map(({ client_id }) => client_id);
  assert.deepEqual(
    Object.entries(ids)
      .filter(([, id]) => !left.includes(id))
      .map(([name]) => name),
    ['unused'],
  );
  assert.ok(left.includes('photo-printer'));
  await database.query('update grants set revoked_at = now()');
  await age(8);
  await sweep();
  assert.equal((await database.query('select from clients where client_id = $1', [ids['allowed']])).rowCount, 0);
});

/** What refers to a client by a foreign key or by its client_id, and whether it makes the client used by somebody. */
const references: Record<string, 'in use' | 'part of the client' | 'history'> = {
  'grants.client_id': 'in use',
  'resources.client_id': 'in use',
  'pushed_requests.client_id': 'in use',
  // only together with a grant
  'authorization_codes.client_id': 'in use',
  'client_documents.client_id': 'part of the client',
  'client_key_sets.client_id': 'part of the client',
  'client_logos.client_id': 'part of the client',
  'client_secret_uses.client_id': 'part of the client',
  'issued_tokens.client_id': 'history',
  'self_registrations.client_id': 'part of the client',
  'seeded_rows.client_id': 'part of the client',
  'own_decisions.client_id': 'part of the client',
  // what another server calls this one
  'providers.client_id': 'history',
  'buried_clients.client_id': 'history',
  'refusals.client_id': 'history',
  'audit_events.client_id': 'history',
  'routine_events.client_id': 'history',
};

test('it is known of every reference to a client whether it makes the client used', async () => {
  const { rows } = await database.query(
    `select c.conrelid::regclass::text || '.' || a.attname as name
     from pg_constraint c
     join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
     where c.confrelid = 'clients'::regclass
     union
     select table_name || '.' || column_name
     from information_schema.columns
     join pg_class on oid = to_regclass(table_name) and relkind in ('r', 'p') and not relispartition
     where table_schema = 'public' and column_name ~ 'client_id$' and table_name <> 'clients'`,
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), Object.keys(references).sort());
});

const owned = async (client_id: string) => {
  await registerPeople(database, ['owner']);
  const owner = "(select user_id from users where username = 'owner')";
  await database.query(`update clients set owner_id = ${owner} where client_id = $1`, [client_id]);
};

const redirect_uri = 'https://used.example/cb';
const uses: Record<string, (client_id: string) => Promise<unknown>> = {
  'a grant': (client_id) => obtainCode(browser, { client_id, redirect_uri, scope: 'user:name' }),
  'a resource whose server it is': (client_id) =>
    registerResource(database, `https://${client_id}.example`, ['user:name'], client_id),
  'a request that it has pushed': (client_id) =>
    post(
      `${origin}/par`,
      Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id, redirect_uri, scope: 'user:name' }))),
      { authorization: '' },
    ),
  'its work as a resource server': (client_id) =>
    database.query('update clients set resource_server = true where client_id = $1', [client_id]),
  'an owner': owned,
};

for (const [what, use] of Object.entries(uses)) {
  test(`a client that registered itself stays while there is ${what}, and goes without`, async () => {
    const registered = await startLatchkey({ ISSUER: origin, REGISTRATION_ENDPOINT: 'open' }, url);
    const ofSite = { redirect_uris: [redirect_uri] };
    const { body: used } = await register(registered.origin, ofSite);
    const { body: unused } = await register(registered.origin, ofSite);
    await use(used.client_id);
    await database.query("update clients set created_at = now() - interval '31 days', last_used_at = null");
    await sweep();
    const { rows } = await database.query('select client_id from clients where client_id = any ($1)', [
      [used.client_id, unused.client_id],
    ]);
    assert.deepEqual(rows, [{ client_id: used.client_id }]);
  });
}

test('invitations are deleted when they are used up, and a day after they have expired', async () => {
  await database.query(`insert into invitations (token_sha256, uses_left, expires_at) values
    ('used', 0, now() + interval '1 day'), ('live', 1, now() + interval '1 day'),
    ('over', 1, now() - interval '25 hours'), ('just over', 1, now() - interval '23 hours')`);
  await sweep();
  const { rows } = await database.query(
    `select convert_from(token_sha256, 'UTF8') as name from invitations order by 1`,
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['just over', 'live'],
  );
});

test('a deleted client is dead at once, and the sweep deletes its grants and codes, then the client itself', async () => {
  await registerPrinter(database, { client_id: 'deleted' });
  const authorization = basic('deleted');
  const { body } = await redeem(origin, await obtainCode(browser, { client_id: 'deleted' }), {}, { authorization });
  await database.query(
    `insert into users (username, password_bcrypt) select 'user ' || n, password_bcrypt from users, generate_series(1, 3000) n where username = 'alice'`,
  );
  await database.query(
    `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration)
     select user_id, 'deleted', '{}', '{}', '{}', 'always' from users where username like 'user %'`,
  );
  const left = async () =>
    (
      await database.query(
        `select (select count(*)::integer from clients where client_id = 'deleted') as clients,
           (select count(*)::integer from grants where client_id = 'deleted') as grants,
           (select count(*)::integer from authorization_codes where client_id = 'deleted') as codes`,
      )
    ).rows[0];
  assert.ok(await deleteClient(database, 'deleted', recorded('client_deleted')));
  assert.deepEqual(await left(), { clients: 1, grants: 3001, codes: 1 });
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  const refused = await refresh(origin, body['refresh_token'], {}, { authorization });
  assert.equal(refused.body['error'], 'invalid_client');
  await sweep();
  assert.deepEqual(await left(), { clients: 0, grants: 0, codes: 0 });
});

test('a deleted client can be registered again before the sweep, and its old grants stay dead', async () => {
  const authorization = basic('again');
  await registerPrinter(database, { client_id: 'again' });
  const { body } = await redeem(origin, await obtainCode(browser, { client_id: 'again' }), {}, { authorization });
  assert.ok(await deleteClient(database, 'again', recorded('client_deleted')));
  await registerPrinter(database, { client_id: 'again' });
  assert.equal((await getUser(origin, body['access_token'])).status, 401);
  const refused = await refresh(origin, body['refresh_token'], {}, { authorization });
  assert.equal(refused.body['error'], 'invalid_grant');
  const asked = await browser.visit(`/authorize?${authorizationQuery({ client_id: 'again', prompt: 'none' })}`);
  assert.match(asked.location ?? '', /error=consent_required/);
});

test('the row of a deleted user goes a week later with all that is left of them; an application that they registered at the last moment is disabled before', async () => {
  await registerPeople(database, ['ada']);
  const { rows: found } = await database.query("select user_id from users where username = 'ada'");
  const { user_id } = found[0];
  await deleteUser(database, { user_id, password_hash: null, request_id: 'r', address: null });
  // as if these had been on their way when the account was deleted
  await registerPrinter(database, { client_id: 'last-moment' });
  await database.query("update clients set owner_id = $1 where client_id = 'last-moment'", [user_id]);
  await database.query(
    `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration) values ($1, 'last-moment', '{user:name}', '{user:name}', '{}', 'always')`,
    [user_id],
  );
  await sweep();
  const state = async () => {
    const { rows } = await database.query(
      `select (select count(*)::integer from users where user_id = $1) as users, (select count(*)::integer from grants where user_id = $1) as grants,
         owner_id, disabled_at <= now() as is_disabled from clients where client_id = 'last-moment'`,
      [user_id],
    );
    return rows[0];
  };
  assert.deepEqual(await state(), { users: 1, grants: 1, owner_id: null, is_disabled: true });
  await database.query("update users set deleted_at = deleted_at - interval '7 days' where user_id = $1", [user_id]);
  await sweep();
  assert.deepEqual(await state(), { users: 0, grants: 0, owner_id: null, is_disabled: true });
});
