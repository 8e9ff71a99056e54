import type { Config } from '../config.ts';
import type { Database } from '../postgres/database.ts';
import { type Boot, bootDatabase, migrateDatabase, pendingMigrations } from '../process/database.ts';

/** Standard output is for answers; what happens on the way is told beside it. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

/** Uses the server that is running, or starts the embedded one for as long as the work takes. */
export async function withBoot<T>(config: Config, work: (boot: Boot) => Promise<T>): Promise<T> {
  const boot = await bootDatabase(config, say, true);
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= boot.close();
    return closed;
  };
  // Ctrl-C must not leave an embedded server behind
  const stop = () => void close().finally(() => process.exit(130));
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    return await work(boot);
  } finally {
    await close();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

export const migrationRule = `On a server (DATABASE_URL) that lacks migrations it refuses, and asks for latchkey migrate: when to migrate is
for its operator to choose. The embedded database in DATA_DIR is migrated on the way.`;

/** For commands that need the schema. */
export function withSchema<T>(config: Config, work: (database: Database, boot: Boot) => Promise<T>): Promise<T> {
  return withBoot(config, async (boot) => {
    if (config.database_url === undefined) await migrateDatabase(boot.address, say);
    const pending = await pendingMigrations(boot.address);
    if (pending.length > 0) {
      throw new Error(`The database lacks ${pending.join(', ')}: run latchkey migrate first.`);
    }
    return work(boot.database, boot);
  });
}
