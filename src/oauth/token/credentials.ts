import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { tokenTypeOf } from '../../lib/binding.ts';
import { deriveMacKey } from '../../lib/mac.ts';
import { type CredentialKeys, isGenuine, readRefreshToken } from '../../lib/refresh-token.ts';
import { credentialKey, isSecret, keyOf } from '../../lib/secrets.ts';
import { noteLastUse } from '../consent/grants.sql.ts';
import type { IssuedTokens, NewTokens } from './authorization-codes.sql.ts';
import { isLikeJwt, keyOfJwt, type ReadingDeps, type WritingMaterial, writeJwt } from './jwt-token.ts';

// How codes and tokens are written and read. An access token is the secret itself, of which only this server knows what it means, or
// a JWT for a resource that wants to read it. Its row in access_tokens is the same in both formats, and decides.

/** The result of both grants [6749 §5.1]; the endpoint writes the scopes in its dialect. */
export interface GrantedTokens {
  access_token: string;
  token_type: ReturnType<typeof tokenTypeOf>;
  expires_in: number;
  refresh_token?: string;
  mac_key?: string;
  refresh_expires_in?: number;
  /** where the person chose how long [draft-ietf-oauth-refresh-token-expiration] */
  authorization_expires_in?: number;
  scopes: string[];
  /** how the client spelled them, if these are all that it asked for */
  requested_scope: string | undefined;
}

/** The secrets are those of which the digests were stored. */
interface TokenSecrets {
  access_token: string;
  refresh_token: string;
  material: WritingMaterial;
}

/** The answer to a statement that has just issued tokens. */
export function issuedTokens(
  deps: Deps,
  event: 'tokens_issued' | 'tokens_refreshed',
  issued: NewTokens & { client_id: string },
  secrets: TokenSecrets,
  trace: Trace,
): Promise<GrantedTokens> {
  const { user_id, client_id, code_id, grant_to_touch } = issued;
  logEvent(deps, trace, { event, user_id, client_id, code_id });
  noteLastUse(deps.database, grant_to_touch);
  return grantedTokens(deps, issued, secrets);
}

export async function grantedTokens(
  deps: Deps,
  issued: IssuedTokens & { client_id: string },
  { access_token: secret, refresh_token, material }: TokenSecrets,
): Promise<GrantedTokens> {
  const { token_format, binding, scopes, requested_scope, expires_in, refresh_expires_in, grant_expires_in } = issued;
  return {
    access_token: token_format === 'jwt' ? await writeJwt(deps, { ...issued, secret }, material) : secret,
    token_type: tokenTypeOf(binding),
    expires_in,
    ...(binding === 'mac' && { mac_key: deriveMacKey(deps.sessionSecrets[0] ?? '', credentialKey(secret)) }),
    ...(refresh_expires_in !== null && { refresh_token, refresh_expires_in }),
    ...(grant_expires_in !== null && { authorization_expires_in: grant_expires_in }),
    scopes,
    requested_scope: requested_scope ?? undefined,
  };
}

/** The key of the row that a text stands for; undefined if it is no access token of this server, in any format. */
export async function keyOfAccessToken(deps: ReadingDeps, text: string): Promise<Buffer | undefined> {
  return keyOf('access_token', text) ?? keyOfJwt(deps, text);
}

/** Whether a text has to be looked up as a code or token; one that is not stored then is a guess. */
export function isLikeCredential(text: string): boolean {
  const isAccessToken = isSecret('access_token', text) || isLikeJwt(text);
  return isAccessToken || readRefreshToken(text) !== undefined || isSecret('authorization_code', text);
}

/** The refresh token that a text is; undefined if it cannot be one. */
export function readPresentedToken({ sessionSecrets }: ReadingDeps, text: string): CredentialKeys['refresh_token'] {
  const token = readRefreshToken(text);
  return token && { ...token, is_genuine: isGenuine(token, sessionSecrets) };
}

/** The keys by which the row of a code or token of any kind is found. */
export async function keysOfCredential(deps: ReadingDeps, text: string): Promise<CredentialKeys | undefined> {
  const refresh_token = readPresentedToken(deps, text);
  if (refresh_token) return { key: refresh_token.family_key, refresh_token };
  const key = keyOf('authorization_code', text) ?? (await keyOfAccessToken(deps, text));
  return key && { key };
}
