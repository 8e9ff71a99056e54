import { createHash, randomBytes } from 'node:crypto';

// Codes for people who have lost their other factors. Each has 80 random bits, so that its digest tells nothing.

export const recoveryCodeCount = 10;

/** The letters of codes; I, L, O and U are left out, because people misread them. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const code = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
    return (code.match(/.{4}/g) ?? []).join('-');
  });
}

/** Returns the form in which codes are compared: in capitals, without separators, with misread letters put right. */
const readCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0').replaceAll('U', 'V');

/** Returns the digest; undefined if the text cannot be a recovery code. */
export function recoveryCodeDigest(typed: string): Buffer | undefined {
  const code = readCode(typed.slice(0, 100));
  if (code.length !== 16 || [...code].some((letter) => !letters.includes(letter))) return undefined;
  return createHash('sha256').update(`recovery code ${code}`).digest();
}
