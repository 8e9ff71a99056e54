import type { KeyObject } from 'node:crypto';
import { verifyClientJwt } from './client-jwt.ts';
import { isOfType, type Jwt } from './jwt.ts';
import { isStorable, maxParameters, type Parameters } from './parameters.ts';

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

/** The request of a client for this server [9101 §4]; undefined for a JWT that is no valid one. */
export function verifyRequestObject(
  jwt: Jwt,
  key: KeyObject | undefined,
  { client_id, issuer }: { client_id: string; issuer: string },
): RequestObject | undefined {
  const verified = verifyClientJwt(jwt, key);
  if (!verified || verified === 'untimely' || !isRequestObject(jwt)) return undefined;
  const { iss, sub, aud, iat, nbf, exp, jti, ...claims } = verified;
  const isOfClient = iss === client_id && claims['client_id'] === client_id && [aud].flat().includes(issuer);
  const areTexts = [iss, sub ?? '', aud].flat().every(isText) && (jti === undefined || isText(jti));
  const isTimely = nbf !== undefined && exp !== undefined && exp <= nbf + maxLifetime;
  const parameters = readClaims(claims);
  return isOfClient && areTexts && isTimely && parameters ? { parameters, jti, exp } : undefined;
}

/** Whether a JWT can only be a request object: it says of no other kind that it is one, and could be no client assertion [9101 §10.8]. */
function isRequestObject(jwt: Jwt): boolean {
  const { iss, sub } = jwt.claims;
  return (jwt.header.typ === undefined || isOfType(jwt, 'oauth-authz-req+jwt')) && sub !== iss;
}

/** The parameters that this server reads, and what their claims are [9101 §4; 8707 §2]. */
const parameterTypes = {
  response_type: 'text',
  client_id: 'text',
  redirect_uri: 'text',
  scope: 'text',
  state: 'text',
  response_mode: 'text',
  code_challenge: 'text',
  code_challenge_method: 'text',
  dpop_jkt: 'text',
  prompt: 'text',
  login_hint: 'text',
  ui_locales: 'text',
  acr_values: 'text',
  max_age: 'number',
  resource: 'texts',
  authorization_details: 'objects',
} as const;

export type AuthorizationParameter = keyof typeof parameterTypes;

const isText = (value: unknown): value is string => typeof value === 'string';

const isOfKind: Record<(typeof parameterTypes)[AuthorizationParameter], (value: unknown) => boolean> = {
  text: isText,
  number: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  texts: (value) => [value].flat().every(isText),
  objects: (value) => Array.isArray(value),
};

/**
 * The claims as parameters; claims of extensions are ignored, whatever they are. Undefined if a parameter has another type, if they
 * refer to another request [9101 §4], are too many or cannot be stored.
 */
function readClaims(claims: Record<string, unknown>): Parameters | undefined {
  if ('request' in claims || 'request_uri' in claims) return undefined;
  const parameters: Parameters = Object.create(null);
  for (const [name, type] of Object.entries(parameterTypes)) {
    const value = Object.hasOwn(claims, name) ? claims[name] : '';
    if (value === '') continue;
    if (!isOfKind[type](value)) return undefined;
    parameters[name] = type === 'objects' ? JSON.stringify(value) : Array.isArray(value) ? value : String(value);
  }
  const values = Object.values(parameters).flat();
  return values.length <= maxParameters && values.every(isStorable) ? parameters : undefined;
}
