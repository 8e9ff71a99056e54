import type { Deps } from '../../deps.ts';
import { tokenTypeOf } from '../../lib/binding.ts';
import { deriveMacKey } from '../../lib/mac.ts';
import { credentialKey } from '../../lib/secrets.ts';
import { writeAccessToken } from './credentials.ts';
import type { IssuedTokens } from './issued-tokens.sql.ts';
import type { WritingMaterial } from './token-format.ts';

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
export async function grantedTokens(
  deps: Deps,
  issued: IssuedTokens & { client_id: string },
  secrets: { access_token: string; refresh_token: string },
  material: WritingMaterial,
): Promise<GrantedTokens> {
  const { token_format, binding, scopes, requested_scope, expires_in } = issued;
  const { refresh_expires_in, grant_expires_in } = issued;
  return {
    access_token: await writeAccessToken(deps, token_format, { ...issued, secret: secrets.access_token }, material),
    token_type: tokenTypeOf(binding),
    expires_in,
    ...(binding === 'mac' && {
      mac_key: deriveMacKey(deps.sessionSecrets[0] ?? '', credentialKey(secrets.access_token)),
    }),
    ...(refresh_expires_in !== null && { refresh_token: secrets.refresh_token, refresh_expires_in }),
    ...(grant_expires_in !== null && { authorization_expires_in: grant_expires_in }),
    scopes,
    requested_scope: requested_scope ?? undefined,
  };
}
