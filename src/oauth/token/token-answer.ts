import type { Response } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { tokenTypeOf } from '../../lib/binding.ts';
import { deriveMacKey, macAlgorithm } from '../../lib/mac.ts';
import { offlineAccess, type ScopeCatalogue, writeScope } from '../../lib/scope.ts';
import { credentialKey } from '../../lib/secrets.ts';
import { answer, answerJson } from '../../web/answers.ts';
import { authorizationDetails } from '../choice/authorization-details.ts';
import type { Choices } from '../choice/choices.ts';
import { noteLastUse } from '../consent/last-use.sql.ts';
import type { IssuedTokens, NewTokens } from './authorization-codes.sql.ts';
import { type WritingMaterial, writeJwt } from './jwt-token.ts';

// How tokens are written, and the answer of /token. An access token is the secret itself, of which only this server knows what it means, or
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
  choices: Choices | null;
  /** how the client spelled them, if these are all that it asked for */
  requested_scope: string | undefined;
  /** whether the client asked for offline_access */
  asks_offline_access: boolean;
}

/** The secrets are those of which the digests were stored. */
interface TokenSecrets {
  access_token: string;
  /** none where the client keeps its refresh token */
  refresh_token?: string;
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
  const { token_format, binding, scopes, choices, requested_scope, asks_offline_access } = issued;
  const { expires_in, refresh_expires_in, grant_expires_in } = issued;
  return {
    access_token: token_format === 'jwt' ? await writeJwt(deps, { ...issued, secret }, material) : secret,
    token_type: tokenTypeOf(binding),
    expires_in,
    ...(binding === 'mac' && { mac_key: deriveMacKey(deps.sessionSecrets[0] ?? '', credentialKey(secret)) }),
    ...(refresh_token !== undefined && refresh_expires_in !== null && { refresh_token, refresh_expires_in }),
    ...(grant_expires_in !== null && { authorization_expires_in: grant_expires_in }),
    scopes,
    choices,
    requested_scope: requested_scope ?? undefined,
    asks_offline_access,
  };
}

interface Format {
  /** commas between scopes, in the canonical spelling */
  isGithub: boolean;
  /** false: form-encoded, as GitHub answers */
  isJson: boolean;
}

/** Always states the scope, since the person may have granted less than the client asked for [6749 §5.1]. */
export function answerTokens(
  res: Response,
  {
    access_token,
    token_type,
    mac_key,
    expires_in,
    refresh_token,
    refresh_expires_in,
    authorization_expires_in,
    scopes,
    choices,
    requested_scope,
    asks_offline_access,
  }: GrantedTokens,
  { catalogue, format }: { catalogue: ScopeCatalogue; format: Format },
): void {
  const spelled = requested_scope ?? writeScope(catalogue, scopes);
  const details = authorizationDetails(choices);
  const repeated = refresh_token && asks_offline_access ? ` ${offlineAccess}` : '';
  const tokens = {
    access_token,
    token_type,
    ...(mac_key && { mac_key, mac_algorithm: macAlgorithm }),
    expires_in,
    ...(refresh_token && { refresh_token, refresh_token_expires_in: refresh_expires_in }),
    ...(authorization_expires_in !== undefined && { authorization_expires_in }),
    scope: format.isGithub ? writeScope(catalogue, scopes, ',') : spelled + repeated,
    ...(details && { authorization_details: details }),
  };
  if (format.isJson) return answerJson(res, 200, tokens);
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(tokens))
    form.append(name, Array.isArray(value) ? JSON.stringify(value) : String(value));
  answer(res, 200, 'application/x-www-form-urlencoded;charset=UTF-8', form.toString());
}
