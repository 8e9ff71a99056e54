import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { authenticateClient } from '../../grants/client.ts';
import { revokeToken } from '../../grants/revocation.ts';
import { bodyOf, parameter, readParameters } from '../parameters.ts';
import { commonHeaders, traceOf } from '../request-log.ts';
import { readClientCredentials } from './client-authentication.ts';

const schema = z.object({ token: parameter(512) });

/** RFC 7009. The kind is written on the token, so a wrong token_type_hint cannot mislead [§2.1]. */
export const revocation =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const parameters = bodyOf(req);
    const credentials = readClientCredentials(req, parameters);
    const { token } = readParameters(schema, parameters);
    const client = await authenticateClient(deps, credentials, traceOf(req, res));
    await revokeToken(deps, client, token, traceOf(req, res));
    // also for a token that is unknown or dead already: what was asked for holds [§2.2]
    res.writeHead(200, { ...commonHeaders(res), 'Cache-Control': 'no-store', 'Content-Length': 0 }).end();
  };
