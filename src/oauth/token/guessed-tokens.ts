import type { Trace } from '../../audit/audit.sql.ts';
import { mayBeAnybody } from '../../clients/client.ts';
import type { Client } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { limitFailures } from '../../identity/failed-authentications.ts';
import { isLikeCredential, keysOfCredential } from './credential-keys.ts';
import { findTokenFacts } from './token-facts.sql.ts';

/**
 * Counts a code or token as a guess if it is not stored, and if anybody could have sent it in the name of this client. One that is stored
 * has ended, which is an ordinary event, or is of another client.
 */
export async function limitGuesses(deps: Deps, client: Client, token: string, trace: Trace): Promise<void> {
  if (!mayBeAnybody(client) || !isLikeCredential(token)) return;
  const keys = await keysOfCredential(deps, token);
  const facts = keys && (await findTokenFacts(deps.database, keys));
  if (!facts) await limitFailures(deps, trace);
}
