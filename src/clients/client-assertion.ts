import type { Trace } from '../audit/audit.sql.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { type Audience, verifyAssertion } from '../lib/client-assertion.ts';
import { clockTolerance } from '../lib/client-jwt.ts';
import type { Jwt } from '../lib/jwt.ts';
import { keyFor, keysOfNobody, missingKey } from '../lib/key-set.ts';
import type { JWK } from '../lib/public-key.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { rulesFor } from '../lib/security-profile.ts';
import { authenticationMethodsOf, refuseClient, untimelyAssertion } from './client.ts';
import { findClientKey } from './client-keys.ts';
import { type Client, type ClientWithKeys, findAnyClient } from './clients.sql.ts';
import { keepClient, keptClient } from './kept-clients.ts';
import type { OneTimeProof } from './used-proofs.sql.ts';

/** A client that has proved its key, and the proof. */
interface ProvenClient {
  client: ClientWithKeys;
  client_version?: string;
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
  const kept = keptClient(deps, client_id);
  const quick = kept && (await proofIn(deps, assertion, kept));
  if (kept && quick?.proof) return { client: kept, client_version: kept.version, assertion: quick.proof };
  const found = await findAnyClient(deps.database, client_id);
  const client = found && provesKey(found) ? found : undefined;
  const { proof, reason } = quick && kept?.version === client?.version ? quick : await proofIn(deps, assertion, client);
  if (!client || !proof) return refuseClient(deps, trace, 'private_key_jwt', reason);
  keepClient(deps, client);
  return { client, assertion: proof };
}

/** The proof in an assertion, or the reason why the assertion is not valid. */
async function proofIn(
  deps: Deps,
  assertion: Jwt,
  client: ClientWithKeys | undefined,
): Promise<{ proof?: OneTimeProof; reason: string }> {
  let reason = client ? 'assertion invalid' : 'no client with a key';
  const { header } = assertion;
  const choose = (keys: readonly JWK[]) => {
    const key = keyFor(header, keys);
    reason = key ? 'assertion invalid' : `assertion invalid: ${missingKey(header, keys)}`;
    return key;
  };
  const key = (client && (await findClientKey(deps, client, choose))) ?? keyFor({ alg: header.alg }, keysOfNobody);
  const valid = verifyAssertion(assertion, key, audienceFor(deps.config, client));
  if (valid === 'untimely') return { reason: untimelyAssertion };
  if (!client || !valid) return { reason };
  const { assertions_not_before: earliest } = client;
  if (earliest && valid.made_at * 1000 < earliest.getTime()) return { reason: 'assertion from before a restore' };
  const proof_sha256 = digestOfParts('client assertion', client.client_id, valid.jti);
  // the database forgets the proof by its own clock, which may be ahead
  return { proof: { proof_sha256, expires_at: Math.ceil(valid.exp) + clockTolerance }, reason };
}

function provesKey(client: Client): boolean {
  return client.disabled_at === null && authenticationMethodsOf(client).includes('private_key_jwt');
}

/**
 * Returns the audiences that an assertion may name: the issuer as FAPI 2.0 §5.3.2.1 wants it, or for other clients one of the two
 * issuers [draft-ietf-oauth-rfc7523bis §4]; for clients registered before that rule, also the address of an endpoint, as RFC 7523 §3 and
 * RFC 9126 §2 suggested.
 */
function audienceFor({ issuer }: Config, client: Client | undefined): Audience {
  const { profile = null, assertion_audience = 'issuer' } = client ?? {};
  if (!rulesFor({ profile }).accepts_addresses_as_audience) return { issuer, addresses: null };
  const others = ['/token', '/par', '/login/oauth/access_token'];
  const paths = ['/login/oauth', ...(assertion_audience === 'address' ? others : [])];
  return { issuer, addresses: paths.map((path) => issuer + path) };
}
