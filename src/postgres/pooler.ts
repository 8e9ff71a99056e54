import pg from 'pg';
import { isPlanLost } from './database-errors.ts';

// A pooler such as PgBouncer assigns a server connection for a transaction or a session, so that settings of a session would
// reach other clients. Behind a pooler, settings are therefore sent with each statement and end with it.

export type Settings = Readonly<Record<string, string>>;

/** The driver's types lack the process id of the server connection. */
type Client = pg.ClientBase & { processID: number };

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void;

/** Applies the settings to the session, or with each statement behind a pooler, whose process ids are not those of Postgres. */
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
 * Sends the settings before each statement in the same message. Both are one transaction, and the settings end with it. They
 * apply to the planning of the statement, too, and its timeout.
 */
async function sendAlong(client: pg.ClientBase, settings: Settings): Promise<void> {
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  const statement = 'latchkey_settings';
  await client.query({
    name: statement,
    text: `select from (values ${values.join(', ')}) setting (name, value) where set_config(name, value, true) is null`,
  });
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  const queryWithSettings = (config: pg.QueryConfig, callback: Callback) => {
    // the first result is that of the settings
    const own = new pg.Query({ ...config }, (error, results) =>
      callback(error, (results as unknown as [never, never])?.[1]),
    );
    const { submit } = own;
    // not by an assignment: V8 would keep the function, with the rows, until a full collection
    Object.assign(own, {
      submit(connection: Parameters<typeof submit>[0]) {
        connection.stream.cork();
        connection.bind({ statement }, true);
        connection.execute({}, true);
        const refused = submit.call(own, connection);
        connection.stream.uncork();
        return refused;
      },
    });
    query(own);
  };
  Object.assign(client, {
    query(config: unknown, values?: unknown, callback?: Callback) {
      if (!isStatement(config)) return query(config, values, callback);
      if (callback) return queryWithSettings(config, callback);
      return new Promise((resolve, reject) => {
        queryWithSettings(config, (error, result) => (error ? reject(error) : resolve(result)));
      });
    },
  });
}

/** Whether the query comes from this program; tests and transactions send others. */
function isStatement(config: unknown): config is pg.QueryConfig {
  return typeof config === 'object' && config !== null && 'text' in config && !('submit' in config);
}

const advice =
  'the connection pooler loses prepared statements, or hands them on to others: set its max_prepared_statements to 100 (PgBouncer 1.21 or newer), or its pool_mode to session and its server_reset_query to DISCARD ALL';

const needsTransactions =
  'the connection pooler allows no transactions: set its pool_mode from statement to transaction, with max_prepared_statements = 100 (PgBouncer 1.21 or newer), or to session';

/**
 * Whether transactions are possible, and prepared statements: two connections at a time show whether each finds its own
 * statements, and two later connections whether they find statements of others.
 */
export async function checkPooler(database: pg.Pool): Promise<void> {
  try {
    await checkTransaction(database);
    await checkTwo(database);
    await checkTwo(database);
  } catch (error) {
    throw isPlanLost(error) ? new Error(advice) : error;
  }
}

async function checkTransaction(database: pg.Pool): Promise<void> {
  const client = await database.connect();
  try {
    await client.query('begin');
    await client.query('commit');
  } catch (error) {
    // the code, 08P01, has many meanings
    throw /statement pooling mode/.test((error as Error).message) ? new Error(needsTransactions) : error;
  } finally {
    client.release(true);
  }
}

/**
 * Finds which pooler stands before the server, if any: two connections that are open at the same time share a server process in the mode
 * `transaction` only. In the other mode each has its own until it is closed.
 */
export async function describePooler(database: pg.Pool): Promise<'session' | 'transaction' | undefined> {
  const clients: pg.PoolClient[] = [];
  try {
    const seen = new Set<number>();
    let isDirect = true;
    for (let count = 0; count < 2; count += 1) {
      const client = await database.connect();
      clients.push(client);
      const { rows } = await client.query('select pg_backend_pid() as pid');
      seen.add(rows[0].pid);
      isDirect &&= rows[0].pid === (client as unknown as Client).processID;
    }
    if (isDirect) return undefined;
    return seen.size === 1 ? 'transaction' : 'session';
  } finally {
    for (const client of clients) client.release();
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
