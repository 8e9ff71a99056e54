import type { Config } from '../../config/config.ts';
import type { KnownSignIn } from '../resource/access-tokens.sql.ts';

/** What a token says of the sign-in from which its code came [9470 §6]; a refresh is none. Unknown to a token of an earlier release. */
export function signInClaims({ acr_names }: Config, { acr, auth_time }: KnownSignIn) {
  return { ...(acr !== null && { acr: acr_names[acr - 1] }), ...(auth_time !== null && { auth_time }) };
}
