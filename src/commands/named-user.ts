import type { Database } from '../postgres/database.ts';
import { findUserByName, type User } from '../store/users.ts';

/** The user whom a command names, disabled or not. */
export async function requireUser(database: Database, username: string): Promise<User> {
  const user = await findUserByName(database, username);
  if (!user) throw new Error(`There is no user "${username}".`);
  return user;
}
