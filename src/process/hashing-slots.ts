import cluster, { type Worker } from 'node:cluster';
import { createHashingQueue, type HashingQueue, TooBusyError } from '../grants/hashing-queue.ts';

// The number of passwords that are hashed at a time is limited for the machine, not for each process. With several
// workers the primary process keeps the queue, and workers enter it by messages, which contain no passwords.

type WorkerMessage = { hashing: 'enter'; id: number; isKnown: boolean } | { hashing: 'leave'; id: number };
type PrimaryMessage = { hashing: 'entered' | 'too busy'; id: number };

/** In the primary process. The slots of a worker that dies become free. */
export function lendHashingSlots(queue = createHashingQueue()): void {
  const leavesByWorker = new Map<Worker, Map<number, () => void>>();

  cluster.on('fork', (worker) => leavesByWorker.set(worker, new Map()));
  cluster.on('message', async (worker, message: WorkerMessage) => {
    const { id } = message;
    if (message.hashing === 'leave') {
      leavesByWorker.get(worker)?.get(id)?.();
      leavesByWorker.get(worker)?.delete(id);
    }
    if (message.hashing !== 'enter') return;
    const leave = await queue.enter(message.isKnown).catch(() => undefined);
    // the worker died while it waited
    if (leave && !leavesByWorker.has(worker)) return leave();
    if (leave) leavesByWorker.get(worker)?.set(id, leave);
    const answer: PrimaryMessage = { hashing: leave ? 'entered' : 'too busy', id };
    // fails for a worker that has just died, whose `exit` event frees its slots
    worker.send(answer, () => {});
  });
  cluster.on('exit', (worker) => {
    for (const leave of leavesByWorker.get(worker)?.values() ?? []) leave();
    leavesByWorker.delete(worker);
  });
}

/** In a worker: a queue whose slots are those of the primary process. */
export function borrowHashingSlots(): HashingQueue {
  const waiting = new Map<number, (answer: PrimaryMessage) => void>();
  const send = (message: WorkerMessage) => process.send?.(message);
  let lastId = 0;
  process.on('message', (answer: PrimaryMessage) => waiting.get(answer.id)?.(answer));

  async function enter(isKnown: boolean): Promise<() => void> {
    lastId += 1;
    const id = lastId;
    const answered = new Promise<PrimaryMessage>((resolve) => waiting.set(id, resolve));
    send({ hashing: 'enter', id, isKnown });
    const { hashing } = await answered;
    waiting.delete(id);
    if (hashing === 'too busy') throw new TooBusyError();
    return () => send({ hashing: 'leave', id });
  }

  return { enter, waiting: () => waiting.size };
}
