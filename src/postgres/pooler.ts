import pg from 'pg';
import { isPlanLost } from './errors.ts';

// A pooler like PgBouncer lends a connection of Postgres for a transaction or a session. What one set for its session the
// next would find there, and another would be without it: so settings go with each statement and end with it.

export type Settings = Readonly<Record<string, string>>;

/** The driver knows which process of Postgres it was told of; its types do not. */
type Client = pg.ClientBase & { processID: number };

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void;

/** For the session of a connection of our own; behind a pooler, which has names for its connections that are none of Postgres's, for each statement. */
export async function applySettings(client: pg.ClientBase, settings: Settings): Promise<void> {
  const given = [Object.keys(settings), Object.values(settings), (client as Client).processID];
  const { rowCount } = await client.query(
    `select set_config(name, value, false)
     from unnest($1::text[], $2::text[]) setting (name, value)
     where pg_backend_pid() = $3`,
    given,
  );
  if (rowCount === 0) await sendAlong(client, settings);
}

/**
 * Before each statement, in the same message: both are one transaction, at whose end the settings are gone. They hold for
 * the plan of the statement, too, which is made after them, and its time-out starts with it.
 */
async function sendAlong(client: pg.ClientBase, settings: Settings): Promise<void> {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  const statement = 'latchkey_settings';
  await client.query({
    name: statement,
    text: `select from (values ${values.join(', ')}) setting (name, value) where set_config(name, value, true) is null`,
  });
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const queryWithSettings = (asked: pg.QueryConfig, callback: Callback) => {
    // the first result is that of the settings
    const own = new pg.Query({ ...asked }, (error, results) =>
      callback(error, (results as unknown as [never, never])?.[1]),
    );
    const { submit } = own;
    own.submit = (connection) => {
      connection.stream.cork();
      connection.bind({ statement }, true);
      connection.execute({}, true);
      const refused = submit.call(own, connection);
      connection.stream.uncork();
      return refused;
    };
    query(own);
  };
  Object.assign(client, {
    query(asked: unknown, given?: unknown, callback?: Callback) {
      if (!isStatement(asked)) return query(asked, given, callback);
      if (callback) return queryWithSettings(asked, callback);
      return new Promise((resolve, reject) => {
        queryWithSettings(asked, (error, result) => (error ? reject(error) : resolve(result)));
      });
    },
  });
}

/** Ours are; what tests and transactions send is not. */
function isStatement(asked: unknown): asked is pg.QueryConfig {
  return typeof asked === 'object' && asked !== null && 'text' in asked && !('submit' in asked);
}

const advice =
  'the connection pooler loses prepared statements, or hands them on to others: set its max_prepared_statements to 100 (PgBouncer 1.21 or newer), or its pool_mode to session and its server_reset_query to DISCARD ALL';

/** Two connections at a time tell whether each finds its own statements, and two later ones whether they find those of others. */
export async function checkPooler(database: pg.Pool): Promise<void> {
  try {
    await checkTwo(database);
    await checkTwo(database);
  } catch (error) {
    throw isPlanLost(error) ? new Error(advice) : error;
  }
}

async function checkTwo(database: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = [];
  try {
    for (let count = 0; count < 2; count += 1) clients.push(await database.connect());
    for (const client of [...clients, ...clients]) await client.query({ name: 'latchkey_check', text: 'select 1' });
  } finally {
    for (const client of clients) client.release(true);
  }
}
