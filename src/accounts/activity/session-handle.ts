const prefixBytes = 8;

/** Identifies a session in a form: the first bytes of the digest of its id, which cannot be used to sign in. */
export function handleOf(sid_sha256: Buffer): string {
  return sid_sha256.toString('hex', 0, prefixBytes);
}

/** The first bytes of the digest; undefined for a malformed handle. */
export function digestPrefixOf(handle: string): Buffer | undefined {
  return /^[0-9a-f]{16}$/.test(handle) ? Buffer.from(handle, 'hex') : undefined;
}
