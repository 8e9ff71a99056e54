import { type Database, row, sql } from '../postgres/database.ts';

/** What another place says about a person. */
export interface PersonElsewhere {
  /** `website`, `view` or `provider:NAME` */
  source: string;
  /** the subject, which becomes `sub` here; null if the place does not decide that */
  subject: string | null;
  username: string | null;
  name: string | null;
  email: string | null;
  /** whether that place vouches for the address */
  email_verified: boolean;
}

export type KeptPerson =
  | { outcome: 'kept'; user_id: number; is_new: boolean }
  /** another source speaks for the account of that subject, or an operator has disabled it */
  | { outcome: 'of_another_source' | 'disabled'; user_id: null; is_new: false };

const keepPersonStatement = sql(
  'keep_person',
  'select outcome, user_id, is_new from keep_person($1, $2, $3, $4, $5, $6, $7)',
);

/** Makes or updates the account of a person who comes from elsewhere. `of_view` are names of people of the operator's view. */
export async function keepPerson(
  database: Database,
  person: PersonElsewhere,
  of_view: readonly string[] = [],
): Promise<KeptPerson> {
  const { source, subject, username, name, email, email_verified } = person;
  const values = [source, subject, username, name, email, email_verified, of_view];
  const kept = await row<KeptPerson>(database, keepPersonStatement, values);
  if (!kept) throw new Error('keep_person gave no answer');
  return kept;
}
