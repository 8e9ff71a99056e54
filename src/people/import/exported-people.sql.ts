import { subjectOf } from '../../identity/active.sql.ts';
import { sql } from '../../postgres/database.ts';
import type { Connection } from '../../postgres/transaction.ts';
import type { ListedPerson } from './people-file.ts';

const listStatement = sql(
  'list_people_to_export',
  `select user_id, ${subjectOf('users')} as subject, username, email, email_verified, name,
     coalesce(password_hash, password_bcrypt) as password_hash, disabled_at is not null as disabled
   from users
   where user_id > $1
     and deleted_at is null
   order by user_id
   limit $2`,
);

export type ExportedPerson = Required<ListedPerson>;

const pageSize = 1000;

/**
 * Lists all people as they are at one moment (atOneMoment), page by page: two who swap their names meanwhile would otherwise have the
 * same one.
 */
export async function* listPeopleToExport(connection: Connection): AsyncGenerator<ExportedPerson> {
  const { text } = listStatement;
  for (let after = 0; ; ) {
    const { rows: page } = await connection.query<ExportedPerson & { user_id: number }>(text, [after, pageSize]);
    for (const { user_id, ...person } of page) {
      yield person;
      after = user_id;
    }
    if (page.length < pageSize) return;
  }
}
