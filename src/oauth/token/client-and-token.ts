import type { Request, Response } from 'express';
import { authenticateClient, useProofs } from '../../clients/client.ts';
import { readClientCredentials } from '../../clients/client-authentication.ts';
import type { Client } from '../../clients/clients.sql.ts';
import { byCurrentClient } from '../../clients/current-client.ts';
import type { Deps } from '../../deps.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, readBody } from '../../web/request-parameters.ts';
import { shownToken } from '../../web/request-schemas.ts';

/** Authenticates the client of a revocation or introspection request and reads its `token` [7009 §2.1; 7662 §2.1]. */
export async function readClientAndToken(
  deps: Deps,
  req: Request,
  res: Response,
): Promise<{ client: Client; token: string }> {
  return byCurrentClient(deps, req, async () => {
    const parameters = bodyParameters(req);
    const trace = traceOf(req, res);
    const credentials = await readClientCredentials(deps, req, parameters, trace);
    const { token } = readBody(shownToken, req, parameters);
    const client = await authenticateClient(deps, credentials, trace);
    return async () => {
      await useProofs(deps, credentials, trace);
      return { client, token };
    };
  });
}
