import type { Config } from '../config.ts';
import { whenConnectionsAreLeft } from '../postgres/scarce-connections.ts';
import type { ServerSettings } from '../postgres/server-settings.ts';
import type { Announce } from './log.ts';
import { readVersion } from './version.ts';

/** The size of the pool of a process that serves requests. */
export function poolSize({ workers }: Pick<Config, 'workers'>): number {
  return workers === 1 ? 16 : Math.max(2, Math.floor(48 / workers));
}

/** The primary process of several workers migrates, seeds and sweeps, one statement at a time. */
export function primaryPoolSize(config: Pick<Config, 'workers'>): number {
  return config.workers === 1 ? poolSize(config) : 2;
}

/** How many connections this instance has at most. Its start needs no more: then its pools are still empty. */
export function connectionsOf(config: Pick<Config, 'workers'>): number {
  return config.workers === 1 ? poolSize(config) : config.workers * poolSize(config) + primaryPoolSize(config);
}

/** At the start: what this program is, and what it takes of the database. */
export function describeStart(config: Pick<Config, 'workers'>, { connections }: ServerSettings): string {
  const most = `up to ${connectionsOf(config)} of the ${connections} connections that the database accepts`;
  return `This is Latchkey ${readVersion()}. The instance uses ${most}.`;
}

interface WaitOptions {
  readonly announce: Announce;
  readonly signal: AbortSignal;
}

/** Runs what needs the database. */
export type Wait = <T>(work: () => Promise<T>) => Promise<T>;

/** Waits as long as other instances have all connections: ending would only make a supervisor start this one over and over. */
export function waitForConnections(config: Config, { announce, signal }: WaitOptions): Wait {
  const most = connectionsOf(config);
  const onShortage = () =>
    announce(
      'The database has no connection left; waiting for one. Each instance with these settings ' +
        `uses up to ${most}: raise max_connections of the database, or start fewer.`,
    );
  return (work) => whenConnectionsAreLeft(work, { onShortage, signal });
}
