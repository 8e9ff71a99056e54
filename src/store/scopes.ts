import { type Database, row, rows, sql } from '../postgres/database.ts';
import { keptFor } from '../postgres/kept.ts';
import type { ScopeCatalogue } from '../protocol/scope.ts';

const listScopesStatement = sql(
  'list_scopes',
  `select scopes.name, group_name, scopes.sentence, scopes.sentences, coalesce(changes, scopes.name ~ ':write$') as changes, acr, max_age,
     scope_groups.sentence as group_sentence, scope_groups.sentences as group_sentences
   from scopes
   left join scope_groups on scope_groups.name = group_name
   order by position`,
);

/** Only migrations, seeds and commands change it. */
const catalogue = keptFor<ScopeCatalogue>(5000);

export function findScopeCatalogue(database: Database): Promise<ScopeCatalogue> {
  return catalogue(database, () => rows(database, listScopesStatement));
}

const registerNewScopeStatement = sql(
  'register_new_scope',
  `select register_scope(name => $1, sentence => $2, group_name => $3, changes => $4)
   where not exists (select from scopes where name = $1)`,
);

export interface NewScope {
  name: string;
  sentence: string;
  group_name: string | null;
  /** null: if its name ends in ":write" */
  changes: boolean | null;
}

/** False if it exists: nothing was changed. */
export async function registerNewScope(database: Database, scope: NewScope): Promise<boolean> {
  const values = [scope.name, scope.sentence, scope.group_name, scope.changes];
  return (await row(database, registerNewScopeStatement, values)) !== undefined;
}

/** The sentence without a language is for people whose language has none of its own. */
const said = (row: string, name: string) => `coalesce(case when $3::text is null then $2 end, ${row}.sentence, ${name}),
     sentences => coalesce(${row}.sentences, '{}') || case when $3::text is null then '{}' else jsonb_build_object($3::text, $2::text) end`;

const describeScopeStatement = sql(
  'describe_scope',
  `select register_scope(scopes.name, changes => changes, sentence => ${said('scopes', 'scopes.name')})
   from scopes
   where name = $1`,
);

const describeGroupStatement = sql(
  'describe_group',
  `select describe_group(grouped.name, sentence => ${said('scope_groups', 'grouped.name')})
   from (
     select group_name as name
     from scopes
     where group_name = $1
     limit 1) grouped
   left join scope_groups on scope_groups.name = grouped.name`,
);

/** What people read about a scope or a group; false if there is none of this name. */
export async function describeScope(
  database: Database,
  kind: 'scope' | 'group',
  { name, sentence, language }: { name: string; sentence: string; language: string | undefined },
): Promise<boolean> {
  const statement = kind === 'scope' ? describeScopeStatement : describeGroupStatement;
  return (await row(database, statement, [name, sentence, language ?? null])) !== undefined;
}

/** Who uses a scope, the first of each kind. */
export interface ScopeUse {
  kind: 'client' | 'resource' | 'claim';
  name: string;
}

const findScopeUsesStatement = sql(
  'find_uses_of_scope',
  `(select 'client' as kind, client_id as name
   -- with the limit in here, the planner would look for some in the whole table
   from (
     select client_id
     from clients
     where scopes @> array[$1]
       and deleted_at is null
     offset 0) registered
   order by client_id
   limit 5)
   union all
   (select 'resource', resource
   from resources
   where scopes @> array[$1]
   limit 5)
   union all
   (select 'claim', name
   from claims
   where scope = $1
   limit 5)`,
);

/** People can only have allowed it to clients that are registered for it. */
export function findScopeUses(database: Database, name: string): Promise<ScopeUse[]> {
  return rows<ScopeUse>(database, findScopeUsesStatement, [name]);
}

const deleteScopeStatement = sql(
  'delete_scope',
  `with deleted as (
     delete from scopes
     where name = $1
       -- counted, because for the first one alone the planner would look in the whole table
       and 0 = (select count(*) from clients where clients.scopes @> array[$1] and clients.deleted_at is null)
       and not exists (select from resources where resources.scopes @> array[$1])
       and not exists (select from claims where claims.scope = $1)
     returning name, group_name
   ), deleted_group as (
     delete from scope_groups
     using deleted
     where scope_groups.name = deleted.group_name
       and not exists (
         select
         from scopes
         where scopes.group_name = deleted.group_name
           and scopes.name <> deleted.name)
   )
   select name
   from deleted`,
);

/** Not one that somebody uses. */
export async function deleteScope(database: Database, name: string): Promise<boolean> {
  return (await row(database, deleteScopeStatement, [name])) !== undefined;
}
