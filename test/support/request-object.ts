import { randomUUID } from 'node:crypto';
import { type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import { type ClientKey, now } from './client-assertion.ts';
import { authorizationQuery } from './flow.ts';

interface RequestObjectChanges {
  client_id?: string;
  header?: Partial<JWTHeaderParameters>;
  /** undefined leaves a claim out */
  claims?: Record<string, unknown>;
}

/** A signed authorization request of the photo printer that is accepted, with changes. */
export function signRequest(
  { privateKey, jwk, alg }: ClientKey,
  issuer: string,
  { client_id = 'photo-printer', header, claims }: RequestObjectChanges = {},
): Promise<string> {
  const parameters = Object.fromEntries(new URLSearchParams(authorizationQuery({ client_id })));
  const times = { iat: now(), nbf: now(), exp: now() + 300 };
  const payload = { ...parameters, ...times, iss: client_id, aud: issuer, jti: randomUUID(), ...claims };
  return new SignJWT(payload as JWTPayload)
    .setProtectedHeader({ alg, kid: jwk.kid, typ: 'oauth-authz-req+jwt', ...header })
    .sign(privateKey);
}
