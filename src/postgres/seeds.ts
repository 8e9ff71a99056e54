import { createHash, scryptSync } from 'node:crypto';
import { basename } from 'node:path';
import type pg from 'pg';
import { bcryptCost } from '../lib/password-rules.ts';
import { publicSuffixProblem } from '../lib/public-suffix.ts';
import { readSqlFile, runSqlFileToItsEnd, SqlFileError } from './sql-file.ts';
import { systemUser } from './system-user.ts';

export interface SeedSettings {
  /** whether people can have a password here */
  readonly passwords: boolean;
}

export interface SeedRun extends Partial<SeedSettings> {
  /** whether it will be rolled back, so that it leaves sequences as they are */
  readonly isPlan?: boolean;
  /** disables what the file no longer names; `forced`: however much that is */
  readonly prune?: boolean | 'forced';
  /** digest of the plan that somebody has read: the run is refused if it would change anything else */
  readonly expect?: string | undefined;
  /** takes away changes that only look like changes, which the database cannot tell */
  readonly withoutSame?: (changes: readonly SeedChange[]) => Promise<SeedChange[]>;
}

/** A row that the seed has changed; or a row of somebody else that the seed has adopted, which may have stayed as it was. */
export interface SeedChange {
  readonly action: 'create' | 'update' | 'disable' | 'delete';
  readonly kind: 'client' | 'user' | 'scope' | 'group' | 'resource' | 'provider' | 'claim' | 'choice';
  readonly id: string;
  /** the new values; of a secret, only that it is new */
  readonly changes: Readonly<Record<string, unknown>>;
  /** what somebody else has changed since the last run of this seed */
  readonly drift: readonly string[];
  /** whether the row did not belong to this seed before */
  readonly adopted: boolean;
  /** columns of the row, before and now */
  readonly earlier: Readonly<Record<string, unknown>> | null;
  readonly present: Readonly<Record<string, unknown>> | null;
}

export interface SeedResult {
  readonly changes: readonly SeedChange[];
  /** rows of this seed that it no longer names, and that are not disabled; after a prune, the rows that cannot be disabled */
  readonly left: readonly Pick<SeedChange, 'kind' | 'id'>[];
  /** scopes that people are asked for again, with the number of grants that lose them */
  readonly asked: Readonly<Record<string, number>>;
  /** digest of everything that a plan prints about the changes, and of the secrets that it does not print */
  readonly digest: string;
}

export const isChange = ({ changes, action }: SeedChange) => action === 'delete' || Object.keys(changes).length > 0;

/** Runs a seed inside the caller's transaction, and says what it has changed. */
export async function runSeed(client: pg.ClientBase, path: string, run: SeedRun = {}): Promise<SeedResult> {
  const seed = basename(path);
  if (run.passwords === false) await forgetPasswords(client);
  await client.query(
    'create temporary table seeding (kind text, key text, earlier jsonb, is_named boolean, primary key (kind, key)) on commit drop',
  );
  await client.query(
    `select set_config('latchkey.seed', $1, true), set_config('latchkey.plan', $2, true), set_config('latchkey.system_user', $3, true)`,
    [seed, run.isPlan ? 'on' : 'off', systemUser()],
  );
  if (run.isPlan) await keepSequences(client, path);
  await runWithPasswords(client, path);
  await refusePublicSuffixes(client, path);
  await client.query('select enable_seeded_rows()');
  if (run.prune) await prune(client, seed, run.prune === 'forced');
  const { rows: changed } = await client.query<SeedChange>('select * from seed_changes($1)', [seed]);
  const changes = await (run.withoutSame ?? (async (all) => all))(changed);
  const { rows: left } = await client.query(
    `with unnamed as materialized (
       select kind, key, row_of_seed(kind, key) as present
       from seeded_rows
       where seed = $1
         and not exists (select from pg_temp.seeding s where s.kind = seeded_rows.kind and s.key = seeded_rows.key and s.is_named)
     )
     select kind, case when kind = 'user' then present ->> 'username' else key end as id
     from unnamed
     where present ->> 'disabled_at' is null
       and present ->> 'deleted_at' is null
     order by kind, id
     limit 1000`,
    [seed],
  );
  const { rows: noted } = await client.query(
    `select set_config('latchkey.seed', '', true), keep_seeded_rows($1),
       coalesce(nullif(current_setting('latchkey.asked_again', true), ''), '{}')::jsonb as asked`,
    [seed],
  );
  const { asked } = noted[0];
  const digest = await digestOf(client, changes);
  if (run.expect !== undefined && run.expect !== digest) {
    throw new SqlFileError(
      `${seed} would not change what the plan ${run.expect} said: read its plan of now (${digest})`,
    );
  }
  const count = changes.filter((change) => isChange(change) || change.adopted).length;
  if (count > 0 && !run.isPlan) {
    await client.query(`insert into audit_events (event, request_id, detail) values ('seed_applied', 'seed', $1)`, [
      `${seed}: ${count} ${count === 1 ? 'row' : 'rows'}, plan ${digest}`,
    ]);
  }
  return { changes, left, asked, digest };
}

/**
 * Returns the digest of a plan. It depends on new secrets, so that a secret that is exchanged after the review is noticed; and it takes
 * so long that nobody finds a secret by it.
 */
