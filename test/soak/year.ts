import pg from 'pg';
import { namedResource } from '../../src/catalogue/resources.sql.ts';
import { codeChallengeOf } from '../../src/lib/pkce.ts';
import {
  createRefreshToken,
  createSuccessorSalt,
  deriveSuccessors,
  readRefreshToken,
} from '../../src/lib/refresh-token.ts';
import { createCredential, credentialKey, digestOf } from '../../src/lib/secrets.ts';
import { touchGrant } from '../../src/oauth/consent/last-use.sql.ts';
import {
  issueAuthorizationCode,
  redeemAuthorizationCode,
  rotateRefreshToken,
} from '../../src/oauth/token/authorization-codes.sql.ts';
import { createSweep } from '../../src/operations/sweep.sql.ts';
import { type Database, openDatabase, requestSettings } from '../../src/postgres/database.ts';
import { latchkeySeed } from '../bench/seeds/latchkey.ts';
import { client, lifetimes, scopes, verifier } from '../bench/servers/terms.ts';
import { compare, type Finding } from './verdict.ts';

// Applications refresh every hour for so many days, with the statements of the server and its sweep, as fast as Postgres can.

export interface Plan {
  readonly families: number;
  readonly days: number;
  /** days that routine events are kept */
  readonly routine: number;
  /** statements into which the refreshes of an hour are divided */
  readonly statements: number;
  readonly say?: (sentence: string) => void;
}

export interface Space {
  rows: number;
  /** with indexes */
  bytes: number;
}

/** At the end of a day. */
export interface Day {
  readonly day: number;
  readonly tables: Record<string, Space>;
}

export interface Year {
  readonly days: Day[];
  readonly refreshes: number;
  readonly exchanges: number;
}

/** The days from which a table must not grow any more: by then, what it keeps for a time has begun to leave. */
const settledDays = ({ routine }: Plan) => ({
  authorization_codes: 1,
  grants: 1,
  // an hour until it expires, a day until it is swept, and then until a vacuum frees the space of the first of them
  access_tokens: 3,
  // autovacuum frees the space of the first events when a fifth of them has been deleted
  routine_events: Math.ceil(1.2 * routine) + 1,
});

/** An application of a person. */
interface Connection {
  readonly grant_id: string;
  refresh_token: string;
}

const request = {
  ...{ client_id: client.client_id, method: 'client_secret_post', secret_sha256: digestOf(client.client_secret) },
  ...{ ...namedResource(undefined), can_sign: false, access_token_ttl: lifetimes.access_token },
  ...{ request_id: '0b9f2c5e4d4e-2k9x', address: '198.51.100.20' },
};
const secret = 'a secret for the tags of refresh tokens';

/** On a migrated database without rows. */
export async function simulateYear(url: string, plan: Plan): Promise<Year> {
  const operator = new pg.Client({ connectionString: url });
  await operator.connect();
  const setClock = await prepare(operator, plan.days);
  // a lost commit would matter to nobody here
  const own = { search_path: 'simulated, pg_catalog, public', synchronous_commit: 'off' };
  const database = openDatabase({ connectionString: url }, 1, { ...requestSettings, ...own });
  const sweep = createSweep(database, { audit_retention_routine: plan.routine });
  const measured = new Set([...Object.values(settledDays(plan)), plan.days]);
  const year = { days: [] as Day[], refreshes: 0, exchanges: 0 };
  try {
    const connections = await connectAll(database, operator, plan.families);
    for (let hour = 1; hour <= plan.days * 24; hour += 1) {
      await setClock(hour);
      for (const some of slicesOf(connections, Math.ceil(connections.length / plan.statements))) {
        const refreshed = await Promise.all(some.map((one) => refreshOrConnect(database, one)));
        for (const isRefresh of refreshed) year[isRefresh ? 'refreshes' : 'exchanges'] += 1;
      }
      const { skipped } = await sweep();
      if (skipped) throw new Error('the sweep left rows', { cause: skipped });
      await vacuumAsDue(database, operator);
      if (hour % 24 === 0 && measured.has(hour / 24)) year.days.push(await measure(operator, hour / 24, plan));
      if (hour % 720 === 0) plan.say?.(`day ${hour / 24}: ${year.refreshes} refreshes, ${year.exchanges} exchanges`);
    }
  } finally {
    await database.end();
    await operator.end();
  }
  return year;
}

/**
 * What the statements find as now() is behind the clock of Postgres by what is left of the time. To move the rows instead would
 * write each of them every hour, which the server does not.
 */
async function prepare(operator: pg.Client, days: number): Promise<(hour: number) => Promise<void>> {
  await operator.query(latchkeySeed.schema);
  const setClock = async (hour: number) => {
    await operator.query(`create or replace function simulated.now() returns timestamptz language sql stable
      as $$ select pg_catalog.now() - interval '${days * 24 - hour} hours' $$`);
  };
  await operator.query('create schema simulated');
  await setClock(0);
  // a default means the now() that was there when its table was made
  const { rows: defaults } = await operator.query<{ change: string }>(`
    select format('alter table %s alter column %I set default simulated.now()', d.adrelid::regclass, a.attname) as change
    from pg_attrdef d
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where pg_get_expr(d.adbin, d.adrelid) = 'now()'`);
  // autovacuum would look at a table for a second, which is hours here, and no version of a row is removed meanwhile
  const { rows: tables } = await operator.query<{ change: string }>(`
    select format('alter table %s set (autovacuum_enabled = off)', oid::regclass) as change
    from pg_class
    where relkind = 'r'
      and relnamespace = 'public'::regnamespace`);
  await operator.query([...defaults, ...tables].map(({ change }) => change).join(';\n'));
  return setClock;
}

