import type { RegistrationProblem } from '../postgres/refused-values.sql.ts';
import type { FieldProblem } from '../registration/console/developer.view.ts';
import type { FieldRefusal } from './admin-registrations.view.ts';

/** The rules of register_scope and register_resource that have a text, by field where several have the same name. */
const names: ReadonlyMap<string, FieldProblem> = new Map([
  ['missing', 'missing'],
  ['too_long', 'too_long'],
  ['not_https', 'not_https'],
  ['built_in', 'built_in'],
  ['name malformed', 'malformed_name'],
  ['group_name malformed', 'malformed_name'],
  ['sentence malformed', 'malformed_sentence'],
  ['name reserved', 'is_group'],
  ['group_name reserved', 'is_scope'],
  ['not_a_uri', 'not_a_resource'],
  ['scopes unknown', 'unknown_scope'],
  ['client_id unknown', 'unknown_client'],
]);

/** Returns the refusal of a field. A rule without a text is shown with the message of the database. */
export function fieldRefusalOf({ field, rule, value, sentence }: RegistrationProblem): FieldRefusal {
  const name = names.get(rule) ?? names.get(`${field} ${rule}`);
  return name ? { field, name, value: value ?? undefined } : { field, name: 'refused', value: sentence };
}
