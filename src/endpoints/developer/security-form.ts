import type { Deps } from '../../deps.ts';
import { isPublic } from '../../grants/client.ts';
import { supportedMethods } from '../../grants/client-certificate.ts';
import { typedKeySet } from '../../http/client-metadata.ts';
import { fieldOf } from '../../pages/form-field.ts';
import type {
  SecurityForm,
  SecurityMethod,
  SecurityProfile,
  SigningAlgorithm,
  TokenBinding,
} from '../../pages/views/security.ts';
import type { ClientSecurity } from '../../protocol/client-members.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import type { Client } from '../../store/clients.ts';

const methods: readonly SecurityMethod[] = [
  'client_secret_basic',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
];
const profiles: readonly SecurityProfile[] = ['standard', 'fapi2'];
const bindings: readonly TokenBinding[] = ['any', 'dpop', 'certificate', 'mac'];
const algorithms: readonly SigningAlgorithm[] = ['any', 'ES256', 'PS256', 'EdDSA', 'Ed25519'];

/** What a form offers to a client: what this server can do, and what is registered although the server cannot do it today. */
export function offersFor({ config }: Deps, client: Client) {
  const known: readonly string[] = supportedMethods(config);
  const { token_endpoint_auth_method, token_binding } = formOf(client);
  return {
    // whoever authenticates cannot become public, see migrations/functions/change_client.sql
    methods: methods.filter(
      (one) => one === token_endpoint_auth_method || (known.includes(one) && (one !== 'none' || isPublic(client))),
    ),
    bindings: bindings.filter((one) => one === token_binding || one !== 'certificate' || config.takes_certificates),
  };
}

/** A client with a secret may send it in both ways, so there is one choice for them. */
function methodOf({ secrets_sha256, token_endpoint_auth_method }: Client): SecurityMethod {
  if (secrets_sha256.length > 0) return 'client_secret_basic';
  return methods.find((one) => one === token_endpoint_auth_method) ?? 'none';
}

/** What is registered, as the form shows it. */
export function formOf(client: Client): SecurityForm {
  const { jwks, jwks_uri, request_object_signing_alg } = client;
  return {
    profile: client.profile ?? 'standard',
    token_endpoint_auth_method: methodOf(client),
    jwks: jwks === null ? '' : JSON.stringify(jwks, null, 2),
    jwks_uri: jwks_uri ?? '',
    tls_client_auth_subject_dn: client.tls_client_auth_subject_dn ?? '',
    tls_client_auth_san_dns: client.tls_client_auth_san_dns ?? '',
    token_binding: client.token_binding,
    require_pushed_authorization_requests: client.require_pushed_authorization_requests,
    require_signed_request_object: client.require_signed_request_object,
    request_object_signing_alg: algorithms.find((one) => one === request_object_signing_alg) ?? 'any',
  };
}

/** The form as it was typed; a choice that it does not offer changes nothing. */
export function readSecurity(deps: Deps, client: Client, form: Parameters): SecurityForm {
  const registered = formOf(client);
  const offered = offersFor(deps, client);
  const chosen = <Value extends string>(name: string, values: readonly Value[], otherwise: Value) =>
    values.find((one) => one === fieldOf(form, name)) ?? otherwise;
  const text = (name: string) => fieldOf(form, name).trim();
  return {
    profile: chosen('profile', profiles, registered.profile),
    token_endpoint_auth_method: chosen(
      'token_endpoint_auth_method',
      offered.methods,
      registered.token_endpoint_auth_method,
    ),
    jwks: text('jwks'),
    jwks_uri: text('jwks_uri'),
    tls_client_auth_subject_dn: text('tls_client_auth_subject_dn'),
    tls_client_auth_san_dns: text('tls_client_auth_san_dns').toLowerCase(),
    token_binding: chosen('token_binding', offered.bindings, registered.token_binding),
    require_pushed_authorization_requests: text('require_pushed_authorization_requests') === 'true',
    require_signed_request_object: text('require_signed_request_object') === 'true',
    request_object_signing_alg: chosen('request_object_signing_alg', algorithms, registered.request_object_signing_alg),
  };
}

/** What the form describes; the database validates it. */
export function securityOf(client: Client, typed: SecurityForm): ClientSecurity {
  const { token_endpoint_auth_method: method, token_binding, request_object_signing_alg: alg } = typed;
  return {
    token_endpoint_auth_method: method === methodOf(client) ? client.token_endpoint_auth_method : method,
    jwks: typedKeySet(typed.jwks),
    jwks_uri: typed.jwks_uri || null,
    tls_client_auth_subject_dn: typed.tls_client_auth_subject_dn || null,
    tls_client_auth_san_dns: typed.tls_client_auth_san_dns || null,
    dpop_bound_access_tokens: token_binding === 'dpop',
    tls_client_certificate_bound_access_tokens: token_binding === 'certificate',
    require_pushed_authorization_requests: typed.require_pushed_authorization_requests,
    require_signed_request_object: typed.require_signed_request_object,
    request_object_signing_alg: alg === 'any' ? null : alg,
    profile: typed.profile === 'standard' ? null : typed.profile,
    token_type: token_binding === 'mac' ? 'mac' : 'bearer',
  };
}
