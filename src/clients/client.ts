import type { Trace } from '../audit/audit.sql.ts';
import type { Deps } from '../deps.ts';
import { countAttempt } from '../identity/attempt-limits.sql.ts';
import { limitFailures } from '../identity/failed-authentications.ts';
import { untimelyFault } from '../lib/client-jwt.ts';
import type { AuthenticationMethod } from '../lib/client-methods.ts';
import { dpopRefusal, useFaults } from '../lib/dpop.ts';
import { OAuthError, type RefusalTarget, tooManyRequests } from '../lib/errors.ts';
import { networkOf } from '../lib/network.ts';
import { clientRules } from './client-rules.sql.ts';
import { type Client, type ClientWithKeys, findClientAndProblems } from './clients.sql.ts';
import type { ProvenKeys } from './key-binding.sql.ts';
import { noteUseOfSecret } from './last-use.ts';
import {
  digestsOf,
  type OneTimeProof,
  type ProofDigests,
  type ProofUse,
  useProofsOfClient,
} from './used-proofs.sql.ts';

export type GrantType = 'authorization_code' | 'refresh_token';

/** The credentials that a client presented; the secret only as its digest, which the database compares. */
export interface ClientCredentials extends ProvenKeys {
  client_id: string;
  method: AuthenticationMethod;
  secret_sha256: Buffer | null;
  /** the client, if it has just proved its key or certificate: the row was read for that, and need not be read again */
  client?: ClientWithKeys;
  /** the version of `client`, if that was remembered: accepted only if the stored version is still the same */
  client_version?: string | undefined;
  /** the valid assertion of a client that proves a key; see useProofs */
  assertion?: OneTimeProof;
  /** the valid DPoP proof of the key `dpop` */
  dpop_proof?: OneTimeProof;
}

/** Returns the methods that the registration of a client permits. */
export function authenticationMethodsOf(client: Client): readonly string[] {
  const { secrets_sha256, token_endpoint_auth_method } = client;
  if (secrets_sha256.length > 0) return ['client_secret_basic', 'client_secret_post'];
  return [token_endpoint_auth_method ?? 'none'];
}

/** The method that was chosen for a client which offered several. */
export interface MethodChoice {
  offered: readonly string[];
  chosen: string;
}

/** Returns what was chosen for a client; undefined if the client offered no choice, or if an operator has registered another method since. */
export function choiceOf({
  offered_methods: offered,
  token_endpoint_auth_method: chosen,
}: Client): MethodChoice | undefined {
  return offered && chosen !== null && offered.includes(chosen) ? { offered, chosen } : undefined;
}

/** Whether the client is public: it proves nothing about itself, and anybody can use its client_id [6749 §2.1]. */
export function isPublic(client: Client): boolean {
  return authenticationMethodsOf(client).includes('none');
}

/** Whether anybody may be behind the client: it proves nothing, or no administrator vouches for it. */
export function mayBeAnybody(client: Client): boolean {
  return isPublic(client) || !client.vouched;
}

/**
 * Authenticates a client in a statement of its own: for endpoints whose own statement does not authenticate it, and after a
 * statement that changed nothing, to find out whether the client was the reason. A public client has no secret and must not present
 * one. An unknown client takes the same steps as a wrong secret, so that timing and limits do not reveal which clients exist.
 */
export async function authenticateClient(
  deps: Deps,
  credentials: ClientCredentials,
  trace: Trace,
): Promise<ClientWithKeys> {
  if (credentials.client) return credentials.client;
  const found = await findClientAndProblems(deps.database, credentials);
  const [problem] = found?.broken ?? ['client_known'];
  if (found && problem === undefined) {
    noteUseOfSecret(deps, credentials);
    return found;
  }
  return refuseClient(deps, trace, credentials.method, reasonOf(problem ?? 'client_known', credentials));
}

/** Which rule of authentication a request breaks, in the words of the log. */
export function reasonOf(problem: keyof typeof clientRules, credentials: ClientCredentials): string {
  const { reason } = clientRules[problem];
  return problem === 'method_registered' ? `${reason} than ${provenMethodOf(credentials)}` : reason;
}

/**
 * Uses up the proofs of a request that count once, just before the change that an authenticated client asks for: a request that was
 * refused before can be repeated with the same proofs.
 */
export async function useProofs(deps: Deps, credentials: ClientCredentials, trace: Trace): Promise<void> {
  if (!(await useProofsWith(deps, credentials, trace))) throw changedMeanwhile(credentials);
}

