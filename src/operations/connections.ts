import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { DatabaseUnavailableError, hasNoConnectionLeft, isUnreachable, reasonOf } from '../postgres/database-errors.ts';
import { whenConnectionsAreLeft } from '../postgres/scarce-connections.ts';
import type { ServerSettings } from '../postgres/server-settings.ts';
import type { Announce } from './log.ts';
import { readVersion } from './version.ts';

/** Returns the size of the pool of a process that serves requests. */
export function poolSize({ workers }: Pick<Config, 'workers'>): number {
  return workers === 1 ? 16 : Math.max(2, Math.floor(48 / workers));
}

/** Connections of each process for the pages of administrators. */
export function administrationPoolSize({ workers }: Pick<Config, 'workers'>): number {
  return workers === 1 ? 2 : 1;
}

/** Returns the size of the pool of the primary process of several workers, which migrates, seeds and sweeps, one statement at a time. */
export function primaryPoolSize(config: Pick<Config, 'workers'>): number {
  return config.workers === 1 ? poolSize(config) : 2;
}

/** Returns how many connections this instance has at most. A start needs no more: its pools are still empty then. */
export function connectionsOf(config: Pick<Config, 'workers'>): number {
  const serving = config.workers * (poolSize(config) + administrationPoolSize(config));
  return config.workers === 1 ? serving : serving + primaryPoolSize(config);
}

/** Describes this program, and how many connections it takes of the database; logged at the start. */
export function describeStart(config: Pick<Config, 'workers'>, { connections }: ServerSettings): string {
  const most = `up to ${connectionsOf(config)} of the ${connections} connections that the database accepts`;
  return `This is Latchkey ${readVersion()}. The instance uses ${most}.`;
}

interface WaitOptions {
  readonly announce: Announce;
  readonly signal?: AbortSignal;
  readonly timeoutSeconds?: number;
  /** whether this is a command, which gives up where a server waits for a free connection, see scarce-connections.ts */
  readonly isCommand?: boolean;
}

/** Runs work that needs the database, once the database can be reached. */
export type Wait = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Opens the connections that a start needs. It waits as long as other instances have all connections: ending would only make a
 * supervisor start this instance over and over. It waits for half a minute while the database is away, or read-only, as in the
 * middle of a fail-over.
 */
export function waitAtStart(config: Config, options: { announce: Announce; signal: AbortSignal }): Wait {
  const most = connectionsOf(config);
  const onShortage = () =>
    options.announce(
      'The database has no connection left; waiting for one. Each instance with these settings ' +
        `uses up to ${most}: raise max_connections of the database, or start fewer.`,
    );
  const { signal } = options;
  return (work) => whenConnectionsAreLeft(() => whileAway(work, options), { onShortage, signal });
}

/** Tries again, every second, after a DatabaseUnavailableError; any other error is thrown at once. */
export async function whileAway<T>(work: () => Promise<T>, options: WaitOptions): Promise<T> {
  const { announce, signal, timeoutSeconds = 30, isCommand } = options;
  const start = performance.now();
  let saidAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailableError && isUnreachable(error))) throw error;
      if (hasNoConnectionLeft(error) && !isCommand) throw error;
      const reason = reasonOf(error);
      // if the server hangs, each try lasts longer than the pause
      const second = (performance.now() - start) / 1000;
      if (second >= timeoutSeconds) {
        throw new Error(`DATABASE_URL: the database did not answer within ${timeoutSeconds} s: ${reason}`);
      }
      if (second - saidAt >= 5) {
        announce(`Waiting for the database: ${reason}`);
        saidAt = second;
      }
      await pause(1000, undefined, signal ? { signal } : {});
    }
  }
}
