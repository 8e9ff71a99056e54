import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import { checkDatabase } from '../../store/settings.ts';

/** The process lives and answers. */
export const healthz: RequestHandler = (_req, res) => answerJson(res, 200, { status: 'ok' });

/** The database answers, is migrated and takes what is written; else the error responder says 503. So does an instance that is about to stop. */
export const readyz =
  ({ database, stopping }: Deps): RequestHandler =>
  async (_req, res) => {
    if (stopping.aborted) return answerJson(res, 503, { status: 'stopping' });
    await checkDatabase(database);
    answerJson(res, 200, { status: 'ready' });
  };
