import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { maxJwtLength } from './client-jwt.ts';

export type Claims = JWTPayload;

/** The public part of an ES256 key [7518 §6.2.1]. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}

export const algorithm = 'ES256';

export interface KeyPair {
  /** the thumbprint of the public key: the same for everybody, and different for every key [7638] */
  kid: string;
  public_jwk: PublicJwk;
  /** PKCS #8 */
  private_key: Buffer;
}

export async function createKeyPair(): Promise<KeyPair> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_jwk = publicKey.export({ format: 'jwk' }) as unknown as PublicJwk;
  return {
    kid: await calculateJwkThumbprint({ ...public_jwk }),
    public_jwk,
    private_key: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

export interface SigningKey {
  kid: string;
  private_key: KeyObject;
}

/** Undefined if it is not the private half of this public key, or that one has another name: nobody could verify what it signs. */
export async function readPrivateKey(
  { kid, public_jwk }: Pick<KeyPair, 'kid' | 'public_jwk'>,
  pkcs8: Buffer,
): Promise<SigningKey | undefined> {
  const private_key = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
  const own = await calculateJwkThumbprint(createPublicKey(private_key).export({ format: 'jwk' }));
  const published = await calculateJwkThumbprint({ ...public_jwk });
  return own === published && own === kid ? { kid, private_key } : undefined;
}

/** `typ` names the kind of JWT, so that none is accepted in place of another [8725 §3.11]. */
export function signJwt({ kid, private_key }: SigningKey, claims: Claims, typ: string): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: algorithm, typ, kid }).sign(private_key);
}

/**
 * The claims of a JWT of this kind that one of the keys has signed; undefined for any other text. The header chooses among the
 * known keys and nothing else [8725 §3.1]. Whether the JWT has expired is for the caller to find out, by the clock of the database.
 */
export async function verifyJwt(
  text: string,
  typ: string,
  findKey: (kid: string) => Promise<PublicJwk | undefined>,
): Promise<Claims | undefined> {
  if (text.length > maxJwtLength) return undefined;
  const getKey = async ({ kid }: { kid?: unknown }) => {
    const key = typeof kid === 'string' ? await findKey(kid) : undefined;
    if (!key) throw new errors.JWKSNoMatchingKey();
    return { ...key };
  };
  try {
    const options = { algorithms: [algorithm], typ, currentDate: new Date(0) };
    return (await jwtVerify(text, getKey, options)).payload;
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
