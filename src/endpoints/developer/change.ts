import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { changeRegistration } from '../../store/client-registration.ts';
import { deleteClient, disableApplication, enableClient, vouchForClient } from '../../store/clients.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { oneLine } from '../../values/one-line.ts';
import { fieldProblemOf } from './field-problem.ts';
import { consolePath, listPath } from './path.ts';
import { forApplicationForm, noSuchApplication, renderApplication } from './registered-application.ts';
import { readRegistration, registrationOf } from './registration.ts';

/** Secrets, client type and owner stay. People who gave consent are asked again if a redirection URI was added. */
export const changeApplication = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async (page) => {
    const { req, res } = page;
    const { user_id, is_admin } = page.user;
    const { client_id } = page.application;
    const { database } = deps;
    const typed = readRegistration(bodyParameters(req), await findScopeCatalogue(database));
    const { isDone, problems } = await changeRegistration(database, registrationOf(client_id, typed), is_admin);
    if (problems.length > 0) {
      return renderApplication(page, 400, { typed, problems: problems.map(fieldProblemOf) });
    }
    if (!isDone) throw noSuchApplication();
    await audit(deps, traceOf(req, res), { event: 'client_changed', user_id, client_id });
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=application_saved`);
  });

/** A disabled application is refused everywhere, and its tokens with it, until it is enabled again. */
export const disable = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async ({ user, application, req, res }) => {
    const { user_id } = user;
    const { client_id } = application;
    const isDisabled = await disableApplication(deps.database, client_id, user_id);
    if (isDisabled) await audit(deps, traceOf(req, res), { event: 'client_disabled', user_id, client_id });
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=application_disabled`);
  });

export const enable = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async ({ user, application, req, res }) => {
    const { user_id, is_admin } = user;
    const { client_id, disabled_at } = application;
    if (disabled_at !== null) {
      const isEnabled = await enableClient(deps.database, client_id, is_admin);
      if (!isEnabled) throw new OAuthError('access_denied', 'an administrator has disabled this application');
      await audit(deps, traceOf(req, res), { event: 'client_enabled', user_id, client_id });
    }
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=application_enabled`);
  });

/** Until an administrator vouches for an application, errors are shown on a page before the person is redirected to it. */
export const vouch = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async ({ user, application, req, res }) => {
    const { user_id, is_admin } = user;
    const { client_id } = application;
    if (!is_admin) throw new OAuthError('access_denied', 'only an administrator may vouch for an application');
    const vouched = fieldOf(bodyParameters(req), 'vouched') === 'true';
    await vouchForClient(deps.database, client_id, vouched);
    const detail = vouched ? 'vouched for' : 'no longer vouched for';
    await audit(deps, traceOf(req, res), { event: 'client_changed', user_id, client_id, detail });
    const notice = vouched ? 'application_vouched' : 'application_unvouched';
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=${notice}`);
  });

/** Deletion cannot be undone, so the name has to be typed: as it is registered, or as the page shows it. */
export const deleteApplication = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const { client_id, name } = page.application;
    const typed = fieldOf(bodyParameters(req), 'confirm').trim();
    if (typed !== name.trim() && typed !== oneLine(name)) {
      return renderApplication(page, 400, { problem: 'wrong_name' });
    }
    await deleteClient(deps.database, client_id);
    await audit(deps, traceOf(req, res), { event: 'client_deleted', user_id, client_id });
    return redirectWithin(res, deps.config, `${listPath}?notice=application_deleted`);
  });
