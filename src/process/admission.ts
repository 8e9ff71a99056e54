import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Deps } from '../deps.ts';
import { answer } from '../http/answers.ts';
import { assignRequestId } from '../http/request-log.ts';
import { keepsUp } from '../postgres/database.ts';
import { withoutSecrets } from '../protocol/secrets.ts';
import type { Connections } from './draining.ts';

/**
 * Node accepts one connection in a turn of the event loop. So as long as each turn brings one, a few turns do nothing else:
 * who asks about health comes on a new connection, too, and must not wait behind the work. And once a queue has been
 * standing for some milliseconds, fewer requests are begun in a turn than share a statement otherwise.
 */
const [turnsToAccept, longTurn, shortTurn, standing] = [16, 64, 8, 100];
/**
 * Milliseconds. A burst is worked off; but where somebody has been waiting for two seconds without a break, more comes than
 * can be done. Then whoever has waited for half a second is refused, so that those who are answered are answered soon.
 */
const [burst, patience] = [2000, 500];

interface Waiting {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly since: number;
}

type Needed = Pick<Deps, 'config' | 'log' | 'database'>;

/** Before everything else, since under overload a refusal must cost next to nothing. It is never followed by a statement. */
export function admission(
  deps: Needed,
  connections: Pick<Connections, 'accepted'>,
  app: RequestListener,
): RequestListener {
  const urgent = new Set(['/healthz', '/readyz'].flatMap((path) => [path, deps.config.base + path]));
  let queue: Waiting[] = [];
  /** when nobody was waiting the last time */
  let empty = 0;
  let isTurnWatched = false;
  let [turns, accepted] = [0, 0];

  function endTurn(): void {
    const hasAccepted = connections.accepted !== accepted;
    accepted = connections.accepted;
    turns = hasAccepted ? turns + 1 : 0;
    if (queue.length > 0 && (turns === 0 || turns > turnsToAccept)) work();
    isTurnWatched = queue.length > 0;
    if (isTurnWatched) setImmediate(endTurn);
  }

  function work(): void {
    turns = 0;
    const now = performance.now();
    const begun = queue.slice(0, now - empty > standing ? shortTurn : longTurn);
    queue = queue.slice(begun.length);
    for (const { req, res, since } of begun) {
      if (req.socket.destroyed) continue;
      const isTooLate = now - empty > burst && now - since > patience;
      if (isTooLate || !keepsUp(deps.database, now)) refuse(deps, req, res, since);
      else app(req, res);
    }
  }

  return (req, res) => {
    if (urgent.has(req.url ?? '')) return app(req, res);
    const since = performance.now();
    if (queue.length === 0) empty = since;
    if (!isTurnWatched) setImmediate(endTurn);
    isTurnWatched = true;
    if (queue.length === 0 && connections.accepted === accepted && keepsUp(deps.database, since)) return app(req, res);
    queue.push({ req, res, since });
  };
}

const sentence = 'more is asked than this server can answer at this moment, try again';

/** The shape of RFC 6749 §5.2, or a page for people; not rendered, since that would cost as much as the answer. */
function refuse({ config, log }: Needed, req: IncomingMessage, res: ServerResponse, since: number): void {
  const request_id = assignRequestId(config, res);
  const [error, status] = ['temporarily_unavailable', 503] as const;
  const path = withoutSecrets((req.url ?? '').split('?', 1)[0] ?? '');
  const ms = Math.round(performance.now() - since);
  log.info({ request_id, method: req.method, path, status, ms, error, reason: 'overloaded' }, 'request');
  res.setHeader('Retry-After', '2');
  if (req.headers.accept?.includes('text/html')) {
    const page = `<!doctype html><html lang="en"><title>${error}</title><p id="error">${error}: ${sentence}</p>`;
    return answer(res, status, 'text/html;charset=UTF-8', page);
  }
  const error_uri = `${config.issuer}/errors/${error}`;
  const body = JSON.stringify({ error, error_description: sentence, error_uri, request_id });
  answer(res, status, 'application/json;charset=UTF-8', body);
}
