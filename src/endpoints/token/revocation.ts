import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { revokeToken } from '../../grants/revocation.ts';
import { commonHeaders, traceOf } from '../../http/request-log.ts';
import { readTokenInQuestion } from './token-in-question.ts';

/** RFC 7009. The kind is written on the token, so a wrong token_type_hint cannot mislead [§2.1]. */
export const revocation =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const { client, token } = await readTokenInQuestion(deps, req, res);
    await revokeToken(deps, client, token, traceOf(req, res));
    // also for a token that is unknown or dead already: what was asked for holds [§2.2]
    res.writeHead(200, { ...commonHeaders(res), 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
  };
