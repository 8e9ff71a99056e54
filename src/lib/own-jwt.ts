import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { algorithm, type Claims, isOfType, isSignedBy, type Jwt, readJwt, signJwt } from './jwt.ts';
import { rememberKeys, thumbprintOf } from './verifying-key.ts';

/** The public part of an ES256 key [7518 §6.2.1]. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
}

export interface KeyPair {
  /** the thumbprint of the public key: the same for everybody, and different for every key [7638] */
  kid: string;
  public_jwk: PublicJwk;
  /** PKCS #8 */
  private_key: Buffer;
}

export function createKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const public_jwk = publicKey.export({ format: 'jwk' }) as unknown as PublicJwk;
  return {
    kid: thumbprintOf({ ...public_jwk }),
    public_jwk,
    private_key: privateKey.export({ type: 'pkcs8', format: 'der' }),
  };
}

export interface SigningKey {
  kid: string;
  private_key: KeyObject;
}

/**
 * Reads a private key; undefined if it is not the private half of this public key, or that one has another name: nobody could verify
 * what it signs.
 */
export function readPrivateKey(
  { kid, public_jwk }: Pick<KeyPair, 'kid' | 'public_jwk'>,
  pkcs8: Buffer,
): SigningKey | undefined {
  const private_key = createPrivateKey({ key: pkcs8, type: 'pkcs8', format: 'der' });
  const own = thumbprintOf(createPublicKey(private_key).export({ format: 'jwk' }));
  return own === thumbprintOf({ ...public_jwk }) && own === kid ? { kid, private_key } : undefined;
}

/** Signs a JWT; `typ` names its kind, so that none is accepted in place of another [8725 §3.11]. */
export function signOwnJwt({ kid, private_key }: SigningKey, claims: Claims, typ: string): string {
  return signJwt(private_key, { typ, kid }, claims);
}

const readKey = rememberKeys(10);

/** Reads what this server could have signed, by its look: nothing is verified. */
export function readOwnJwt(text: string, typ: string): Jwt | undefined {
  const jwt = readJwt(text);
  return jwt && isOfType(jwt, typ) && jwt.header.alg === algorithm ? jwt : undefined;
}

/**
 * Returns the claims of a JWT of this kind that one of the keys has signed; undefined for any other text. The header chooses among the
 * known keys and nothing else [8725 §3.1]. Whether the JWT has expired is for the caller to find out, by the clock of the database.
 */
export async function verifyOwnJwt(
  text: string,
  typ: string,
  findKey: (kid: string) => Promise<PublicJwk | undefined>,
): Promise<Claims | undefined> {
  const jwt = readOwnJwt(text, typ);
  if (!jwt) return undefined;
  const { kid } = jwt.header;
  const jwk = typeof kid === 'string' ? await findKey(kid) : undefined;
  const found = jwk && readKey({ ...jwk });
  return typeof found === 'object' && isSignedBy(found.key, jwt) ? jwt.claims : undefined;
}
