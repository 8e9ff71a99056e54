import type { VerifiedRedirectUri } from './redirect-uri.ts';
import type { ResponseMode } from './response-mode.ts';

/** Every error code of this server and its HTTP status [6749 §4.1.2.1, §5.2; 6750 §3.1; 7009 §2.2.1; 7591 §3.2.2; 8707 §2; 9396 §5; 9449 §5, §8; 9470 §3, §5]. */
export const errorStatus = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_dpop_proof: 400,
  use_dpop_nonce: 400,
  unauthorized_client: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  unsupported_token_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  invalid_authorization_details: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  request_not_supported: 400,
  invalid_request_uri: 400,
  invalid_request_object: 400,
  access_denied: 403,
  login_required: 400,
  consent_required: 400,
  invalid_token: 401,
  insufficient_user_authentication: 401,
  unmet_authentication_requirements: 400,
  insufficient_scope: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_many_requests: 429,
  server_error: 500,
  temporarily_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The client to which an error is sent by a redirect; only a verified redirection URI is possible. */
export interface RefusalTarget {
  client_id: string;
  redirect_uri: VerifiedRedirectUri;
  state?: string | undefined;
  /** the name that the answer gives to this server [9207 §2] */
  issuer: string;
  response_mode: ResponseMode;
  /** set if no administrator vouches for the application: then a page asks the person before the redirect */
  unvouched?: { name: string } | undefined;
}

/** A redirection URI that was refused, and the registered ones. */
export interface RefusedRedirectUri {
  received: string;
  registered: readonly string[];
  /** whether the viewer may see what is registered */
  is_shown: boolean;
}

export interface RefusalDetails {
  target?: RefusalTarget;
  /** the exact reason if the description must not say it: fixed words, never a secret */
  reason?: string;
  /** what the owner of the client may know of the reason, if less */
  owner_reason?: string;
  /** the client, if the request does not name it */
  client_id?: string;
  mismatch?: RefusedRedirectUri | undefined;
  /** the name of the client, if it was deleted because nobody used it any more */
  buried_name?: string | undefined;
  /** whether only the person who develops the client can use it */
  is_for_another?: boolean;
  /** the scope that a resource requires [6750 §3] */
  scope?: string;
  /** the sign-in that a resource requires [9470 §3] */
  sign_in?: { acr_values?: string; max_age?: string };
  status?: number;
  headers?: Record<string, string>;
}

/**
 * The error that refuses a request, and the only way to do so: thrown anywhere, answered once by the responder of the route. The
 * description is for the client, in the characters that RFC 6749 allows; the reason is for the operator's log and for the owner of the
 * client.
 */
export class OAuthError extends Error {
  readonly code: ErrorCode;
  readonly description: string;
  readonly reason: string;
  readonly owner_reason: string;
  readonly client_id: string | undefined;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly target: RefusalTarget | undefined;
  readonly mismatch: RefusedRedirectUri | undefined;
  readonly buried_name: string | undefined;
  readonly is_for_another: boolean;
  readonly scope: string | undefined;
  readonly sign_in: RefusalDetails['sign_in'];

  constructor(code: ErrorCode, description: string, details: RefusalDetails | undefined = {}) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.description = description;
    this.reason = details.reason ?? description;
    this.owner_reason = details.owner_reason ?? this.reason;
    this.client_id = details.client_id;
    this.status = details.status ?? errorStatus[code];
    this.headers = details.headers ?? {};
    this.target = details.target;
    this.mismatch = details.mismatch;
    this.buried_name = details.buried_name;
    this.is_for_another = details.is_for_another ?? false;
    this.scope = details.scope;
    this.sign_in = details.sign_in;
  }
}

export function tooManyRequests(wait: number): OAuthError {
  const headers = { 'Retry-After': String(wait) };
  return new OAuthError('too_many_requests', `too many attempts: try again in ${wait} seconds`, { headers });
}
