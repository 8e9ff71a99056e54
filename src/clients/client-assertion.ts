import type { Trace } from '../audit/audit.sql.ts';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { type Audience, verifyAssertion } from '../lib/client-assertion.ts';
import { assertionAlgorithms, clientAlgorithms, clockTolerance } from '../lib/client-jwt.ts';
import type { Jwt } from '../lib/jwt.ts';
import { isSameAlgorithm, keyFor, keysOfNobody, missingKey } from '../lib/key-set.ts';
import type { JWK } from '../lib/public-key.ts';
import { digestOfParts } from '../lib/secrets.ts';
import { rulesFor } from '../lib/security-profile.ts';
import { authenticationMethodsOf, refuseClient, untimelyAssertion } from './client.ts';
import { findClientKey } from './client-keys.ts';
import { type Client, type ClientWithKeys, findAnyClient } from './clients.sql.ts';
import { keepClient, keptClient } from './kept-clients.ts';
import { cameByItself } from './origins.sql.ts';
import type { OneTimeProof } from './used-proofs.sql.ts';

/** A client that has proved its key, and the proof. */
interface ProvenClient {
  client: ClientWithKeys;
  client_version?: string;
  assertion: OneTimeProof;
}

interface SentAssertion {
  client_id: string;
  assertion: Jwt;
  /** the address that received the request */
  address: string;
}

/**
 * Verifies the assertion by which a client proves that it has its key [7523 §3], and returns what must not be used twice. For a
 * client that has no key the same steps are taken, so that the time does not tell which clients exist.
 */
export async function requireValidAssertion(
  deps: Deps,
  { client_id, ...sent }: SentAssertion,
  trace: Trace,
): Promise<ProvenClient> {
  const kept = keptClient(deps, client_id);
  const quick = kept && (await proofIn(deps, sent, kept));
  if (kept && quick?.proof) return { client: kept, client_version: kept.version, assertion: quick.proof };
  const found = await findAnyClient(deps.database, client_id);
  const client = found && provesKey(found) ? found : undefined;
  const { proof, reason } = quick && kept?.version === client?.version ? quick : await proofIn(deps, sent, client);
  if (!client || !proof) return refuseClient(deps, trace, 'private_key_jwt', reason);
  keepClient(deps, client);
  return { client, assertion: proof };
}

/** The proof in an assertion, or the reason why the assertion is not valid. */
async function proofIn(
  deps: Deps,
  { assertion, address }: Omit<SentAssertion, 'client_id'>,
  client: ClientWithKeys | undefined,
): Promise<{ proof?: OneTimeProof; reason: string }> {
  const { header } = assertion;
  const algorithms = client ? algorithmsOf(client) : [];
  const mayFit = algorithms.some((alg) => alg === header.alg);
  let reason = client ? `assertion invalid: its alg is none of ${algorithms.join(', ')}` : 'no client with a key';
  const choose = (keys: readonly JWK[]) => {
    const key = keyFor(header, keys, algorithms);
    reason = key ? 'assertion invalid' : `assertion invalid: ${missingKey(header, keys)}`;
    return key;
  };
  const own = client && mayFit ? await findClientKey(deps, client, choose) : undefined;
  const key = own ?? keyFor({ alg: header.alg }, keysOfNobody, assertionAlgorithms);
  const valid = verifyAssertion(assertion, key, audienceFor(deps.config, client, address));
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

/** Returns the algorithms by which a client may sign its assertions. RS256 is for clients that nobody can ask for a better algorithm, and for those that an operator registers for it. */
function algorithmsOf(client: Client): readonly string[] {
  const { token_endpoint_auth_signing_alg: registered } = client;
  const mayUseAll = rulesFor(client).accepts_rs256 && (registered !== null || cameByItself(client));
  const known = mayUseAll ? assertionAlgorithms : clientAlgorithms;
  return registered === null ? known : known.filter((alg) => isSameAlgorithm(alg, registered));
}

/**
 * Returns the audiences that an assertion may name: the issuer as FAPI 2.0 §5.3.2.1 wants it, or for other clients one of the two
 * issuers [draft-ietf-oauth-rfc7523bis §4]. A client
 * that came by itself may name the address that it calls, if it names nothing else
 * [draft-ietf-oauth-security-topics-update, Exact Target Endpoint URI]. A client that was registered before may name any address that
 * takes assertions, as RFC 7523 §3 and RFC 9126 §2 suggested.
 */
function audienceFor({ issuer }: Config, client: Client | undefined, address: string): Audience {
  if (!client || !rulesFor(client).accepts_addresses_as_audience) return { names: [issuer], number: 'text' };
  const issuers = [issuer, `${issuer}/login/oauth`];
  const own = cameByItself(client) ? [address] : [];
  if (client.assertion_audience === 'issuer')
    return { names: [...issuers, ...own], number: own.length > 0 ? 'one' : 'several' };
  const addresses = ['/token', '/par', '/login/oauth/access_token'].map((path) => issuer + path);
  return { names: [...issuers, ...addresses, ...own], number: 'several' };
}
