import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { findFactors } from '../../identity/second-factors.sql.ts';
import { secondsSinceProof, signedInUser, signInOf } from '../../identity/session.ts';
import { findUser } from '../../identity/users.sql.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { parseForm } from '../../lib/parameters.ts';
import { isTooOld, readMaxAge, readPrompt } from '../../lib/prompt.ts';
import { isTooWeak, levelNamed, type SignInDemand } from '../../lib/step-up.ts';
import type { Database } from '../../postgres/database.ts';
import { clientAddress } from '../../web/request-log.ts';
import { type AuthorizationPage, queryOf, requestOf } from './authorization-page.ts';
import { readAuthorizationRequest, readLoginHint } from './authorization-request.ts';

/**
 * What a person has to do before the page goes on: sign in; choose an account, since the application asks for that or
 * expects somebody else; prove once more who they are; or prove it more surely than they did.
 */
export type Demand = 'nothing' | 'sign_in' | 'choice' | 'proof' | 'level';

/** A malformed prompt demands nothing: readAuthorizationRequest refuses it. */
export async function demandOf(page: AuthorizationPage): Promise<Demand> {
  const { deps, req } = page;
  const user_id = signedInUser(req);
  if (user_id === undefined) return 'sign_in';
  const { client_id, prompt, login_hint } = (await requestOf(page)).parameters;
  // a page may ask for a new sign-in before a change
  if (client_id === undefined) return parseForm(queryOf(page))['fresh'] === undefined ? 'nothing' : 'proof';
  const values = typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  const demand = await signInDemandOf(page);
  if (isTooWeak(signInOf(req, deps.config), demand)) return 'level';
  if (values?.has('login') || isTooOld(secondsSinceProof(req), demand.max_age)) return 'proof';
  const isChoice = values?.has('select_account') || (await namesSomebodyElse(deps.database, user_id, login_hint));
  return isChoice ? 'choice' : 'nothing';
}

/** Whether another sign-in of this person can be a stronger one: with a factor that they have, or at the other place. */
export async function canSignInStronger(
  { deps, req }: AuthorizationPage,
  user_id: number,
  hasPasskey: (deps: Deps, user_id: number) => Promise<boolean>,
): Promise<boolean> {
  if (!req.session.methods?.includes('password')) return true;
  const factors = await findFactors(deps.database, user_id);
  return factors?.is_needed === true || (await hasPasskey(deps, user_id));
}

export const unmetLevel = (target: RefusalTarget): OAuthError =>
  new OAuthError(
    'unmet_authentication_requirements',
    'the person cannot sign in at the level that acr_values, or a scope, demands',
    { target },
  );

/**
 * The level of the sign-in that the request of a page demands, and its age. What its scopes demand is known when the request is read as
 * a whole, which is done only where scopes demand something.
 */
export async function signInDemandOf(page: AuthorizationPage): Promise<SignInDemand> {
  const { deps, req, dialect } = page;
  const sent = await requestOf(page);
  const { client_id, max_age, acr_values } = sent.parameters;
  if (client_id === undefined) return { level: undefined, max_age: undefined };
  const catalogue = await findScopeCatalogue(deps.database);
  const level = typeof acr_values === 'string' ? levelNamed(acr_values, deps.config.acr_names) : undefined;
  const own = { level, max_age: readMaxAge(max_age) };
  if (catalogue.every(({ acr, max_age: age }) => acr === null && age === null)) return own;
  const requester = { dialect, user_id: signedInUser(req), address: clientAddress(req) };
  return readAuthorizationRequest(deps, sent, requester).catch((error: unknown) => {
    if (error instanceof OAuthError) return own;
    throw error;
  });
}

/**
 * Whether the hint is no name of this person [OpenID Connect Core §3.1.2.1]. Nobody looks whether somebody else has that name: clients
 * must not learn which accounts exist.
 */
export async function namesSomebodyElse(database: Database, user_id: number, hint: unknown): Promise<boolean> {
  const name = readLoginHint(hint);
  const user = name === undefined ? undefined : await findUser(database, user_id);
  if (!name || !user) return false;
  const { username, email, sub } = user;
  const isName = [username, email].some((one) => one?.toLowerCase() === name.trim().toLowerCase());
  return !isName && name !== sub;
}
