import { hash, type X509Certificate } from 'node:crypto';
import type { JWK } from 'jose';
import { certificateBinding } from './binding.ts';

/** What tokens are bound to: the digest of the whole certificate in DER [8705 §3.1]. */
export function bindingOf({ raw }: X509Certificate): string {
  return certificateBinding(hash('sha256', raw, 'base64url'));
}

const clientAuthentication = '1.3.6.1.5.5.7.3.2';

/** Whether one of the authorities has signed it for a client, and both are valid today [5280 §6.1]. There are no CAs in between. */
export function isIssuedByOneOf(authorities: readonly X509Certificate[], certificate: X509Certificate): boolean {
  // of the name keyUsage, but it has the extended usages
  const usages = certificate.keyUsage as string[] | undefined;
  return (
    isCurrent(certificate) &&
    (usages?.includes(clientAuthentication) ?? true) &&
    authorities.some((one) => isCurrent(one) && certificate.checkIssued(one) && certificate.verify(one.publicKey))
  );
}

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

/** Whether a dNSName of the certificate is this name; neither side may have a wildcard, and the subject does not count. */
export function hasDnsName(certificate: X509Certificate, name: string): boolean {
  return certificate.checkHost(name, { subject: 'never', wildcards: false }) !== undefined;
}

/** Finds the public key of the certificate among others, by its value alone. */
export function keyIn(keys: readonly JWK[], certificate: X509Certificate): JWK | undefined {
  const own = keyOf(certificate);
  return own && keys.find((key) => values.every((value) => key[value] === own[value]));
}

const values = ['kty', 'crv', 'x', 'y', 'n', 'e'] as const;

/** Undefined for a kind of key that is no JWK. */
function keyOf(certificate: X509Certificate): JWK | undefined {
  try {
    return certificate.publicKey.export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
