import type { RequestHandler } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import type { Deps } from '../../deps.ts';
import { type FormValues, keptInput, madeFrom } from '../../identity/form-origin.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { isClientId } from '../../lib/client-id.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { reasonForScope, type ScopeCatalogue } from '../../lib/scope.ts';
import type { Choices } from '../../oauth/choice/choices.ts';
import { permissionGroups } from '../../oauth/consent/permission-groups.ts';
import { resourcesOf } from '../../oauth/consent/remembered-grant.ts';
import { endGrant } from '../../oauth/token/revocation.ts';
import { redirectWithin } from '../../web/answers.ts';
import { applicationPath } from '../../web/client-path.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { shownResources } from '../../web/shown-client.ts';
import type { PermissionGroup } from '../../web/views/parts.ts';
import type { Views } from '../../web/views/views.ts';
import type { GrantedPermission } from '../profile/account.view.ts';
import { grantFacts, renderApplications } from './applications.ts';
import { boxesOf, shownChoices } from './choices.ts';
import { type ConnectedApplication, findConnectedApplication } from './connected-applications.sql.ts';

/** The context of a page about an application that the person has allowed. */
export interface ConnectedPage extends SignedInPage {
  readonly application: ConnectedApplication;
}

/**
 * Runs `show` for the application in the path. Without access the person sees a page that says so, since applications link here
 * even after their access was revoked. A client_id that does not exist gets the same page.
 */
export const forConnected = (deps: Deps, show: (page: ConnectedPage) => void | Promise<void>): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, user, viewer, csrf } = page;
    const client_id = String(req.params['client_id']);
    const application =
      isClientId(client_id) && (await findConnectedApplication(deps.database, user.user_id, client_id));
    if (application) return show({ ...page, application });
    const back = { href: `${deps.config.base}/account/applications`, label: 'back.applications' as const };
    return renderView(page, 'message', { viewer, csrf, message: 'no_access', back }, 404);
  });

/** One connected application, with a checkbox for each permission. */
export const showApplication = (deps: Deps): RequestHandler =>
  forConnected(deps, (page) => {
    const form = keptInput(page, page.req.path);
    return renderApplication(page, form && { form, is_restored: true });
  });

/**
 * The values of the form, as they are compared with what is stored: each permission on which the person decided, given or not, what
 * the person chose, and where the permissions apply. `shown`: the choices on the page, on which the person may have decided nothing.
 */
export const storedValues = (application: ConnectedApplication, shown: readonly string[]): FormValues => ({
  ...sentValues(application, application.scopes, {
    ...Object.fromEntries(shown.map((name) => [name, []])),
    ...application.choices,
  }),
  // no scope has a quotation mark [6749 §3.3]
  '"resources"': resourcesOf(application),
});

/** The part of these values that the form sends: nothing about where the permissions apply. */
export const sentValues = (
  { scopes, refused_scopes }: ConnectedApplication,
  ticked: readonly string[],
  choices: Choices,
): FormValues => ({
  ...Object.fromEntries([...scopes, ...refused_scopes].map((scope) => [scope, ticked.includes(scope)])),
  ...Object.fromEntries(Object.entries(choices).map(([name, values]) => [`"choice.${name}"`, boxesOf(values)])),
});

/** The outcome of the form. */
interface Outcome extends Pick<Views['application'], 'problem' | 'changed_meanwhile' | 'is_restored'> {
  /** what is shown again; a form that was not saved counts for what its first page showed */
  form?: Parameters;
}

export async function renderApplication(page: ConnectedPage, outcome: Outcome = {}): Promise<void> {
  const { problem, form, ...shown } = outcome;
  const { deps, req, application, viewer, csrf } = page;
  const { config, database } = deps;
  const path = config.base + applicationPath(application.client_id);
  const isFirst = form === undefined || shown.changed_meanwhile !== undefined;
  const choices = await shownChoices(page, application, form);
  const names = choices.filter(({ is_empty }) => !is_empty).map(({ name }) => name);
  const data = {
    viewer,
    csrf,
    ...grantFacts(application),
    gives_username: application.gives_username,
    resources: shownResources(config, resourcesOf(application)),
    made_from: isFirst ? madeFrom(page, storedValues(application, names)) : fieldOf(form, 'made_from'),
    action: path,
    revoke_action: `${path}/revoke`,
    choices,
    groups: groupsOf(application, form ? tickedIn(form) : application.scopes, await findScopeCatalogue(database)),
    notice: noticeOf(req, ['permission_changed'] as const),
    problem,
    ...shown,
  };
  const status = shown.changed_meanwhile
    ? 409
    : problem === undefined
      ? 200
      : problem === 'form_expired' || problem === 'cross_site'
        ? 403
        : 400;
  renderView(page, 'application', data, status);
}

export const tickedIn = (form: Parameters): string[] => [form['scope'] ?? []].flat();

/** Lists the permissions that the person decided on. The application has to send a request for any other permission. */
function groupsOf(
  application: ConnectedApplication,
  ticked: readonly string[],
  catalogue: ScopeCatalogue,
): PermissionGroup<GrantedPermission>[] {
  const { scopes, refused_scopes, required_scopes, scope_reasons } = application;
  const decided = catalogue.filter(({ name }) => scopes.includes(name) || refused_scopes.includes(name));
  return permissionGroups(decided, ({ name, sentence, sentences, changes }) => {
    const granted = ticked.includes(name);
    // a permission that became required after the person refused it stays unlocked: they have not granted it
    const required = scopes.includes(name) && required_scopes.includes(name);
    return {
      scope: name,
      sentence,
      sentences,
      changes,
      granted,
      required,
      reason: reasonForScope(scope_reasons, name),
    };
  });
}

/** Ends the grant, and with it every code and token of the application for this person. */
export const revokeApplication = (deps: Deps): RequestHandler =>
  forConnected(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const { client_id } = page.application;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderApplications(page, problem);
    await endGrant(deps, traceOf(req, res), { user_id, client_id });
    return redirectWithin(res, deps.config, `/account/applications?revoked=${encodeURIComponent(client_id)}`);
  });
