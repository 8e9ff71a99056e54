import type { Request } from 'express';
import { OAuthError } from '../protocol/errors.ts';
import { readBasic } from './client-authentication.ts';
import { bodyOf, queryOf } from './parameters.ts';

/**
 * The application that a refused request says it comes from. It is for the log and for the owner of that application, so
 * it is not verified, and what cannot be read, or contradicts itself, names none.
 */
export function claimedClientId(req: Request): string | undefined {
  const claims = [
    read(() => readBasic(req.headers.authorization)?.client_id),
    read(() => bodyOf(req)['client_id']),
    read(() => queryOf(req)['client_id']),
  ].filter((claim) => claim !== undefined);
  const [first] = new Set(claims).size === 1 ? claims : [];
  return typeof first === 'string' ? first : undefined;
}

/** The request is refused already: a second fault of it is no news. */
function read<T>(claim: () => T): T | undefined {
  try {
    return claim();
  } catch (error) {
    if (error instanceof OAuthError) return undefined;
    throw error;
  }
}
