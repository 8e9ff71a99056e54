import { findPeople } from '../identity/people-search.sql.ts';
import { listUsersNamed, type User } from '../identity/users.sql.ts';
import type { Database } from '../postgres/database.ts';
import { formatCell } from './format.ts';

/** Finds the user whom a command names, disabled or not. No command guesses: a text that names two people is an error. */
export async function findNamedUser(database: Database, text: string): Promise<User | undefined> {
  const [user, other] = await listUsersNamed(database, text);
  if (!other) return user;
  const [one, two] = [user, other].map(
    (named) => `"${formatCell(named?.username ?? '')}" (sub ${formatCell(named?.sub ?? '')})`,
  );
  throw new Error(
    `"${formatCell(text)}" is the name of one user and the sub of another: ${one} and ${two}. Say the other text of the one you mean, or the address.`,
  );
}

/** Finds the person whom a command changes. A text that names nobody is refused with the people whom it could have meant. */
export async function requireUser(database: Database, text: string): Promise<User> {
  const user = await findNamedUser(database, text);
  if (user) return user;
  const { people } = await findPeople(database, text.trim(), 3);
  const names = people.map(({ username }) => `"${formatCell(username)}"`).join(', ');
  throw new Error(`There is no user "${formatCell(text)}"${names === '' ? '.' : `: did you mean ${names}?`}`);
}
