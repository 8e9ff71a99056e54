import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../lib/public-address.ts';

/** Addresses of a host, of IPv4 and of IPv6 each. More are not reached in time, and the name of a stranger must not stand for thousands, each of which is counted. */
const maxAddresses = 4;

/**
 * The first addresses of a host, none if one of them is not public. Only the DNS is asked: /etc/hosts and search domains give
 * names a meaning that is private.
 */
export async function findPublicAddresses(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  // three seconds if no server answers, which leaves time for a host whose server answers one of the questions only
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel());
  // most hosts lack one of the two kinds, which the resolver reports as an error
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.throwIfAborted();
  const kinds = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (!kinds.flat().every(isPublicAddress)) return [];
  const addresses = kinds.flatMap((kind) => kind.slice(0, maxAddresses));
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
