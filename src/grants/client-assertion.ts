import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { type Audience, verifyAssertion } from '../protocol/client-assertion.ts';
import { clockTolerance } from '../protocol/client-jwt.ts';
import type { Jwt } from '../protocol/jwt.ts';
import { keyFor, keysOfNobody, missingKey } from '../protocol/key-set.ts';
import type { JWK } from '../protocol/public-key.ts';
import { digestOfParts } from '../protocol/secrets.ts';
import { rulesFor } from '../protocol/security-profile.ts';
import type { Trace } from '../store/audit.ts';
import { type Client, type ClientWithKeys, findAnyClient } from '../store/clients.ts';
import type { OneTimeProof } from '../store/used-proofs.ts';
import { authenticationMethodsOf, refuseClient, untimelyAssertion } from './client.ts';
import { findClientKey } from './client-keys.ts';

/** A client that has proved its key, and the proof. */
interface ProvenClient {
  client: ClientWithKeys;
  assertion: OneTimeProof;
}

/**
 * Verifies the assertion by which a client proves that it has its key [7523 §3], and returns what must not be used twice. For a
 * client that has no key the same steps are taken, so that the time does not tell which clients exist.
 */
export async function requireValidAssertion(
  deps: Deps,
  { client_id, assertion }: { client_id: string; assertion: Jwt },
  trace: Trace,
): Promise<ProvenClient> {
  const found = await findAnyClient(deps.database, client_id);
  const client = found && provesKey(found) ? found : undefined;
  let reason = 'assertion invalid';
  const { header } = assertion;
  const choose = (keys: readonly JWK[]) => {
    const key = keyFor(header, keys);
    reason = key ? 'assertion invalid' : `assertion invalid: ${missingKey(header, keys)}`;
    return key;
  };
  const key = (client && (await findClientKey(deps, client, choose))) ?? keyFor({ alg: header.alg }, keysOfNobody);
  const valid = verifyAssertion(assertion, key, audienceFor(deps.config, client?.profile ?? null));
  if (valid === 'untimely') return refuseClient(deps, trace, 'private_key_jwt', untimelyAssertion);
  const isOfBefore =
    valid && client?.assertions_not_before && valid.made_at * 1000 < client.assertions_not_before.getTime();
  if (!client || !valid || isOfBefore) {
    if (isOfBefore) reason = 'assertion from before a restore';
    return refuseClient(deps, trace, 'private_key_jwt', client ? reason : 'no client with a key');
  }
  const proof_sha256 = digestOfParts('client assertion', client_id, valid.jti);
  // the clock of the database, which forgets it, may be ahead
  const expires_at = Math.ceil(valid.exp) + clockTolerance;
  return { client, assertion: { proof_sha256, expires_at } };
}

function provesKey(client: Client): boolean {
  return client.disabled_at === null && authenticationMethodsOf(client).includes('private_key_jwt');
}

/** The issuer as FAPI 2.0 §5.3.2.1 wants it, or for other clients an address as RFC 7523 §3 and RFC 9126 §2 suggest. */
function audienceFor({ issuer }: Config, profile: Client['profile']): Audience {
  if (!rulesFor({ profile }).accepts_addresses_as_audience) return { issuer, addresses: null };
  const addresses = ['/token', '/par', '/login/oauth', '/login/oauth/access_token'].map((path) => issuer + path);
  return { issuer, addresses };
}
