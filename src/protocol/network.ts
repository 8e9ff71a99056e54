import { isIP, isIPv4 } from 'node:net';

/**
 * What counts attempts by address counts by this: the address itself of IPv4; of IPv6 the /64 network, for whoever has
 * one address there has 2^64 of them [6177 §2].
 */
export function networkOf(address: string): string {
  const mapped = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(mapped) || isIP(address) === 0) return mapped;
  const [head = '', tail] = address.toLowerCase().replace(/%.*$/, '').split('::');
  const [left, right] = [head, tail ?? ''].map((half) => (half === '' ? [] : half.split(':')));
  // `::` stands for as many zeros as are missing, so the same network can be written in many ways
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - (left?.length ?? 0) - (right?.length ?? 0));
  const groups = [...(left ?? []), ...Array<string>(zeros).fill('0'), ...(right ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** An address as some proxies write it, `192.0.2.1:4711` or `[2001:db8::1]:4711`, without brackets and port. */
export function withoutPort(address: string): string {
  const [, v6, v4] = /^\[([^\]]*)\](?::\d+)?$|^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}
