import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { readDatabaseUrl } from '../config/database-url.ts';
import { findBestHost, type Host, type Search } from './best-host.ts';
import { DatabaseUnavailableError, hasNoConnectionLeft, UnsuitableServerError } from './database-errors.ts';
import { createHistory, findServerState, type History, type ServerState } from './server-state.ts';

export type DatabaseAddress =
  | { connectionString: string }
  | { host: string; port: number; user: string; database: string; password?: string };

/** How often all hosts are asked, in case another one has become the best although the one in use has not failed. */
const watchIntervalMs = 1000;
/** Looks begin no faster, however many refusals ask for one: strangers cause refusals, and each look opens connections. */
const lookIntervalMs = 250;
/** An alarm is not repeated within this time. */
const alarmIntervalMs = 30_000;

/** The servers of DATABASE_URL. A connection goes to the best of them, and is used only if that server is suitable. */
export interface Hosts {
  /** used with `config`: for pg.Pool, or for a single connection */
  readonly Client: typeof pg.Client;
  readonly config: pg.ClientConfig;
  /** Admits a new connection. Rejects if the server accepts no writes, or another has replaced it. */
  admit(client: pg.ClientBase): Promise<void>;
  /** Forgets the host after a server gave no answer: the next connection looks for the best host again. */
  forget(): void;
  /** Looks for a better host every second, until it is over. */
  watch(isOver: () => boolean): void;
  /**
   * Confirms, before a refusal that depends on what a server has stored, that the server was not replaced since this moment, also if
   * nobody here has noticed yet: it asks all hosts, unless there is only one. Rejects if it was replaced, or if no host can be used.
   */
  confirm(since: number): Promise<void>;
}

/** Called with a sentence for the operator when a server accepts writes although another has replaced it. */
export type Alarm = (message: string) => void;

export function openHosts(address: DatabaseAddress, alarm: Alarm): Hosts {
  if (!('connectionString' in address)) {
    const nothing = { forget: ignore, watch: ignore, admit: async () => {}, confirm: async () => {} };
    return { Client: pg.Client, config: address, ...nothing };
  }
  const urls = readDatabaseUrl(address.connectionString);
  const history = createHistory();
  const search = { urls, history, check: createCheck(history, alarm) };
  let best: Promise<Host> | undefined;
  const choose = () => {
    best ??= findBestHost(search);
    return best;
  };
  const forget = () => {
    best = undefined;
  };
  const find = async () => {
    const found = findBestHost(search);
    await found.then(() => (best = found));
  };
  return {
    Client: urls.length > 1 ? clientFor(choose, forget) : pg.Client,
    config: { connectionString: urls[0] ?? '' },
    admit: (client) =>
      admit(client as pg.Client, search).catch((error) => {
        forget();
        throw error;
      }),
    forget,
    ...(urls.length > 1 ? lookout(find, history) : { watch: ignore, confirm: async () => {} }),
  };
}

/** Watches several hosts; `find` asks all of them. */
function lookout(find: () => Promise<void>, history: History): Pick<Hosts, 'watch' | 'confirm'> {
  let last = Promise.resolve();
  let next: Promise<void> | undefined;
  /** A look that has not begun yet; all who ask meanwhile share it. */
  const look = () => {
    next ??= last.then(() => {
      next = undefined;
      const found = find();
      last = Promise.all([found.catch(ignore), pause(lookIntervalMs, undefined, { ref: false })]).then(() => {});
      return found;
    });
    return next;
  };
  const watch = (isOver: () => boolean) => {
    const timer = setInterval(
      () => (isOver() ? clearInterval(timer) : void look().catch(ignore)),
      watchIntervalMs,
    ).unref();
  };
  const confirm = async (since: number) => {
    const replaced = new UnsuitableServerError('another database server has replaced the one that was asked');
    const cause = await look().then(
      () => (history.changedAt() < since ? undefined : replaced),
      (error: unknown) => (hasNoConnectionLeft(error) && history.changedAt() < since ? undefined : error),
    );
    if (cause) throw new DatabaseUnavailableError('the database is unavailable', { cause });
  };
  return { watch, confirm };
}

function ignore(): void {}

function createCheck(history: History, alarm: Alarm): Search['check'] {
  let raisedAt = -alarmIntervalMs;
  return ({ host, port, state }) => {
    const problem = unsuitable(state);
    if (problem !== undefined) return new UnsuitableServerError(`${host}:${port} ${problem}`);
    if (!history.isReplaced(state)) return undefined;
    const message = `the database server ${host}:${port} accepts writes, although another one has replaced it`;
    if (performance.now() - raisedAt >= alarmIntervalMs) {
      raisedAt = performance.now();
      alarm(`${message}: stop it; or if it is the right one, restart Latchkey`);
    }
    return new UnsuitableServerError(message);
  };
}

/** Says why a server cannot be used: most requests write, and the rows that it returns to the others may be out of date. */
function unsuitable({ is_standby, is_read_only }: ServerState): string | undefined {
  if (is_standby) return 'is a standby';
  return is_read_only ? 'is read-only' : undefined;
}

async function admit(client: pg.Client, { check, history }: Search): Promise<void> {
  const state = await findServerState(client);
  const problem = check({ host: client.host, port: client.port, state });
  if (problem) throw problem;
  history.advance(state);
  history.add(client, state);
}

/** Looks for the host before it connects: the driver reads `host` and `port` only then. */
function clientFor(choose: () => Promise<Host>, forget: () => void): typeof pg.Client {
  return class extends pg.Client {
    override connect(): Promise<pg.Client>;
    override connect(callback: (error: Error) => void): void;
    override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
      if (callback) return void this.#connectToBest(callback);
      return new Promise((resolve, reject) => {
        this.#connectToBest((error) => (error ? reject(error) : resolve(this)));
      });
    }

    #connectToBest(callback: (error: Error) => void): void {
      const fail = (error: Error) => {
        forget();
        callback(error);
      };
      choose().then(({ host, port }) => {
        Object.assign(this, { host, port });
        super.connect((error: Error) => (error ? fail(error) : callback(error)));
      }, fail);
    }
  };
}
