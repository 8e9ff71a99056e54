import type { Config } from '../config/config.ts';
import { thisServer } from '../lib/resource.ts';
import type { ShownClient } from './views/parts.ts';

type ClientRow = Pick<ShownClient, 'client_id' | 'name' | 'site_domain' | 'created_at' | 'vouched'> & {
  homepage_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
};

/** The part of a client's row that templates may show. */
export function shownClient(client: ClientRow): ShownClient {
  const { client_id, name, site_domain, created_at, vouched } = client;
  const links = {
    homepage_uri: client.homepage_uri ?? undefined,
    policy_uri: client.policy_uri ?? undefined,
    tos_uri: client.tos_uri ?? undefined,
  };
  return { client_id, name, site_domain, created_at, vouched, ...links };
}

/** Where permissions apply, as URIs for a page; none if it is only at this server, which needs no words. */
export function shownResources({ issuer }: Config, resources: readonly string[]): string[] {
  if (resources.every((one) => one === thisServer)) return [];
  return resources.map((one) => (one === thisServer ? issuer : one));
}

/** Returns the host of a redirection URI; undefined for a private-use scheme, which opens an app on the device [8252 §7.1]. */
export function redirectHost(redirect_uri: string): string | undefined {
  return /^https?:\/\/([^/?]+)/.exec(redirect_uri)?.[1];
}

/** Returns the host of a redirection URI if it is on the network; behind a loopback address is an app on the device [8252 §7.3]. */
export function remoteHost(redirect_uri: string): string | undefined {
  const host = redirectHost(redirect_uri);
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:|$)/.test(host) ? undefined : host;
}

/** The hosts on the network that these redirection URIs have, and the earlier ones have not. */
export function newHosts(redirect_uris: readonly string[], earlier: readonly string[]): string[] {
  const hostsOf = (uris: readonly string[]) => uris.flatMap((uri) => remoteHost(uri) ?? []);
  const known = hostsOf(earlier);
  return [...new Set(hostsOf(redirect_uris))].filter((host) => !known.includes(host));
}
