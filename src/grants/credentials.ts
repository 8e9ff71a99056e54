import type { Deps } from '../deps.ts';
import type { TokenFormatName } from '../protocol/resource.ts';
import { keyOf } from '../protocol/secrets.ts';
import type { Trace } from '../store/audit.ts';
import { jwt } from './jwt-token.ts';
import { opaque } from './opaque-token.ts';
import type { IssuedAccessToken, TokenFormat } from './token-format.ts';

const formats: Record<TokenFormatName, TokenFormat> = { opaque, jwt };

/** The text of a token, in the format of its resource. */
export function writeAccessToken(
  deps: Deps,
  format: TokenFormatName,
  token: IssuedAccessToken,
  trace: Trace,
): Promise<string> {
  return formats[format].write(deps, token, trace);
}

/** The key of the row that a text stands for; undefined if it is no access token of this server, in any format. */
export async function keyOfAccessToken(deps: Deps, text: string): Promise<Buffer | undefined> {
  return (await opaque.keyOf(deps, text)) ?? jwt.keyOf(deps, text);
}

/** The same for a code or token of any kind. */
export async function keyOfCredential(deps: Deps, text: string): Promise<Buffer | undefined> {
  return keyOf('authorization_code', text) ?? keyOf('refresh_token', text) ?? keyOfAccessToken(deps, text);
}
