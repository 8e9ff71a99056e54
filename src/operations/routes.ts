import type { Addresses } from '../oauth/addresses.ts';
import { expositionType } from '../telemetry/exposition.ts';
import { answer } from '../web/answers.ts';
import { directPeersOnly } from '../web/direct-peer.ts';
import { healthz, readyz } from './health.ts';

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
