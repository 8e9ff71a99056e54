import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { checkDatabase } from '../../store/settings.ts';
import { answerJson } from '../answers.ts';

/** The process lives and answers. */
export const healthz: RequestHandler = (_req, res) => answerJson(res, 200, { status: 'ok' });

/** The database answers and is migrated; else the error responder says 503. */
export const readyz =
  ({ database }: Deps): RequestHandler =>
  async (_req, res) => {
    await checkDatabase(database);
    answerJson(res, 200, { status: 'ready' });
  };
