import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answerJson } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { readClientAndToken } from './client-and-token.ts';
import { revokeToken } from './revocation.ts';

/** RFC 7009. The prefix of a token tells its type, so `token_type_hint` is ignored [§2.1]. */
export const revocation =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readClientAndToken(deps, req, res);
    await revokeToken(deps, client, token, traceOf(req, res));
    await confirmServer(deps.database, arrivalOf(res));
    // also for a token that is unknown or no longer valid [§2.2]; an object, because some clients parse every answer as JSON
    answerJson(res, 200, {});
  };
