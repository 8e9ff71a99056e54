import { hash, type X509Certificate } from 'node:crypto';
import { alternativeNamesIn } from './alternative-names.ts';
import { certificateBinding } from './binding.ts';
import { authorityProblem } from './certificate-purpose.ts';
import { areSameNames, readDistinguishedName, subjectOf } from './distinguished-name.ts';
import { type JWK, keyMaterial, publicKeyProblem } from './public-key.ts';

/** What tokens are bound to: the digest of the whole certificate in DER [8705 §3.1]. */
export function bindingOf({ raw }: X509Certificate): string {
  return certificateBinding(hash('sha256', raw, 'base64url'));
}

/**
 * Whether one of the authorities has signed it, and both are valid today [5280 §6.1]. There are no CAs in between, and whether the
 * certificate is one for clients is said by certificate-purpose.ts.
 */
export function isIssuedByOneOf(authorities: readonly X509Certificate[], certificate: X509Certificate): boolean {
  const hasIssued = (one: X509Certificate) =>
    certificate.checkIssued(one) && authorityProblem(one) === undefined && certificate.verify(one.publicKey);
  return isCurrent(certificate) && authorities.some((one) => isCurrent(one) && hasIssued(one));
}

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

/** By which name of its certificate a client is known [8705 §2.1.2]. */
export const certificateNames = [
  'tls_client_auth_subject_dn',
  'tls_client_auth_san_dns',
  'tls_client_auth_san_uri',
  'tls_client_auth_san_ip',
  'tls_client_auth_san_email',
] as const;

type CertificateName = (typeof certificateNames)[number];

/** Whether a name that stands in the certificate is the registered one. */
const has: Record<CertificateName, (certificate: X509Certificate, registered: string) => boolean> = {
  tls_client_auth_subject_dn: ({ raw }, name) => areSameNames(readDistinguishedName(name), subjectOf(raw)),
  // neither side may have a wildcard, and the subject does not count
  tls_client_auth_san_dns: (certificate, host) =>
    certificate.checkHost(host, { subject: 'never', wildcards: false }) !== undefined,
  tls_client_auth_san_uri: ({ raw }, uri) => alternativeNamesIn(raw, 'uri').includes(uri),
  // OpenSSL compares the bytes of the addresses, and only with addresses
  tls_client_auth_san_ip: (certificate, address) => certificate.checkIP(address) !== undefined,
  tls_client_auth_san_email: ({ raw }, email) =>
    alternativeNamesIn(raw, 'email').some((one) => mailbox(one) === mailbox(email)),
};

export function isNamed(
  certificate: X509Certificate,
  registered: Readonly<Record<CertificateName, string | null>>,
): boolean {
  return certificateNames.some((kind) => {
    const name = registered[kind];
    return name !== null && has[kind](certificate, name);
  });
}

/** The host in lower case: before it, letter case counts [5280 §7.5]. */
function mailbox(email: string): string {
  const host = email.lastIndexOf('@') + 1;
  return email.slice(0, host) + email.slice(host).toLowerCase();
}

/** Finds the public key of the certificate among others, by its value alone. */
export function keyIn(keys: readonly JWK[], certificate: X509Certificate): JWK | undefined {
  const own = keyOf(certificate);
  const found = own && keys.find((key) => keyMaterial.every((value) => key[value] === own[value]));
  return found && publicKeyProblem(found) === undefined ? found : undefined;
}

/** Undefined for a kind of key that is no JWK. */
function keyOf(certificate: X509Certificate): JWK | undefined {
  try {
    return certificate.publicKey.export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
