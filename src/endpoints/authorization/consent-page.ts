import { type AuthorizationRequest, hasChanged, isNewPermission } from '../../grants/authorization.ts';
import { isPublic } from '../../grants/client.ts';
import { issueFormKey } from '../../pages/form-key.ts';
import { permissionGroups } from '../../pages/permission-groups.ts';
import { redirectHost, remoteHost } from '../../pages/redirect-host.ts';
import { renderView } from '../../pages/render.ts';
import { shownClient } from '../../pages/shown-client.ts';
import { shownResources } from '../../pages/shown-resources.ts';
import type { ConsentPermission, ConsentProblem } from '../../pages/views/views.ts';
import { publicHttpsUrl } from '../../protocol/public-address.ts';
import type { Permission } from '../../protocol/scope.ts';
import type { GrantDuration } from '../../store/grants.ts';
import { findUser } from '../../store/users.ts';
import { carriedQuery, type SignedInAuthorizationPage, stepPath } from './authorization-page.ts';
import { issueTicket } from './consent-ticket.ts';

/** A consent form that is shown again: what was wrong with it, and what the person had chosen. */
export interface ReturnedForm {
  problem?: ConsentProblem;
  /** valid for the earlier form */
  ticket?: string;
  ticked?: readonly string[];
  duration?: GrantDuration;
}

/** The consent page: the application, and a checkbox for each permission that it requests. */
export async function showConsent(
  page: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  returned: ReturnedForm = {},
): Promise<void> {
  const { deps, user_id } = page;
  const { base } = deps.config;
  const { client, target } = request;
  const { problem } = returned;
  const requested = request.catalogue.filter(({ name }) => request.scopes.includes(name));
  const user = await findUser(deps.database, user_id);
  const username = user?.username ?? '';
  const data = {
    action: base + stepPath(page, 'consent'),
    switch_action: base + stepPath(page, 'logout'),
    csrf: issueFormKey(page),
    ticket: issueTicket(deps, { request, user_id, query: carriedQuery(page) }, returned.ticket),
    user: { username, name: user?.name ?? username },
    client: shownClient(client),
    redirect_host: redirectHost(target.redirect_uri),
    remote_host: remoteHost(target.redirect_uri),
    document_host: publicHttpsUrl(client.client_id)?.hostname,
    is_public: isPublic(client),
    gives_username: request.gives_username,
    resources: shownResources(deps.config, request.resources),
    groups: permissionGroups(requested, (permission) => checkboxOf(request, permission, returned)),
    more: request.scopes.filter((scope) => isNewPermission(request, scope)).length,
    duration: returned.duration ?? client.grant?.duration,
    problem,
    changed: hasChanged(request),
  };
  renderView(page, 'consent', data, problem ? 400 : 200);
}

/** Ticked unless the person refused this permission before. A form that is shown again keeps the person's choices. */
function checkboxOf(
  request: AuthorizationRequest,
  permission: Permission,
  { ticked }: ReturnedForm,
): ConsentPermission {
  const { required_scopes, scope_reasons, grant } = request.client;
  const { name, sentence, sentences, changes } = permission;
  const required = required_scopes.includes(name);
  const is_new = isNewPermission(request, name);
  return {
    scope: name,
    sentence,
    sentences,
    changes,
    required,
    reason: scope_reasons[name],
    checked: required || (ticked ? ticked.includes(name) : !grant?.refused_scopes.includes(name)),
    granted_before: !is_new && grant?.scopes.includes(name),
    is_new,
  };
}
