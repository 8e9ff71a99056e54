import { createHmac } from 'node:crypto';
import type { RequestHandler } from 'express';
import { audit } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace, ifSignedInRecently } from '../identity/administrator.ts';
import { forPerson, type SignedInPage } from '../identity/person.ts';
import { isAdministrator, signedInUser } from '../identity/session.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { readCookie } from '../web/cookies.ts';
import { browserOfForm, formProblem, isEqual } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import { bodyParameters } from '../web/request-parameters.ts';

/**
 * Stands before each method of each path below /admin: for everybody else the path does not exist, and the code for unknown paths
 * says so. Tokens and credentials of clients are not looked at.
 */
export const administratorsOnly =
  (deps: Deps): RequestHandler =>
  (req, res, next) => {
    const isOver = signedInUser(req) === undefined && hasAdministered({ deps, req, res });
    next(isAdministrator(req) || isOver ? undefined : 'route');
  };

// A browser that has shown these pages knows that they exist: after the end of its session it is led to the sign-in and back, with
// what was typed. A cookie says so; it is bound to the cookie of the forms, which a sign-out ends.

const cookieName = ({ deps: { config } }: PageContext) => (config.secure ? '__Host-administered' : 'administered');

const markOf = (secret: string, page: PageContext) =>
  createHmac('sha256', secret)
    .update(`administered\n${browserOfForm(page)}`)
    .digest('base64url');

function hasAdministered(page: PageContext): boolean {
  const mark = readCookie(page.req, cookieName(page));
  if (mark === undefined || browserOfForm(page) === '') return false;
  return page.deps.sessionSecrets.some((secret) => isEqual(mark, markOf(secret, page)));
}

function rememberAdministration(page: PageContext): void {
  const { secure } = page.deps.config;
  const mark = markOf(page.deps.sessionSecrets[0] ?? '', page);
  page.res.cookie(cookieName(page), mark, { httpOnly: true, sameSite: 'lax', secure, path: '/' });
}

type Show = (page: SignedInPage) => void | Promise<void>;

/** Runs `show` for an administrator who has signed in within the last minutes; others sign in again first, and come back. */
export const forAdministrator = (deps: Deps, show: Show): RequestHandler =>
  forPerson(deps, (page) => {
    // the session was found, but the person has lost the rights meanwhile
    if (!page.user.is_admin) throw new OAuthError('not_found', 'there is no page at this address');
    if (!hasAdministered(page)) rememberAdministration(page);
    return ifSignedInRecently(page, show);
  });

/** Runs `change` for a form of an administrator, and only if a page of this session has sent it. */
export const forAdministratorsForm = (
  deps: Deps,
  change: (page: SignedInPage, form: Parameters) => void | Promise<void>,
): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    if (problem === undefined) return change(page, form);
    await audit(deps, administratorsTrace(page), { event: 'administration_refused', detail: problem });
    throw new OAuthError('access_denied', 'the form came from another site or session: open its page again');
  });
