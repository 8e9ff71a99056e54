import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answerJson } from '../../http/answers.ts';
import { checkDatabase } from '../../store/settings.ts';

/** The process answers. */
export const healthz: RequestHandler = (_req, res) => answerJson(res, 200, { status: 'ok' });

/** The database answers, is migrated and writable; otherwise the answer is 503, as it is from an instance that is stopping. */
export const readyz =
  ({ database, stopping }: Deps): RequestHandler =>
  async (_req, res) => {
    if (stopping.aborted) return answerJson(res, 503, { status: 'stopping' });
    await checkDatabase(database);
    answerJson(res, 200, { status: 'ready' });
  };
