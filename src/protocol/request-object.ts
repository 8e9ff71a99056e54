import { decodeProtectedHeader, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { verifyClientJwt } from './client-jwt.ts';
import { isStorable, type Parameters } from './parameters.ts';

/** Seconds from `nbf` to `exp` [FAPI 2.0 Message Signing §5.3.1]. */
const maxLifetime = 3600;

/** An authorization request that its client has signed. */
export interface RequestObject {
  parameters: Parameters;
  /** if the client names it, so that it counts once */
  jti: string | undefined;
  /** seconds since 1970 */
  exp: number;
}

/** The request of a client for this server [9101 §4]; undefined for a text that is no valid one. */
export async function verifyRequestObject(
  text: string,
  key: JWTVerifyGetKey,
  { client_id, issuer }: { client_id: string; issuer: string },
): Promise<RequestObject | undefined> {
  const payload = await verifyClientJwt(text, key, { audience: issuer });
  if (!payload || payload === 'untimely' || !isRequestObject(text, payload)) return undefined;
  const { iss, sub, aud, iat, nbf, exp, jti, ...claims } = payload;
  const isOfClient = iss === client_id && claims['client_id'] === client_id;
  const isNamed = jti === undefined || typeof jti === 'string';
  const isTimely = nbf !== undefined && exp !== undefined && exp <= nbf + maxLifetime;
  const parameters = readClaims(claims);
  return isOfClient && isNamed && isTimely && parameters ? { parameters, jti, exp } : undefined;
}

/** Neither a JWT that says that it is of another kind, nor one that could be a client assertion [9101 §10.8]. */
function isRequestObject(text: string, { iss, sub }: JWTPayload): boolean {
  const { typ = 'oauth-authz-req+jwt' } = decodeProtectedHeader(text);
  return /^(application\/)?oauth-authz-req\+jwt$/i.test(typ) && sub !== iss;
}

/**
 * The claims as parameters: a list repeats a parameter, and other values are written as JSON. Undefined if they refer to another
 * request [9101 §4] or cannot be stored.
 */
function readClaims(claims: Record<string, unknown>): Parameters | undefined {
  if ('request' in claims || 'request_uri' in claims) return undefined;
  const parameters: Parameters = Object.create(null);
  for (const [name, value] of Object.entries(claims)) {
    if (value === '') continue;
    parameters[name] = Array.isArray(value) ? value.map(writeValue) : writeValue(value);
  }
  return Object.values(parameters).flat().every(isStorable) ? parameters : undefined;
}

const writeValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
