import type { KeyObject, X509Certificate } from 'node:crypto';
import { elementsIn, oidOf, signedFieldsOf } from './der.ts';
import { rsaProblem } from './public-key.ts';

interface Extension {
  /** the object identifier in [5280 §4.2.1], such as 2.5.29.17 */
  id: string;
  /** whether whoever does not know the extension must refuse the certificate */
  isCritical: boolean;
  /** in DER */
  value: Buffer;
}

const extensionsTag = 0xa3;
const booleanTag = 0x01;

function extensionsIn(certificate: Buffer): Extension[] {
  const optional = signedFieldsOf(certificate).find(({ tag }) => tag === extensionsTag);
  const [list] = elementsIn(optional?.content);
  return elementsIn(list?.content).map(({ content }) => {
    const [type, ...rest] = elementsIn(content);
    return {
      id: oidOf(type?.content),
      isCritical: rest[0]?.tag === booleanTag && rest[0].content[0] !== 0,
      value: rest.at(-1)?.content ?? Buffer.alloc(0),
    };
  });
}

// What a certificate must be before it can say who a client is, whoever issued it: what `openssl verify -purpose sslclient
// -auth_level 2` demands. Node compares signatures and names, and leaves the rest to its caller.

/** Says why nobody authenticates by this certificate, to continue a sentence about it; undefined for a good certificate. */
export function clientCertificateProblem(certificate: X509Certificate): string | undefined {
  const extensions = extensionsIn(certificate.raw);
  const permitsSignature = usageBits(extensions, digitalSignature | keyAgreement);
  return (
    keyProblem(certificate) ??
    extensionProblem(extensions) ??
    (permitsSignature ? undefined : 'its key usage permits no signature')
  );
}

/** Says why the certificates that this CA has signed do not count. */
export function authorityProblem(authority: X509Certificate): string | undefined {
  const extensions = extensionsIn(authority.raw);
  if (extensions.some(({ id }) => id === nameConstraints)) return 'its name constraints are not known to this server';
  if (!authority.ca) return 'it is not of a CA';
  return keyProblem(authority) ?? extensionProblem(extensions);
}

const [keyUsage, extendedKeyUsage, nameConstraints] = ['2.5.29.15', '2.5.29.37', '2.5.29.30'];
/**
 * The extensions that this server knows: the three above, basic constraints, names, key identifiers, revocation lists, and
 * policies; no policy is required.
 */
const known: ReadonlySet<string | undefined> = new Set([
  ...[keyUsage, extendedKeyUsage, '2.5.29.14', '2.5.29.17', '2.5.29.19', '2.5.29.31', '2.5.29.32', '2.5.29.33'],
  ...['2.5.29.35', '2.5.29.36', '2.5.29.54'],
]);

/** Returns what is wrong with the extensions of a client's certificate [5280 §4.2, §4.2.1.12]. */
function extensionProblem(extensions: readonly Extension[]): string | undefined {
  const ids = extensions.map(({ id }) => id);
  if (new Set(ids).size < ids.length) return 'it has an extension twice';
  if (extensions.some(({ id, isCritical }) => isCritical && !known.has(id)))
    return 'it has an unknown critical extension';
  const [purposes] = elementsIn(extensions.find(({ id }) => id === extendedKeyUsage)?.value);
  const isForClients =
    !purposes || elementsIn(purposes.content).some(({ content }) => oidOf(content) === clientAuthentication);
  return isForClients ? undefined : 'its extended key usage lacks clientAuth';
}

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** These usages are bits of the first byte [5280 §4.2.1.3]. */
const [digitalSignature, keyAgreement] = [0x80, 0x08];

/** Whether one of these usages is permitted: all are, if the certificate says nothing about them. */
function usageBits(extensions: readonly Extension[], bits: number): boolean {
  const usage = extensions.find(({ id }) => id === keyUsage);
  // the byte before the bits says how many of the last bits do not count
  const [, first = 0] = elementsIn(usage?.value)[0]?.content ?? [];
  return usage === undefined || (first & bits) !== 0;
}

/**
 * Returns what is wrong with the key of a certificate. Tokens are not bound to a faulty key either: what somebody else can find binds
 * nothing.
 */
export function keyProblem(certificate: X509Certificate): string | undefined {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details = {} } = publicKeyOf(certificate) ?? {};
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = details;
  if (type === 'rsa' || type === 'rsa-pss') return rsaProblem(modulusLength, publicExponent);
  if (type === 'ed25519' || type === 'ed448') return undefined;
  // 112 bits of security; the names of curves have their size: prime256v1, brainpoolP384r1
  const bits = type === 'ec' ? Number(/\d{3}/.exec(namedCurve)?.[0] ?? 0) : 0;
  return bits >= 224 ? undefined : 'its key is too short, or of an unknown kind';
}

/** Returns the public key; undefined for a kind of key that OpenSSL does not know. */
function publicKeyOf(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined;
  }
}

const pss = '1.2.840.113549.1.1.10';
const sha2: ReadonlySet<string> = new Set([1, 2, 3, 4].map((last) => `2.16.840.1.101.3.4.2.${last}`));
/** Signatures by RSA, ECDSA, and Ed25519 or Ed448 [5758; 8410]. */
const signatures: ReadonlySet<string> = new Set([
  ...[11, 12, 13, 14].map((last) => `1.2.840.113549.1.1.${last}`),
  ...[1, 2, 3, 4].map((last) => `1.2.840.10045.4.3.${last}`),
  ...['1.3.101.112', '1.3.101.113'],
]);

/** Says why the signature of the issuer does not count: with SHA-1 or MD5, two certificates can have the same digest. */
export function signatureProblem({ raw }: X509Certificate): string | undefined {
  const [type, parameters] = elementsIn(signedFieldsOf(raw)[1]?.content);
  const algorithm = oidOf(type?.content);
  // the first parameter, tagged, names the digest; where it is missing, the digest is SHA-1 [4055 §3.1]
  const tagged = elementsIn(parameters?.content).find(({ tag }) => tag === 0xa0);
  const digest = oidOf(elementsIn(elementsIn(tagged?.content)[0]?.content)[0]?.content);
  const isStrong = algorithm === pss ? sha2.has(digest) : signatures.has(algorithm);
  return isStrong ? undefined : 'it is not signed with SHA-2';
}
