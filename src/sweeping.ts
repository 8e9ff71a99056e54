import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './store/database.ts';
import { mostLifetimes } from './store/refresh-tokens.ts';
import { sweep } from './store/sweep.ts';

const pause = 3_600_000;

/** A minute after the start, then every hour; a sweep that fails costs disk and nothing else, so it is logged and tried again. */
export function startSweeping(
  { refresh_token_ttl, access_token_ttl }: Config,
  database: Database,
  log: Logger,
): { stop(): void } {
  const run = async () => {
    try {
      const deleted = await sweep(database, refresh_token_ttl * mostLifetimes + access_token_ttl);
      if (deleted > 0) log.info({ deleted }, 'swept');
    } catch (err) {
      log.warn({ err }, 'the sweep failed; it is tried again later');
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
