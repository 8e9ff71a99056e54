import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import type { Dialect } from '../../http/dialect.ts';
import { bodyParameters, queryParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { formProblem } from '../../pages/form-key.ts';
import { renderView } from '../../pages/render.ts';
import { signedInUser, signOut } from '../../pages/session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { redirectToStep } from './authorization-page.ts';

/** Only by a form of ours: a link or an image must not sign anybody out. With a request in the query: to sign in as somebody else. */
export const logout =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    if (formProblem(page, bodyParameters(req)))
      throw new OAuthError('invalid_request', 'the form has expired', { status: 403 });
    const user_id = signedInUser(req);
    await signOut(req);
    if (user_id !== undefined) await audit(deps, traceOf(req, res), { event: 'signed_out', user_id });
    const isOnTheWay = queryParameters(req)['client_id'] !== undefined;
    if (isOnTheWay) return redirectToStep(page, 'login');
    return redirectWithin(res, deps.config, '/logout');
  };

export const showSignedOut =
  (deps: Deps): RequestHandler =>
  (req, res) =>
    renderView({ deps, req, res }, 'signed-out', {});
