import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { endGrant } from '../../oauth/token/revocation.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { forConnected } from './application.ts';
import { renderApplications } from './applications.ts';

/** Ends the grant, and with it every code and token of the application for this person. */
export const revokeApplication = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const { client_id } = page.application;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderApplications(page, problem);
    await endGrant(deps, traceOf(req, res), { user_id, client_id });
    return redirectWithin(res, deps.config, '/account/applications?notice=application_revoked');
  });
