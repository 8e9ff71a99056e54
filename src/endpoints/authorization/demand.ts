import { namesSomebodyElse } from '../../grants/login-hint.ts';
import { secondsSinceProof, signedInUser } from '../../pages/session.ts';
import { parseForm } from '../../protocol/parameters.ts';
import { isTooOld, readPrompt } from '../../protocol/prompt.ts';
import { type AuthorizationPage, queryOf, requestOf } from './authorization-page.ts';

/**
 * What a person has to do before the page goes on: sign in; choose an account, since the application asks for that or
 * expects somebody else; or prove once more who they are.
 */
export type Demand = 'nothing' | 'sign_in' | 'choice' | 'proof';

/** A malformed prompt demands nothing: readAuthorizationRequest refuses it. */
export async function demandOf(page: AuthorizationPage): Promise<Demand> {
  const user_id = signedInUser(page.req);
  if (user_id === undefined) return 'sign_in';
  const { client_id, prompt, max_age, login_hint } = (await requestOf(page)).parameters;
  // a page may ask for a new sign-in before a change
  if (client_id === undefined) return parseForm(queryOf(page))['fresh'] === undefined ? 'nothing' : 'proof';
  const values = typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  if (values?.has('login') || isTooOld(secondsSinceProof(page.req), max_age)) return 'proof';
  const isChoice = values?.has('select_account') || (await namesSomebodyElse(page.deps.database, user_id, login_hint));
  return isChoice ? 'choice' : 'nothing';
}
