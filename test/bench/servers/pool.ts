import pg from 'pg';

/** As many connections as Latchkey has. They are cut when another contestant's turn comes, which is no error. */
export const database = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 16,
});
database.on('error', () => {});

/** A named prepared statement, and its first row. */
export async function row<Row extends pg.QueryResultRow>(
  name: string,
  text: string,
  values: unknown[],
): Promise<Row | undefined> {
  const { rows } = await database.query<Row>({ name, text, values });
  return rows[0];
}

export const port = Number(process.env['PORT']);

// an orderly end, after which V8 writes its profile
process.once('SIGTERM', () => process.exit(0));
