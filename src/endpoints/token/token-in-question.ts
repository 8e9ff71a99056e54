import type { Request, Response } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { authenticateClient } from '../../grants/client.ts';
import { readClientCredentials } from '../../http/client-authentication.ts';
import { bodyOf, parameter, readBody } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import type { Client } from '../../store/clients.ts';

const schema = z.object({ token: parameter(512) });

/** What revocation and introspection are asked: an authenticated client, and the token it asks about [7009 §2.1; 7662 §2.1]. */
export async function readTokenInQuestion(
  deps: Deps,
  req: Request,
  res: Response,
): Promise<{ client: Client; token: string }> {
  const parameters = bodyOf(req);
  const credentials = readClientCredentials(req, parameters);
  const { token } = readBody(schema, req, parameters);
  return { client: await authenticateClient(deps, credentials, traceOf(req, res)), token };
}
