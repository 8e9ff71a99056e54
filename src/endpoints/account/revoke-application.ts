import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { formProblem } from '../../pages/form-key.ts';
import { revokeGrant } from '../../store/grants.ts';
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
    const isRevoked = await revokeGrant(deps.database, user_id, client_id);
    if (isRevoked) await audit(deps, traceOf(req, res), { event: 'consent_revoked', user_id, client_id });
    return redirectWithin(res, deps.config, '/account/applications?notice=application_revoked');
  });
