import type { Config } from '../config/config.ts';
import { thisServer } from '../lib/resource.ts';

/** Where permissions apply, as URIs for a page; none if it is only at this server, which needs no words. */
export function shownResources({ issuer }: Config, resources: readonly string[]): string[] {
  if (resources.every((one) => one === thisServer)) return [];
  return resources.map((one) => (one === thisServer ? issuer : one));
}
