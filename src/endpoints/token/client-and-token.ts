import type { Request, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { authenticateClient, useProofs } from '../../grants/client.ts';
import { readClientCredentials } from '../../http/client-authentication.ts';
import { byCurrentClient } from '../../http/current-client.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters, readBody } from '../../http/request-parameters.ts';
import { shownToken } from '../../http/request-schemas.ts';
import type { Client } from '../../store/clients.ts';

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
