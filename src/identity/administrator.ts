import type { OperatorsTrace } from '../audit/audit.sql.ts';
import { OAuthError } from '../lib/errors.ts';
import { digestOf } from '../lib/secrets.ts';
import { redirectWithin } from '../web/answers.ts';
import { keepForm, keptParameter } from '../web/kept-form.ts';
import { traceOf } from '../web/request-log.ts';
import { returnAddress } from '../web/return-address.ts';
import { isFresh } from './fresh-proof.ts';
import type { SignedInPage } from './person.ts';
import { hasKnownTime } from './session.ts';

// An administrator's privileges have one guard and one trace, wherever they are used: at /admin and in the developer console.

type ShowPage = (page: SignedInPage) => void | Promise<void>;

/** Runs `show` for an administrator who has signed in recently; others have to sign in again first, and come back. */
export const ifSignedInRecently = (page: SignedInPage, show: ShowPage) => (isFresh(page) ? show(page) : askAgain(page));

/** The trace of an administrator's action: the audit trail names the administrator beside the person or application of an event. */
export const administratorsTrace = ({ req, res, user }: SignedInPage): OperatorsTrace => ({
  ...traceOf(req, res),
  by: { user_id: user.user_id, sid_sha256: digestOf(req.sessionID) },
});

/** Redirects to the sign-in, which leads back to the page; after a form, to the page with the form and what was typed. */
function askAgain(page: SignedInPage): void {
  const { deps, req, res } = page;
  if (!hasKnownTime(req)) {
    // signing in there again would lead here again
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
