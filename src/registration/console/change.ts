import type { RequestHandler } from 'express';
import { recordAct, recordRegistration } from '../../audit/audit.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import {
  deleteClient,
  disableApplication,
  disableClient,
  enableClient,
  vouchForClient,
} from '../../clients/administered-clients.sql.ts';
import { changeRegistration } from '../../clients/client-registration.sql.ts';
import type { Deps } from '../../deps.ts';
import { administratorsTrace } from '../../identity/administrator.ts';
import { changedMeanwhile, isOwnInput } from '../../identity/form-origin.ts';
import { OAuthError } from '../../lib/errors.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { ScopeCatalogue } from '../../lib/scope.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { fieldProblemOf } from './field-problem.ts';
import { consolePath, listPath } from './path.ts';
import {
  type ApplicationPage,
  forApplication,
  forApplicationForm,
  readAgain,
  recordApplication,
  recordedOf,
  renderApplication,
} from './registered-application.ts';
import {
  readRegistration,
  registrationFrom,
  registrationOf,
  registrationValues,
  scopesOfForm,
  type TypedRegistration,
  typedRegistration,
} from './registration.ts';

/**
 * Changes a registration, except for its secrets, type and owner. People who gave consent are asked again if a redirection URI was
 * added.
 */
export const changeApplication = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const form = bodyParameters(page.req);
    const catalogue = await findScopeCatalogue(deps.database, scopesOfForm(form));
    const typed = readRegistration(form, catalogue);
    const made_from = fieldOf(form, 'made_from');
    const problem = formProblem(page, form);
    if (problem)
      return renderApplication(page, 'registration', 403, {
        problem,
        ...(isOwnInput(page, form) && { typed, made_from }),
      });
    return saveRegistration(page, { form, typed, catalogue });
  });

interface Sent {
  form: Parameters;
  typed: TypedRegistration;
  catalogue: ScopeCatalogue;
}

async function saveRegistration(page: ApplicationPage, sent: Sent): Promise<void> {
  const { deps, res, application } = page;
  const { is_admin } = page.user;
  const { client_id } = application;
  const { form, typed, catalogue } = sent;
  const now = registrationValues(typedRegistration(application), catalogue);
  const meanwhile = changedMeanwhile(form, registrationValues(typed, catalogue), now);
  if (meanwhile) {
    const kept = registrationFrom(meanwhile.values, catalogue);
    return renderApplication(page, 'registration', 409, { typed: kept, changed_meanwhile: meanwhile.changed });
  }
  const change = { client_id, changes: registrationOf(typed), by_admin: is_admin, shown: application };
  const recorded = recordedOf(page, { event: 'client_changed' });
  const { isDone, problems } = await recordRegistration(deps, recorded, () =>
    changeRegistration(deps.database, change, recorded),
  );
  if (problems.length > 0) {
    const made_from = fieldOf(form, 'made_from');
    return renderApplication(page, 'registration', 400, { typed, made_from, problems: problems.map(fieldProblemOf) });
  }
  // another form was saved a moment ago
  if (!isDone) return saveRegistration(await readAgain(page), sent);
  return redirectWithin(res, deps.config, `${consolePath(client_id)}/registration?notice=application_saved`);
}

/** Disables an application, which is then refused everywhere with its tokens, until it is enabled again. */
export const disable = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'overview', async (page) => {
    const { user, application, res } = page;
    const { client_id, owner_id } = application;
    await recordApplication(page, { event: 'client_disabled' }, (recorded) =>
      owner_id === user.user_id
        ? disableApplication(deps.database, client_id, owner_id, recorded)
        : disableClient(deps.database, client_id, recorded),
    );
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=application_disabled`);
  });

export const enable = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'overview', async (page) => {
    const { user, application, res } = page;
    const { is_admin } = user;
    const { client_id, disabled_at } = application;
    if (disabled_at !== null) {
      const isEnabled = await recordApplication(page, { event: 'client_enabled' }, (recorded) =>
        enableClient(deps.database, client_id, is_admin, recorded),
      );
      if (!isEnabled && !is_admin)
        throw new OAuthError('access_denied', 'an administrator has disabled this application');
    }
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=application_enabled`);
  });

/**
 * Vouches for an application, or stops doing so. Until an administrator vouches for it, errors are shown on a page before the person is
 * redirected to it.
 */
export const vouch = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'overview', async (page) => {
    const { user, application, req, res } = page;
    const { client_id } = application;
    if (!user.is_admin) throw new OAuthError('access_denied', 'only an administrator may vouch for an application');
    const vouched = fieldOf(bodyParameters(req), 'vouched') === 'true';
    const detail = vouched ? 'vouched for' : 'no longer vouched for';
    await recordAct(deps, administratorsTrace(page), { event: 'client_changed', client_id, detail }, (recorded) =>
      vouchForClient(deps.database, client_id, vouched, recorded),
    );
    const notice = vouched ? 'application_vouched' : 'application_unvouched';
    return redirectWithin(res, deps.config, `${consolePath(client_id)}?notice=${notice}`);
  });

/** Deletes an application. That cannot be undone, so the name has to be typed: as it is registered, or as the page shows it. */
export const deleteApplication = (deps: Deps): RequestHandler =>
  forApplicationForm(deps, 'overview', async (page) => {
    const { req, res } = page;
    const { client_id, name } = page.application;
    const typed = fieldOf(bodyParameters(req), 'confirm').trim();
    if (typed !== name.trim() && typed !== oneLine(name)) {
      return renderApplication(page, 'overview', 400, { problem: 'wrong_name' });
    }
    await recordApplication(page, { event: 'client_deleted' }, (recorded) =>
      deleteClient(deps.database, client_id, recorded),
    );
    return redirectWithin(res, deps.config, `${listPath}?notice=application_deleted`);
  });
