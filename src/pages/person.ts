import type { Request, RequestHandler, Response } from 'express';
import type { Config } from '../config.ts';
import type { Deps } from '../deps.ts';
import { redirectWithin } from '../http/answers.ts';
import { queryOf } from '../http/parameters.ts';
import { ownsApplications } from '../store/developer-applications.ts';
import { findUser, type User } from '../store/users.ts';
import { issueFormKey } from './form-key.ts';
import { signedInUser } from './session.ts';
import type { Viewer, Visitor } from './views/parts.ts';

/** Who is signed in, and what every page behind the sign-in carries. */
export interface Person {
  user: User;
  viewer: Viewer;
  csrf: string;
}

type PersonalPage = (person: Person, req: Request, res: Response) => void | Promise<void>;

/** A page for who is signed in; anybody else signs in first and is then led back to it. */
export const forPerson =
  (deps: Deps, page: PersonalPage): RequestHandler =>
  async (req, res) => {
    const person = await findPerson(deps, req, res);
    if (!person) return redirectWithin(res, deps.config, `/login?to=${encodeURIComponent(req.path)}`);
    return page(person, req, res);
  };

export async function findPerson(deps: Deps, req: Request, res: Response): Promise<Person | undefined> {
  const user_id = signedInUser(req);
  const user = user_id === undefined ? undefined : await findUser(deps.database, user_id);
  if (!user) return undefined;
  const { username, name } = user;
  const developer = mayRegister(deps.config, user) || (await ownsApplications(deps.database, user.user_id));
  return { user, viewer: { username, name: name ?? username, developer }, csrf: issueFormKey(deps, req, res) };
}

/** For a page that everybody may see. */
export async function findVisitor(deps: Deps, req: Request, res: Response): Promise<Visitor> {
  const person = await findPerson(deps, req, res);
  return person ? { viewer: person.viewer, csrf: person.csrf } : { signed_out: true };
}

/** Whether this person may register applications, as the operator has set it. */
export function mayRegister({ registration }: Config, { is_admin }: User): boolean {
  return registration === 'open' || (registration === 'admins' && is_admin);
}

/** Good news that a redirect brings along in its query; only of the names that the page knows. */
export function noticeOf<Name extends string>(req: Request, known: readonly Name[]): Name | undefined {
  const { notice } = queryOf(req);
  return known.find((name) => name === notice);
}

/** The address of a form is no page: who comes there by a link, a reload or a sign-in gets the page it stands on. */
export const toParent =
  ({ config }: Deps): RequestHandler =>
  (req, res) =>
    redirectWithin(res, config, req.path.replace(/\/[^/]*$/, '') as `/${string}`);
