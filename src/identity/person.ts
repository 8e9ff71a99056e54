import type { Request, RequestHandler } from 'express';
import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { redirectWithin } from '../web/answers.ts';
import { issueFormKey } from '../web/form-key.ts';
import { isSealed, keepForm, keepLongForm, keptParameter } from '../web/kept-form.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { queryParameters } from '../web/request-parameters.ts';
import { returnAddress } from '../web/return-address.ts';
import type { Viewer, Visitor } from '../web/views/parts.ts';
import { signedInUser } from './session.ts';
import { findUser, ownsApplications, type User } from './users.sql.ts';

/** The person who is signed in, as templates see them, and the form key of their page. */
interface Person {
  readonly user: User;
  readonly viewer: Viewer;
  readonly csrf: string;
}

/** The context of a page that only a signed-in person can open. */
export interface SignedInPage extends PageContext, Person {}

/** Runs `show` for a signed-in person; anybody else is sent to the sign-in page, which leads back here. */
export const forPerson =
  (deps: Deps, show: (page: SignedInPage) => void | Promise<void>): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res };
    const person = await findPerson(page);
    if (!person) {
      const kept = keepForm(page);
      const long = kept ?? keepLongForm(page);
      if (kept === undefined && long !== undefined) return renderWaiting(page, long);
      const input = kept === undefined ? '' : `&${keptParameter}=${kept}`;
      const to = returnAddress(req) ?? req.path;
      return redirectWithin(res, deps.config, `/login?to=${encodeURIComponent(to)}${input}`);
    }
    return show({ ...page, ...person });
  };

/** Keeps a form that is too long for an address in this page, until the person has signed in beside it. */
function renderWaiting(page: PageContext, kept: string): void {
  const { base } = page.deps.config;
  const data = { action: base + page.req.path, kept, sign_in_href: `${base}/login?to=/account` };
  renderView(page, 'session-ended', data, 401);
}

/** Finds the person who is signed in, for a page that needs no sign-in. */
export async function findPerson(page: PageContext): Promise<Person | undefined> {
  const { config, database } = page.deps;
  const user_id = signedInUser(page.req);
  const user = user_id === undefined ? undefined : await findUser(database, user_id);
  if (!user) return undefined;
  const { username, name } = user;
  const developer = mayRegister(config, user) || (await ownsApplications(database, user.user_id));
  return {
    user,
    viewer: { username, name: name ?? username, developer, admin: user.is_admin },
    csrf: issueFormKey(page),
  };
}

/** Finds who looks at a page that needs no sign-in. */
export async function findVisitor(page: PageContext): Promise<Visitor> {
  const person = await findPerson(page);
  return person ? { viewer: person.viewer, csrf: person.csrf } : { signed_out: true };
}

/** Whether this person may register applications, as the operator has set it. */
export function mayRegister({ registration }: Config, { is_admin }: User): boolean {
  return registration === 'open' || (registration === 'admins' && is_admin);
}

/** The notice in the query, where a redirect after a form puts it; undefined unless it is one of `known`. */
export function noticeOf<Name extends string>(req: Request, known: readonly Name[]): Name | undefined {
  const { notice } = queryParameters(req);
  return known.find((name) => name === notice);
}

/** Answers GET of a path to which a form is posted, where a reload or a sign-in can lead: redirects to the page with that form. */
export const toParent =
  ({ config }: Deps): RequestHandler =>
  (req, res) => {
    const parent = req.path.replace(/\/[^/]*$/, '') as `/${string}`;
    const kept = queryParameters(req)[keptParameter];
    return redirectWithin(res, config, isSealed(kept) ? `${parent}?${keptParameter}=${kept}` : parent);
  };
