import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { networkLimits } from '../../identity/failed-authentications.ts';
import { tooManyRequests } from '../../lib/errors.ts';
import { confirmServer } from '../../postgres/database.ts';
import { answerJson } from '../../web/answers.ts';
import { arrivalOf, traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { shownToken } from '../../web/request-schemas.ts';
import { revokeLeakedToken } from './revocation.ts';

/**
 * Revokes a token that somebody found in a log or a repository. Finders have no credentials, so it needs no authentication;
 * the answer is the same for every value, so it cannot be used to test tokens.
 */
export const reportLeakedToken =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const trace = traceOf(req, res);
    const limits = networkLimits('reportLeakedToken', trace.address ?? '', 30, 60);
    const wait = await countAttempt(deps.database, ...limits);
    if (wait > 0) throw tooManyRequests(wait);
    const { token } = readBody(shownToken, req, bodyParameters(req));
    await revokeLeakedToken(deps, token, trace);
    await confirmServer(deps.database, arrivalOf(res));
    answerJson(res, 200, { received: true });
  };
