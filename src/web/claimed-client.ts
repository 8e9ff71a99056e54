import type { Request } from 'express';
import { readBasic } from '../lib/basic-credentials.ts';
import { OAuthError } from '../lib/errors.ts';
import { bodyParameters, queryParameters } from './request-parameters.ts';

/**
 * The client_id that a refused request states, unverified: for the log and for the list of refusals that the client's
 * owner sees. Undefined when it is unreadable or when header, body and query state different ones.
 */
export function claimedClientId(req: Request): string | undefined {
  const { authorization } = req.headers;
  const claims = [
    authorization === undefined ? undefined : readBasic(authorization)?.client_id,
    read(() => bodyParameters(req)['client_id']),
    read(() => queryParameters(req)['client_id']),
  ].filter((claim) => claim !== undefined);
  const [first] = new Set(claims).size === 1 ? claims : [];
  return typeof first === 'string' ? first : undefined;
}

/** Undefined where reading fails: the request is refused already, for another reason. */
function read<T>(claim: () => T): T | undefined {
  try {
    return claim();
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}
