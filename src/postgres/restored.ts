import type { DatabaseAddress } from './hosts.ts';
import { systemUser } from './system-user.ts';
import { withConnection } from './transaction.ts';

/** Ends all access, see migrations/functions/revoke_all.sql; without a time limit, since it changes every grant. */
export function revokeAll(address: DatabaseAddress): Promise<Date> {
  return withConnection(address, async (client) => {
    const { rows } = await client.query(
      `select set_config('latchkey.system_user', $1, true), revoke_all() as not_before`,
      [systemUser()],
    );
    return rows[0].not_before;
  });
}

/**
 * Defines the functions of claims and choices again, see migrations/functions/define_claim.sql and define_choice.sql: a backup has no
 * functions. What they read is not in it either, and may come later.
 */
export function defineOperatorsFunctions(address: DatabaseAddress): Promise<void> {
  return runAlone(
    address,
    'set check_function_bodies = off',
    'select define_claim(name, query) from claims',
    'select define_choice(name, query) from choices',
  );
}

/** The catalogs of what operators make, with the column that names the table that an object is on. */
const catalogs = {
  ...{ pg_class: null, pg_proc: null, pg_type: null, pg_namespace: null, pg_extension: null, pg_publication: null },
  ...{ pg_foreign_data_wrapper: null, pg_foreign_server: null, pg_event_trigger: null },
  ...{ pg_trigger: 'tgrelid', pg_policy: 'polrelid', pg_rewrite: 'ev_class' },
};

/**
 * Lists objects, except for what belongs to another object (indexes, partitions, array types, the parts of an extension), temporary
 * objects, and the functions of claims and choices. The name of a function lacks its arguments, which an upgrade may change.
 */
const listObjects = `select case when catalog = 'pg_proc'::regclass then split_part(name, '(', 1) else name end as name, on_table
  from (
    ${Object.entries(catalogs)
      .map(([catalog, table]) => `select '${catalog}'::regclass, oid, 0, ${table}::oid from ${catalog}`)
      .join(' union all ')}
    union all
    select 'pg_class'::regclass, attrelid, attnum, attrelid from pg_attribute where attnum > 0 and not attisdropped
  ) objects (catalog, object, part, table_of)
  cross join lateral (select type || ' ' || identity from pg_identify_object(catalog, object, part)) described (name)
  left join lateral (select type || ' ' || identity from pg_identify_object('pg_class'::regclass, table_of, 0)) of (on_table) on true
  where object >= 16384
    and name !~ ' pg_(toast_)?temp_|^function .*"(claim|choice) '
    and not exists (
      select from pg_depend
      where classid = catalog
        and objid = object
        and objsubid = 0
        and (deptype in ('i', 'e', 'P', 'S') or (deptype = 'a' and classid = 'pg_class'::regclass)))`;

/** Lists what the first database has and the second one lacks, without what is on a table that the second one lacks. */
export async function listOthers(first: DatabaseAddress, second: DatabaseAddress): Promise<string[]> {
  const [objects = [], known = []] = await Promise.all(
    [first, second].map((address) => withConnection(address, async (client) => (await client.query(listObjects)).rows)),
  );
  const names = new Set(known.map(({ name }) => name));
  return objects
    .filter(({ name, on_table }) => !names.has(name) && (on_table === null || names.has(on_table)))
    .map(({ name }) => name);
}

/** Splits the first partition of the audit trail, see migrations/functions/split_first_audit_partition.sql. */
export function splitFirstAuditPartition(address: DatabaseAddress): Promise<void> {
  return runAlone(address, 'select split_first_audit_partition()');
}

/** Runs statements that cannot be in a transaction. */
export function runAlone(address: DatabaseAddress, ...statements: string[]): Promise<void> {
  return withConnection(address, async (client) => {
    for (const statement of statements) await client.query(statement);
  });
}

/** Puts the other database into the place of the one at this address, which is dropped, or gets a name. Nobody is connected to either. */
export async function swapDatabases(
  address: DatabaseAddress & { database: string },
  other: string,
  kept: string | undefined,
): Promise<void> {
  const { database } = address;
  await withConnection({ ...address, database: 'template1' }, async (client) => {
    await client.query('drop database if exists latchkey_replaced');
    await client.query('begin');
    await client.query(`alter database ${database} rename to ${kept ?? 'latchkey_replaced'}`);
    await client.query(`alter database ${other} rename to ${database}`);
    await client.query('commit');
    if (kept === undefined) await client.query('drop database latchkey_replaced');
  });
}
