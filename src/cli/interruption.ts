import type { Shell } from './shell.ts';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The work was ended by a signal. */
export class Interrupted extends Error {}

/**
 * Runs work that must clean up whenever it ends, since an embedded server would go on without it. A signal, from the first
 * moment on, aborts `signal`, and the work rejects as Interrupted when it has ended. Signals after that are ignored until the
 * process exits: under npm Ctrl-C arrives twice.
 */
export async function interruptible<T>(shell: Shell, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of signals) shell.process.on(name, abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.aborted ? new Interrupted() : error;
  } finally {
    if (!controller.signal.aborted) for (const name of signals) shell.process.off(name, abort);
  }
}

/** Rejects when the signal is aborted; never resolves. */
export function abortion(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
