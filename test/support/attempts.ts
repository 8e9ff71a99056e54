import type { Database } from '../../src/postgres/database.ts';

/** Lengthens every wait by two hours: on a busy machine a wait of one second would end before the test tries again. */
export async function lengthenWaits(database: Database): Promise<void> {
  await database.query(`
    create function lengthen_wait() returns trigger language plpgsql as $$
    begin
      new.blocked_until := new.blocked_until + interval '2 hours';
      return new;
    end $$;
    create trigger lengthen_wait before insert or update on attempts
    for each row when (new.blocked_until > now()) execute function lengthen_wait()`);
}
