import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts and authenticates with AES-256-GCM. Each purpose has a key of its own, derived from the secret [5869]. */
export function seal(secret: string, purpose: string, content: Buffer): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv(algorithm, keyFor(secret, purpose), nonce);
  const text = Buffer.concat([cipher.update(content), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Undefined unless it was sealed for this purpose with one of the secrets. */
export function unseal(secrets: readonly string[], purpose: string, sealed: Buffer): Buffer | undefined {
  if (sealed.length < nonceLength + tagLength) return undefined;
  for (const secret of secrets) {
    const nonce = sealed.subarray(0, nonceLength);
    const decipher = createDecipheriv(algorithm, keyFor(secret, purpose), nonce, { authTagLength: tagLength });
    decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
    const content = decipher.update(sealed.subarray(nonceLength + tagLength));
    try {
      return Buffer.concat([content, decipher.final()]);
    } catch {
      // another secret
    }
  }
  return undefined;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** A key for one purpose, from which no other one can be computed [5869]. */
export function keyFor(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}
