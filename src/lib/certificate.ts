import { hash, type X509Certificate } from 'node:crypto';
import { certificateBinding } from './binding.ts';
import { authorityProblem } from './certificate-purpose.ts';
import { areSameNames, readDistinguishedName, subjectOf } from './distinguished-name.ts';
import { type JWK, keyMaterial, publicKeyProblem } from './public-key.ts';

/** Returns what tokens are bound to: the digest of the whole certificate in DER [8705 §3.1]. */
export function bindingOf({ raw }: X509Certificate): string {
  return certificateBinding(hash('sha256', raw, 'base64url'));
}

/**
 * Whether one of the authorities has signed the certificate, and both are valid today [5280 §6.1]. There are no CAs in between, and
 * whether the certificate is one for clients is said by certificate-purpose.ts.
 */
export function isIssuedByOneOf(authorities: readonly X509Certificate[], certificate: X509Certificate): boolean {
  const hasIssued = (one: X509Certificate) =>
    certificate.checkIssued(one) && authorityProblem(one) === undefined && certificate.verify(one.publicKey);
  return isCurrent(certificate) && authorities.some((one) => isCurrent(one) && hasIssued(one));
}

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

/** Whether the certificate has the name by which the client is known: its subject, or a host name [8705 §2.1.2]. */
export function isNamed(
  certificate: X509Certificate,
  { tls_client_auth_subject_dn: subject, tls_client_auth_san_dns: host }: RegisteredNames,
): boolean {
  if (subject !== null) return areSameNames(readDistinguishedName(subject), subjectOf(certificate.raw));
  // neither side may have a wildcard, and the subject does not count
  return host !== null && certificate.checkHost(host, { subject: 'never', wildcards: false }) !== undefined;
}

type RegisteredNames = Readonly<Record<'tls_client_auth_subject_dn' | 'tls_client_auth_san_dns', string | null>>;

/** Finds the public key of the certificate among others, by its value alone. */
export function keyIn(keys: readonly JWK[], certificate: X509Certificate): JWK | undefined {
  const own = keyOf(certificate);
  const found = own && keys.find((key) => keyMaterial.every((value) => key[value] === own[value]));
  return found && publicKeyProblem(found) === undefined ? found : undefined;
}

/** Returns the key as a JWK; undefined for a kind of key that has no JWK. */
function keyOf(certificate: X509Certificate): JWK | undefined {
  try {
    return certificate.publicKey.export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
