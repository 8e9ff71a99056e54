/** How a client proves who it is, and what it demands of requests and tokens, as it can say of itself [7591 §2]. */
export interface StatedSecurity {
  token_endpoint_auth_method: string;
  jwks: object | null;
  jwks_uri: string | null;
  tls_client_auth_subject_dn: string | null;
  tls_client_auth_san_dns: string | null;
  dpop_bound_access_tokens: boolean;
  tls_client_certificate_bound_access_tokens: boolean;
  require_pushed_authorization_requests: boolean;
  require_signed_request_object: boolean;
  request_object_signing_alg: string | null;
}

/** With what only its owner and operators decide. */
export interface ClientSecurity extends Omit<StatedSecurity, 'token_endpoint_auth_method' | 'jwks'> {
  /** null: any method that fits its secrets */
  token_endpoint_auth_method: string | null;
  /** a text is refused */
  jwks: object | string | null;
  profile: string | null;
  token_type: string;
}

/** Of a client that registers nothing of all this. */
export const ordinarySecurity: ClientSecurity = {
  token_endpoint_auth_method: null,
  jwks: null,
  jwks_uri: null,
  tls_client_auth_subject_dn: null,
  tls_client_auth_san_dns: null,
  dpop_bound_access_tokens: false,
  tls_client_certificate_bound_access_tokens: false,
  require_pushed_authorization_requests: false,
  require_signed_request_object: false,
  request_object_signing_alg: null,
  profile: null,
  token_type: 'bearer',
};

const statedTypes: Record<keyof StatedSecurity, string> = {
  token_endpoint_auth_method: 'text',
  jwks: 'jsonb',
  jwks_uri: 'text',
  tls_client_auth_subject_dn: 'text',
  tls_client_auth_san_dns: 'text',
  dpop_bound_access_tokens: 'boolean',
  tls_client_certificate_bound_access_tokens: 'boolean',
  require_pushed_authorization_requests: 'boolean',
  require_signed_request_object: 'boolean',
  request_object_signing_alg: 'text',
};

const types: Record<keyof ClientSecurity, string> = { ...statedTypes, profile: 'text', token_type: 'text' };

const recordOf = (columns: object) =>
  Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ');

const argumentsOf = (columns: object) =>
  Object.keys(columns)
    .map((name) => `${name} => security.${name}`)
    .join(', ');

/** The members of a JSON value in a statement: as arguments of an SQL function, and the clause that reads them. */
export const statedSecurity = {
  arguments: argumentsOf(statedTypes),
  from: (value: string) => `jsonb_to_record(${value}) as security (${recordOf(statedTypes)})`,
};

export const clientSecurity = {
  arguments: argumentsOf(types),
  from: (value: string) => `jsonb_to_record(${value}) as security (${recordOf(types)})`,
};
