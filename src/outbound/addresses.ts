import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { isPublicAddress } from '../protocol/public-address.ts';

/**
 * The addresses of a host, none if one of them is not public. Only the DNS is asked: /etc/hosts and search domains give
 * names a meaning that is private.
 */
export async function findPublicAddresses(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  // three seconds if no server answers, which leaves time for a host whose server answers one of the questions only
  const resolver = new Resolver({ timeout: 1000, tries: 2 });
  signal.addEventListener('abort', () => resolver.cancel());
  // most hosts lack one of the two kinds, which the resolver reports as an error
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  signal.throwIfAborted();
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (!addresses.every(isPublicAddress)) return [];
  return addresses.map((address) => ({ address, family: isIP(address) }));
}
