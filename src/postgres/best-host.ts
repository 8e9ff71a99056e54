import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { hasNoConnectionLeft, reasonOf } from './database-errors.ts';
import { findServerState, type History, type ServerState } from './server-state.ts';

/** Milliseconds for an answer; less than the pool waits for a connection, so that its error says what is wrong with each host. */
const deadlineMs = 1500;
/** Milliseconds that the other hosts have left when a host has turned out to be suitable. */
const patienceMs = 300;
/** A host that gave no answer in time is not waited for again within this time. */
const silenceMs = 10_000;

export interface Host {
  readonly host: string;
  readonly port: number;
  readonly state: ServerState;
}

export interface Search {
  readonly urls: readonly string[];
  readonly history: History;
  /** the reason not to use a server */
  check(host: Host): Error | undefined;
}

/**
 * Asks all hosts at once, so that one that gives no answer delays nothing. The best is the first of the list; but if several
 * accept writes, it is the one with the latest timeline, which has replaced the others.
 */
export async function findBestHost({ urls, history, check }: Search): Promise<Host> {
  const found: Host[] = [];
  const problems: Error[] = [];
  const asked = urls.map(async (url, index) => {
    try {
      const host = await askHost(url);
      // a host that answers too late for this search counts as well: the next search waits for it
      silentSince.delete(url);
      const problem = check(host);
      if (problem) throw problem;
      found[index] = host;
    } catch (error) {
      problems[index] = error as Error;
      throw error;
    }
  });
  // a process that knows no timeline yet could not recognise a replaced server, which may answer sooner than the
  // promoted one
  await enoughAnswers(urls, asked, history.latest() ? patienceMs : deadlineMs);
  for (const [index, url] of urls.entries()) {
    if (found[index] || problems[index]) silentSince.delete(url);
    else if (!isSilent(url)) silentSince.set(url, performance.now());
  }
  // leaves out hosts without an answer, and those that another connection has found to be replaced in the meantime
  const suitable = found.filter((host, index) => {
    const problem = check(host);
    if (problem) problems[index] = problem;
    return !problem;
  });
  if (suitable.length === 0) throw noHost(urls, problems);
  const best = latestOf(suitable, history);
  history.advance(best.state);
  // reports the servers that it has replaced
  const replaced = urls.filter((_, index) => found[index] && check(found[index]) !== undefined);
  for (const url of replaced) void endConnectionsAt(url);
  return best;
}

/**
 * Ends the connections of every instance to a server that was replaced, although it accepts writes, so that all look for the
 * best host at their next request: some may not have noticed. A role may end the connections of itself.
 */
async function endConnectionsAt(url: string): Promise<void> {
  await withHost(url, (client) =>
    client.query(
      `select pg_terminate_backend(pid)
       from pg_stat_activity
       where application_name like 'latchkey%'
         and datname = current_database()
         and usename = current_user
         and pid <> pg_backend_pid()`,
    ),
  ).catch(() => {});
}

/** The hosts that gave no answer in time, by their URL. */
const silentSince = new Map<string, number>();
const isSilent = (url = '') => performance.now() - (silentSince.get(url) ?? -silenceMs) < silenceMs;

async function enoughAnswers(
  urls: readonly string[],
  asked: readonly Promise<void>[],
  patience: number,
): Promise<void> {
  const others = Promise.allSettled(asked.filter((_, index) => !isSilent(urls[index])));
  const all = Promise.allSettled(asked);
  const oneAndSome = Promise.any(asked).then(() => Promise.race([others, pause(patience)]));
  await Promise.race([oneAndSome.catch(() => all), pause(deadlineMs)]);
}

async function askHost(url: string): Promise<Host> {
  return withHost(url, async (client) => ({
    host: client.host,
    port: client.port,
    state: await findServerState(client),
  }));
}

async function withHost<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: deadlineMs,
    query_timeout: deadlineMs,
  });
  client.on('error', () => {});
  const { host, port } = client;
  try {
    await client.connect();
    return await work(client);
  } catch (error) {
    if (error instanceof Error) error.message = `${host}:${port}: ${reasonOf(error)}`;
    throw error;
  } finally {
    // a server that hangs does not answer the end of a connection
    void client.end();
  }
}

function latestOf(hosts: readonly Host[], history: History): Host {
  // an unrelated cluster, such as one that was just created to become a standby, is not better than the one in use
  const known = hosts.filter(({ state }) => state.system === history.latest()?.system);
  return (known.length > 0 ? known : hosts).reduce((best, one) => (isLater(one.state, best.state) ? one : best));
}

function isLater(one: ServerState, other: ServerState): boolean {
  return one.system === other.system && (one.timeline ?? 0) > (other.timeline ?? 0);
}

/**
 * The error if no host can be used. A host that has no connection left is told apart: then the pool makes do with the connections that
 * it has.
 */
function noHost(urls: readonly string[], problems: readonly Error[]): Error {
  const reasons = urls.map((url, index) => problems[index] ?? new Error(`${nameOf(url)}: timeout`));
  const message = `DATABASE_URL has no host that can be used: ${reasons.map(reasonOf).join('; ')}`;
  return reasons.find(hasNoConnectionLeft) ?? new AggregateError(reasons, message);
}

function nameOf(url: string): string {
  const { host, port } = new pg.Client(url);
  return `${host}:${port}`;
}
