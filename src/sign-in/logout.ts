import type { RequestHandler } from 'express';
import { audit } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { signedInUser, signOut } from '../identity/session.ts';
import { OAuthError } from '../lib/errors.ts';
import { hostOf } from '../lib/website.ts';
import { stepPath } from '../oauth/authorize/authorization-page.ts';
import type { Dialect } from '../oauth/github/dialect.ts';
import { websiteOf } from '../people/website/website.ts';
import { redirectWithin } from '../web/answers.ts';
import { endForms, formProblem } from '../web/form-key.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { traceOf } from '../web/request-log.ts';
import { bodyParameters, queryParameters } from '../web/request-parameters.ts';

/**
 * Signs out. Requires the form key, so that no link or image can sign a person out. With an authorization request in the query, the
 * sign-in page follows, where the person can choose another account.
 */
export const logout =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    if (formProblem(page, bodyParameters(req)))
      throw new OAuthError('invalid_request', 'the form has expired', { status: 403 });
    const user_id = signedInUser(req);
    await signOut(req);
    endForms(page);
    if (user_id !== undefined) await audit(deps, traceOf(req, res), { event: 'signed_out', user_id });
    const isForRequest = queryParameters(req)['client_id'] !== undefined;
    // the website has to ask who it is: the person is still signed in there
    const isOther = websiteOf(page) !== undefined && queryParameters(req)['other'] === undefined;
    if (isForRequest) return redirectWithin(res, deps.config, `${stepPath(page, 'login')}${isOther ? '&other=1' : ''}`);
    return redirectWithin(res, deps.config, '/logout');
  };

export const showSignedOut =
  (deps: Deps): RequestHandler =>
  (req, res) =>
    renderView({ deps, req, res }, 'signed-out', { website: siteOf({ deps, req, res }) });

/** Returns the site where the person may still be signed in. */
function siteOf(page: PageContext) {
  const website = websiteOf(page);
  return website && { href: new URL(website.url).origin, host: hostOf(website) };
}
