import { sessionsVersion } from '../../src/identity/sessions.sql.ts';
import type { Database } from '../../src/postgres/database.ts';

/** The version of a person in whose session something is asked for now. */
export const versionNow = async (database: Database, user_id: number): Promise<string> =>
  (await database.query(`select ${sessionsVersion} as version from users where user_id = $1`, [user_id])).rows[0]
    .version;
