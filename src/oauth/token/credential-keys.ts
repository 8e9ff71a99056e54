import { type CredentialKeys, isGenuine, readRefreshToken } from '../../lib/refresh-token.ts';
import { isSecret, keyOf } from '../../lib/secrets.ts';
import { isLikeJwt, keyOfJwt, type ReadingDeps } from './jwt-token.ts';

// What the text of a code or token says: by which key its row is found.

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
