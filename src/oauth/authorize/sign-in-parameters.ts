import type { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { type Prompt, readMaxAge, readPrompt } from '../../lib/prompt.ts';
import { levelNamed, type RequiredSignIn } from '../../lib/step-up.ts';
import type { authorizationRequest } from '../../web/request-schemas.ts';

type RequestParameters = z.infer<typeof authorizationRequest>;

/**
 * What the client demands of the sign-in. Names of which this server knows none are refused: what is voluntary in OpenID Connect is
 * demanded by a resource here, and an answer without it would lead the client in a circle [9470 §5].
 */
export function signInForRequest(
  { config }: Deps,
  { acr_values, max_age }: RequestParameters,
  target: RefusalTarget,
): RequiredSignIn {
  const level = acr_values === undefined ? undefined : levelNamed(acr_values, config.acr_names);
  if (acr_values !== undefined && level === undefined) {
    throw new OAuthError('unmet_authentication_requirements', 'acr_values names no level of this server', { target });
  }
  return { level, max_age: readMaxAge(max_age) };
}

export function promptOf({ prompt }: RequestParameters, target: RefusalTarget): Prompt {
  const values = prompt === undefined ? new Set<never>() : readPrompt(prompt);
  if (values) return values;
  const description = 'prompt must be none, or some of login, consent and select_account, separated by spaces';
  throw new OAuthError('invalid_request', description, { target });
}

/** The account that the client expects; undefined without a hint, or if it cannot be a name. */
export function readLoginHint(hint: unknown): string | undefined {
  return typeof hint === 'string' && /^[^\p{Cc}\p{Cf}]{1,200}$/u.test(hint) ? hint : undefined;
}
