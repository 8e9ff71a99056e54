import type { Logger } from 'pino';

/** Why the process is to end, and whether somebody asked for it. */
export interface Ending {
  readonly reason: string;
  readonly wanted: boolean;
}

export interface AwaitedEnding {
  readonly reached: Promise<Ending>;
  /** aborted at the same moment, for whatever waits */
  readonly signal: AbortSignal;
}

/** Ten seconds are what others grant before they kill, two of them spent on telling balancers; what hangs then is given up. */
const longest = 7500;

/** Ctrl-C reaches this process twice when npm stands above it, so only a second press insists. */
const insistence = 1000;

/** `drainDelay`: seconds that stopping takes besides; `order`: another process may tell this one to stop, too. */
export function awaitEnding(
  log: Logger,
  signals: readonly NodeJS.Signals[],
  drainDelay: number,
  order?: Promise<void>,
): AwaitedEnding {
  const controller = new AbortController();
  const reached = new Promise<Ending>((resolve) => {
    const end = (reason: string, wanted: boolean) => {
      resolve({ reason, wanted });
      controller.abort();
      const giveUp = () => {
        log.fatal('Something did not end in time and is cut off.');
        process.exit(1);
      };
      setTimeout(giveUp, drainDelay * 1000 + longest).unref();
    };
    void order?.then(() => end('Stopping.', true));
    let told = 0;
    for (const signal of signals) {
      process.on(signal, () => {
        if (told > 0 && Date.now() - told > insistence) process.exit(130);
        told ||= Date.now();
        end('Stopping.', true);
      });
    }
    // after an error that nobody expected the state of this process cannot be trusted: finish what is under way, and go
    for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(event, (err: unknown) => {
        log.fatal({ err }, 'an error that nobody caught');
        end('Ending after an unexpected error.', false);
      });
    }
  });
  return { reached, signal: controller.signal };
}
