import type pg from 'pg';

const tables = ['users', 'totp_factors', 'identities', 'passkeys'];

/**
 * Begins all of the work while the rows of a person are locked, so that every statement has its snapshot from before the others, and
 * lets it go on when each one waits for a lock, or has ended without waiting; after a `change` of the person, $1, if there is one.
 */
export async function atOnce<T>(
  database: pg.Pool,
  user_id: number,
  work: () => Promise<T>[],
  change?: string,
): Promise<T[]> {
  const client = await database.connect();
  try {
    await client.query('begin');
    for (const table of tables) await client.query(`select from ${table} where user_id = $1 for update`, [user_id]);
    let ended = 0;
    const begun = work().map((one) => one.finally(() => (ended += 1)));
    for (let waiting = 0; waiting + ended < begun.length; ) {
      const { rows } = await database.query(
        `select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = rows[0].count;
    }
    if (change) await client.query(change, [user_id]);
    await client.query('commit');
    return await Promise.all(begun);
  } finally {
    client.release(true);
  }
}
