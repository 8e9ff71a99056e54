import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { answer } from '../../http/answers.ts';
import { expositionType } from '../../telemetry/exposition.ts';

/** Answers Prometheus. */
export const metrics =
  ({ metrics }: Deps): RequestHandler =>
  async (_req, res) =>
    answer(res, 200, expositionType, await metrics());
