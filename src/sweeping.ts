import type { Logger } from 'pino';
import type { Database } from './store/database.ts';
import { createSweep } from './store/sweep.ts';

const pause = 3_600_000;

/** A minute after the start, then every hour; a sweep that fails costs disk and nothing else, so it is logged and gone on with. */
export function startSweeping(database: Database, log: Logger): { stop(): void } {
  const sweep = createSweep(database);
  const run = async () => {
    try {
      const { rows, leftOut } = await sweep();
      if (rows > 0) log.info({ rows }, 'swept');
      if (leftOut) log.warn({ err: leftOut }, 'the sweep left out rows that it could not change; it tries again later');
    } catch (err) {
      log.warn({ err }, 'the sweep broke off; it goes on later');
    }
  };
  const first = setTimeout(run, 60_000);
  const timer = setInterval(run, pause);
  const stop = () => {
    clearTimeout(first);
    clearInterval(timer);
  };
  return { stop };
}
