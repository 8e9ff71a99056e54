const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** As shells report the end by Ctrl-C. */
const interrupted = 130;

/**
 * Runs work that must clean up whenever it ends, since an embedded server would go on without it. A signal, from the first
 * moment on, aborts `signal`; the process exits when the work has ended. Signals after that are ignored: under npm Ctrl-C
 * arrives twice.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  for (const name of signals) process.on(name, abort);
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) process.exit(interrupted);
    throw error;
  } finally {
    for (const name of signals) process.off(name, abort);
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
