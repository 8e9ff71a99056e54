import cluster, { type Worker } from 'node:cluster';
import { type Asker, createHashingQueue, type HashingQueue, TooBusyError } from '../identity/hashing-queue.ts';

// The number of passwords that are hashed at a time is limited for the machine, not for each process. With several
// workers the primary process keeps the queue, and workers enter it by messages, which contain no passwords.

type WorkerMessage =
  | { hashing: 'enter'; id: number; isKnown: boolean; prefix: string; memory: number }
  | { hashing: 'leave'; id: number };
type PrimaryMessage = { hashing: 'entered' | 'too busy'; id: number };

/** The longest time that a worker may keep a slot, in milliseconds: many times as long as a hash takes on a busy machine. */
const maxLent = 30_000;

/**
 * Lends slots in the primary process. The slots of a worker that dies become free at once, the slots of a worker that hangs after
 * `maxLent`.
 */
export function lendHashingSlots(queue = createHashingQueue(), maxLentMs = maxLent): void {
  /** functions by the number of their request: each leaves its slot, or the queue */
  const leavesByWorker = new Map<Worker, Map<number, () => void>>();

  /** Returns the function that gives a slot back; after the longest time the slot is given back by itself. */
  function lend(leave: () => void, forget: () => void): () => void {
    const takeBack = () => {
      forget();
      leave();
    };
    const timer = setTimeout(takeBack, maxLentMs);
    return () => {
      clearTimeout(timer);
      leave();
    };
  }

  cluster.on('fork', (worker) => leavesByWorker.set(worker, new Map()));
  cluster.on('message', async (worker, message: WorkerMessage) => {
    const leaves = leavesByWorker.get(worker);
    const { id } = message;
    if (message.hashing === 'leave') {
      leaves?.get(id)?.();
      leaves?.delete(id);
    }
    if (message.hashing !== 'enter' || !leaves) return;
    const gone = new AbortController();
    leaves.set(id, () => gone.abort());
    const { isKnown, prefix, memory } = message;
    const leave = await queue.enter({ isKnown, prefix, gone: gone.signal }, memory).catch(() => undefined);
    // the request was withdrawn, or its worker has died, while it waited
    if (!leaves.has(id)) return leave?.();
    if (leave)
      leaves.set(
        id,
        lend(leave, () => leaves.delete(id)),
      );
    else leaves.delete(id);
    const answer: PrimaryMessage = { hashing: leave ? 'entered' : 'too busy', id };
    // fails for a worker that has just died, whose `exit` event frees its slots
    worker.send(answer, () => {});
  });
  cluster.on('exit', (worker) => {
    const leaves = leavesByWorker.get(worker);
    for (const leave of leaves?.values() ?? []) leave();
    leaves?.clear();
    leavesByWorker.delete(worker);
  });
}

/** Makes the queue of a worker: its slots are those of the primary process. */
export function borrowHashingSlots(): HashingQueue {
  const waiting = new Map<number, (answer: PrimaryMessage) => void>();
  const send = (message: WorkerMessage) => process.send?.(message);
  let lastId = 0;
  process.on('message', (answer: PrimaryMessage) => waiting.get(answer.id)?.(answer));

  async function enter({ isKnown, prefix, gone }: Asker, memory = 0): Promise<() => void> {
    if (gone?.aborted) throw new TooBusyError();
    lastId += 1;
    const id = lastId;
    const leave = () => send({ hashing: 'leave', id });
    const giveUp = () => {
      leave();
      waiting.get(id)?.({ hashing: 'too busy', id });
    };
    const answered = new Promise<PrimaryMessage>((resolve) => waiting.set(id, resolve));
    gone?.addEventListener('abort', giveUp);
    send({ hashing: 'enter', id, isKnown, prefix, memory });
    const { hashing } = await answered;
    waiting.delete(id);
    gone?.removeEventListener('abort', giveUp);
    if (hashing === 'too busy') throw new TooBusyError();
    return leave;
  }

  return { enter, waiting: () => waiting.size };
}
