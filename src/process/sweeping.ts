import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../postgres/database.ts';
import { keepAuditPartitions } from '../store/audit.ts';
import { createSweep } from '../store/sweep.ts';

const intervalMs = 3_600_000;

/**
 * Creates and drops partitions of the audit trail at once, and sweeps a minute later; both every hour from then on. An error
 * is logged and not thrown, since all it costs is disk space.
 */
export function startSweeping({ audit_retention }: Config, database: Database, log: Logger): { stop(): void } {
  const sweep = createSweep(database);
  const keepPartitions = async () => {
    try {
      const dropped = await keepAuditPartitions(database, audit_retention);
      if (dropped.length > 0) log.info({ dropped }, 'audit events older than AUDIT_RETENTION were dropped');
    } catch (err) {
      log.warn({ err }, 'the partitions of the audit trail could not be created or dropped; trying again in an hour');
    }
  };
  const run = async () => {
    await keepPartitions();
    try {
      const { rows, skipped } = await sweep();
      if (rows > 0) log.info({ rows }, 'swept expired rows');
      if (skipped) log.warn({ err: skipped }, 'the sweep skipped rows that it could not change; trying again later');
    } catch (err) {
      log.warn({ err }, 'the sweep failed; it continues in an hour');
    }
  };
  // after months without a start there is no partition for the current month
  void keepPartitions();
  const first = setTimeout(run, 60_000);
  const timer = setInterval(run, intervalMs);
  const stop = () => {
    clearTimeout(first);
    clearInterval(timer);
  };
  return { stop };
}
