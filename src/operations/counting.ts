import { hostname } from 'node:os';
import { addIssuedTokens } from '../audit/issued-tokens.sql.ts';
import { countIssuedTokens, takeIssuedTokens } from '../audit/issued-tokens.ts';
import type { Deps } from '../deps.ts';
import { reasonOf } from '../postgres/database-errors.ts';
import { countedFamilies, type Sample } from '../telemetry/metric.ts';
import { saidInAnswer } from '../web/request-metrics.ts';
import { addCounts, type Instance } from './counts.sql.ts';
import { readVersion } from './version.ts';

// What /metrics counts since the start of this process is added to the database, for the charts of administrators, and so are the tokens
// of each client, for developers: once in ten seconds, so that no request pays for it. What cannot be written is added the next time.

const intervalMs = 10_000;

/** The name under which a sample of a metric is kept; undefined: it is not kept. */
const kept: Record<string, (sample: Sample) => string | undefined> = {
  latchkey_events_total: ({ labels }) => (events.includes(labels['event'] ?? '') ? labels['event'] : undefined),
  latchkey_refused_sign_ins_total: ({ labels }) => `sign-in refused: ${labels['reason']}`,
  latchkey_refusals_total: ({ labels: { error, reason } }) =>
    // a request to an address that does not exist is not counted
    error === 'not_found' ? undefined : `refused: ${reason === saidInAnswer ? error : reason}`,
  latchkey_http_request_duration_seconds: ({ suffix, labels }) =>
    suffix === '_bucket' ? `within: ${labels['le']}` : undefined,
};
const events = ['signed_in', 'sign_in_refused', 'tokens_issued', 'tokens_refreshed'];

/** Returns the totals of this process since its start. */
export function countedSoFar(): Map<string, number> {
  const totals = new Map<string, number>();
  for (const { name: metric, samples } of countedFamilies()) {
    for (const sample of samples) {
      const name = kept[metric]?.(sample);
      if (name !== undefined) totals.set(name, (totals.get(name) ?? 0) + sample.value);
    }
  }
  return totals;
}

type CountingDeps = Pick<Deps, 'database' | 'log'>;

/** Starts to store the counts; `stop` adds what was counted since the last time. */
export function startCounting({ database, log }: CountingDeps): { stop(): Promise<void> } {
  const self: Instance = { host: hostname(), pid: process.pid, version: readVersion(), started_at: new Date() };
  let before = new Map<string, number>();
  let running: Promise<void> | undefined;
  let isFailing = false;
  const addTokens = async () => {
    const tokens = takeIssuedTokens(log);
    try {
      await addIssuedTokens(database, tokens);
    } catch (error) {
      for (const [client_id, number] of tokens) countIssuedTokens(log, client_id, number);
      throw error;
    }
  };
  const add = async () => {
    const totals = countedSoFar();
    const grown = [...totals].map(([name, total]) => [name, total - (before.get(name) ?? 0)] as const);
    try {
      await addCounts(database, new Map(grown.filter(([, more]) => more > 0)), self);
      before = totals;
      await addTokens();
      isFailing = false;
    } catch (error) {
      // one warning for an outage, however long
      log[isFailing ? 'debug' : 'warn'](
        { reason: reasonOf(error) },
        'what was counted could not be added; trying again',
      );
      isFailing = true;
    }
  };
  const run = () => {
    running ??= add().finally(() => {
      running = undefined;
    });
  };
  run();
  const timer = setInterval(run, intervalMs);
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await add();
    },
  };
}
