import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { networkOf } from '../../protocol/network.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { countAttempt } from '../../store/attempts.ts';
import type { Trace } from '../../store/audit-events.ts';
import { findClient } from '../../store/clients.ts';
import { findUserCredentials } from '../../store/users.ts';
import { redirectWithin } from '../answers.ts';
import { addresses, type Dialect } from '../oauth/dialect.ts';
import { bodyOf, queryOf, rawQueryOf } from '../parameters.ts';
import { tryPassword } from '../passwords.ts';
import { traceOf } from '../request-log.ts';
import { type FormProblem, formProblem, issueFormKey } from './form-key.ts';
import { renderView } from './render.ts';
import { signedInUser, signIn } from './session.ts';
import { countSignIn, forgetSignIns } from './sign-in-limits.ts';
import type { LoginProblem } from './view-data.ts';

/** GET: who is signed in already goes on to where the query leads. */
export const showLogin =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    if (signedInUser(req) !== undefined) return goOn(deps, req, res, dialect);
    return renderLogin(deps, req, res, dialect, 200, '');
  };

export const login =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const form = bodyOf(req);
    const username = typeof form['username'] === 'string' ? form['username'].slice(0, 200) : '';
    const problem = formProblem(deps, req, form);
    if (problem) return renderLogin(deps, req, res, dialect, 403, username, explain(deps, req, problem));
    const trace = traceOf(req, res);
    const wait = await countSignIn(deps, req, username);
    if (wait > 0) {
      await noteDelay(deps, trace);
      res.setHeader('Retry-After', wait);
      return renderLogin(deps, req, res, dialect, 429, username, 'too_many_attempts', Math.ceil(wait / 60));
    }
    const { user_id, isRight } = await verifyCredentials(deps, username, form);
    if (!isRight || user_id === undefined) {
      await audit(deps, trace, { event: 'sign_in_refused', user_id });
      return renderLogin(deps, req, res, dialect, 401, username, 'wrong_credentials');
    }
    await forgetSignIns(deps, req, res, username);
    await signIn(req, user_id);
    await audit(deps, trace, { event: 'signed_in', user_id });
    return goOn(deps, req, res, dialect);
  };

/** Who tries on while waiting is worth a line now and then, not a row for each try. */
async function noteDelay(deps: Deps, trace: Trace): Promise<void> {
  const limit = { key: `delayed ${networkOf(trace.address ?? '')}`, free: 5, pause: 60, longest: 900 };
  if ((await countAttempt(deps.database, limit)) === 0) await audit(deps, trace, { event: 'sign_in_delayed' });
}

/** Why a form without its cookie came: people lose hours over cookies that one of localhost and 127.0.0.1 does not see. */
function explain({ config }: Deps, req: Request, problem: FormProblem): LoginProblem {
  if (problem !== 'form_expired' || req.headers.cookie !== undefined) return problem;
  return req.headers.host === new URL(config.issuer).host ? 'cookies_missing' : 'other_host';
}

async function verifyCredentials(
  deps: Deps,
  username: string,
  { password }: Parameters,
): Promise<{ user_id: number | undefined; isRight: boolean }> {
  // bcrypt would ignore what comes after the 72nd byte, so no such password was ever set
  if (typeof password !== 'string' || Buffer.byteLength(password) > 72) return { user_id: undefined, isRight: false };
  const user = await findUserCredentials(deps.database, username);
  return { user_id: user?.user_id, isRight: await tryPassword(password, user?.password_bcrypt) };
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
  renderView(req, res, deps.config, 'login', { action, csrf, username, client, problem, wait_minutes }, status);
}
