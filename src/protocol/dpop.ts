import { calculateJwkThumbprint, EmbeddedJWK, errors, type JWK, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { clientAlgorithms, clockTolerance, compareClocks, untimelyFault, verifyClientJwt } from './client-jwt.ts';
import { keyFor } from './client-keys.ts';
import { OAuthError } from './errors.ts';
import { publicKeyProblem } from './public-key.ts';
import { digestOf } from './secrets.ts';

/** Seconds for which a proof is accepted after it was made. */
export const proofLifetime = 120;

/** As a header or a parameter has it: a SHA-256 digest in base64url [7638]. */
export const thumbprintSyntax = /^[\w-]{43}$/;

export interface DpopProof {
  /** of the key that made it [7638] */
  thumbprint: string;
  jti: string;
  nonce: unknown;
  /** seconds since 1970 */
  made_at: number;
}

export interface ProvenRequest {
  method: string;
  /** the public address, without a query */
  url: string;
  /** the access token that it presents */
  access_token?: string | undefined;
}

/** Refuses a proof that is not valid for this request [9449 §4.3]. Whether it was used before is not checked here. */
export async function verifyDpopProof(text: string, request: ProvenRequest): Promise<DpopProof> {
  let key: JWK | undefined;
  let fault = notSigned;
  const embedded: JWTVerifyGetKey = ({ kid: _, ...header }, token) => {
    const { jwk } = header;
    if (typeof jwk !== 'object' || jwk === null) throw new errors.JWSInvalid('no key');
    const problem = publicKeyProblem(jwk);
    if (problem !== undefined) fault = `the key in its header is not used: ${problem}`;
    key = keyFor(header, [jwk]);
    if (!key) throw new errors.JWSInvalid('unusable key');
    return EmbeddedJWK({ ...header, jwk: key }, token);
  };
  const payload = await verifyClientJwt(text, embedded, { typ: 'dpop+jwt' });
  if (payload === 'untimely') throw dpopRefusal(request, untimelyFault);
  if (!payload || !key) throw dpopRefusal(request, fault);
  const { jti, nonce, iat = 0 } = payload;
  const claimFault = faultOf(payload, request);
  if (claimFault !== undefined || !isText(jti)) throw dpopRefusal(request, claimFault ?? 'jti is missing');
  return { thumbprint: await calculateJwkThumbprint(key), jti, nonce, made_at: iat };
}

const notSigned = `it must be one JWT of the type dpop+jwt, signed by ${clientAlgorithms.join(', ')} with the public key in its header`;

function faultOf({ htm, htu, iat, ath }: JWTPayload, { method, url, access_token }: ProvenRequest): string | undefined {
  if (htm !== method) return `htm must be ${method}`;
  if (!isSameAddress(htu, url)) return `htu must be ${url}`;
  if (!isRecent(iat)) return `iat must be of the last ${proofLifetime} seconds; ${compareClocks}`;
  if (access_token === undefined || ath === digestOf(access_token).toString('base64url')) return undefined;
  return 'ath must be the SHA-256 digest of the access token in base64url';
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= 500;

/** A parser of URLs normalizes a host name, which takes time in proportion to the square of its length. */
const htuMaxLength = 2000;

/** Without query and fragment; the scheme, the host and the port may be written in any equivalent way. */
function isSameAddress(htu: unknown, url: string): boolean {
  if (typeof htu !== 'string' || htu.length > htuMaxLength || !URL.canParse(htu)) return false;
  const { origin, pathname } = new URL(htu);
  return origin + pathname === url;
}

function isRecent(iat: unknown): boolean {
  if (typeof iat !== 'number') return false;
  const age = Date.now() / 1000 - iat;
  return age <= proofLifetime && age >= -clockTolerance;
}

/** Of a proof that does not count although it is valid, by the reason that store/used-proofs.ts gives. */
export const useFaults = { repeated: 'it was used before', 'too old': untimelyFault } as const;

/** With the status 401 where an access token is presented [9449 §7.1], 400 elsewhere [9449 §5]. */
export function dpopRefusal(
  { access_token }: Pick<ProvenRequest, 'access_token'>,
  fault: string,
  code: 'invalid_dpop_proof' | 'use_dpop_nonce' = 'invalid_dpop_proof',
): OAuthError {
  const status = access_token === undefined ? 400 : 401;
  return new OAuthError(code, `the DPoP proof is not accepted: ${fault}`, { status });
}
