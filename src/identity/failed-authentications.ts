import type { Trace } from '../audit/audit.sql.ts';
import { tooManyRequests } from '../lib/errors.ts';
import { networkOf, prefixOf } from '../lib/network.ts';
import type { Database } from '../postgres/database.ts';
import { countAttempt, type Limit } from './attempt-limits.sql.ts';

/** A limit for the network of an address, and a wider one for the networks around it, which may all belong to one attacker. */
export function networkLimits(name: string, address: string, free: number, longest: number): Limit[] {
  return [
    { key: `${name} ${networkOf(address)}`, free, pause: 1, longest },
    { key: `${name} ${prefixOf(address)}`, free: 5 * free, pause: 1, longest },
  ];
}

/**
 * How many failures are free in a quarter of an hour, by what was wrong. Many access tokens may fail, since the server of an
 * application sends the tokens of all its users, and a token that ended more than a day ago is not stored any more.
 */
export const freeFailures = { credential: 200, 'access token': 2000 };

/** The wait that one network was told, in seconds. */
interface Told {
  network: string;
  wait: number;
}

/**
 * The last request of each prefix that asks. The next request waits for it here, instead of waiting in the database with a
 * connection.
 */
const asking = new WeakMap<Database, Map<string, Promise<Told>>>();

/**
 * Counts a credential that turned out to be wrong, at any address: a secret, assertion or certificate of a client, a code or
 * token that is not stored, an invitation. Nobody guesses 256 bits; this protects the database from broken clients and floods.
 * It counts by network alone, because a client_id can be made up, and after the look-up: so correct credentials are never refused.
 */
export async function limitFailures(
  { database }: { database: Database },
  { address }: Pick<Trace, 'address'>,
  what: keyof typeof freeFailures = 'credential',
): Promise<void> {
  const wait = await countInTurn(database, address ?? '', what);
  if (wait > 0) throw tooManyRequests(wait);
}

async function countInTurn(database: Database, address: string, what: keyof typeof freeFailures): Promise<number> {
  const [network, prefix] = [`${what} ${networkOf(address)}`, `${what} ${prefixOf(address)}`];
  const known = asking.get(database) ?? new Map<string, Promise<Told>>();
  asking.set(database, known);
  const before = known.get(prefix);
  const ask = async (): Promise<Told> => {
    // rejects if the database has not answered the attempt before: otherwise each attempt would wait for the time
    // limit again
    const told = await before;
    // attempts during a wait are not counted, so there is nothing to ask
    if (told?.network === network && told.wait > 0) return told;
    const limits = networkLimits(`wrong ${what}`, address, freeFailures[what], 60);
    return { network, wait: await countAttempt(database, ...limits) };
  };
  const mine = ask();
  known.set(prefix, mine);
  try {
    return (await mine).wait;
  } finally {
    if (known.get(prefix) === mine) known.delete(prefix);
  }
}
