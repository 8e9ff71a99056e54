import cluster, { type Worker } from 'node:cluster';
import { addUp } from '../../telemetry/exposition.ts';
import type { Family } from '../../telemetry/metric.ts';

// The primary process adds up what its workers counted. A worker that is asked for /metrics gets the text from it.

type WorkerMessage = { metrics: 'families'; families: Family[] } | { metrics: 'text wanted' };
type PrimaryMessage = { metrics: 'families wanted' } | { metrics: 'text'; text: string };

/** The time in which a worker has to answer, in milliseconds; after that it counts with its previous answer. */
const maxWaitMs = 1000;

export interface WorkerMetrics {
  /** what the workers counted, including workers that have ended */
  collect(): Promise<Family[]>;
  /** answers the workers that are asked for /metrics */
  offer(text: () => Promise<string>): void;
}

/** Runs in the primary process, before the first worker is started. */
export function watchWorkers(): WorkerMetrics {
  const latest = new Map<Worker, Family[]>();
  const awaited = new Map<Worker, () => void>();
  /** without the counts of workers that ended, counters would go down, which Prometheus takes for a restart */
  let ended: Family[] = [];
  let writeText = async () => '';

  cluster.on('message', async (worker, message: WorkerMessage) => {
    if (message.metrics === 'families') {
      latest.set(worker, message.families);
      awaited.get(worker)?.();
    }
    if (message.metrics === 'text wanted') send(worker, { metrics: 'text', text: await writeText() });
  });
  cluster.on('exit', (worker) => {
    const counted = (latest.get(worker) ?? []).filter(({ type }) => type !== 'gauge');
    ended = addUp([ended, counted]);
    latest.delete(worker);
    awaited.get(worker)?.();
  });

  async function askWorker(worker: Worker): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, maxWaitMs);
      awaited.set(worker, () => {
        clearTimeout(timer);
        resolve();
      });
      send(worker, { metrics: 'families wanted' });
    });
    awaited.delete(worker);
  }

  let asking: Promise<void> | undefined;

  /** Asks all workers at once; several scrapes at a time share the question. */
  function askAll(): Promise<void> {
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    asking ??= Promise.all(workers.map(askWorker)).then(() => {
      asking = undefined;
    });
    return asking;
  }

  return {
    collect: async () => {
      await askAll();
      return addUp([ended, ...latest.values()]);
    },
    offer: (text) => {
      writeText = text;
    },
  };
}

/** Sends a message to a worker. That fails for a worker that has just died, whose `exit` event is enough. */
function send(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {});
}

/** Runs in a worker: answers the primary process, and returns the function that gets the text for all workers from it. */
export function answerPrimary(own: () => Family[]): () => Promise<string> {
  let waiting: ((text: string) => void)[] = [];
  const send = (message: WorkerMessage) => process.send?.(message);
  process.on('message', (message: PrimaryMessage) => {
    if (message.metrics === 'families wanted') send({ metrics: 'families', families: own() });
    if (message.metrics !== 'text') return;
    const answered = waiting;
    waiting = [];
    for (const answer of answered) answer(message.text);
  });
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      // requests in the meantime share the answer
      if (waiting.length === 1) send({ metrics: 'text wanted' });
    });
}
