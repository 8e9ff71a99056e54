import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { checkPassword } from '../../grants/password-check.ts';
import { isFirstDelay } from '../../grants/sign-in-limits.ts';
import { redirectWithin } from '../../http/answers.ts';
import type { Dialect } from '../../http/dialect.ts';
import { bodyParameters, queryParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem, issueFormKey } from '../../pages/form-key.ts';
import { rememberBrowser, signInPlace } from '../../pages/known-browser.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { renderView } from '../../pages/render.ts';
import { signedInUser, signIn } from '../../pages/session.ts';
import type { FormProblem, Viewer } from '../../pages/views/parts.ts';
import type { LoginProblem } from '../../pages/views/views.ts';
import { asksWhoItIs, type Prompt, readPrompt } from '../../protocol/prompt.ts';
import { findClient } from '../../store/clients.ts';
import { findUser } from '../../store/users.ts';
import { type AuthorizationPage, redirectToStep, requestParameters, stepPath } from './authorization-page.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { answerPerson } from './authorize.ts';

/** GET: who is signed in already goes on to where the query leads, unless it demands the password or a choice. */
export const showLogin =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const isDone = signedInUser(req) !== undefined && !asksWhoItIs(await demandedPrompt(page));
    return isDone ? goOn(page) : renderLogin(page, {});
  };

export const login =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const form = bodyParameters(req);
    const username = fieldOf(form, 'username');
    const problem = formProblem(page, form);
    if (problem) return renderLogin(page, { status: 403, username, problem: explain(page, problem) });
    const present = signedInUser(req);
    if (present !== undefined && 'continue' in form && mayContinue(await demandedPrompt(page)))
      return answerHere(page, present);
    const trace = traceOf(req, res);
    const { wait, isRight, account } = await checkPassword(deps, signInPlace(page), username, form['password']);
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
    if (asksWhoItIs(await demandedPrompt(page))) return answerHere(page, user_id);
    return goOn(page);
  };

/** Why a form without its cookie came: people lose hours over cookies that one of localhost and 127.0.0.1 does not see. */
function explain({ deps: { config }, req }: PageContext, problem: FormProblem): LoginProblem {
  if (problem !== 'form_expired' || req.headers.cookie !== undefined) return problem;
  return req.headers.host === new URL(config.issuer).host ? 'cookies_missing' : 'other_host';
}

/** What the request that led here demands; a malformed one is refused where the request is read. */
async function demandedPrompt(page: AuthorizationPage): Promise<Prompt> {
  const { client_id, prompt } = await requestParameters(page);
  const values = client_id !== undefined && typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  return values ?? new Set();
}

/** Without the password only where an account is to be chosen and nothing else. */
function mayContinue(prompt: Prompt): boolean {
  return prompt.has('select_account') && !prompt.has('login');
}

/** The request goes on here: led back to its own address it would demand the same once more. */
async function answerHere(page: AuthorizationPage, user_id: number): Promise<void> {
  const signedIn = { ...page, user_id };
  const request = await readAuthorizationRequest(page.deps, await requestParameters(page), signedIn);
  return answerPerson(signedIn, request);
}

/** Back into exactly the request that led here: the query goes on as it came, the path is one of ours. */
function goOn(page: AuthorizationPage): void {
  const { client_id, to } = queryParameters(page.req);
  if (client_id !== undefined) return redirectToStep(page, 'authorize');
  return redirectWithin(page.res, page.deps.config, isPageOfOurs(to) ? to : '/');
}

/** Paths of pages that a person may be sent to; anything that could name another host is not one. */
function isPageOfOurs(path: unknown): path is `/${string}` {
  return typeof path === 'string' && /^\/(account|developer|playground)(\/(?!\.|%2[eE])[\w.~%-]+)*$/.test(path);
}

/** What came of an attempt to sign in; nothing before the first. */
interface Attempt {
  status?: number;
  username?: string;
  problem?: LoginProblem;
  wait_minutes?: number;
}

export async function renderLogin(page: AuthorizationPage, attempt: Attempt): Promise<void> {
  const { deps, req } = page;
  const { status = 200, username, problem, wait_minutes } = attempt;
  const { client_id } = queryParameters(req);
  const found = typeof client_id === 'string' ? await findClient(deps.database, client_id) : undefined;
  const client = found && { name: found.name, site_domain: found.site_domain };
  const csrf = issueFormKey(page);
  const prompt = await demandedPrompt(page);
  const present = await presentUser(page, prompt);
  const data = {
    action: deps.config.base + stepPath(page, 'login'),
    csrf,
    username: username || (!mayContinue(prompt) && present?.username) || '',
    client,
    problem,
    wait_minutes,
    again: present !== undefined && !mayContinue(prompt),
    account: mayContinue(prompt) ? present : undefined,
  };
  renderView(page, 'login', data, status);
}

/** Whoever is signed in although the sign-in page is shown: the request demands it. */
async function presentUser({ deps, req }: PageContext, prompt: Prompt): Promise<Viewer | undefined> {
  const user_id = asksWhoItIs(prompt) ? signedInUser(req) : undefined;
  const user = user_id === undefined ? undefined : await findUser(deps.database, user_id);
  return user && { username: user.username, name: user.name ?? user.username };
}
