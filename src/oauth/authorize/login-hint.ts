import { findUser } from '../../identity/users.sql.ts';
import type { Database } from '../../postgres/database.ts';

/** The account that the client expects; undefined without a hint, or if it cannot be a name. */
export function readLoginHint(hint: unknown): string | undefined {
  return typeof hint === 'string' && /^[^\p{Cc}\p{Cf}]{1,200}$/u.test(hint) ? hint : undefined;
}

/**
 * Whether the hint is no name of this person [OpenID Connect Core §3.1.2.1]. Nobody looks whether somebody else has that name: clients
 * must not learn which accounts exist.
 */
export async function namesSomebodyElse(database: Database, user_id: number, hint: unknown): Promise<boolean> {
  const name = readLoginHint(hint);
  const user = name === undefined ? undefined : await findUser(database, user_id);
  if (!name || !user) return false;
  const { username, email, sub } = user;
  const isName = [username, email].some((one) => one?.toLowerCase() === name.trim().toLowerCase());
  return !isName && name !== sub;
}
