import { DamagedDumpError, IncompleteDumpError, loadDump } from '../postgres/dump.ts';
import { startEmbeddedPostgres } from '../postgres/embedded/start.ts';
import {
  defineOperatorsFunctions,
  listOthers,
  revokeAll,
  runAlone,
  splitFirstAuditPartition,
  swapDatabases,
} from '../postgres/restored.ts';
import { openBackupFile } from './backup-file.ts';
import { applyKnownMigrations, migrateDatabase } from './database-server.ts';
import type { Announce } from './log.ts';

export interface Restored {
  made_at: string;
  rows: number;
  assertions_not_before: Date;
  /** name of the replaced database, which is kept if it has `others` */
  kept: string | undefined;
  /** what the operator has made in the replaced database */
  others: string[];
}

interface RestoreOptions {
  data_dir: string;
  announce: Announce;
  /** aborted when the operator gives up */
  signal: AbortSignal;
}

const scratch = 'latchkey_restored';

/**
 * Fills a second database beside the one in use and exchanges their names at the end, in one transaction: until then, whatever
 * fails, the present data stays. Holds the lock of DATA_DIR, so no server runs meanwhile.
 */
export async function restoreBackup(path: string, { data_dir, announce, signal }: RestoreOptions): Promise<Restored> {
  const { header, lines } = await openBackupFile(path);
  const server = await startEmbeddedPostgres({ dataDir: data_dir, durable: true, announce, signal });
  // stopping the server ends whatever runs there
  signal.addEventListener('abort', () => void server.stop());
  try {
    const current = server.connection;
    const address = { ...current, database: scratch };
    await runAlone(current, `drop database if exists ${scratch}`, `create database ${scratch} template template0`);
    await applyKnownMigrations(address, header.migrations);
    const rows = await loadDump(address, lines).catch((error) => {
      throw explain(error, path);
    });
    await migrateDatabase(address, announce);
    await defineOperatorsFunctions(address);
    await splitFirstAuditPartition(address);
    const assertions_not_before = await revokeAll(address);
    const others = await listOthers(current, address);
    const kept = others.length > 0 ? `latchkey_before_${Date.now()}` : undefined;
    await swapDatabases(current, scratch, kept);
    return { made_at: header.made_at, rows, assertions_not_before, kept, others };
  } finally {
    await server.stop();
  }
}

/** Explains a failure while the second database was filled. */
function explain(error: NodeJS.ErrnoException, path: string): Error {
  if (error instanceof DamagedDumpError) {
    return new Error(`${path} is damaged at ${error.message}; the database was not changed`);
  }
  const isDamaged = error instanceof IncompleteDumpError || /^Z_/.test(error.code ?? '');
  return isDamaged ? new Error(`${path} is incomplete or damaged; the database was not changed`) : error;
}
