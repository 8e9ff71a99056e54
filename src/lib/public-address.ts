import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Networks of special purpose, none of which is a host of the public internet [6890; the registries of IANA]. */
const special: [network: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  // multicast, reserved and broadcast
  ['224.0.0.0', 3],
  // within 2000::/3: Teredo and other protocols, documentation, 6to4
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const specialNetworks = new BlockList();
for (const [network, prefix] of special) specialNetworks.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6');

/** All other IPv6 addresses are local or stand for an IPv4 address, as ::ffff:0:0/96 and 64:ff9b::/96 do. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialNetworks.check(address, 'ipv4');
  return isIPv6(address) && globalUnicast.check(address, 'ipv6') && !specialNetworks.check(address, 'ipv6');
}

const publicHttps = new RegExp(
  [
    '^https://',
    // one host that is no address, of at most 253 characters
    String.raw`(?=[^/:]{1,253}[/:])(?![^/:]*\.(local|internal|localhost)[/:])`,
    String.raw`([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])?`,
    String.raw`(:(102[4-9]|10[3-9]\d|1[1-9]\d\d|[2-9]\d{3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5]))?`,
    // no segments of dots
    String.raw`(?![^?]*/(\.|%2[Ee]){1,2}([/?]|$))`,
    "(/([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})*)+",
    String.raw`(\?([A-Za-z0-9._~!$&()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*)?$`,
  ].join(''),
);

/**
 * The URL of a document that this server may fetch: https and a host name of the public DNS. Only the spelling that a URL
 * parser would write is accepted, so nobody reads another host or path in it; an address is no host name however it is spelled.
 * The only port below 1024 is 443, which is left out: others belong to other protocols. What is registered meets the same rule in
 * migrations/functions/is_public_https_url.sql.
 */
export function publicHttpsUrl(text: string): URL | undefined {
  if (!publicHttps.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.href === text ? url : undefined;
}
