import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { administratorsTrace, ifSignedInRecently } from '../../pages/administrator.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson, type SignedInPage } from '../../pages/person.ts';
import { isAdministrator } from '../../pages/session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';

/**
 * Before each method of each path below /admin: for everybody else the path does not exist, and the same code as for any unknown path
 * says so. Tokens and credentials of clients are not looked at.
 */
export const administratorsOnly: RequestHandler = (req, _res, next) => (isAdministrator(req) ? next() : next('route'));

type Show = (page: SignedInPage) => void | Promise<void>;

/** Runs `show` for an administrator who has signed in within the last minutes; others sign in again first, and come back. */
export const forAdministrator = (deps: Deps, show: Show): RequestHandler =>
  forPerson(deps, (page) => {
    // not any more, since the session was found
    if (!page.user.is_admin) throw new OAuthError('not_found', 'there is no page at this address');
    return ifSignedInRecently(page, show);
  });

/** The same for a form, which changes nothing unless a page of this session has sent it. */
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
