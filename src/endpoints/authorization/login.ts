import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { checkPassword } from '../../grants/password-check.ts';
import { isFirstDelay } from '../../grants/sign-in-limits.ts';
import { redirectWithin } from '../../http/answers.ts';
import { addresses, type Dialect } from '../../http/dialect.ts';
import { bodyOf, queryOf, rawQueryOf } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { type FormProblem, formProblem, issueFormKey } from '../../pages/form-key.ts';
import { rememberBrowser, signInPlace } from '../../pages/known-browser.ts';
import { renderView } from '../../pages/render.ts';
import { signedInUser, signIn } from '../../pages/session.ts';
import type { Viewer } from '../../pages/views/parts.ts';
import type { LoginProblem } from '../../pages/views/views.ts';
import { asksWhoItIs, type Prompt, readPrompt } from '../../protocol/prompt.ts';
import { findClient } from '../../store/clients.ts';
import { findUser } from '../../store/users.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { answerPerson } from './authorize.ts';

/** GET: who is signed in already goes on to where the query leads, unless it demands the password or a choice. */
export const showLogin =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const isDone = signedInUser(req) !== undefined && !asksWhoItIs(demandedPrompt(req));
    if (isDone) return goOn(deps, req, res, dialect);
    return renderLogin(deps, req, res, dialect, 200, '');
  };

export const login =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const form = bodyOf(req);
    const username = typeof form['username'] === 'string' ? form['username'] : '';
    const problem = formProblem(deps, req, form);
    if (problem) return renderLogin(deps, req, res, dialect, 403, username, explain(deps, req, problem));
    const present = signedInUser(req);
    if (present !== undefined && 'continue' in form && mayContinue(req)) {
      return answerHere(deps, req, res, dialect, present);
    }
    const trace = traceOf(req, res);
    const { wait, isRight, account } = await checkPassword(deps, signInPlace(deps, req), username, form['password']);
    const { user_id } = account;
    if (wait > 0) {
      if (await isFirstDelay(deps, trace.address ?? '')) await audit(deps, trace, { event: 'sign_in_delayed' });
      res.setHeader('Retry-After', wait);
      return renderLogin(deps, req, res, dialect, 429, username, 'too_many_attempts', Math.ceil(wait / 60));
    }
    if (!isRight || user_id === null) {
      await audit(deps, trace, { event: 'sign_in_refused', user_id: user_id ?? undefined });
      return renderLogin(deps, req, res, dialect, 401, username, 'wrong_credentials');
    }
    rememberBrowser(deps, req, res, account);
    await signIn(req, user_id);
    await audit(deps, trace, { event: 'signed_in', user_id });
    if (asksWhoItIs(demandedPrompt(req))) return answerHere(deps, req, res, dialect, user_id);
    return goOn(deps, req, res, dialect);
  };

/** Why a form without its cookie came: people lose hours over cookies that one of localhost and 127.0.0.1 does not see. */
function explain({ config }: Deps, req: Request, problem: FormProblem): LoginProblem {
  if (problem !== 'form_expired' || req.headers.cookie !== undefined) return problem;
  return req.headers.host === new URL(config.issuer).host ? 'cookies_missing' : 'other_host';
}

/** What the request that led here demands; a malformed one is refused where the request is read. */
function demandedPrompt(req: Request): Prompt {
  const { client_id, prompt } = queryOf(req);
  const values = client_id !== undefined && typeof prompt === 'string' ? readPrompt(prompt) : undefined;
  return values ?? new Set();
}

/** Without the password only where an account is to be chosen and nothing else. */
function mayContinue(req: Request): boolean {
  const prompt = demandedPrompt(req);
  return prompt.has('select_account') && !prompt.has('login');
}

/** The request goes on here: led back to its own address it would demand the same once more. */
async function answerHere(deps: Deps, req: Request, res: Response, dialect: Dialect, user_id: number): Promise<void> {
  const request = await readAuthorizationRequest(deps, req, dialect, user_id);
  return answerPerson(deps, req, res, dialect, request, user_id);
}

/** Back into exactly the request that led here: the query goes on as it came, the path is one of ours. */
function goOn({ config }: Deps, req: Request, res: Response, dialect: Dialect): void {
  const { client_id, to } = queryOf(req);
  if (client_id !== undefined) return redirectWithin(res, config, `${addresses[dialect].authorize}?${rawQueryOf(req)}`);
  return redirectWithin(res, config, isPageOfOurs(to) ? to : '/');
}

/** Paths of pages that a person may be sent to; anything that could name another host is not one. */
function isPageOfOurs(path: unknown): path is `/${string}` {
  return typeof path === 'string' && /^\/(account|developer|playground)(\/(?!\.|%2[eE])[\w.~%-]+)*$/.test(path);
}

export async function renderLogin(
  deps: Deps,
  req: Request,
  res: Response,
  dialect: Dialect,
  status: number,
  username: string,
  problem?: LoginProblem,
  wait_minutes?: number,
): Promise<void> {
  const { client_id } = queryOf(req);
  const found = typeof client_id === 'string' ? await findClient(deps.database, client_id) : undefined;
  const client = found && { name: found.name, site_domain: found.site_domain };
  const query = rawQueryOf(req);
  const action = deps.config.base + addresses[dialect].login + (query && `?${query}`);
  const csrf = issueFormKey(deps, req, res);
  const present = await presentUser(deps, req);
  const data = {
    action,
    csrf,
    username: username || (!mayContinue(req) && present?.username) || '',
    client,
    problem,
    wait_minutes,
    again: present !== undefined && !mayContinue(req),
    account: mayContinue(req) ? present : undefined,
  };
  renderView(req, res, deps.config, 'login', data, status);
}

/** Whoever is signed in although the sign-in page is shown: the request demands it. */
async function presentUser({ database }: Deps, req: Request): Promise<Viewer | undefined> {
  const user_id = asksWhoItIs(demandedPrompt(req)) ? signedInUser(req) : undefined;
  const user = user_id === undefined ? undefined : await findUser(database, user_id);
  return user && { username: user.username, name: user.name ?? user.username };
}
