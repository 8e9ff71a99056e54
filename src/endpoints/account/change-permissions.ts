import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { applicationPath } from '../../pages/client-path.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { isWithin } from '../../protocol/scope.ts';
import { findConnectedApplication } from '../../store/connected-applications.ts';
import { changeGrant } from '../../store/grants.ts';
import { type ConnectedPage, forConnected, renderApplication } from './application.ts';

/** Takes effect at once: every use of a token reads the grant. */
export const changePermissions = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const { client_id } = page.application;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderApplication(page, problem);
    const chosen = [form['scope'] ?? []].flat();
    const granted = await changeGrant(deps.database, { user_id, client_id, chosen, version: fieldOf(form, 'version') });
    if (granted === undefined) return answerLatecomer(page, chosen);
    if (granted === null) return renderApplication(page, 'required_missing');
    const event = { event: 'consent_changed', user_id, client_id, detail: granted.join(' ') } as const;
    await audit(deps, traceOf(req, res), event);
    return redirectToSaved(page);
  });

/** The permissions were changed after the page was shown: by the first of two clicks, or by another decision. */
async function answerLatecomer(page: ConnectedPage, chosen: readonly string[]): Promise<void> {
  const { deps, user, application } = page;
  const now = await findConnectedApplication(deps.database, user.user_id, application.client_id);
  if (!now) return redirectWithin(page.res, deps.config, applicationPath(application.client_id));
  const isAsChosen = isWithin(now.scopes, chosen) && !now.refused_scopes.some((scope) => chosen.includes(scope));
  if (isAsChosen) return redirectToSaved(page);
  return renderApplication({ ...page, application: now }, 'changed_meanwhile');
}

function redirectToSaved({ deps, res, application }: ConnectedPage): void {
  redirectWithin(res, deps.config, `${applicationPath(application.client_id)}?notice=permission_changed`);
}
