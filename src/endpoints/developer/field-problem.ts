import type { ApplicationField, ApplicationForm, FieldProblem } from '../../pages/views/developer.ts';
import type { RegistrationProblem } from '../../store/client-registration.ts';

type Problem = NonNullable<ApplicationForm['problems']>[number];

/** A problem where the form can show it: at its field, by the text of its rule or else in the database's sentence. */
export function fieldProblemOf({ field, rule, value, sentence }: RegistrationProblem): Problem {
  const shownAt = fields.find((one) => one === field) ?? 'scopes';
  const name = rulesWithText.find((one) => one === rule);
  if (name === undefined) return { field: shownAt, name: 'refused', value: sentence };
  return { field: shownAt, name, value: value ?? undefined };
}

const fields: readonly ApplicationField[] = [
  'name',
  'site_domain',
  'homepage_uri',
  'logo_uri',
  'redirect_uris',
  'scopes',
];

const rulesWithText: readonly FieldProblem[] = [
  'missing',
  'too_long',
  'too_many',
  'not_a_domain',
  'not_https',
  'outside_domain',
  'not_reversed_domain',
  'has_fragment',
  'has_wildcard',
  'not_a_uri',
];
