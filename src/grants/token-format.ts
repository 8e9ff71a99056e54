import type { Deps } from '../deps.ts';
import type { AccessTokenFacts } from '../store/access-tokens.ts';
import type { Trace } from '../store/audit.ts';

/** An access token whose row has just been stored, or is answered once more. */
export interface IssuedAccessToken extends AccessTokenFacts {
  /** the secret from which its key is derived */
  secret: string;
  scopes: readonly string[];
}

/** What an access token looks like to those who hold it. Its row in access_tokens is the same in every format, and decides. */
export interface TokenFormat {
  /** the text that the client gets */
  write(deps: Deps, token: IssuedAccessToken, trace: Trace): Promise<string>;
  /** the key of its row; undefined for a text that is no genuine token of this format */
  keyOf(deps: Deps, text: string): Promise<Buffer | undefined>;
}
