import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { namesSomebodyElse, readLoginHint } from '../../grants/login-hint.ts';
import { checkPassword } from '../../grants/password-check.ts';
import { isFirstDelay } from '../../grants/sign-in-limits.ts';
import { redirectWithin } from '../../http/answers.ts';
import type { Dialect } from '../../http/dialect.ts';
import { bodyParameters, queryParameters } from '../../http/parameters.ts';
import { clientAddress, traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem, issueFormKey } from '../../pages/form-key.ts';
import { rememberBrowser, signInBrowser } from '../../pages/known-browser.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { renderView } from '../../pages/render.ts';
import { signedInUser, signIn } from '../../pages/session.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import type { FormProblem, Viewer } from '../../pages/views/parts.ts';
import type { LoginProblem } from '../../pages/views/views.ts';
import { isClientId } from '../../protocol/client-id.ts';
import { demandsSignIn, type Prompt, readPrompt } from '../../protocol/prompt.ts';
import { findClient } from '../../store/clients.ts';
import { findUser } from '../../store/users.ts';
import { type AuthorizationPage, redirectToStep, requestOf, stepPath } from './authorization-page.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { answerPerson } from './authorize.ts';

/** Redirects a signed-in person, unless the request demands a password or a choice of account; else shows the page. */
export const showLogin =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const needsSignIn = signedInUser(req) === undefined || demandsSignIn(await requestedPrompt(page));
    return needsSignIn ? renderLogin(page) : redirectAfterSignIn(page);
  };

export const login =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const form = bodyParameters(req);
    const username = fieldOf(form, 'username');
    const problem = formProblem(page, form);
    if (problem) return renderLogin(page, { status: 403, username, problem: loginProblem(page, problem) });
    const signedIn = signedInUser(req);
    if (signedIn !== undefined && 'continue' in form && mayContinue(await requestedPrompt(page))) {
      return answerRequest(page, signedIn);
    }
    const trace = traceOf(req, res);
    const check = await checkPassword(deps, signInBrowser(page), username, form['password']).catch(refuseTooBusy(page));
    if ('status' in check) return renderLogin(page, { status: check.status, username, problem: check.name });
    const { wait, isRight, account } = check;
    const { user_id } = account;
    if (wait > 0) {
      if (await isFirstDelay(deps, trace.address ?? '')) await audit(deps, trace, { event: 'sign_in_delayed' });
      res.setHeader('Retry-After', wait);
      return renderLogin(page, {
        status: 429,
        username,
        problem: 'too_many_attempts',
        wait_minutes: Math.ceil(wait / 60),
      });
    }
    if (!isRight || user_id === null) {
      await audit(deps, trace, { event: 'sign_in_refused', user_id: user_id ?? undefined });
      return renderLogin(page, { status: 401, username, problem: 'wrong_credentials' });
    }
    rememberBrowser(page, account);
    await signIn(req, user_id);
    await audit(deps, trace, { event: 'signed_in', user_id });
    if (demandsSignIn(await requestedPrompt(page))) return answerRequest(page, user_id);
    return redirectAfterSignIn(page);
  };

/** Tells a form that expired from a browser that sends no cookies, and from one that opened another host name. */
function loginProblem({ deps: { config }, req }: PageContext, problem: FormProblem): LoginProblem {
  if (problem !== 'form_expired' || req.headers.cookie !== undefined) return problem;
  return req.headers.host === new URL(config.issuer).host ? 'cookies_missing' : 'other_host';
}

/**
 * The prompt of the authorization request, empty without one; a request for somebody else demands a choice of account.
 * readAuthorizationRequest refuses a malformed prompt.
 */
async function requestedPrompt(page: AuthorizationPage): Promise<Prompt> {
  const { client_id, prompt, login_hint } = (await requestOf(page)).parameters;
  if (client_id === undefined) return new Set();
  const values = (typeof prompt === 'string' ? readPrompt(prompt) : undefined) ?? new Set();
  const user_id = signedInUser(page.req);
  const isForAnother = user_id !== undefined && (await namesSomebodyElse(page.deps.database, user_id, login_hint));
  return isForAnother ? new Set([...values, 'select_account']) : values;
}

/** Whether a signed-in person may continue without a password: for a choice of account, but not for prompt=login. */
function mayContinue(prompt: Prompt): boolean {
  return prompt.has('select_account') && !prompt.has('login');
}

/** Answers the authorization request in this response: a redirect to /authorize would demand the sign-in again. */
async function answerRequest(page: AuthorizationPage, user_id: number): Promise<void> {
  const signedInPage = { ...page, user_id };
  const requester = { dialect: page.dialect, user_id, address: clientAddress(page.req) };
  const request = await readAuthorizationRequest(page.deps, await requestOf(page), requester);
  return answerPerson(signedInPage, request);
}

/** To /authorize with the same query, or to the page that the person wanted to open. */
function redirectAfterSignIn(page: AuthorizationPage): void {
  const { client_id, to } = queryParameters(page.req);
  if (client_id !== undefined) return redirectToStep(page, 'authorize');
  return redirectWithin(page.res, page.deps.config, isOwnPage(to) ? to : '/');
}

/** Whether it is the path of a page here; strict, so that no value leads to another host. */
function isOwnPage(path: unknown): path is `/${string}` {
  return typeof path === 'string' && /^\/(account|developer|playground)(\/(?!\.|%2[eE])[\w.~%-]+)*$/.test(path);
}

/** What the sign-in page shows after a failed attempt. */
interface FailedAttempt {
  status?: number;
  username?: string;
  problem?: LoginProblem;
  wait_minutes?: number;
}

export async function renderLogin(page: AuthorizationPage, attempt: FailedAttempt = {}): Promise<void> {
  const { deps } = page;
  const { status = 200, username, problem, wait_minutes } = attempt;
  const { client_id, login_hint } = (await requestOf(page)).parameters;
  const found =
    typeof client_id === 'string' && isClientId(client_id) ? await findClient(deps.database, client_id) : undefined;
  const client = found && { name: found.name, site_domain: found.site_domain, vouched: found.vouched };
  const csrf = issueFormKey(page);
  const prompt = await requestedPrompt(page);
  const viewer = await findViewer(page, prompt);
  const data = {
    action: deps.config.base + stepPath(page, 'login'),
    csrf,
    // the person may type another one
    username: username || readLoginHint(login_hint) || (!mayContinue(prompt) && viewer?.username) || '',
    client,
    problem,
    wait_minutes,
    again: viewer !== undefined && !mayContinue(prompt),
    account: mayContinue(prompt) ? viewer : undefined,
  };
  renderView(page, 'login', data, status);
}

/** The signed-in person, if the request demands a password or a choice of account all the same. */
async function findViewer({ deps, req }: PageContext, prompt: Prompt): Promise<Viewer | undefined> {
  const user_id = demandsSignIn(prompt) ? signedInUser(req) : undefined;
  const user = user_id === undefined ? undefined : await findUser(deps.database, user_id);
  return user && { username: user.username, name: user.name ?? user.username };
}
