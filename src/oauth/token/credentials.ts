import type { Trace } from '../../audit/audit.sql.ts';
import { findResources, signsAccessTokens } from '../../catalogue/resources.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { type CredentialKeys, isGenuine, readRefreshToken } from '../../lib/refresh-token.ts';
import { type TokenFormatName, thisServer } from '../../lib/resource.ts';
import { isSecret, keyOf } from '../../lib/secrets.ts';
import { findClaims } from '../claims/claims.sql.ts';
import { jwt } from './jwt-token.ts';
import { opaque } from './opaque-token.ts';
import { currentKey } from './signing-keys.ts';
import type { IssuedAccessToken, ReadingDeps, TokenFormat, WritingMaterial } from './token-format.ts';

const formats: Record<TokenFormatName, TokenFormat> = { opaque, jwt };

/** The text of a token, in the format of its resource. */
export function writeAccessToken(
  deps: Deps,
  format: TokenFormatName,
  token: IssuedAccessToken,
  material: WritingMaterial,
): Promise<string> {
  return formats[format].write(deps, token, material);
}

/** Reads what is remembered for five seconds, and makes the first key if there is a resource whose tokens it signs. */
export async function readWritingMaterial(deps: Deps, trace: Trace): Promise<WritingMaterial> {
  const { database } = deps;
  const [catalogue, claims, signs] = await Promise.all([
    findScopeCatalogue(database),
    findClaims(database),
    signsAccessTokens(database),
  ]);
  return { catalogue, claims, key: signs ? await currentKey(deps, trace) : undefined };
}

/** The material with a signing key, if the resource has got signed tokens since it was read; undefined if it lacks nothing. */
export async function completeMaterial(
  deps: Deps,
  resource: string,
  material: WritingMaterial,
  trace: Trace,
): Promise<WritingMaterial | undefined> {
  const [found] = material.key || resource === thisServer ? [] : await findResources(deps.database, [resource]);
  return found?.token_format === 'jwt' ? { ...material, key: await currentKey(deps, trace) } : undefined;
}

/** The key of the row that a text stands for; undefined if it is no access token of this server, in any format. */
export async function keyOfAccessToken(deps: ReadingDeps, text: string): Promise<Buffer | undefined> {
  return (await opaque.keyOf(deps, text)) ?? jwt.keyOf(deps, text);
}

/** Whether a text has to be looked up as a code or token; one that is not stored then is a guess. */
export function isLikeCredential(text: string): boolean {
  const isAccessToken = Object.values(formats).some(({ isLike }) => isLike(text));
  return isAccessToken || readRefreshToken(text) !== undefined || isSecret('authorization_code', text);
}

/** The refresh token that a text is; undefined if it cannot be one. */
export function readPresentedToken({ sessionSecrets }: ReadingDeps, text: string): CredentialKeys['refresh_token'] {
  const token = readRefreshToken(text);
  return token && { ...token, is_genuine: isGenuine(token, sessionSecrets) };
}

/** By which the row is found that a code or token of any kind stands for. */
export async function keysOfCredential(deps: ReadingDeps, text: string): Promise<CredentialKeys | undefined> {
  const refresh_token = readPresentedToken(deps, text);
  if (refresh_token) return { key: refresh_token.family_key, refresh_token };
  const key = keyOf('authorization_code', text) ?? (await keyOfAccessToken(deps, text));
  return key && { key };
}
