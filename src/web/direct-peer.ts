import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { isPublicAddress } from '../lib/public-address.ts';

/** What proxies add. Whoever forges one is taken for a stranger, which gains nothing. */
const ofProxies = /^(via|forwarded|x-forwarded(-.+)?|x-real-ip|(.+-)?client-ip|.+-connecting-ip)$/;

/** Shows an address to the operator's programs only: for all others it does not exist. */
export const directPeersOnly =
  ({ config }: Deps): RequestHandler =>
  (req, _res, next) =>
    isDirectPeer(config, req) ? next() : next('route');

/**
 * A program on this machine, or in a private network that TRUST_PROXY names, which connects without a proxy in between. A proxy
 * that TRUST_PROXY does not name may add no header; so if there must be one, nobody is known to connect directly.
 */
function isDirectPeer({ secure, tls, trust_proxy }: Config, { app, headers, socket }: Request): boolean {
  const hasUnnamedProxy = secure && !tls && !trust_proxy;
  if (hasUnnamedProxy || Object.keys(headers).some((name) => ofProxies.test(name))) return false;
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (/^(127\.|::1$)/.test(address)) return true;
  const isTrusted: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  return isTrusted(address, 0) && !isPublicAddress(address);
}
