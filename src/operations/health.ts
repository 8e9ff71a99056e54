import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { isPublicAddress } from '../lib/public-address.ts';
import type { Addresses } from '../oauth/addresses.ts';
import { checkDatabase } from '../postgres/settings.sql.ts';
import { expositionType } from '../telemetry/exposition.ts';
import { answer, answerJson } from '../web/answers.ts';

/** Answers that the process is alive. */
const healthz: RequestHandler = (_req, res) => answerJson(res, 200, { status: 'ok' });

/** Milliseconds for which an answer of the database serves all who ask: else anybody could keep it busy with probes. */
const freshMs = 1000;

/**
 * Answers whether the database answers, is migrated and writable; otherwise the answer is 503, as it is from an instance that is
 * stopping.
 */
const readyz = ({ database, stopping }: Deps): RequestHandler => {
  const check = sharedFor(freshMs, () => checkDatabase(database));
  return async (_req, res) => {
    if (stopping.aborted) return answerJson(res, 503, { status: 'stopping' });
    await check();
    answerJson(res, 200, { status: 'ready' });
  };
};

/** Shares the outcome of work among all who ask while it goes on, or within `ms` after it. */
function sharedFor<T>(ms: number, work: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  let endedAt = Number.POSITIVE_INFINITY;
  return () => {
    if (outcome && performance.now() - endedAt < ms) return outcome;
    endedAt = Number.POSITIVE_INFINITY;
    outcome = work().finally(() => (endedAt = performance.now()));
    return outcome;
  };
}

/** Adds the addresses for probes and Prometheus. */
export function addMonitoring({ deps, jsonRoute, otherRoute }: Addresses): void {
  jsonRoute('/healthz', { get: [healthz] });
  jsonRoute('/readyz', { get: [readyz(deps)] });
  if (deps.config.metrics_port !== undefined) return;
  otherRoute('/metrics', {
    before: [directPeersOnly(deps)],
    get: [async (_req, res) => answer(res, 200, expositionType, await deps.metrics())],
  });
}

/** What proxies add. Whoever forges one is taken for a stranger, which gains nothing. */
const ofProxies = /^(via|forwarded|x-forwarded(-.+)?|x-real-ip|(.+-)?client-ip|.+-connecting-ip)$/;

/** Shows an address to the operator's programs only: for all others it does not exist. */
const directPeersOnly =
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
