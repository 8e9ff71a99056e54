import { createHash, randomBytes } from 'node:crypto';

// Codes for people who have lost what else proves them. Each has 80 random bits, so that its digest tells nothing.

/** As many as one person has. */
export const recoveryCodeCount = 10;

/** Without I, L, O and U, which are misread. */
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const code = [...randomBytes(16)].map((byte) => letters[byte % 32]).join('');
    return (code.match(/.{4}/g) ?? []).join('-');
  });
}

/** As it is compared: in capitals, without what separates, and with the letters that were misread. */
const readCode = (typed: string) =>
  typed.toUpperCase().replace(/[\s-]/g, '').replace(/[IL]/g, '1').replaceAll('O', '0').replaceAll('U', 'V');

/** Undefined if it cannot be one. */
export function recoveryCodeDigest(typed: string): Buffer | undefined {
  const code = readCode(typed.slice(0, 100));
  if (code.length !== 16 || [...code].some((letter) => !letters.includes(letter))) return undefined;
  return createHash('sha256').update(`recovery code ${code}`).digest();
}