async function digestOf(client: pg.ClientBase, changes: readonly SeedChange[]): Promise<string> {
  const printed = changes.map(({ earlier, present, ...change }) => change);
  const secrets = changes.map(secretOf);
  const text = JSON.stringify(printed);
  if (secrets.every((secret) => secret === undefined)) {
    return createHash('sha256').update(text).digest('hex').slice(0, 32);
  }
  const { rows } = await client.query(`select current_setting('latchkey.stated_passwords', true) as passwords`);
  const passwords = changes.some((change) => 'password' in change.changes) && rows[0].passwords;
  const whole = JSON.stringify([text, secrets, passwords]);
  return scryptSync(whole, 'plan of a seed', 16, { N: 2 ** 15, r: 8, maxmem: 2 ** 26 }).toString('hex');
}

/** Returns what is stored of a new secret; undefined if there is none. A hash that register_user has just made differs each time. */
function secretOf({ changes, present }: SeedChange): unknown {
  if (!present || !('client_secret' in changes || 'password' in changes)) return undefined;
  const { secrets_sha256, client_secret, password_hash, password_bcrypt, registered_password_bcrypt } = present;
  const isMade = (password_hash ?? password_bcrypt) === registered_password_bcrypt;
  return [secrets_sha256, client_secret, ...(isMade ? [] : [password_hash, password_bcrypt])];
}

/** A row of `alter sequence` is rolled back, with all numbers drawn since. It stops others who draw from it, so it is for what no request uses. */
async function keepSequences(client: pg.ClientBase, path: string): Promise<void> {
  const own = /\b(nextval|setval)\b/i.test(await readSqlFile(path));
  await client.query(
    `do $$ declare s record; begin
       for s in
         select q.seqrelid::regclass as name, q.seqincrement as step
         from pg_sequence q
         join pg_class c on c.oid = q.seqrelid
         left join pg_depend d on d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype = 'i'
         where c.relnamespace = current_schema()::regnamespace
           and pg_has_role(c.relowner, 'usage')
           and (d.refobjid = 'scopes'::regclass or (d.refobjid is null and ${own}))
       loop execute format('alter sequence %s increment by %s', s.name, s.step); end loop;
     end $$`,
  );
}

/** The share of a seed's rows that one run may disable without being forced, and up to how many it is not asked. */
const share = { most: 0.5, few: 10 };

async function prune(client: pg.ClientBase, seed: string, isForced: boolean): Promise<void> {
  const { rows } = await client.query(
    `select count(*) filter (where s.is_named)::integer as kept, count(*) filter (where s.is_named is not true)::integer as unnamed
     from seeded_rows r
     left join pg_temp.seeding s using (kind, key)
     where r.seed = $1
       and r.kind in ('client', 'user', 'provider', 'resource', 'claim', 'choice')
       and row_of_seed(r.kind, r.key) ->> 'deleted_at' is null
       and (row_of_seed(r.kind, r.key) ->> 'disabled_at' is null or s.is_named)`,
    [seed],
  );
  const { kept, unnamed } = rows[0];
  const isTooMuch = kept === 0 || (unnamed > share.few && unnamed > share.most * (kept + unnamed));
  if (unnamed > 0 && isTooMuch && !isForced) {
    throw new SqlFileError(
      `${seed} names ${kept} of the ${kept + unnamed} clients, people, providers, resources, claims and choices that it has registered. Is it the right file, and whole? --force disables the other ${unnamed} all the same`,
    );
  }
  await client.query('select prune_seed($1)', [seed]);
}

/** Makes register_user keep no password until the transaction ends. */
async function forgetPasswords(client: pg.ClientBase): Promise<void> {
  await client.query(`select set_config('latchkey.passwords', 'off', true)`);
}

/**
 * Runs the file with one bcrypt comparison for the whole seed instead of one for each
 * person. register_user makes a digest of all usernames, passwords and hashes of a transaction, and the bcrypt hash of that
 * digest is stored: if it is unchanged, so are the passwords. (The digest itself would let a thief test passwords quickly.)
 */
async function runWithPasswords(client: pg.ClientBase, path: string): Promise<void> {
  const known = await findKnownPasswords(client);
  if (known !== undefined && (await runTrusting(client, path, known))) return;
  await runSqlFileToItsEnd(client, path);
  await client.query(
    `insert into settings (name, value)
     select 'seed_passwords', crypt(digest, gen_salt('bf', ${bcryptCost}))
     from nullif(current_setting('latchkey.passwords_digest', true), '') digest
     where digest is not null
     on conflict (name) do update
     set value = excluded.value`,
  );
}

async function findKnownPasswords(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query(`select value from settings where name = 'seed_passwords'`);
  return rows[0]?.value;
}

/** Runs the seed as if all passwords were unchanged, and rolls back if they were not. */
async function runTrusting(client: pg.ClientBase, path: string, known: string): Promise<boolean> {
  await client.query('savepoint trusting');
  await client.query(`select set_config('latchkey.passwords_are_known', 'yes', true)`);
  await runSqlFileToItsEnd(client, path);
  const { rows } = await client.query(
    `select digest is null or crypt(digest, $1) = $1 as are_known
     from nullif(current_setting('latchkey.passwords_digest', true), '') digest`,
    [known],
  );
  if (!rows[0].are_known) await client.query('rollback to savepoint trusting');
  return rows[0].are_known;
}

/**
 * Refuses public suffixes after a seed, in the same transaction: register_client has noted the sites, but the database has no list of
 * public suffixes.
 */
async function refusePublicSuffixes(client: pg.ClientBase, path: string): Promise<void> {
  const { rows } = await client.query(
    `select string_to_array(current_setting('latchkey.site_domains', true), ' ') as domains`,
  );
  const problems = new Set<string | undefined>(rows[0].domains?.map(publicSuffixProblem));
  problems.delete(undefined);
  if (problems.size > 0) throw new SqlFileError(`${basename(path)}: ${[...problems].join('; ')}`);
}
