import type { IncomingMessage, RequestListener, ServerOptions } from 'node:http';
import type { Deps } from '../deps.ts';
import { withoutSecrets } from '../lib/secrets.ts';
import { keepsUp } from '../postgres/pulse.ts';
import { answer } from '../web/answers.ts';
import { assignRequestId } from '../web/request-log.ts';
import { countEarlyRefusal } from '../web/request-metrics.ts';
import type { Connections } from './draining.ts';
import { createRequestQueue, type QueuedRequest } from './request-queue.ts';

/**
 * Node accepts one connection in a turn of the event loop, after the requests of that turn. A health check opens a new
 * connection and must not wait behind a long queue, so requests are deferred while each turn accepts a connection, for up
 * to this many turns.
 */
const maxAcceptingTurns = 16;
/**
 * Requests started in one turn: the second number once the queue has not been empty for `longQueueMs`. One read of the sockets
 * may bring a thousand requests, and while they are worked off no connection is accepted.
 */
const [requestsPerTurn, requestsPerTurnOfLongQueue, longQueueMs] = [64, 8, 100];
/**
 * A request is late when it has waited `lateMs` for its start. When all have been late for `overloadMs`, the server is
 * overloaded: until the queue is empty, it refuses late requests, so that it answers the others soon. A burst is answered, and
 * so is what has waited while the whole process stood still, since other programs had the processor or the machine was suspended.
 */
const [lateMs, overloadMs] = [500, 2000];

type AdmissionDeps = Pick<Deps, 'config' | 'log' | 'database'>;

/** What serves requests, what says the address of each, and the classes from which Node makes them. */
export interface Service {
  readonly app: RequestListener;
  addressOf(req: IncomingMessage): string;
  readonly classes: ServerOptions;
}

/**
 * Makes the listener that admits requests. It runs before Express and queries nothing: under overload a refusal must cost much less than
 * an answer.
 */
export function admission(
  deps: AdmissionDeps,
  connections: Pick<Connections, 'accepted'>,
  { app, addressOf }: Pick<Service, 'app' | 'addressOf'>,
): RequestListener {
  const probePaths = new Set(['/healthz', '/readyz'].flatMap((path) => [path, deps.config.base + path]));
  const [probes, queue] = [createRequestQueue(addressOf), createRequestQueue(addressOf)];
  let lastEmptyAt = 0;
  /** the first start of a late request since the last one in time, or since the queue was empty */
  let lateSince = Number.POSITIVE_INFINITY;
  let isTurnWatched = false;
  let acceptingTurns = 0;
  let [startedInTurn, probesInTurn] = [0, 0];
  /** the number of accepted connections at the end of the last turn */
  let accepted = 0;

  function watchTurn(): void {
    if (!isTurnWatched) setImmediate(endTurn);
    isTurnWatched = true;
  }

  function endTurn(): void {
    const hasAccepted = connections.accepted !== accepted;
    accepted = connections.accepted;
    [startedInTurn, probesInTurn] = [0, 0];
    acceptingTurns = hasAccepted ? acceptingTurns + 1 : 0;
    startProbes();
    if (queue.length() > 0 && (!hasAccepted || acceptingTurns > maxAcceptingTurns)) startRequests();
    isTurnWatched = false;
    if (queue.length() + probes.length() > 0) watchTurn();
  }

  /** Starts as many probes as other requests in each turn when both wait for long, so that neither holds up the other. */
  function startProbes(): void {
    for (; probesInTurn < requestsPerTurnOfLongQueue; probesInTurn += 1) {
      const probe = probes.shift();
      if (!probe) return;
      app(probe.req, probe.res);
    }
  }

  function startRequests(): void {
    acceptingTurns = 0;
    const now = performance.now();
    const isLong = now - lastEmptyAt > longQueueMs;
    for (let left = isLong ? requestsPerTurnOfLongQueue : requestsPerTurn; left > 0; left -= 1) {
      const queued = queue.shift();
      if (!queued) return;
      if (isRefusedAsLate(now, queued.arrivedAt)) refuse(deps, queued, 'overloaded');
      else if (keepsUp(deps.database, now)) app(queued.req, queued.res);
      else refuse(deps, queued, 'database overloaded');
    }
  }

  function isRefusedAsLate(now: number, arrivedAt: number): boolean {
    const isLate = now - arrivedAt > lateMs;
    const isOverloaded = now - lateSince > overloadMs;
    if (isLate) lateSince = Math.min(lateSince, now);
    else if (!isOverloaded) lateSince = Number.POSITIVE_INFINITY;
    return isLate && isOverloaded;
  }

  function admitProbe(request: QueuedRequest): void {
    watchTurn();
    if (probes.length() > 0 || probesInTurn >= requestsPerTurnOfLongQueue) {
      return probes.push(request, () => refuse(deps, request, 'overloaded'));
    }
    probesInTurn += 1;
    app(request.req, request.res);
  }

  return (req, res) => {
    const arrivedAt = performance.now();
    if (probePaths.has(req.url ?? '')) return admitProbe({ req, res, arrivedAt });
    if (queue.length() === 0) {
      lastEmptyAt = arrivedAt;
      lateSince = Number.POSITIVE_INFINITY;
    }
    watchTurn();
    const isTurnFull = startedInTurn === requestsPerTurn || connections.accepted !== accepted;
    if (queue.length() === 0 && !isTurnFull && keepsUp(deps.database, arrivedAt)) {
      startedInTurn += 1;
      return app(req, res);
    }
    const request = { req, res, arrivedAt };
    queue.push(request, () => refuse(deps, request, 'overloaded'));
  };
}

const description = 'the server is overloaded, try again';

/**
 * Refuses a request with JSON [6749 §5.2], or a page for a browser, which is written here because rendering a template costs as much as
 * an answer.
 */
function refuse(
  { config, log }: AdmissionDeps,
  { req, res, arrivedAt }: QueuedRequest,
  reason: 'overloaded' | 'database overloaded',
): void {
  const request_id = assignRequestId(config, res);
  const [error, status] = ['temporarily_unavailable', 503] as const;
  const path = withoutSecrets((req.url ?? '').split('?', 1)[0] ?? '');
  const ms = Math.round(performance.now() - arrivedAt);
  log.warn({ request_id, method: req.method, path, status, ms, error, reason }, 'request');
  countEarlyRefusal(error, status, reason);
  res.setHeader('Retry-After', '2');
  if (req.headers.accept?.includes('text/html')) {
    const again = req.method === 'GET' ? '<p><a id="again" href="">Try again</a></p>' : '';
    const page = `<!doctype html><html lang="en"><title>${error}</title><p id="error">${error}: ${description}</p>${again}`;
    return answer(res, status, 'text/html;charset=UTF-8', page);
  }
  const error_uri = `${config.issuer}/errors/${error}`;
  const body = JSON.stringify({ error, error_description: description, error_uri, request_id });
  answer(res, status, 'application/json;charset=UTF-8', body);
}
