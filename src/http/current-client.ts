import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { isUnchanged } from '../grants/kept-clients.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { ClientWithKeys } from '../store/clients.ts';

/** The client by which a request was verified, if it was kept from an earlier one. */
export const verifiedBy = new WeakMap<Request, ClientWithKeys>();

/** Answers a request from the beginning again if it was refused by what was kept of its client, and the client has changed since. */
export async function byCurrentClient<T>(deps: Deps, req: Request, answer: () => Promise<T>): Promise<T> {
  try {
    return await answer();
  } catch (error) {
    const client = verifiedBy.get(req);
    if (!client || !(error instanceof OAuthError) || (await isUnchanged(deps, client))) throw error;
    verifiedBy.delete(req);
    return answer();
  }
}
