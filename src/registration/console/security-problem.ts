import type { RegistrationProblem } from '../../postgres/refused-values.sql.ts';
import { translator } from '../../web/language.ts';
import type { MemberProblem, SecurityViews } from './security.view.ts';
import { shownFields } from './security-form.ts';

type Problem = SecurityViews['developer-security']['problems'][number];

/** The problem at its field of the form, with the text for its rule; a rule without a text with the database's message. */
export function securityProblemOf({ field, rule, sentence }: RegistrationProblem): Problem {
  const shownAt = shownFields.find((one) => one === field);
  const name = `${field}_${rule}`;
  if (shownAt !== undefined && hasText(name)) return { field: shownAt, name };
  return {
    field: shownAt ?? 'token_endpoint_auth_method',
    name: 'token_endpoint_auth_method_refused',
    value: sentence,
  };
}

const { has: hasKey } = translator('en');
const hasText = (name: string): name is MemberProblem => hasKey(`security_problem.${name}`);
