import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { ownScopes } from '../lib/profile.ts';
import { knowsAll, type Permission, type ScopeCatalogue } from '../lib/scope.ts';
import { type Database, hasRow, row, rows, sql } from '../postgres/database.ts';
import { keptFor } from '../postgres/kept.ts';
import { findPage, type Page } from '../postgres/pagination.sql.ts';

const listScopesStatement = sql(
  'list_scopes',
  `select scopes.name, group_name, scopes.sentence, scopes.sentences, coalesce(changes, scopes.name ~ ':write$') as changes, acr, max_age,
     scope_groups.sentence as group_sentence, scope_groups.sentences as group_sentences
   from scopes
   left join scope_groups on scope_groups.name = group_name
   order by position`,
);

/** Only migrations, seeds, commands and the pages for administrators change the catalogue. */
const catalogue = keptFor<ScopeCatalogue>(5000);

/**
 * What `scope` names is looked for among all scopes that are stored now, before it can be refused as unknown. Where a client asks,
 * `scope` has the scopes of its registration, which was just read: no request can name more, and a request that does must cost
 * nothing.
 */
export async function findScopeCatalogue(database: Database, scope = ''): Promise<ScopeCatalogue> {
  const read = () => rows<Permission>(database, listScopesStatement);
  const known = await catalogue(database, read);
  return knowsAll(known, scope) ? known : catalogue.latest(database, read);
}

const registerNewScopeStatement = sql(
  'register_new_scope',
  `with tried as (
     select register_scope(name => $1, sentence => $2, group_name => $3, changes => $4) as name
     from set_config('latchkey.adds_new', 'yes', true)
     where not exists (select from scopes where name = $1)
   ), registered as (
     select name
     from tried
     where name is not null
   ), ${recordedEvent('registered', 5)}
   select name from registered`,
);

export interface NewScope {
  name: string;
  sentence: string;
  group_name: string | null;
  /** null: whether its name ends in ":write" */
  changes: boolean | null;
}

/** Registers a scope; false if the scope exists, and nothing was changed. */
export function registerNewScope(database: Database, scope: NewScope, recorded: RecordedEvent): Promise<boolean> {
  const values = [scope.name, scope.sentence, scope.group_name, scope.changes, ...recordedValues(recorded)];
  return hasRow(database, registerNewScopeStatement, values);
}

/** What people read about a scope, or about a group, which may have no sentences. */
export interface Sentences {
  /** read by people whose language has no sentence of its own */
  sentence: string | null;
  /** by language */
  sentences: Readonly<Record<string, string>> | null;
}

/** Earlier sentences stay in languages for which there is no new sentence; null removes the sentence of a language. */
const saidNow = `jsonb_strip_nulls(coalesce(sentences, '{}') || $3::jsonb)`;
const said = (name: string) => `sentence => coalesce($2::text, sentence, ${name}), sentences => ${saidNow}`;
const isOther = `(coalesce($2::text, sentence), ${saidNow}) is distinct from (sentence, coalesce(sentences, '{}')) as is_other`;
const isAsShown = `($4::jsonb is null or jsonb_build_object('sentence', sentence, 'sentences', sentences) = $4)`;

const notedChange = `other as (
     select
     from changed
     where is_other
   ), ${recordedEvent('other', 5)}
   select name from changed`;

// the row is locked, so that the second of two simultaneous descriptions keeps what the first has stored
const describeScopeStatement = sql(
  'describe_scope',
  `with described as (
     select name, changes, sentence, sentences
     from scopes
     where name = $1
       and ${isAsShown}
     for update
   ), changed as (
     select register_scope(name, changes => changes, ${said('name')}) as name, ${isOther}
     from described
   ), ${notedChange}`,
);

const describeGroupStatement = sql(
  'describe_group',
  `with described as (
     select sentence, sentences
     from scope_groups
     where name = $1
     for update
   ), changed as (
     select describe_group(grouped.group_name, ${said('grouped.group_name')}) as name, ${isOther}
     from (
       select group_name
       from scopes
       where group_name = $1
       limit 1) grouped
     left join described on true
     where ${isAsShown}
   ), ${notedChange}`,
);

export interface Description {
  name: string;
  sentence?: string | undefined;
  /** by language; null removes the sentence of a language */
  sentences?: Readonly<Record<string, string | null>>;
  /** the sentences that somebody has seen before they changed them */
  shown?: Sentences;
}

