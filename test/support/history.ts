import type { Database } from '../../src/postgres/database.ts';
import { printer } from './latchkey.ts';

/** What one person, one application and its users did in a few years, so often each; made in SQL, without triggers. */
export async function fillHistory(database: Database, user_id: number, often: number): Promise<void> {
  const n = `generate_series(1, ${often}) n`;
  const ago = `now() - interval '1 day' - n * interval '1 second'`;
  const client = `'${printer.client_id}'`;
  await fillWithoutIndexes(database, 'clients', [
    // takes longer than all the rest of a row
    'alter table clients drop constraint clients_id_is_printable',
    `insert into clients (client_id, name, site_domain, redirect_uris, scopes, required_scopes, grant_types,
       secrets_sha256, secrets_since, owner_id, created_at)
     select 'application-' || n, 'Application ' || n, 'printer.example', '{https://printer.example/callback}',
       '{user:name,user:email}', '{}', '{authorization_code,refresh_token}', '{}', '{}', ${user_id}, ${ago}
     from ${n}`,
  ]);
  await fillWithoutIndexes(database, 'grants', [
    // live ones of alice, ended ones of alice and one client, live ones of other people and that client
    `insert into grants (user_id, client_id, scopes, decided, redirect_uris, duration, granted_at, expires_at, revoked_at)
     select ${user_id}, 'application-' || n, '{user:name}'::text[], '{user:name}'::text[], '{}'::text[], 'always', ${ago}, null::timestamptz, null::timestamptz
     from ${n}
     union all
     select ${user_id}, ${client}, '{user:name}', '{user:name}', '{}', 'once', ${ago}, ${ago}, ${ago}
     from ${n}
     union all
     select 1000 + n, ${client}, '{user:name}', '{user:name}', '{}', 'always', ${ago}, null::timestamptz, null::timestamptz
     from ${n}`,
  ]);
  await fillWithoutIndexes(database, 'authorization_codes', [
    `insert into authorization_codes (code_sha256, grant_id, client_id, redirect_uri, redirect_uri_sent, scopes, issued_at, expires_at)
     select int8send(n), grant_id, client_id, 'https://printer.example/callback', true, '{user:name}', ${ago}, ${ago}
     from grants, ${n}
     where user_id = ${user_id}
       and client_id = ${client}
       and revoked_at is null`,
  ]);
  await fillWithoutIndexes(database, 'sessions', [
    `insert into sessions (sid_sha256, user_id, data, created_at, last_used_at)
     select int8send(n), ${user_id}, '{}', now() - n * interval '1 millisecond', now() - n * interval '1 millisecond'
     from ${n}`,
  ]);
  for (const [table, events] of [
    ['audit_events', '{signed_in,client_changed}'],
    ['routine_events', '{tokens_refreshed}'],
  ] as const) {
    await fillWithoutIndexes(database, table, [
      `insert into ${table} (happened_at, event, user_id, client_id, code_id, request_id)
       select ${ago}, event, ${user_id}, ${client}, code_id, 'r'
       from ${n}, (
         select unnest('${events}'::text[]) as event, max(code_id) as code_id
         from authorization_codes
         where redeemed_at is not null) told`,
    ]);
  }
  // Rewritten tables have no chains of updated rows. A new index on such chains is not used as long as any transaction of the cluster,
  // also of another test, is older than it.
  await fillWithoutIndexes(database, 'users', [
    'vacuum full grants',
    'vacuum full clients',
    'vacuum full users',
    'vacuum analyze',
  ]);
}

/** Rows first, then the indexes that were there: a third of the time. */
async function fillWithoutIndexes(database: Database, table: string, statements: string[]): Promise<void> {
  const client = await database.connect();
  const run = (text: string) => client.query(text);
  await run(
    'set statement_timeout = 0; set lock_timeout = 0; set session_replication_role = replica; set enable_seqscan = on',
  );
  const { rows } = await run(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = '${table}'::regclass
       and not exists (select from pg_constraint where conindid = indexrelid)
       and not indisunique`,
  );
  for (const { name } of rows) await run(`drop index ${name}`);
  for (const statement of statements) await run(statement);
  // the definition of an index on a partitioned table says ON ONLY, which would leave its partitions without the index
  for (const { definition } of rows) await run(definition.replace(' ON ONLY ', ' ON '));
  client.release(true);
}
