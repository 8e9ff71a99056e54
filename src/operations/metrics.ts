import type { RequestHandler } from 'express';
import type { Deps } from '../deps.ts';
import { expositionType } from '../telemetry/exposition.ts';
import { answer } from '../web/answers.ts';

/** Answers Prometheus. */
export const metrics =
  ({ metrics }: Deps): RequestHandler =>
  async (_req, res) =>
    answer(res, 200, expositionType, await metrics());
