import type { SecurityForm, SecurityProblem, SecurityViews } from '../../pages/views/security.ts';
import type { RegistrationProblem } from '../../store/client-registration.ts';

type Problem = SecurityViews['developer-security']['problems'][number];

/** The problem at its field of the form, with the text for its rule; a rule without a text with the database's message. */
export function securityProblemOf({ field, rule, sentence }: RegistrationProblem): Problem {
  const shownAt = fields.find((one) => one === field);
  const name = problemsWithText.find((one) => one === `${field}_${rule}`);
  if (shownAt !== undefined && name !== undefined) return { field: shownAt, name };
  return {
    field: shownAt ?? 'token_endpoint_auth_method',
    name: 'token_endpoint_auth_method_refused',
    value: sentence,
  };
}

const fields: readonly (keyof SecurityForm)[] = [
  'profile',
  'token_endpoint_auth_method',
  'jwks',
  'jwks_uri',
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'require_signed_request_object',
];

const problemsWithText: readonly SecurityProblem[] = [
  'token_endpoint_auth_method_too_weak',
  'jwks_missing',
  'jwks_twice',
  'jwks_malformed',
  'jwks_secret',
  'jwks_unusable',
  'jwks_forgeable',
  'jwks_purpose',
  'jwks_kid',
  'jwks_uri_not_https',
  'jwks_uri_port',
  'tls_client_auth_subject_dn_not_one',
  'tls_client_auth_subject_dn_malformed',
  'tls_client_auth_san_dns_malformed',
  'profile_not_https',
  'profile_mac',
  'require_signed_request_object_no_key',
];
