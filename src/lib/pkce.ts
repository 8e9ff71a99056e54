import { hash } from 'node:crypto';

/** 43 to 128 unreserved characters [7636 §4.1], and the padding of base64 that some clients leave at the end and hash with it. */
export const codeVerifierSyntax = /^[A-Za-z0-9._~-]{43,128}={0,2}$/;

/** base64url of a SHA-256 digest: 43 characters, the last one carrying only four bits [7636 §4.2]. */
export const codeChallengeSyntax = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;

/** S256, the only method this server knows: `plain` protects nothing once a request leaks [9700 §2.1.1]. */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url');
}
