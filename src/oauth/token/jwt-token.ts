import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../../config/config.ts';
import { confirmationOf } from '../../lib/binding.ts';
import { maxJwtLength } from '../../lib/jwt.ts';
import { readOwnJwt, signOwnJwt, verifyOwnJwt } from '../../lib/own-jwt.ts';
import { writeScope } from '../../lib/scope.ts';
import { credentialKey } from '../../lib/secrets.ts';
import { claimsOf } from '../claims/claims.ts';
import { type AccessTokenFacts, findAccessTokenFacts } from '../resource/access-tokens.sql.ts';
import { signInClaims } from './sign-in-claims.ts';
import { findPublicKey } from './signing-keys.ts';
import type { TokenFormat } from './token-format.ts';

/** The type in the header of an access token, so that no other JWT that this server signs is taken for one [9068 §2.1]. */
const typ = 'at+jwt';

/** A signed JWT, which a resource server can verify without asking this server [9068]. */
export const jwt: TokenFormat = {
  async write(deps, { secret, scopes, ...facts }, { catalogue, key, claims: known }) {
    if (!key) throw new Error('a JWT was issued by a process that has no key for it');
    const own = {
      ...factsIn(deps.config, credentialKey(secret), facts),
      ...signInClaims(deps.config, facts),
      scope: writeScope(catalogue, scopes),
    };
    const claims = await claimsOf(deps, facts.sub, scopes, known);
    const text = signOwnJwt(key, { ...own, ...claims }, typ);
    if (text.length <= maxJwtLength) return text;
    deps.log.warn(
      { claims: Object.keys(claims), size: text.length },
      'a JWT is too large and was written without claims',
    );
    return signOwnJwt(key, own, typ);
  },
  isLike: (text) => readOwnJwt(text, typ) !== undefined,
  async keyOf(deps, text) {
    const { database, config } = deps;
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
  },
};

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
