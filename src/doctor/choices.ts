import { type Finding, finding } from '../lib/finding.ts';
import type { Database } from '../postgres/database.ts';
import { reasonOf } from '../postgres/database-errors.ts';
import {
  type ChoiceFacts,
  countUnusableValues,
  findChoiceFacts,
  findNewestSubjects,
  findUnreadablePart,
} from './diagnosis.sql.ts';

/** What people can choose: its functions, its scopes, and what its query says about the people who came last. */
export async function choiceFindings(database: Database): Promise<Finding[]> {
  const choices = await findChoiceFacts(database);
  const subjects = choices.length > 0 ? await findNewestSubjects(database) : [];
  const found: Finding[] = [];
  for (const choice of choices) {
    found.push(...registeredFindings(choice));
    if (choice.is_readable) found.push(...(await queryFindings(database, choice, subjects)));
  }
  return found;
}

function registeredFindings({ name, is_readable, unknown_scopes }: ChoiceFacts): Finding[] {
  const found: Finding[] = [];
  if (!is_readable) {
    const what = 'a choice lacks a function that belongs to latchkey_reader, so nobody can be asked for it';
    const change = 'register_choice again with the same values; it says what the role lacks';
    found.push(finding('error', 'choice_function', { what, value: name, change }));
  }
  if (unknown_scopes.length > 0) {
    const what = 'a choice has scopes that are not registered, so it is never asked for with them';
    const change = 'register_scope(…), or register_choice again without them';
    found.push(finding('warning', 'choice_scope', { what, value: `${name}: ${unknown_scopes.join(', ')}`, change }));
  }
  return found;
}

/** Stops at the first person for whom the query fails: it takes as long for each. */
async function queryFindings(
  database: Database,
  { name }: ChoiceFacts,
  subjects: readonly string[],
): Promise<Finding[]> {
  const unreadable = await findUnreadablePart(database, name);
  if (unreadable !== null) {
    const what =
      'latchkey_reader may not read what the query of a choice reads, so requests for its scopes are answered with 503';
    const change = 'grant select on … to latchkey_reader; grant usage on schema … to latchkey_reader';
    return [finding('error', 'choice_query', { what, value: `${name}: ${unreadable}`, change })];
  }
  let unusable = 0;
  for (const sub of subjects) {
    try {
      unusable += await countUnusableValues(database, name, sub);
    } catch (error) {
      const what =
        'the query of a choice fails, or takes more than 150 ms, so requests for its scopes are answered with 503';
      const change = 'an index on the column that is compared with $1, or another query';
      return [finding('error', 'choice_query', { what, value: `${name}: ${reasonOf(error)}`, change })];
    }
  }
  if (unusable === 0) return [];
  const what =
    'the query of a choice gives values that nobody can choose: null, empty, *, with a control character, or longer than 255 characters';
  const change = 'register_choice with a query that gives another value for them';
  const value = `${name}: ${unusable} of the people who came last`;
  return [finding('warning', 'choice_values', { what, value, change })];
}
