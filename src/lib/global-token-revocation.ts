import { isSubject } from './id-token.ts';
import { type Claims, isOfType, type Jwt } from './jwt.ts';
import { isTime } from './logout-token.ts';

// Global token revocation [draft-parecki-oauth-global-token-revocation]: a provider asks to end all of a person. Its request is
// authenticated by a JWT, which no user or other client of the provider can have: of a type of its own, about our client there.

export const revocationType = 'global-token-revocation+jwt';

export interface Revocation {
  jti: string;
  /** in seconds since 1970 */
  iat: number;
  exp: number;
}

/** The request in a JWT; or why the JWT is no such request, in fixed words. The signature and the times are judged elsewhere. */
export function readRevocation(jwt: Jwt, expected: { client_id: string; address: string }): Revocation | string {
  const { aud, sub, iat, exp, jti } = jwt.claims as Claims;
  if (!isOfType(jwt, revocationType)) return `typ of the token is not ${revocationType}`;
  if (sub !== expected.client_id) return 'sub of the token is not our client there';
  if (aud !== expected.address) return 'aud of the token is not the address';
  if (!isTime(iat) || !isTime(exp)) return 'iat or exp of the token is not a time';
  if (!isSubject(jti)) return 'jti of the token is missing or malformed';
  return { iat, exp, jti };
}

/** Who is meant [9493 §3.2.2]; or what is wrong with the body. People are found by nothing that a provider could give to others. */
export function readSubject(body: object): { iss: string; sub: string } | string {
  const { sub_id } = body as { sub_id?: unknown };
  if (typeof sub_id !== 'object' || sub_id === null || Array.isArray(sub_id))
    return 'sub_id is missing or not an object';
  const { format, iss, sub } = sub_id as Record<string, unknown>;
  if (format !== 'iss_sub') return 'format of sub_id is not iss_sub';
  if (typeof iss !== 'string' || !isSubject(sub)) return 'iss or sub of sub_id is missing or malformed';
  return { iss, sub };
}