async function connectAll(database: Database, operator: pg.Client, families: number): Promise<Connection[]> {
  const { rows } = await operator.query<{ grant_id: string }>('select grant_id from grants order by grant_id');
  const connections: Connection[] = [];
  for (let n = 0; n < families; n += 1) {
    const grant_id = rows[n % rows.length]?.grant_id ?? '';
    // their families end one after the other, and not all of them on one day
    const refresh_token_ttl = Math.ceil((lifetimes.refresh_token * (n + 1)) / families);
    connections.push({ grant_id, refresh_token: await connect(database, grant_id, refresh_token_ttl) });
  }
  return connections.sort(() => Math.random() - 0.5);
}

function slicesOf(connections: readonly Connection[], size: number): Connection[][] {
  const slices: Connection[][] = [];
  for (let n = 0; n < connections.length; n += size) slices.push(connections.slice(n, n + size));
  return slices;
}

/** Whether the family goes on; otherwise it has ended, and the application gets a new code. */
async function refreshOrConnect(database: Database, connection: Connection): Promise<boolean> {
  const token = readRefreshToken(connection.refresh_token);
  if (!token) throw new Error('no refresh token');
  const successor_salt = createSuccessorSalt();
  const successor = deriveSuccessors(token, successor_salt, secret);
  const rotated = await rotateRefreshToken(database, {
    ...{ ...request, ...token, is_genuine: false, scope: undefined, successor_salt },
    access_token_sha256: credentialKey(successor.access_token),
    successor_sha256: successor.refresh_token_sha256,
    refresh_token_ttl: lifetimes.refresh_token,
  });
  if (rotated?.grant_to_touch) await touchGrant(database, rotated.grant_to_touch);
  connection.refresh_token = rotated ? successor.refresh_token : await connect(database, connection.grant_id);
  return rotated !== undefined;
}

/** The refresh token of a new family. */
async function connect(
  database: Database,
  grant_id: string,
  refresh_token_ttl = lifetimes.refresh_token,
): Promise<string> {
  const code_sha256 = credentialKey(createCredential('authorization_code'));
  const sid_sha256 = await beginSession(database, grant_id);
  const code_challenge = codeChallengeOf(verifier);
  const { redirect_uri } = client;
  await issueAuthorizationCode(database, {
    ...{ code_sha256, sid_sha256, grant_id, redirect_uri, redirect_uri_sent: true, code_challenge, binding: null },
    ...{ scope: scopes.join(' '), requested_scope: undefined, gives_username: false, resources: 'self' },
    auth_time: undefined,
    acr: 1,
    ttl: lifetimes.code,
  });
  const first = createRefreshToken(secret, { family_key: code_sha256, generation: 0 });
  const redeemed = await redeemAuthorizationCode(database, {
    ...{ ...request, code_sha256, redirect_uri, code_challenge, refresh_token_ttl },
    access_token_sha256: credentialKey(createCredential('access_token')),
    refresh_token_sha256: first.refresh_token_sha256,
  });
  if (!redeemed) throw new Error('the code was not redeemed');
  return first.refresh_token;
}

/** Only a session issues a code. */
async function beginSession(database: Database, grant_id: string): Promise<Buffer> {
  const { rows } = await database.query<{ sid_sha256: Buffer }>(
    `insert into sessions (sid_sha256, user_id, data)
     select sha256($1::text::bytea), user_id, '{}' from grants where grant_id = $1::bigint
     on conflict (sid_sha256) do update set last_used_at = now()
     returning sid_sha256`,
    [grant_id],
  );
  const [session] = rows;
  if (!session) throw new Error('there is no such grant');
  return session.sid_sha256;
}

/** By the rules of autovacuum and its defaults. It looks every minute, and an hour here takes less than that. */
async function vacuumAsDue(database: Database, operator: pg.Client): Promise<void> {
  const { rows: known } = await operator.query("select to_regproc('pg_stat_force_next_flush') is not null as flushes");
  const { flushes } = known[0];
  // before Postgres 15 the numbers come too late
  if (flushes) await database.query('select pg_stat_force_next_flush()');
  const { rows } = await operator.query<{ task: string }>(`
    select format(case when n_dead_tup > 50 + 0.2 * n_live_tup then 'vacuum %s' else 'analyze %s' end, relid::regclass) as task
    from pg_stat_user_tables
    join pg_class on pg_class.oid = relid and relkind = 'r'
    where n_dead_tup > 50 + 0.2 * n_live_tup
      or n_mod_since_analyze > 50 + 0.1 * n_live_tup
      or not ${flushes}`);
  for (const { task } of rows) await operator.query(task);
}

async function measure(operator: pg.Client, day: number, plan: Plan): Promise<Day> {
  const tables: Record<string, Space> = {};
  for (const table of Object.keys(settledDays(plan))) {
    const { rows } = await operator.query<Space>(`
      select count(*)::float8 as rows, pg_total_relation_size('${table}')::float8 as bytes from ${table}`);
    if (rows[0]) tables[table] = rows[0];
  }
  return { day, tables };
}

/** A tenth more is no growth, and no more are a few pages of a small table. */
const bounds = { rows: { share: 0.1, slack: 50 }, bytes: { share: 0.1, slack: 2 ** 18 } };

/** Each table at its end and on the day when it was settled. */
export function judgeYear({ days }: Year, plan: Plan): Finding[] {
  return Object.entries(settledDays(plan)).flatMap(([table, day]) =>
    (['rows', 'bytes'] as const).map((what) => {
      const [settled, end] = [days.find((one) => one.day === day), days.at(-1)].map((one) => one?.tables[table]);
      if (!settled || !end) throw new Error(`the days are too few for ${table}`);
      return compare(`${table}, ${what} after day ${day}`, bounds[what], [settled[what], end[what]]);
    }),
  );
}
