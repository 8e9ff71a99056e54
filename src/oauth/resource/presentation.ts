import type { Request } from 'express';
import type { OneTimeProof, ProofFault } from '../../clients/used-proofs.sql.ts';
import type { Deps } from '../../deps.ts';
import type { Binding } from '../../lib/binding.ts';
import type { OAuthError } from '../../lib/errors.ts';
import type { Dialect } from '../github/dialect.ts';

/** A way to present an access token. Everything that depends on it is here, so that a new one is a new file and a line in challenges.ts. */
export interface Presentation {
  /** request headers that carry it, which cross-origin requests may send */
  readonly headers: readonly string[];
  /** its members of the protected resource metadata [9728 §2] */
  readonly metadata: Readonly<Record<string, readonly string[] | boolean>>;
  /** the scheme of the header Authorization, and the attributes of its challenge. Without this member, it is not offered */
  readonly challenge?: Readonly<{ scheme: string; attributes: Readonly<Record<string, string>> }>;
  /** challenge of a way that is not offered, where a request uses its scheme or a token with this binding needs it */
  readonly own?: Readonly<{
    scheme: string;
    isNeededBy(bound: Binding): boolean;
    challenge(error: string, attributes: Readonly<Record<string, string>>): string;
  }>;
  /** every token that the request presents in this way; more than one is an error */
  tokensIn(req: Request, dialect: Dialect): string[];
  /** Refuses a proof that is not valid. `key`: of the row of the token */
  prove(deps: Deps, req: Request, token: string, key: Buffer): Promise<Proven>;
}

/** What a request proves. */
export interface Proven {
  /** whether a token that is bound so may be presented */
  opens(binding: Binding): boolean;
  readonly proof?: ProofOfToken;
}

/** The attributes of a challenge; no value has a quote in it. */
export const quoted = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ');

/** A proof with which a token is presented. */
export interface ProofOfToken extends OneTimeProof {
  /** the binding of the tokens that the proof opens */
  readonly binding: string;
  /** says why the proof does not count */
  refusal(fault: ProofFault): OAuthError;
}
