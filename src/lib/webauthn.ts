import { createPublicKey, hash, verify } from 'node:crypto';
import { type Cbor, CborError, readCbor } from './cbor.ts';
import { OAuthError } from './errors.ts';
import { parseJsonObject } from './parameters.ts';
import { type JWK, publicKeyProblem } from './public-key.ts';

// What browsers and authenticators answer when a passkey is made or used [WebAuthn §6, §7].

/** Says why an answer of an authenticator does not count, to continue a sentence about it. */
export class PasskeyFault extends Error {}

/** The host of a passkey, and the one origin at which it may be used. */
export interface RelyingParty {
  readonly rp_id: string;
  readonly origin: string;
}

/** Longer ids are none [WebAuthn §4, credential ID]. */
export const maxCredentialIdBytes = 1023;

/** COSE numbers [9053 §2, 8812 §2]; a browser takes the first that its authenticator knows. */
export const offeredAlgorithms = [-7, -8, -257] as const;

type ClientDataType = 'webauthn.create' | 'webauthn.get';

/**
 * The challenge that the browser has answered, after a look at where and for what [WebAuthn §5.8.1, §7.1]. Unknown members are for
 * later versions of browsers; one that is there twice is a fraud.
 */
export function readClientData(bytes: Buffer, type: ClientDataType, { origin }: RelyingParty): string {
  const data = clientDataIn(bytes);
  if (data['type'] !== type) throw new PasskeyFault('its client data is for something else');
  if (data['origin'] !== origin) throw new PasskeyFault('it was made at another origin');
  if ((data['crossOrigin'] ?? false) !== false || data['topOrigin'] !== undefined)
    throw new PasskeyFault('it was made in a frame of another site');
  if (typeof data['challenge'] !== 'string') throw new PasskeyFault('its client data has no challenge');
  return data['challenge'];
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function clientDataIn(bytes: Buffer): Record<string, unknown> {
  try {
    return parseJsonObject(utf8.decode(bytes)) as Record<string, unknown>;
  } catch (error) {
    if (!(error instanceof OAuthError || error instanceof TypeError)) throw error;
    throw new PasskeyFault('its client data is no JSON object whose members are there once');
  }
}

/** What an authenticator signs, beside the client data [WebAuthn §6.1]. */
export interface AuthenticatorData {
  user_verified: boolean;
  /** whether the passkey can be on several devices */
  backup_eligible: boolean;
  sign_count: number;
  /** present for a new passkey */
  credential?: { credential_id: Buffer; public_key: JWK };
}

const flag = { present: 1, verified: 4, backupEligible: 8, backedUp: 16, credential: 64, extensions: 128 };

/** Reads what an authenticator says of itself and of the person. Data without a touch are refused, unless the page has asked for no touch. */
export function readAuthenticatorData(
  bytes: Buffer,
  { rp_id, needsTouch = true }: RelyingParty & { needsTouch?: boolean },
): AuthenticatorData {
  if (bytes.length < 37) throw new PasskeyFault('its authenticator data is cut off');
  if (!bytes.subarray(0, 32).equals(hash('sha256', rp_id, 'buffer'))) throw new PasskeyFault('it is of another host');
  const flags = bytes.readUInt8(32);
  const has = (one: number) => (flags & one) !== 0;
  if (needsTouch && !has(flag.present)) throw new PasskeyFault('nobody touched it');
  if (has(flag.backedUp) && !has(flag.backupEligible)) throw new PasskeyFault('its flags contradict each other');
  const { credential, end } = has(flag.credential) ? credentialIn(bytes) : { credential: undefined, end: 37 };
  const extensions = bytes.subarray(end);
  const read = has(flag.extensions) ? cborIn(extensions) : undefined;
  if (read && !(read.item instanceof Map)) throw new PasskeyFault('its extensions are no map');
  if ((read?.end ?? 0) !== extensions.length) throw new PasskeyFault('its authenticator data goes on after its end');
  return {
    user_verified: has(flag.verified),
    backup_eligible: has(flag.backupEligible),
    sign_count: bytes.readUInt32BE(33),
    ...(credential && { credential }),
  };
}

/** The bytes after the first 37, which are always there: the model, the length of the id, the id, the key [WebAuthn §6.5.1]. */
function credentialIn(bytes: Buffer) {
  if (bytes.length < 55) throw new PasskeyFault('its authenticator data is cut off');
  const length = bytes.readUInt16BE(53);
  if (length < 1 || length > maxCredentialIdBytes) throw new PasskeyFault('its id has no possible length');
  const credential_id = bytes.subarray(55, 55 + length);
  if (credential_id.length < length) throw new PasskeyFault('its authenticator data is cut off');
  const { item, end } = cborIn(bytes.subarray(55 + length));
  return { credential: { credential_id, public_key: publicKeyOf(item) }, end: 55 + length + end };
}

function cborIn(bytes: Buffer) {
  try {
    return readCbor(bytes);
  } catch (error) {
    if (error instanceof CborError) throw new PasskeyFault(error.message);
    throw error;
  }
}

interface KeyKind {
  kty: number;
  crv?: number;
  names: { kty: string; crv?: string; alg: string };
  /** the labels of the members that are the key itself */
  members: Readonly<Record<string, number>>;
}

/** Kinds of keys by the number of their algorithm [9053 §7, 8230 §4]. */
const keyKinds: ReadonlyMap<Cbor | undefined, KeyKind> = new Map<Cbor | undefined, KeyKind>([
  [-7, { kty: 2, crv: 1, names: { kty: 'EC', crv: 'P-256', alg: 'ES256' }, members: { x: -2, y: -3 } }],
  [-8, { kty: 1, crv: 6, names: { kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA' }, members: { x: -2 } }],
  [-257, { kty: 3, names: { kty: 'RSA', alg: 'RS256' }, members: { n: -1, e: -2 } }],
]);

/** The JWK of a COSE key of an offered algorithm, if it is as sound as every other key has to be here. */
function publicKeyOf(key: Cbor): JWK {
  if (!(key instanceof Map)) throw new PasskeyFault('its key is no map');
  const kind = keyKinds.get(key.get(3));
  if (!kind) throw new PasskeyFault('its key is for an algorithm that was not offered');
  if (key.get(1) !== kind.kty || (kind.crv !== undefined && key.get(-1) !== kind.crv))
    throw new PasskeyFault('its key is not of the kind of its algorithm');
  const jwk: JWK = { ...kind.names };
  for (const [name, label] of Object.entries(kind.members)) {
    const bytes: Cbor | undefined = key.get(label);
    if (!Buffer.isBuffer(bytes)) throw new PasskeyFault('its key is incomplete');
    jwk[name] = bytes.toString('base64url');
  }
  const problem = publicKeyProblem(jwk);
  if (problem !== undefined) throw new PasskeyFault(`its key does not count: ${problem}`);
  return jwk;
}

/**
 * A new passkey [WebAuthn §7.1]. Browsers were asked for no attestation: there is none, or the new key vouches for itself [§8.2, §8.7].
 * `client_data` is what such a signature is about.
 */
export function readAttestation(bytes: Buffer, client_data: Buffer, rp: RelyingParty & { needsTouch?: boolean }) {
  const { item, end } = cborIn(bytes);
  if (!(item instanceof Map) || end !== bytes.length) throw new PasskeyFault('its attestation is no map, or goes on');
  const [format, statement, data] = ['fmt', 'attStmt', 'authData'].map((name): Cbor | undefined => item.get(name));
  if (!Buffer.isBuffer(data) || !(statement instanceof Map)) throw new PasskeyFault('its attestation is incomplete');
  const { credential, ...facts } = readAuthenticatorData(data, rp);
  if (!credential) throw new PasskeyFault('it has no key');
  const vouchesForItself = () => {
    const signature = statement.get('sig');
    return Buffer.isBuffer(signature) && isSignedBy(credential.public_key, { data, client_data, signature });
  };
  const isUnattested = format === 'none' && statement.size === 0;
  if (!isUnattested && !(format === 'packed' && !statement.has('x5c') && vouchesForItself()))
    throw new PasskeyFault('it has an attestation that nobody asked for');
  return { ...facts, ...credential };
}

export interface SignedAnswer {
  /** the authenticator data */
  data: Buffer;
  client_data: Buffer;
  signature: Buffer;
}

/** Verifies by the algorithm of the key, whatever the answer says [WebAuthn §7.2, 6.5.5]. */
export function isSignedBy(jwk: JWK, { data, client_data, signature }: SignedAnswer): boolean {
  if (publicKeyProblem(jwk) !== undefined) return false;
  const signed = Buffer.concat([data, hash('sha256', client_data, 'buffer')]);
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(jwk.alg === 'EdDSA' ? null : 'sha256', signed, { key, dsaEncoding: 'der' }, signature);
  } catch {
    // a text of 32 bytes that is no point of Ed25519
    return false;
  }
}
