import type { Config } from '../config.ts';
import type { Database } from '../postgres/database.ts';
import { connectDatabase, type DatabaseServer, listPending, migrateDatabase } from '../process/database.ts';

/** Progress goes to standard error: standard output is for results. */
export function announce(message: string): void {
  process.stderr.write(`${message}\n`);
}

/** Runs a command on the database server; starts the embedded one, and stops it afterwards, unless it is running. */
export async function withDatabaseServer<T>(
  config: Config,
  run: (server: DatabaseServer) => Promise<T>,
  timeoutSeconds = 30,
): Promise<T> {
  const server = await connectDatabase(config, { announce, isCommand: true, timeoutSeconds });
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= server.close();
    return closed;
  };
  // Ctrl-C must not leave an embedded server running
  const stop = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await run(server);
  } finally {
    await close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

export const migrationNote = `Fails if the database of DATABASE_URL has pending migrations: run latchkey migrate first.
The embedded database in DATA_DIR is migrated automatically.`;

/** As withDatabaseServer, for commands that need the current schema. */
export function withSchema<T>(
  config: Config,
  run: (database: Database, server: DatabaseServer) => Promise<T>,
): Promise<T> {
  return withDatabaseServer(config, async (server) => {
    if (config.database_url === undefined) await migrateDatabase(server.address, announce);
    const pending = await listPending(server.address);
    if (pending.length > 0) {
      throw new Error(`The database lacks ${pending.join(', ')}: run latchkey migrate first.`);
    }
    return run(server.database, server);
  });
}