/** The proofs that a statement has to use up by itself, if there are any. */
export function proofsOf(credentials: ClientCredentials): ProofDigests | undefined {
  return credentials.assertion || credentials.dpop_proof ? digestsOf(credentials) : undefined;
}

/**
 * Uses up the proofs of a request for /token. Returns undefined and stores nothing unless the client authenticates or, if public,
 * shows its own code or refresh token. Otherwise returns the credentials for later statements: these do not ask again whether the
 * client has changed, since a request cannot be answered again once its proofs are used up.
 */
export async function useProofsWith(
  deps: Deps,
  credentials: ClientCredentials,
  trace: Trace,
  family_key?: Buffer,
): Promise<ClientCredentials | undefined> {
  const { method, assertion, dpop_proof } = credentials;
  if (!assertion && !dpop_proof) return credentials;
  const proofs = { ...credentials, family_key };
  const first = await useProofsOfClient(deps.database, { ...proofs, is_counted: false });
  const use = first?.is_to_count ? await useCounted(deps, proofs, trace) : first;
  if (!use) return undefined;
  if (use.refused === 'dpop_proof') throw dpopRefusal({}, useFaults[use.fault]);
  if (use.refused === 'assertion') {
    await refuseClient(deps, trace, method, use.fault === 'too old' ? untimelyAssertion : 'assertion used before');
  }
  return { ...credentials, client_version: undefined };
}

/** Counts a public client's proofs for each network: anybody can use its client_id, and must not be able to stop others who do. */
async function useCounted(
  deps: Deps,
  proofs: ClientCredentials & { family_key: Buffer | undefined },
  { address }: Trace,
): Promise<ProofUse | undefined> {
  const { client_id } = proofs;
  const isProven = provenMethodOf(proofs) !== 'none';
  await limitProofs(deps, isProven ? client_id : `${client_id} ${networkOf(address ?? '')}`);
  return useProofsOfClient(deps.database, { ...proofs, is_counted: true });
}

/** Proofs of a client for which no administrator vouches, in a quarter of an hour; requests that it pushes have the same limit. */
export const freeProofs = 1000;

/**
 * Limits the proofs of a client for which no administrator vouches, as its pushed requests are limited: each proof is stored, and
 * the client may be anybody's.
 */
export async function limitProofs({ database }: Deps, whose: string): Promise<void> {
  const wait = await countAttempt(database, { key: `proofs of ${whose}`, free: freeProofs, pause: 1, longest: 60 });
  if (wait > 0) throw tooManyRequests(wait);
}

export async function refuseClient(
  deps: Deps,
  trace: Trace,
  method: AuthenticationMethod,
  reason: string,
): Promise<never> {
  await limitFailures(deps, trace);
  throw invalidClient(method, reason);
}

/**
 * Basic without a secret counts as the method `none`, since it proves as little; some libraries send it with an empty password for
 * public clients.
 */
const provenMethodOf = ({ method, secret_sha256 }: ClientCredentials): AuthenticationMethod =>
  method === 'client_secret_basic' && secret_sha256 === null ? 'none' : method;

/** The only reason that a client is told: nobody gets so far without a valid signature. */
export const untimelyAssertion = 'assertion too early or too late';

/** The refusal has a challenge when the client tried HTTP Basic [6749 §5.2]. */
export function invalidClient(method: AuthenticationMethod, reason: string): OAuthError {
  const headers: Record<string, string> =
    method === 'client_secret_basic' ? { 'WWW-Authenticate': 'Basic realm="latchkey"' } : {};
  const description =
    reason === untimelyAssertion
      ? `the assertion is not accepted: ${untimelyFault}`
      : 'the client is unknown, or its credentials are missing or wrong';
  return new OAuthError('invalid_client', description, { headers, reason });
}

/**
 * Refuses a request whose client has changed since it was read; nothing was changed, and the request is answered again (clients/current-
 * client.ts).
 */
export function changedMeanwhile({ method }: ClientCredentials): OAuthError {
  return invalidClient(method, clientRules.client_unchanged.reason);
}

export function isChangedMeanwhile(error: unknown): boolean {
  return error instanceof OAuthError && error.reason === clientRules.client_unchanged.reason;
}

export function requireGrantType(client: Client, grant_type: GrantType, target?: RefusalTarget): void {
  if (client.grant_types.includes(grant_type)) return;
  throw new OAuthError('unauthorized_client', `the client is not registered for the grant_type ${grant_type}`, {
    ...(target && { target }),
  });
}
