import { OAuthError, type RefusalDetails } from '../protocol/errors.ts';
import type { IssuedTokens } from '../store/authorization-codes.ts';

/** The result of both grants [6749 §5.1]; the endpoint writes the scopes in its dialect. */
export interface GrantedTokens {
  access_token: string;
  expires_in: number;
  refresh_token?: string;
  scopes: string[];
  /** how the client spelled them, if these are all that it asked for */
  requested_scope: string | undefined;
}

export function grantedTokens(issued: IssuedTokens, access_token: string, refresh_token: string): GrantedTokens {
  const { scopes, requested_scope, expires_in, has_refresh_token } = issued;
  return {
    access_token,
    expires_in,
    ...(has_refresh_token ? { refresh_token } : {}),
    scopes,
    requested_scope: requested_scope ?? undefined,
  };
}

/** The same description for every reason, so that it gives no hint for guessing [6749 §5.2]. */
export function invalidGrant(details: RefusalDetails): OAuthError {
  return new OAuthError(
    'invalid_grant',
    'the authorization code or refresh token is invalid, expired, revoked or not for this client and request',
    details,
  );
}
