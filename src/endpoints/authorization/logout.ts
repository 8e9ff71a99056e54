import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import type { Dialect } from '../../http/dialect.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters, queryParameters } from '../../http/request-parameters.ts';
import { endForms, formProblem } from '../../pages/form-key.ts';
import type { PageContext } from '../../pages/page-context.ts';
import { renderView } from '../../pages/render.ts';
import { signedInUser, signOut } from '../../pages/session.ts';
import { websiteOf } from '../../pages/website.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { hostOf } from '../../protocol/website.ts';
import { stepPath } from './authorization-page.ts';

/**
 * Requires the form key, so that no link or image can sign a person out. With an authorization request in the query the
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

/** Where the person may still be signed in. */
function siteOf(page: PageContext) {
  const website = websiteOf(page);
  return website && { href: new URL(website.url).origin, host: hostOf(website) };
}
