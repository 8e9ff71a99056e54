import { publicSuffixProblem } from './public-suffix.ts';

/**
 * The site of a client that does not state one: the shortest host of its redirection URIs, since all others must lie below the
 * site; `localhost` if all are loopback addresses. Null if no host can be read. The rules of a registration check the rest.
 */
export function siteOf(redirect_uris: readonly string[]): string | null {
  const hosts = hostsOf(redirect_uris);
  const remote = hosts.filter((host) => host !== 'localhost').sort((one, other) => one.length - other.length);
  return remote[0] ?? hosts[0] ?? null;
}

/** The different hosts that can be read; `localhost` for every loopback address. */
export function hostsOf(redirect_uris: readonly string[]): string[] {
  return [...new Set(redirect_uris.map(hostOf))].filter((host) => host !== null);
}

/** The longest name of a host [1035 §2.3.4], also in migrations/functions/fits_dns.sql. */
const maxHostLength = 253;

/** The host of a redirection URI; of a private-use scheme, the domain that it spells backwards [8252 §7.1]. */
function hostOf(uri: string): string | null {
  const [, host = ''] = /^https?:\/\/(\[::1\]|[^/?#:]+)/.exec(uri) ?? /^([a-z][a-z0-9.+-]*):/.exec(uri) ?? [];
  if (host === '' || host.length > maxHostLength) return null;
  if (!/^https?:/.test(uri)) return host.split('.').reverse().join('.');
  return host === '127.0.0.1' || host === '[::1]' ? 'localhost' : host;
}

/** Whether a site is a host or lies below it. */
export function liesWithin(site: string, host: string): boolean {
  return site === host || site.endsWith(`.${host}`);
}

/** All sites that a host can belong to: itself and each domain above it. A longer text is no host, and would be above thousands. */
export function sitesAround(host: string): string[] {
  if (host.length > maxHostLength) return [];
  const labels = host.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

/** A host below which somebody can have a site of their own, such as com or github.io, is nobody's site; this machine is everybody's. */
export function mayBeBanned(site: string): boolean {
  const isHost = site.length <= maxHostLength && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(site);
  return isHost && publicSuffixProblem(site) === undefined;
}
