import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { checkDatabase } from '../postgres/settings.sql.ts';
import { answerJson } from '../web/answers.ts';

/** Answers that the process is alive. */
export const healthz: RequestHandler = (_req, res) => answerJson(res, 200, { status: 'ok' });

/** Milliseconds for which an answer of the database serves all who ask: else anybody could keep it busy with probes. */
const freshMs = 1000;

/**
 * Answers whether the database answers, is migrated and writable; otherwise the answer is 503, as it is from an instance that is
 * stopping.
 */
export const readyz = ({ database, stopping }: Deps): RequestHandler => {
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
