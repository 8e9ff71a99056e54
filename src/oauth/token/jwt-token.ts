import { isDeepStrictEqual } from 'node:util';
import type { Trace } from '../../audit/audit.sql.ts';
import { findResources, signsAccessTokens } from '../../catalogue/resources.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Config } from '../../config/config.ts';
import type { Deps } from '../../deps.ts';
import { confirmationOf } from '../../lib/binding.ts';
import { maxJwtLength } from '../../lib/jwt.ts';
import { readOwnJwt, type SigningKey, signOwnJwt, verifyOwnJwt } from '../../lib/own-jwt.ts';
import { thisServer } from '../../lib/resource.ts';
import { type ScopeCatalogue, writeScope } from '../../lib/scope.ts';
import { credentialKey } from '../../lib/secrets.ts';
import { authorizationDetails } from '../choice/authorization-details.ts';
import type { Choices } from '../choice/choices.ts';
import { type Claim, findClaims } from '../claims/claims.sql.ts';
import { claimsOf } from '../claims/claims.ts';
import { currentKey, findPublicKey } from './signing-keys.ts';
import { type AccessTokenFacts, findAccessTokenFacts, type KnownSignIn } from './token-facts.sql.ts';

/** An access token whose row has just been stored, or is answered once more. */
export interface IssuedAccessToken extends AccessTokenFacts, KnownSignIn {
  /** the secret from which its key is derived */
  secret: string;
  scopes: readonly string[];
  choices: Choices | null;
}

/** What JWTs are written with: read before a statement that spends a code or a refresh token, so that nothing after it can fail. */
export interface WritingMaterial {
  catalogue: ScopeCatalogue;
  /** the registered claims; their values are read when it is known whose token it is */
  claims: readonly Claim[];
  /** none if no resource has signed tokens */
  key: SigningKey | undefined;
}

/** What it takes to say whose a code or token is. */
export type ReadingDeps = Pick<Deps, 'config' | 'database' | 'sessionSecrets'>;

/** Reads what is remembered for five seconds, and makes the first key if there is a resource whose tokens it signs. */
export async function readWritingMaterial(deps: Deps, trace: Trace): Promise<WritingMaterial> {
  const { database } = deps;
  const [catalogue, claims, signs] = await Promise.all([
    findScopeCatalogue(database),
    findClaims(database),
    signsAccessTokens(database),
  ]);
  return { catalogue, claims, key: signs ? await currentKey(deps, trace) : undefined };
}

/** The material with a signing key, if the resource has got signed tokens since it was read; undefined if it lacks nothing. */
export async function completeMaterial(
  deps: Deps,
  resource: string,
  material: WritingMaterial,
  trace: Trace,
): Promise<WritingMaterial | undefined> {
  const [found] = material.key || resource === thisServer ? [] : await findResources(deps.database, [resource]);
  return found?.token_format === 'jwt' ? { ...material, key: await currentKey(deps, trace) } : undefined;
}

/** The type in the header of an access token, so that no other JWT that this server signs is taken for one [9068 §2.1]. */
const typ = 'at+jwt';

/** A signed JWT, which a resource server can verify without asking this server [9068]. */
export async function writeJwt(
  deps: Deps,
  { secret, scopes, choices, ...facts }: IssuedAccessToken,
  { catalogue, key, claims: known }: WritingMaterial,
): Promise<string> {
  if (!key) throw new Error('a JWT was issued by a process that has no key for it');
  const own = {
    ...factsIn(deps.config, credentialKey(secret), facts),
    ...signInClaims(deps.config, facts),
    scope: writeScope(catalogue, scopes),
    authorization_details: authorizationDetails(choices),
  };
  const claims = await claimsOf(deps, facts.sub, scopes, known);
  const text = signOwnJwt(key, { ...own, ...claims }, typ);
  if (text.length <= maxJwtLength) return text;
  deps.log.warn(
    { claims: Object.keys(claims), size: text.length },
    'a JWT is too large and was written without claims',
  );
  const short = signOwnJwt(key, own, typ);
  return short.length <= maxJwtLength ? short : signOwnJwt(key, { ...own, authorization_details: [] }, typ);
}

/** Whether a text has to be looked up as a JWT of this server. */
export const isLikeJwt = (text: string): boolean => readOwnJwt(text, typ) !== undefined;

/** The key of its row; undefined for a text that is no genuine JWT of this server. */
export async function keyOfJwt({ database, config }: ReadingDeps, text: string): Promise<Buffer | undefined> {
  const signed = await verifyOwnJwt(text, typ, (kid) => findPublicKey(database, kid));
  if (!signed || typeof signed['jti'] !== 'string') return undefined;
  const key = Buffer.from(signed['jti'], 'base64url');
  const facts = await findAccessTokenFacts(database, key);
  if (!facts) return undefined;
  // the scope of the row is what counts here: it may have been narrowed since. What else is in it are claims of the operator,
  // perhaps no longer registered, or not yet known to this instance: they say nothing about the token
  const expected = { nbf: undefined, cnf: undefined, ...factsIn(config, key, facts) };
  const isGenuine = Object.entries(expected).every(([name, value]) => isDeepStrictEqual(signed[name], value));
  return isGenuine ? key : undefined;
}

/** What a token says of the sign-in from which its code came [9470 §6]; a refresh is none. Unknown to a token of an earlier release. */
export function signInClaims({ acr_names }: Config, { acr, auth_time }: KnownSignIn) {
  return { ...(acr !== null && { acr: acr_names[acr - 1] }), ...(auth_time !== null && { auth_time }) };
}

/** Issued by either set of endpoints, a token names the same issuer. Its `jti` is the key of its row [9068 §2.2]. */
function factsIn({ issuer }: Config, key: Buffer, facts: AccessTokenFacts) {
  const { resource, binding, sub, client_id, iat, exp } = facts;
  const cnf = confirmationOf(binding);
  return {
    iss: issuer,
    aud: resource,
    sub,
    client_id,
    jti: key.toString('base64url'),
    iat,
    exp,
    ...(cnf && { cnf }),
  };
}
