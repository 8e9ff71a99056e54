import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Database } from '../postgres/database.ts';
import { keepAuditPartitions } from '../store/audit.ts';
import { createSweep } from '../store/sweep.ts';

const pause = 3_600_000;

/** A minute after the start, then every hour; a sweep that fails costs disk and nothing else, so it is logged and gone on with. */
export function startSweeping({ audit_retention }: Config, database: Database, log: Logger): { stop(): void } {
  const sweep = createSweep(database);
  const keepPartitions = async () => {
    try {
      const dropped = await keepAuditPartitions(database, audit_retention);
      if (dropped.length > 0) log.info({ dropped }, 'audit events older than AUDIT_RETENTION were dropped');
    } catch (err) {
      log.warn({ err }, 'the partitions of the audit trail could not be looked after; it is tried again later');
    }
  };
  const run = async () => {
    await keepPartitions();
    try {
      const { rows, skipped } = await sweep();
      if (rows > 0) log.info({ rows }, 'swept');
      if (skipped) log.warn({ err: skipped }, 'the sweep left out rows that it could not change; it tries again later');
    } catch (err) {
      log.warn({ err }, 'the sweep broke off; it goes on later');
    }
  };
  // who was stopped for months has none for this one
  void keepPartitions();
  const first = setTimeout(run, 60_000);
  const timer = setInterval(run, pause);
  const stop = () => {
    clearTimeout(first);
    clearInterval(timer);
  };
  return { stop };
}
