import type { Deps } from '../../deps.ts';
import type { SigningKey } from '../../lib/own-jwt.ts';
import type { ScopeCatalogue } from '../../lib/scope.ts';
import type { Claim } from '../claims/claims.sql.ts';
import type { AccessTokenFacts, KnownSignIn } from '../resource/access-tokens.sql.ts';

/** An access token whose row has just been stored, or is answered once more. */
export interface IssuedAccessToken extends AccessTokenFacts, KnownSignIn {
  /** the secret from which its key is derived */
  secret: string;
  scopes: readonly string[];
}

/** What tokens are written with: read before a statement that spends a code or a refresh token, so that nothing after it can fail. */
export interface WritingMaterial {
  catalogue: ScopeCatalogue;
  /** that are registered; the values are read when it is known whose token it is */
  claims: readonly Claim[];
  /** none if no resource has signed tokens */
  key: SigningKey | undefined;
}

/** What it takes to say whose a code or token is. */
export type ReadingDeps = Pick<Deps, 'config' | 'database' | 'sessionSecrets'>;

/** What an access token looks like to those who hold it. Its row in access_tokens is the same in every format, and decides. */
export interface TokenFormat {
  /** the text that the client gets */
  write(deps: Deps, token: IssuedAccessToken, material: WritingMaterial): Promise<string>;
  /** whether a text has to be looked up, so that whoever sends one that is not stored has guessed */
  isLike(text: string): boolean;
  /** the key of its row; undefined for a text that is no genuine token of this format */
  keyOf(deps: ReadingDeps, text: string): Promise<Buffer | undefined>;
}
