import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { findFactors } from '../../identity/second-factors.sql.ts';
import { secondsSinceProof, signedInUser, signInOf } from '../../identity/session.ts';
import { findUser } from '../../identity/users.sql.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { parseForm } from '../../lib/parameters.ts';
import { isTooOld, readMaxAge, readPrompt } from '../../lib/prompt.ts';
import { isTooWeak, levelNamed, type RequiredSignIn } from '../../lib/step-up.ts';
import type { Database } from '../../postgres/database.ts';
import { clientAddress } from '../../web/request-log.ts';
import { type AuthorizationPage, queryOf, requestOf } from './authorization-page.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { readLoginHint } from './sign-in-parameters.ts';

/**
 * What a person has to do before the page goes on: sign in; choose an account, since the application asks for that or
 * expects somebody else; prove once more who they are; or prove it more surely than they did.
 */
export type MissingSignIn = 'nothing' | 'sign_in' | 'choice' | 'proof' | 'level';

/** What is still missing; a malformed prompt asks for nothing, since readAuthorizationRequest refuses it. */
export async function missingSignIn(page: AuthorizationPage): Promise<MissingSignIn> {
  const { deps, req } = page;
  const user_id = signedInUser(req);
  if (user_id === undefined) return 'sign_in';
  const { client_id, prompt, login_hint } = (await requestOf(page)).parameters;
  // a page may ask for a new sign-in before a change
  if (client_id === undefined) return parseForm(queryOf(page))['fresh'] === undefined ? 'nothing' : 'proof';
  const values = typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  const required = await requiredSignIn(page);
  if (isTooWeak(signInOf(req, deps.config), required)) return 'level';
  if (values?.has('login') || isTooOld(secondsSinceProof(req), required.max_age)) return 'proof';
  const isChoice = values?.has('select_account') || (await namesSomebodyElse(deps.database, user_id, login_hint));
  return isChoice ? 'choice' : 'nothing';
}

export type HasPasskey = (deps: Deps, user_id: number) => Promise<boolean>;

/** The refusal of a request with prompt=none, which forbids to ask for the sign-in that is missing [OpenID Connect Core §3.1.2.6]. */
export async function silentRefusal(
  page: AuthorizationPage,
  target: RefusalTarget,
  missing: MissingSignIn,
  hasPasskey: HasPasskey,
): Promise<OAuthError> {
  if (missing === 'level' && !(await canSignInStronger(page, hasPasskey))) return unmetLevel(target);
  const description = {
    sign_in: 'nobody is signed in',
    choice: 'somebody else is signed in',
    proof: 'the person signed in longer ago than max_age, or a scope, permits',
    level: 'the person signed in at a lower level than acr_values, or a scope, demands',
    nothing: '',
  }[missing];
  return new OAuthError('login_required', description, { target });
}

/** Whether another sign-in of this person can be a stronger one: with a factor that they have, or at the other place. */
async function canSignInStronger({ deps, req }: AuthorizationPage, hasPasskey: HasPasskey): Promise<boolean> {
  const user_id = signedInUser(req);
  if (user_id === undefined || !req.session.methods?.includes('password')) return true;
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
export async function requiredSignIn(page: AuthorizationPage): Promise<RequiredSignIn> {
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
