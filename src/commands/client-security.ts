import { readFileSync } from 'node:fs';
import type { ClientSecurity } from '../store/client-security.ts';
import { type Invocation, type Option, UsageError } from './command.ts';

/** What a client proves and demands, with the names of RFC 7591 and its successors. */
export const securityOptions = {
  'token-endpoint-auth-method': { type: 'string', value: 'METHOD', help: 'how it authenticates, if not by a secret' },
  jwks: { type: 'string', value: 'FILE', help: 'JWK set of its public keys' },
  'jwks-uri': { type: 'string', value: 'URI', help: 'where it publishes its public keys' },
  'tls-client-auth-subject-dn': { type: 'string', value: 'DN', help: 'subject of its certificate' },
  'tls-client-auth-san-dns': { type: 'string', value: 'HOST', help: 'host name in its certificate' },
  'dpop-bound-access-tokens': { type: 'boolean', help: 'binds its access tokens to a DPoP key' },
  'tls-client-certificate-bound-access-tokens': { type: 'boolean', help: 'binds its access tokens to its certificate' },
  'token-type': { type: 'string', value: 'TYPE', help: 'bearer or mac' },
  'require-pushed-authorization-requests': { type: 'boolean', help: 'it must push its authorization requests' },
  'require-signed-request-object': { type: 'boolean', help: 'it must sign them' },
  'request-object-signing-alg': { type: 'string', value: 'ALG', help: 'the only algorithm by which it signs them' },
  profile: { type: 'string', value: 'PROFILE', help: 'fapi2' },
} as const satisfies Record<string, Option>;

type SecurityOptions = Invocation<typeof securityOptions>['options'];

/** As the options describe it; the database validates it. */
export function securityOf(options: SecurityOptions): ClientSecurity {
  return {
    token_endpoint_auth_method: options['token-endpoint-auth-method'] ?? null,
    jwks: options.jwks === undefined ? null : readJson(options.jwks),
    jwks_uri: options['jwks-uri'] ?? null,
    tls_client_auth_subject_dn: options['tls-client-auth-subject-dn'] ?? null,
    tls_client_auth_san_dns: options['tls-client-auth-san-dns'] ?? null,
    dpop_bound_access_tokens: options['dpop-bound-access-tokens'],
    tls_client_certificate_bound_access_tokens: options['tls-client-certificate-bound-access-tokens'],
    token_type: options['token-type'] ?? 'bearer',
    require_pushed_authorization_requests: options['require-pushed-authorization-requests'],
    require_signed_request_object: options['require-signed-request-object'],
    request_object_signing_alg: options['request-object-signing-alg'] ?? null,
    profile: options.profile ?? null,
  };
}

function readJson(file: string): object {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    // the file may contain a private key, so the error does not quote it
    const isText = cause instanceof SyntaxError;
    throw isText ? new Error(`--jwks: ${file} is not JSON.`) : new Error('--jwks cannot be read', { cause });
  }
}

/** Whether a client with these options has a secret; one with a key or a certificate has none. */
export function needsSecret(
  options: Pick<SecurityOptions, 'token-endpoint-auth-method'> & { public: boolean },
): boolean {
  const method = options['token-endpoint-auth-method'];
  if (options.public && method !== undefined && method !== 'none') {
    throw new UsageError(`client create: a --public client has no --token-endpoint-auth-method ${method}`);
  }
  return !options.public && (method ?? 'client_secret_basic').startsWith('client_secret_');
}
