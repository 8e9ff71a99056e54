/** Names a session in a form: the beginning of its digest, with which nobody can sign in. */
const bytes = 8;

export function handleOf(sid_sha256: Buffer): string {
  return sid_sha256.toString('hex', 0, bytes);
}

/** The beginning of the digest that a handle stands for; undefined when it is none. */
export function beginningOf(handle: string): Buffer | undefined {
  return /^[0-9a-f]{16}$/.test(handle) ? Buffer.from(handle, 'hex') : undefined;
}
