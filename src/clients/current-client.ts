import type { Request } from 'express';
import type { Deps } from '../deps.ts';
import { OAuthError } from '../lib/errors.ts';
import { isChangedMeanwhile } from './client.ts';
import type { ClientWithKeys } from './clients.sql.ts';
import { isUnchanged } from './kept-clients.ts';

/** The client by which a request was verified, if it was kept from an earlier one. */
export const verifiedBy = new WeakMap<Request, ClientWithKeys>();

/**
 * Answers a request from the beginning again if it was refused by what was kept of its client, and the client has changed since.
 * `prepare` changes nothing and returns the change. A change compares the client itself, and uses up the proofs of the request: so
 * only the refusal that says that the client has changed is followed by another try.
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
