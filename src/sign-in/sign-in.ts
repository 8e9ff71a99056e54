import { recordChange } from '../audit/audit.ts';
import { isKnownBrowser, rememberBrowser } from '../identity/known-browser.ts';
import { missingFactor, versionOf } from '../identity/second-factor.ts';
import { type Factors, findFactors } from '../identity/second-factors.sql.ts';
import { leaveSession, type Proof, signIn, signInOf } from '../identity/session.ts';
import { isTrusted } from '../identity/trusted-browser.ts';
import { parseForm } from '../lib/parameters.ts';
import { hasSecondFactor } from '../lib/second-factors.ts';
import { levelOf } from '../lib/sign-in-level.ts';
import { isTooWeak } from '../lib/step-up.ts';
import { type AuthorizationPage, queryOf, redirectToStep, requestOf } from '../oauth/authorize/authorization-page.ts';
import { readAuthorizationRequest } from '../oauth/authorize/authorization-request.ts';
import { answerPerson } from '../oauth/authorize/authorize.ts';
import { missingSignIn, requiredSignIn, unmetLevel } from '../oauth/authorize/missing-sign-in.ts';
import { redirectWithin } from '../web/answers.ts';
import { knownDevice } from '../web/display.ts';
import { isSealed, keptParameter } from '../web/kept-form.ts';
import { clientAddress, traceOf } from '../web/request-log.ts';
import { isOwnPage } from '../web/return-address.ts';
import { showSecondStep } from './second-step-page.ts';

/**
 * The end of every sign-in, however the person proved who they are. Whoever has a second factor proves it now; then there is a new
 * session, and the page goes on to that for which the sign-in began. What an application demands is fulfilled by this proof, so its
 * request is answered here and not demanded again. Whoever has declined to set up a factor is not led there once more. Whoever has just
 * set the password in this browser is not told of it as a new one.
 */
export async function completeSignIn(
  page: AuthorizationPage,
  proven: Proof,
  { has_declined = false, is_known = false }: { has_declined?: boolean; is_known?: boolean } = {},
): Promise<void> {
  const { deps, req, res } = page;
  const { user_id } = proven;
  const factors = await findFactors(deps.database, user_id);
  // the account was disabled at this moment
  if (!factors) return redirectToStep(page, 'login');
  const proof = (await takesTrust(page)) ? withTrust(page, proven, factors) : proven;
  const missing =
    (await missingFactor(deps, factors, proof.methods)) ?? (has_declined ? undefined : await missingLevel(page, proof));
  if (missing) return showSecondStep(page, { proof, factors, missing });
  // the website of the operator tells its own people
  const isToldHere = !proof.methods.includes('website');
  const is_new = isToldHere && !is_known && !isKnownBrowser(page, factors);
  const device = knownDevice(req.headers['user-agent'] ?? '');
  const detail = proof.methods.join(' ');
  const event = { event: 'signed_in', user_id, detail, device, ...(is_new && { is_new }) } as const;
  const { sessions_version = factors.sessions_version } = proof;
  const isSignedIn = await recordChange(deps, traceOf(req, res), event, (told) =>
    signIn(req, { ...proof, sessions_version }, told),
  );
  if (!isSignedIn) {
    await leaveSession(req);
    return redirectToStep(page, 'login');
  }
  if (isToldHere) rememberBrowser(page, factors);
  const { client_id } = (await requestOf(page)).parameters;
  const { max_age } = await requiredSignIn(page);
  const isDemanded = client_id !== undefined && (max_age !== undefined || (await missingSignIn(page)) !== 'nothing');
  return isDemanded ? answerRequest(page, user_id) : goOn(page);
}

/** Returns what the person lacks: a person with a password here and no second factor can set one up for an application that demands two. */
async function missingLevel(page: AuthorizationPage, { methods, ...elsewhere }: Proof): Promise<'level' | undefined> {
  const acr = levelOf(methods, elsewhere, page.deps.config.two_factors_elsewhere);
  return methods.includes('password') && isTooWeak({ acr }, await requiredSignIn(page)) ? 'level' : undefined;
}

/** Whether less than a second factor is enough: not for an application that demands one, nor before a change. */
async function takesTrust(page: AuthorizationPage): Promise<boolean> {
  return (await requiredSignIn(page)).level !== 2 && parseForm(queryOf(page))['fresh'] === undefined;
}

/** Adds the trust in a browser to a proof: it takes the place of the second factor, but proves none. */
function withTrust(page: AuthorizationPage, proof: Proof, factors: Factors): Proof {
  const { user_id, now } = factors;
  if (!factors.is_needed || hasSecondFactor(proof.methods)) return proof;
  if (!isTrusted(page, { user_id, version: versionOf(factors), now })) return proof;
  return { ...proof, methods: [...proof.methods, 'trusted_browser'] };
}

/** Answers the authorization request in this response: a redirect to /authorize would demand the sign-in again. */
export async function answerRequest(page: AuthorizationPage, user_id: number): Promise<void> {
  const signedInPage = { ...page, user_id };
  const requester = { dialect: page.dialect, user_id, address: clientAddress(page.req) };
  const request = await readAuthorizationRequest(page.deps, await requestOf(page), requester);
  const { target } = request;
  if (isTooWeak(signInOf(page.req, page.deps.config), request)) {
    throw unmetLevel(target);
  }
  return answerPerson(signedInPage, request);
}

/** Leads to what the sign-in began for: the authorization request in the query, or the page that the person wanted to open. */
export function goOn(page: AuthorizationPage): void {
  const { client_id, to, kept } = parseForm(queryOf(page));
  if (client_id !== undefined) return redirectToStep(page, 'authorize');
  if (!isOwnPage(to)) return redirectWithin(page.res, page.deps.config, '/');
  return redirectWithin(page.res, page.deps.config, isSealed(kept) ? `${to}?${keptParameter}=${kept}` : to);
}
