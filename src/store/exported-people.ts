import { type Database, rows, sql } from '../postgres/database.ts';
import type { ListedPerson } from '../values/people-file.ts';
import { subjectOf } from './active.ts';

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

/** All people, page by page. */
export async function* listPeopleToExport(database: Database): AsyncGenerator<ExportedPerson> {
  for (let after = 0; ; ) {
    const page = await rows<ExportedPerson & { user_id: number }>(database, listStatement, [after, pageSize]);
    for (const { user_id, ...person } of page) {
      yield person;
      after = user_id;
    }
    if (page.length < pageSize) return;
  }
}
