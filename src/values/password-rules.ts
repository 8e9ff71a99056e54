/** About a quarter of a second of one core for each hash, so that a stolen table of hashes is expensive to attack. */
export const bcryptCost = 12;

export const passwordMinCharacters = 8;
/** bcrypt ignores the bytes after this one, and would accept every password with the same beginning. */
export const passwordMaxBytes = 72;

/** Why a password cannot be set; undefined when it can. migrations/functions/register_user.sql has the same rule for seeds. */
export function passwordProblem(password: string): 'password_too_short' | 'password_too_long' | undefined {
  if ([...password].length < passwordMinCharacters) return 'password_too_short';
  return isTooLongForBcrypt(password) ? 'password_too_long' : undefined;
}

export function isTooLongForBcrypt(password: string): boolean {
  return Buffer.byteLength(password) > passwordMaxBytes;
}
