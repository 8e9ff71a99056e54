import { keepAuditPartitions } from '../audit/audit.sql.ts';
import { withdrawAllDocuments } from '../clients/client-documents.sql.ts';
import type { Deps } from '../deps.ts';
import { rotateKeyIfDue } from '../oauth/token/signing-keys.ts';
import { sealProviderSecrets } from '../people/providers/provider-secrets.ts';
import { counter } from '../telemetry/metric.ts';
import { createQuickSweep, createSweep } from './sweep.sql.ts';
import { watchClock } from './trusted-clock.ts';

const intervalMs = 3_600_000;
const quickIntervalMs = 60_000;

const runs = counter('latchkey_sweeps_total', 'Runs of the hourly sweep.', {
  outcome: ['complete', 'incomplete', 'failed', 'refused'],
});

type SweepingDeps = Pick<Deps, 'config' | 'database' | 'log' | 'sessionSecrets'>;

/**
 * Creates and drops partitions of the audit trail and encrypts what a seed has registered at once; a minute later rotates the signing key if it is due, and sweeps.
 * All of it every hour from then on; used proofs and pushed requests are swept every minute, and where metadata documents of clients
 * are switched off, those that are known are withdrawn. An error is logged and not thrown: the next run makes up for it. Nothing is
 * deleted or rotated while the clock of the database cannot be trusted.
 */
export function startSweeping(deps: SweepingDeps): { stop(): void } {
  const { keepPartitions, seal, run, runQuickly } = tasksOf(deps);
  // after months without a running server there is no partition for the current month
  void keepPartitions();
  void seal();
  void runQuickly();
  const first = setTimeout(run, 60_000);
  const timer = setInterval(run, intervalMs);
  const quickTimer = setInterval(runQuickly, quickIntervalMs);
  const stop = () => {
    clearInterval(quickTimer);
    clearTimeout(first);
    clearInterval(timer);
  };
  return { stop };
}

function tasksOf(deps: SweepingDeps) {
  const { database, log, config } = deps;
  const isClockTrusted = watchClock(deps);
  const sweep = createSweep(database, config);
  const sweepQuickly = createQuickSweep(database);
  const keepPartitions = async () => {
    try {
      const dropped = await keepAuditPartitions(database, config.audit_retention, new Date());
      if (dropped.length > 0) log.info({ dropped }, 'audit events older than AUDIT_RETENTION were dropped');
    } catch (err) {
      log.warn({ err }, 'the partitions of the audit trail could not be created or dropped; trying again in an hour');
    }
  };
  const rotate = async () => {
    try {
      await rotateKeyIfDue(deps, { request_id: 'sweep', address: null });
    } catch (err) {
      log.warn({ err }, 'the signing key could not be rotated; trying again in an hour');
    }
  };
  const seal = async () => {
    try {
      await sealProviderSecrets(deps);
    } catch (err) {
      log.warn({ err }, 'the client secrets of providers could not be encrypted; trying again in an hour');
    }
  };
  const run = async () => {
    await keepPartitions();
    await seal();
    try {
      if (!(await isClockTrusted())) return runs.add('refused');
      await rotate();
      const { rows, skipped } = await sweep();
      runs.add(skipped ? 'incomplete' : 'complete');
      if (rows > 0) log.info({ rows }, 'swept expired rows');
      if (skipped) log.warn({ err: skipped }, 'the sweep skipped rows that it could not change; trying again later');
    } catch (err) {
      runs.add('failed');
      log.warn({ err }, 'the sweep failed; it continues in an hour');
    }
  };
  const runQuickly = async () => {
    try {
      if (!config.client_id_documents) await withdrawDocuments(deps);
      if (await isClockTrusted()) await sweepQuickly();
    } catch (err) {
      log.warn({ err }, 'the sweep of every minute failed; it continues in a minute');
    }
  };
  return { keepPartitions, seal, run, runQuickly };
}

/** Withdraws documents every minute, because another instance may still have documents switched on. */
async function withdrawDocuments({ database, log }: SweepingDeps): Promise<void> {
  const withdrawn = await withdrawAllDocuments(database);
  if (withdrawn > 0)
    log.info({ withdrawn }, 'clients with metadata documents were withdrawn: CLIENT_ID_DOCUMENTS is off');
}
