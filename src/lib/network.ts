import { isIP, isIPv4 } from 'node:net';

/**
 * Returns the key by which attempts from an address are counted: an IPv4 address itself, of an IPv6 address the /64 network, because a
 * single site has all 2^64 addresses of it [6177 §2].
 */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || isIP(address) === 0) return mapped;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const [left, right] = [head, tail ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  // `::` stands for as many zero groups as are missing
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - (left?.length ?? 0) - (right?.length ?? 0));
  const groups = [...(left ?? []), ...Array<string>(zeros).fill('0'), ...(right ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/**
 * Returns what neighbours share, who may be one attacker with many addresses: of IPv4 the first 24 bits, of IPv6 the first 48 [6177 §2].
 */
export function prefixOf(address: string): string {
  const network = networkOf(address);
  if (isIPv4(network)) return `${network.slice(0, network.lastIndexOf('.'))}.0/24`;
  return network.replace(/^((?:[^:]+:){3}).*\/64$/, '$1:/48');
}

/** Returns an address as some proxies write it, `192.0.2.1:4711` or `[2001:db8::1]:4711`, without brackets and port. */
export function withoutPort(address: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}