/** Describes a scope or a group to people; false if there is no such name, or if its description is not the one that was shown. */
export async function describeScope(
  database: Database,
  kind: 'scope' | 'group',
  { name, sentence, sentences, shown }: Description,
  recorded: RecordedEvent,
): Promise<boolean> {
  const statement = kind === 'scope' ? describeScopeStatement : describeGroupStatement;
  const seen = shown && { sentence: shown.sentence, sentences: shown.sentences };
  const values = [name, sentence ?? null, sentences ?? {}, seen ?? null, ...recordedValues(recorded)];
  return hasRow(database, statement, values);
}

export type ScopeUser = 'client' | 'resource' | 'claim' | 'choice';

/** Who uses a scope, some of each kind. */
export interface ScopeUse {
  kind: ScopeUser;
  name: string;
}

/** People can only have allowed the scope to clients that are registered for it. */
const usesOf = (scope: string, most: number) => `(select 'client' as kind, client_id as name
     from clients_with_scope(${scope}, ${most}) client_id
     order by client_id)
     union all
     (select 'resource', resource
     from resources
     where resources.scopes @> array[${scope}]
     order by resource
     limit ${most})
     union all
     (select 'claim', claims.name
     from claims
     where claims.scope = ${scope}
     order by claims.name
     limit ${most})
     union all
     (select 'choice', choices.name
     from choices
     where choices.scopes @> array[${scope}]
     order by choices.name
     limit ${most})`;

const findScopeUsesStatement = sql('find_uses_of_scope', usesOf('$1', 5));

export function findScopeUses(database: Database, name: string): Promise<ScopeUse[]> {
  return rows<ScopeUse>(database, findScopeUsesStatement, [name]);
}

/** The most people that are counted: above that, the page says “at least”. */
const peopleCounted = 1000;

const countPeopleWithScopeStatement = sql(
  'count_people_with_scope',
  `select people, has_more from people_with_scope($1, ${peopleCounted})`,
);

export interface CountedPeople {
  people: number;
  /** whether there are more people, or more grants than were read */
  has_more: boolean;
}

/** Counts the people who have allowed the scope to some client. */
export async function countPeopleWithScope(database: Database, name: string): Promise<CountedPeople> {
  return (await row<CountedPeople>(database, countPeopleWithScopeStatement, [name])) ?? { people: 0, has_more: false };
}

const changesOf = `coalesce(changes, scopes.name ~ ':write$') as changes`;

const findScopeStatement = sql(
  'find_scope',
  `select scopes.name, group_name, scopes.sentence, scopes.sentences, ${changesOf},
     scope_groups.sentence as group_sentence, scope_groups.sentences as group_sentences
   from scopes
   left join scope_groups on scope_groups.name = group_name
   where scopes.name = $1`,
);

export type DescribedScope = Omit<Permission, 'acr' | 'max_age'>;

/** Reads the scope anew, unlike the remembered catalogue. */
export function findScope(database: Database, name: string): Promise<DescribedScope | undefined> {
  return row<DescribedScope>(database, findScopeStatement, [name]);
}

const listScopesByNameStatement = sql(
  'list_scopes_by_name',
  `select scopes.name, group_name, scopes.sentence, scopes.sentences, ${changesOf}, seeded_rows.seed, array(
       select used.name
       from (${usesOf('scopes.name', 3)}) used
       limit 3) as used_by
   from (
     select *
     from scopes
     where name > $1
     order by name
     limit $2) scopes
   left join seeded_rows on seeded_rows.kind = 'scope'
     and seeded_rows.key = scopes.name
   order by scopes.name`,
);

export interface ListedScope extends Omit<DescribedScope, 'group_sentence' | 'group_sentences'> {
  /** the seed that has registered it */
  seed: string | null;
  /** some of the clients, people and resources that use it */
  used_by: string[];
}

export function listScopes(database: Database, after: string, limit: number): Promise<Page<ListedScope>> {
  return findPage<ListedScope>(database, listScopesByNameStatement, [after], limit, ({ name }) => name);
}

const deleteScopeStatement = sql(
  'delete_scope',
  `with deleted as (
     delete from scopes
     where name = $1
       and name <> all ($2)
       and not exists (select from clients_with_scope($1, 1))
       and not exists (select from resources where resources.scopes @> array[$1])
       and not exists (select from claims where claims.scope = $1)
       and not exists (select from choices where choices.scopes @> array[$1])
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
   ), ${recordedEvent('deleted', 3)}
   select name
   from deleted`,
);

/** Does not delete a scope that somebody uses, or that this server itself uses: nothing could make that again. */
export function deleteScope(database: Database, name: string, recorded: RecordedEvent): Promise<boolean> {
  return hasRow(database, deleteScopeStatement, [name, ownScopes, ...recordedValues(recorded)]);
}
