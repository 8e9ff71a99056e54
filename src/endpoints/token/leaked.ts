import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { tooManyRequests } from '../../grants/client.ts';
import { revokeLeakedToken } from '../../grants/revocation.ts';
import { answerJson } from '../../http/answers.ts';
import { bodyOf, parameter, readBody } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { networkOf } from '../../protocol/network.ts';
import { countAttempt } from '../../store/attempts.ts';

const schema = z.object({ token: parameter(512) });

/**
 * For whoever finds one of our tokens in a log or a repository: no authentication, for the finder has none, and the same
 * answer for every token, so that nothing can be learnt here about one that was not found.
 */
export const leaked =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const trace = traceOf(req, res);
    const limit = { key: `leaked ${networkOf(trace.address ?? '')}`, free: 30, pause: 1, longest: 60 };
    const wait = await countAttempt(deps.database, limit);
    if (wait > 0) throw tooManyRequests(wait);
    const { token } = readBody(schema, req, bodyOf(req));
    await revokeLeakedToken(deps, token, trace);
    answerJson(res, 200, { received: true });
  };
