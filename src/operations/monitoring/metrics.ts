import type { IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import type { Config } from '../../config/config.ts';
import { http } from '../../lib/node-http.ts';
import type { Database } from '../../postgres/database.ts';
import { addUp, expositionType, writeFamilies } from '../../telemetry/exposition.ts';
import { type Family, gauge } from '../../telemetry/metric.ts';
import { listen, metricsAddress } from '../http-server.ts';
import { findStoredState, type StoredState } from '../monitoring.sql.ts';
import { oneAtATime } from '../pipelining.ts';
import { type ProcessSources, processFamilies } from './process-metrics.ts';
import { watchWorkers } from './worker-metrics.ts';

/** Milliseconds for which the database is not asked again, and which an answer may wait for it. */
const [freshMs, maxWaitMs] = [5000, 1000];

/** Serves METRICS_PORT in the primary process, before workers are started, and returns the text of /metrics for all processes. */
export async function startMetrics(config: Config, sources: ProcessSources): Promise<() => Promise<string>> {
  const own = () => processFamilies(sources);
  const workers = config.workers > 1 ? watchWorkers() : undefined;
  const collect = workers ? async () => addUp([own(), await workers.collect()]) : own;
  const text = createMetrics({ database: sources.database, collect });
  workers?.offer(text);
  await serveMetrics(config, text);
  return text;
}

interface MetricsSources {
  readonly database: Database;
  /** what the processes of this instance know */
  collect(): Family[] | Promise<Family[]>;
}

/**
 * Makes the function for the text of /metrics: one text for all who ask in the same turn of the event loop, or while it is written.
 * While the database is away or slow, it lacks what only the database knows.
 */
export function createMetrics({ database, collect }: MetricsSources): () => Promise<string> {
  let asked = { at: Number.NEGATIVE_INFINITY, state: Promise.resolve<StoredState | undefined>(undefined) };

  function storedState(): Promise<StoredState | undefined> {
    if (performance.now() - asked.at > freshMs) {
      asked = { at: performance.now(), state: findStoredState(database).catch(() => undefined) };
    }
    return within(asked.state);
  }

  async function write(): Promise<string> {
    await turn();
    const [families, state] = await Promise.all([collect(), storedState()]);
    return writeFamilies([...families, ...storedFamilies(state)]);
  }

  let writing: Promise<string> | undefined;
  return () => {
    writing ??= write().finally(() => {
      writing = undefined;
    });
    return writing;
  };
}

function storedFamilies(state: StoredState | undefined): Family[] {
  const up = gauge('latchkey_database_up', 'Whether the database answered within a second.', state ? 1 : 0);
  if (!state) return [up];
  return [
    up,
    gauge(
      'latchkey_oldest_expired_token_seconds',
      'How long ago the oldest access token expired that is not swept yet.',
      state.oldest_expired_seconds,
    ),
    gauge('latchkey_audit_partitions', 'Partitions of the audit trail.', state.audit_partitions),
    gauge(
      'latchkey_audit_partitions_end_seconds',
      'End of the last of the coming months that has a partition, since 1970.',
      state.audit_partitions_end,
    ),
    gauge(
      'latchkey_audit_overdue_seconds',
      'For how long a month of the audit trail has been older than AUDIT_RETENTION, and is still there.',
      state.audit_overdue_seconds,
    ),
    gauge('latchkey_mails_waiting', 'Mails that are to be sent.', state.mails_waiting),
    gauge('latchkey_oldest_mail_seconds', 'How long ago the oldest of them was asked for.', state.oldest_mail_seconds),
  ];
}

/** Awaits work; undefined if it takes too long. */
function within<T>(work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs, undefined);
  });
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

/** Serves /metrics and nothing else at METRICS_PORT. Whoever reaches the port may read it. */
async function serveMetrics(config: Config, text: () => Promise<string>): Promise<void> {
  const address = metricsAddress(config);
  if (!address) return;
  const listener = oneAtATime((req, res) => void answer(req, res, text));
  const server = http.createServer({ headersTimeout: 10_000, requestTimeout: 10_000 }, listener);
  await listen(server, address);
}

async function answer(req: IncomingMessage, res: ServerResponse, text: () => Promise<string>): Promise<void> {
  // the body, if there is one, is not read
  res.setHeader('Connection', req.headers['content-length'] === undefined ? 'keep-alive' : 'close');
  if (req.url?.split('?', 1)[0] !== '/metrics') return void res.writeHead(404).end();
  if (req.method !== 'GET' && req.method !== 'HEAD') return void res.writeHead(405, { Allow: 'GET, HEAD' }).end();
  res.writeHead(200, { 'Content-Type': expositionType, 'Cache-Control': 'no-store' }).end(await text());
}
