import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { bodyParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { applicationPath } from '../../pages/client-path.ts';
import { formProblem } from '../../pages/form-key.ts';
import { changeGrant } from '../../store/grants.ts';
import { forConnected, renderApplication } from './application.ts';

/** Takes effect at once: every use of a token reads the grant. */
export const changePermissions = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const { client_id } = page.application;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderApplication(page, problem);
    const granted = await changeGrant(deps.database, user_id, client_id, [form['scope'] ?? []].flat());
    if (!granted) return renderApplication(page, 'required_missing');
    const event = { event: 'consent_changed', user_id, client_id, detail: granted.join(' ') } as const;
    await audit(deps, traceOf(req, res), event);
    return redirectWithin(res, deps.config, `${applicationPath(client_id)}?notice=permission_changed`);
  });
