import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { formProblem } from '../../pages/form-key.ts';
import { isFresh } from '../../pages/fresh-proof.ts';
import { keepForm, keptParameter } from '../../pages/kept-form.ts';
import { forPerson, type SignedInPage } from '../../pages/person.ts';
import { returnAddress } from '../../pages/return-address.ts';
import { hasKnownTime, isAdministrator } from '../../pages/session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import type { OperatorsTrace } from '../../store/audit.ts';

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
    return isFresh(page) ? show(page) : askAgain(page);
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

/** The trail names the administrator beside the person or application of an event. */
export const administratorsTrace = ({ req, res, user }: SignedInPage): OperatorsTrace => ({
  ...traceOf(req, res),
  by_user_id: user.user_id,
});

/** After the sign-in comes the page that was asked for; after a form, the page that has it, with what was typed. */
function askAgain(page: SignedInPage): void {
  const { deps, req, res } = page;
  if (!hasKnownTime(req)) {
    // to sign in there again would lead here again
    throw new OAuthError(
      'access_denied',
      'the provider of this sign-in does not tell when it was; sign in another way',
    );
  }
  const to = returnAddress(req) ?? req.path;
  const kept = keepForm(page);
  const query = new URLSearchParams({ to, fresh: '1', ...(kept !== undefined && { [keptParameter]: kept }) });
  return redirectWithin(res, deps.config, `/login?${query}`);
}
