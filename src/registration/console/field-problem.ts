import type { RegistrationProblem } from '../../postgres/refused-values.sql.ts';
import type { ApplicationField, ApplicationForm, FieldProblem } from './developer.view.ts';

type Problem = NonNullable<ApplicationForm['problems']>[number];

/** Returns the problem at its field of the form, with the text for its rule; a rule without a text has the database's message. */
export function fieldProblemOf({ field, rule, value, sentence }: RegistrationProblem): Problem {
  const shownAt = fields.find((one) => one === field) ?? 'scopes';
  if (shownAt === 'scopes' && rule === 'missing') return { field: shownAt, name: 'none_chosen', value: undefined };
  // http is allowed at some redirection URIs
  const isAtRedirect = shownAt === 'redirect_uris' && rule === 'not_https';
  const name = isAtRedirect ? 'not_https_redirect' : rulesWithText.find((one) => one === rule);
  if (name === undefined) return { field: shownAt, name: 'refused', value: sentence };
  return { field: shownAt, name, value: value ?? undefined };
}

const fields: readonly ApplicationField[] = [
  'name',
  'site_domain',
  'homepage_uri',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'redirect_uris',
  'scopes',
];

const rulesWithText: readonly FieldProblem[] = [
  'missing',
  'too_long',
  'too_many',
  'not_a_domain',
  'host_too_long',
  'public_suffix',
  'not_https',
  'outside_domain',
  'not_reversed_domain',
  'has_fragment',
  'has_wildcard',
  'not_a_uri',
  'not_loopback',
];
