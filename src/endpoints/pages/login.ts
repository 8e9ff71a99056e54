import bcrypt from 'bcrypt';
import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { findClient } from '../../store/clients.ts';
import { findUserCredentials } from '../../store/users.ts';
import { redirectWithin } from '../answers.ts';
import { addresses, type Dialect } from '../oauth/dialect.ts';
import { bodyOf, queryOf, rawQueryOf } from '../parameters.ts';
import { formProblem, issueFormKey } from './form-key.ts';
import { renderView } from './render.ts';
import { signedInUser, signIn } from './session.ts';
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
    const username = typeof form['username'] === 'string' ? form['username'] : '';
    const problem = formProblem(deps, req, form);
    if (problem) return renderLogin(deps, req, res, dialect, 403, username, problem);
    const user_id = await verifyCredentials(deps, username, form);
    if (user_id === undefined) return renderLogin(deps, req, res, dialect, 401, username, 'wrong_credentials');
    await signIn(req, user_id);
    return goOn(deps, req, res, dialect);
  };

/** A valid hash, of a random password nobody kept, of the same cost as real ones: an unknown name must not answer sooner. */
const nobody = '$2b$12$iejSGpZkVCNPxDQ7a107sepAgdqyd10g/owQ9Uwq2Z7nIFE8/Pgoi';

async function verifyCredentials(deps: Deps, username: string, { password }: Parameters): Promise<number | undefined> {
  // bcrypt would ignore what comes after the 72nd byte, so no such password was ever set
  if (typeof password !== 'string' || Buffer.byteLength(password) > 72 || username.length > 200) return undefined;
  const user = await findUserCredentials(deps.database, username);
  const isRight = await bcrypt.compare(password, user?.password_bcrypt ?? nobody);
  return isRight ? user?.user_id : undefined;
}

/** Back into exactly the request that led here: the query goes on as it came, the path is one of ours. */
function goOn({ config }: Deps, req: Request, res: Response, dialect: Dialect): void {
  const { client_id, to } = queryOf(req);
  if (client_id !== undefined) return redirectWithin(res, config, `${addresses[dialect].authorize}?${rawQueryOf(req)}`);
  return redirectWithin(res, config, isPageOfOurs(to) ? to : '/');
}

/** Paths of pages that a person may be sent to; anything that could name another host is not one. */
function isPageOfOurs(path: unknown): path is `/${string}` {
  return typeof path === 'string' && /^\/(account|developer|playground)(\/[\w.~%-]+)*$/.test(path);
}

async function renderLogin(
  deps: Deps,
  req: Request,
  res: Response,
  dialect: Dialect,
  status: number,
  username: string,
  problem?: LoginProblem,
): Promise<void> {
  const { client_id } = queryOf(req);
  const client = typeof client_id === 'string' ? await findClient(deps.database, client_id) : undefined;
  const query = rawQueryOf(req);
  const action = deps.config.base + addresses[dialect].login + (query && `?${query}`);
  const csrf = issueFormKey(deps, req, res);
  renderView(req, res, deps.config, 'login', { action, csrf, username, client, problem }, status);
}
