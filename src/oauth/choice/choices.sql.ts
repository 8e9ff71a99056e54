import { isEnabled, subjectOf } from '../../identity/active.sql.ts';
import { type Database, row, rows, sql } from '../../postgres/database.ts';
import { keptFor } from '../../postgres/kept.ts';
import { operatorsFunctions } from '../../postgres/operators-function.ts';
import type { Choices, GivenChoices } from './choices.ts';

/** What the operator lets people choose, see migrations/functions/register_choice.sql. */
export interface Choice {
  name: string;
  /** which ask for it */
  scopes: string[];
  sentence: string;
  sentences: Readonly<Record<string, string>>;
  /** false: exactly one value */
  many: boolean;
  /** whether "all, also later ones" can be chosen */
  may_be_all: boolean;
  /** what that is called; null: the text of this server */
  all_sentence: string | null;
  all_sentences: Readonly<Record<string, string>>;
}

const listChoicesStatement = sql(
  'list_choices',
  `select name, scopes, sentence, sentences, many, may_be_all, all_sentence, all_sentences
   from choices
   where ${isEnabled('choices')}
   order by name`,
);

/** Only seeds change it. */
const registered = keptFor<readonly Choice[]>(1000);

export function findChoices(database: Database): Promise<readonly Choice[]> {
  return registered(database, () => rows<Choice>(database, listChoicesStatement));
}

/** Reads the choices anew, before something is refused because a choice is not known. */
export function findLatestChoices(database: Database): Promise<readonly Choice[]> {
  return registered.latest(database, () => rows<Choice>(database, listChoicesStatement));
}

/** A value that a person can choose, as the operator's query gives it. */
export interface PossibleValue {
  value: string;
  label: string;
  hint: string | null;
}

export const pageSize = 50;

/** The milliseconds of the query. */
export const longestQuery = 150;
/** Where an answer with a claim can do without it, one without a choice is an error page: people who come at one moment wait in turn. */
export const callChoice = operatorsFunctions({ longestStatement: longestQuery, longestWait: 800 });

/** A page of the values of a person whose labels contain the text, and one more if there is a further page. Rejects if the query fails or takes too long. */
export function findPossibleValues(
  database: Database,
  name: string,
  sub: string,
  { search, page }: { search: string; page: number },
): Promise<PossibleValue[]> {
  const values = [sub, search, (page - 1) * pageSize];
  return callChoice(database, `choice ${name}`, values) as Promise<PossibleValue[]>;
}

/** Reads which of the values the person has. */
export function findTheseValues(
  database: Database,
  name: string,
  sub: string,
  values: readonly string[],
): Promise<PossibleValue[]> {
  return callChoice(database, `choice ${name}`, [sub, values]) as Promise<PossibleValue[]>;
}

/** What a family was given, and what the person has chosen for the application now. */
export interface ChoicesOfFamily {
  grant_id: string;
  sub: string;
  given: GivenChoices | null;
  granted: Choices | null;
  /** see mayName */
  may_name: string[] | null;
}

const findOfFamilyStatement = sql(
  'find_choices_of_family',
  `select grants.grant_id, ${subjectOf('users')} as sub, code.choices as given, grants.choices as granted,
     clients.authorization_details_types as may_name
   from authorization_codes code
   join grants on grants.grant_id = code.grant_id
   join clients on clients.client_id = grants.client_id
   join users on users.user_id = grants.user_id
   where code.code_id = $1`,
);

export function findChoicesOfFamily(database: Database, code_id: string): Promise<ChoicesOfFamily | undefined> {
  return row<ChoicesOfFamily>(database, findOfFamilyStatement, [code_id]);
}

const dropLostStatement = sql(
  'drop_lost_values',
  `update grants
   set choices = jsonb_set(choices, array[$2], array_to_json(array(
     select value
     from jsonb_array_elements_text(choices -> $2) value
     where value <> all ($3)))::jsonb)
   where grant_id = $1
     and jsonb_typeof(choices -> $2) = 'array'
     and (choices -> $2) ?| $3`,
);

/** Takes out of a choice what the person no longer has: if it comes back, the person is asked before the application gets it. */
export async function dropLostValues(
  database: Database,
  grant_id: string,
  name: string,
  lost: readonly string[],
): Promise<void> {
  await rows(database, dropLostStatement, [grant_id, name, lost]);
}

const hasDecidedStatement = sql(
  'has_decided',
  `select
   where exists (
       select
       from own_decisions
       where user_id = $1
         and client_id = $2)
     or exists (
       select
       from grants
       where user_id = $1
         and client_id = $2)`,
);

/** Whether the person has refused the application once, or ever had a grant: then nothing is given without asking, see register_silent_grant. */
export async function hasDecided(database: Database, user_id: number, client_id: string): Promise<boolean> {
  return (await row(database, hasDecidedStatement, [user_id, client_id])) !== undefined;
}
