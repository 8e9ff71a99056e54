import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { changedMeanwhile, isOwnInput } from '../../identity/form-origin.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { changeGrant } from '../../oauth/consent/grant-changes.sql.ts';
import { redirectWithin } from '../../web/answers.ts';
import { applicationPath } from '../../web/client-path.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { type ConnectedPage, choiceValues, forConnected, permissionValues, renderApplication } from './application.ts';
import { findConnectedApplication } from './connected-applications.sql.ts';

/** Changes the permissions of an application at once: every use of a token reads the grant. */
export const changePermissions = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const chosen = [form['scope'] ?? []].flat();
    if (problem) return renderApplication(page, { problem, ...(isOwnInput(page, form) && keptOf(form, chosen)) });
    return save(page, form, chosen);
  });

const keptOf = (form: Parameters, chosen: readonly string[]) => ({ chosen, made_from: fieldOf(form, 'made_from') });

async function save(page: ConnectedPage, form: Parameters, chosen: readonly string[]): Promise<void> {
  const { deps, req, res, user, application } = page;
  const { user_id } = user;
  const { client_id, version } = application;
  // forms of the previous release have nothing but the version
  const isCurrent = fieldOf(form, 'version') === version;
  const meanwhile = isCurrent
    ? undefined
    : changedMeanwhile(form, choiceValues(application, chosen), permissionValues(application));
  if (meanwhile) {
    const kept = Object.keys(meanwhile.values).filter((scope) => meanwhile.values[scope] === true);
    return renderApplication(page, { chosen: kept, changed_meanwhile: meanwhile.changed });
  }
  const trace = traceOf(req, res);
  const change = { user_id, client_id, chosen, version, sessions_version: sessionsVersionOf(req) };
  const granted = await changeGrant(deps.database, change, trace);
  if (granted === undefined) return saveAgain(page, form, chosen);
  const { scopes, is_changed } = granted;
  if (scopes === null) return renderApplication(page, { problem: 'required_missing', ...keptOf(form, chosen) });
  if (is_changed) logEvent(deps, trace, { event: 'consent_changed', user_id, client_id, detail: scopes.join(' ') });
  return redirectWithin(res, deps.config, `${applicationPath(client_id)}?notice=permission_changed`);
}

/** The permissions were changed a moment ago, by the first of two clicks or by another decision; or else the session has ended. */
async function saveAgain(page: ConnectedPage, form: Parameters, chosen: readonly string[]): Promise<void> {
  const { deps, user, application } = page;
  const now = await findConnectedApplication(deps.database, user.user_id, application.client_id);
  if (!now || now.version === application.version)
    return redirectWithin(page.res, deps.config, applicationPath(application.client_id));
  return save({ ...page, application: now }, form, chosen);
}
