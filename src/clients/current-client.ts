import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import { isChangedMeanwhile } from './client.ts';
import type { ClientWithKeys } from './clients.sql.ts';
import { isUnchanged } from './kept-clients.ts';

/** The client that a request was verified with, if it was kept from an earlier request. */
export const verifiedBy = new WeakMap<Request, ClientWithKeys>();

/**
 * Answers a request again if it was refused because the kept row of its client is older than the client. `prepare` changes nothing and
 * returns the change. Only the refusal that says that the client has changed is repeated: any other may have used up the proofs of the
 * request.
 */
export async function byCurrentClient<T>(
  deps: Deps,
  req: Request,
  prepare: () => Promise<() => Promise<T>>,
): Promise<T> {
  let change: (() => Promise<T>) | undefined;
  try {
    change = await prepare();
    return await change();
  } catch (error) {
    const client = verifiedBy.get(req);
    const isStale = change ? isChangedMeanwhile(error) : error instanceof OAuthError;
    if (!client || !isStale || (await isUnchanged(deps, client))) throw error;
    verifiedBy.delete(req);
    return byCurrentClient(deps, req, prepare);
  }
}
