import { isCommonPassword } from './common-passwords.ts';

/** About a quarter of a second of one core for each hash, so that a stolen table of hashes is expensive to attack. */
export const bcryptCost = 12;

export const passwordMinCharacters = 8;
/** bcrypt ignores the bytes after this one, and would accept every password with the same beginning. */
export const passwordMaxBytes = 72;

export type PasswordProblem = 'password_too_short' | 'password_too_long' | 'password_common' | 'password_is_name';

/** Whose password it will be, and where: what somebody would try first. */
export interface PasswordOwner {
  username?: string | null | undefined;
  email?: string | null | undefined;
  config: { readonly brand: { readonly name: string }; readonly issuer: string };
}

/**
 * Says why a password cannot be chosen; undefined when it can. Passwords that exist are not judged. Seeds meet only the rule about
 * the length, in migrations/functions/register_user.sql: nobody is there to choose another password.
 */
export function passwordProblem(password: string, owner: PasswordOwner): PasswordProblem | undefined {
  if ([...password].length < passwordMinCharacters) return 'password_too_short';
  if (isTooLongForBcrypt(password)) return 'password_too_long';
  if (isCommonPassword(password)) return 'password_common';
  return namesOf(owner).includes(folded(password)) ? 'password_is_name' : undefined;
}

export function isTooLongForBcrypt(password: string): boolean {
  return Buffer.byteLength(password) > passwordMaxBytes;
}

const folded = (text: string) => text.normalize('NFKC').trim().toLowerCase();

function namesOf({ username, email, config }: PasswordOwner): string[] {
  const { host, hostname } = new URL(config.issuer);
  const [beforeAt] = email?.split('@') ?? [];
  return [username, email, beforeAt, config.brand.name, host, hostname, config.issuer].map((name) =>
    folded(name ?? ''),
  );
}
