import type { SignedIn } from './account.ts';
import type { ClientProfile, FormProblem } from './parts.ts';

/** Choices of the form; each has a text `security.<field>.<value>`. */
export type SecurityProfile = 'standard' | 'fapi2';
export type SecurityMethod =
  | 'none'
  | 'client_secret_basic'
  | 'private_key_jwt'
  | 'tls_client_auth'
  | 'self_signed_tls_client_auth';
export type TokenBinding = 'any' | 'dpop' | 'certificate' | 'mac';
export type SigningAlgorithm = 'any' | 'ES256' | 'PS256' | 'EdDSA' | 'Ed25519';

/** A problem belongs to a field and has a text `security_problem.<name>`; the name is that of field and rule. */
export type SecurityProblem =
  | 'token_endpoint_auth_method_too_weak'
  | 'token_endpoint_auth_method_refused'
  | 'jwks_missing'
  | 'jwks_twice'
  | 'jwks_malformed'
  | 'jwks_secret'
  | 'jwks_unusable'
  | 'jwks_forgeable'
  | 'jwks_purpose'
  | 'jwks_kid'
  | 'jwks_uri_not_https'
  | 'jwks_uri_port'
  | 'tls_client_auth_subject_dn_not_one'
  | 'tls_client_auth_subject_dn_malformed'
  | 'tls_client_auth_san_dns_malformed'
  | 'profile_not_https'
  | 'profile_mac'
  | 'require_signed_request_object_no_key';

/** What the form shows; texts as they were typed. */
export interface SecurityForm {
  profile: SecurityProfile;
  token_endpoint_auth_method: SecurityMethod;
  jwks: string;
  jwks_uri: string;
  tls_client_auth_subject_dn: string;
  tls_client_auth_san_dns: string;
  token_binding: TokenBinding;
  require_pushed_authorization_requests: boolean;
  require_signed_request_object: boolean;
  request_object_signing_alg: SigningAlgorithm;
}

export interface SecurityViews {
  'developer-security': SignedIn & {
    client: ClientProfile;
    application_href: string;
    action: string;
    ticket: string;
    form: SecurityForm;
    /** what this server offers to this application */
    methods: readonly SecurityMethod[];
    bindings: readonly TokenBinding[];
    problems: readonly { field: keyof SecurityForm; name: SecurityProblem; value?: string | undefined }[];
    notice?: 'application_saved' | undefined;
    problem?: FormProblem | undefined;
  };
}
