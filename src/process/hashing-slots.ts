import cluster, { type Worker } from 'node:cluster';
import { createHashingQueue, type HashingQueue, TooBusyError } from '../grants/hashing-queue.ts';

// The slots in which passwords are hashed belong to the machine. Where several processes serve, the first one, which has
// little else to do, keeps the queue and lends its slots by messages; no password is in them.

/** What a worker tells the first process, and how that answers. */
type Order = { hashing: 'enter'; ticket: number; isKnown: boolean } | { hashing: 'leave'; ticket: number };
type Answer = { hashing: 'go' | 'too busy'; ticket: number };

/** In the first process. A worker that dies gives its slots back. */
export function lendHashingSlots(queue = createHashingQueue()): void {
  /** for each worker, by its tickets */
  const lent = new Map<Worker, Map<number, () => void>>();

  cluster.on('fork', (worker) => lent.set(worker, new Map()));
  cluster.on('message', async (worker, order: Order) => {
    const { ticket } = order;
    if (order.hashing === 'leave') {
      lent.get(worker)?.get(ticket)?.();
      lent.get(worker)?.delete(ticket);
    }
    if (order.hashing !== 'enter') return;
    const leave = await queue.enter(order.isKnown).catch(() => undefined);
    if (leave && !lent.has(worker)) return leave();
    if (leave) lent.get(worker)?.set(ticket, leave);
    const answer: Answer = { hashing: leave ? 'go' : 'too busy', ticket };
    // to a process that has just died; its exit is noticed anyway
    worker.send(answer, () => {});
  });
  cluster.on('exit', (worker) => {
    for (const leave of lent.get(worker)?.values() ?? []) leave();
    lent.delete(worker);
  });
}

/** In a worker. */
export function borrowHashingSlots(): HashingQueue {
  const waiting = new Map<number, (answer: Answer) => void>();
  const tell = (order: Order) => process.send?.(order);
  let tickets = 0;
  process.on('message', (answer: Answer) => waiting.get(answer.ticket)?.(answer));

  async function enter(isKnown: boolean): Promise<() => void> {
    tickets += 1;
    const ticket = tickets;
    const answered = new Promise<Answer>((resolve) => waiting.set(ticket, resolve));
    tell({ hashing: 'enter', ticket, isKnown });
    const { hashing } = await answered;
    waiting.delete(ticket);
    if (hashing === 'too busy') throw new TooBusyError();
    return () => tell({ hashing: 'leave', ticket });
  }

  return { enter };
}
