import type { Database } from '../postgres/database.ts';
import { findPeople } from '../store/people-search.ts';
import { findUserByName, type User } from '../store/users.ts';
import { formatCell } from './format.ts';

/** The user whom a command names, disabled or not. Of others that fit the commands change none, and say their names. */
export async function requireUser(database: Database, text: string): Promise<User> {
  const user = await findUserByName(database, text);
  if (user) return user;
  const { people } = await findPeople(database, text.trim(), 3);
  const names = people.map(({ username }) => `"${formatCell(username)}"`).join(', ');
  throw new Error(`There is no user "${formatCell(text)}"${names === '' ? '.' : `: did you mean ${names}?`}`);
}
