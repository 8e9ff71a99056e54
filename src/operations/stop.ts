import type { Logger } from 'pino';

/** The reason why the process stops. */
export interface StopReason {
  readonly message: string;
  /** false after a failure, when the process exits with status 1 */
  readonly isExpected: boolean;
}

export interface Shutdown {
  /** resolves when the process has to stop */
  readonly reason: Promise<StopReason>;
  /** aborted when `reason` resolves */
  readonly signal: AbortSignal;
}

/** In addition to DRAIN_DELAY: process managers commonly kill ten seconds after SIGTERM, of which DRAIN_DELAY takes two. */
const shutdownTimeoutMs = 7500;

/** Under npm this process receives Ctrl-C twice, so a second signal within this time does not force the exit. */
const repeatedSignalMs = 1000;

export interface ShutdownOptions {
  readonly log: Logger;
  readonly signals: readonly NodeJS.Signals[];
  /** seconds, see DRAIN_DELAY */
  readonly drainDelay: number;
  /** in a worker: resolves when the primary process tells it to stop */
  readonly stopMessage?: Promise<void>;
}

/** Handles signals and uncaught errors: the first of them starts the shutdown, a later signal exits at once. */
export function watchForShutdown({ log, signals, drainDelay, stopMessage }: ShutdownOptions): Shutdown {
  const controller = new AbortController();
  const reason = new Promise<StopReason>((resolve) => {
    const stop = (message: string, isExpected: boolean) => {
      resolve({ message, isExpected });
      controller.abort();
      const exit = () => {
        log.fatal('The shutdown took too long: exiting at once.');
        process.exit(1);
      };
      setTimeout(exit, drainDelay * 1000 + shutdownTimeoutMs).unref();
    };
    void stopMessage?.then(() => stop('Stopping.', true));
    let firstSignal = 0;
    for (const signal of signals) {
      process.on(signal, () => {
        if (firstSignal > 0 && Date.now() - firstSignal > repeatedSignalMs) process.exit(130);
        firstSignal ||= Date.now();
        stop('Stopping.', true);
      });
    }
    // the state of the process is unknown after an uncaught error: finish the requests in progress, then exit
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (err: unknown) => {
        log.fatal({ err }, 'uncaught error');
        stop('Stopping after an unexpected error.', false);
      });
    }
  });
  return { reason, signal: controller.signal };
}
