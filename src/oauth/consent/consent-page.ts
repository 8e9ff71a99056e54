import { isPublic } from '../../clients/client.ts';
import { clientWithLogo } from '../../clients/client-logos.ts';
import { personMark } from '../../identity/form-origin.ts';
import { findUser } from '../../identity/users.sql.ts';
import { publicHttpsUrl } from '../../lib/public-address.ts';
import { type Permission, reasonForScope } from '../../lib/scope.ts';
import { issueFormKey } from '../../web/form-key.ts';
import { languages } from '../../web/language.ts';
import { renderView } from '../../web/render.ts';
import { newHosts, redirectHost, remoteHost, shownResources } from '../../web/shown-client.ts';
import {
  requestQuery,
  type SignedInAuthorizationPage,
  stepPath,
  withParameter,
} from '../authorize/authorization-page.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { choicesToShow } from '../choice/consent-choices.ts';
import type { ConsentPermission } from './consent.view.ts';
import { issueTicket } from './consent-ticket.ts';
import { choicesBefore, type ReturnedForm } from './kept-choices.ts';
import { newGroupsFirst } from './permission-groups.ts';
import { changeOf, isNewPermission } from './remembered-grant.ts';

/** The consent page: the application, and a checkbox for each permission that it requests. */
export async function showConsent(
  page: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  returned: ReturnedForm = choicesBefore(page),
): Promise<void> {
  const { deps, user_id } = page;
  const { base } = deps.config;
  const { client, target } = request;
  const { problem } = returned;
  const requested = request.catalogue.filter(({ name }) => request.scopes.includes(name));
  const { username = '', name, sub = '' } = (await findUser(deps.database, user_id)) ?? {};
  const choices = await choicesToShow(page, request, sub, returned.fields);
  const data = {
    action: base + stepPath(page, 'consent'),
    switch_action: base + stepPath(page, 'logout'),
    csrf: issueFormKey(page),
    ticket: issueTicket(deps, { request, user_id, query: requestQuery(page) }, returned.ticket),
    made_from: personMark(deps, user_id),
    languages: languages.map((one) => {
      const action = stepPath(withParameter(page, 'ui_locales', one.language), 'consent');
      return { ...one, action: base + action };
    }),
    user: { username, name: name ?? username },
    client: await clientWithLogo(deps, client),
    redirect_host: redirectHost(target.redirect_uri),
    remote_host: remoteHost(target.redirect_uri),
    document_host: publicHttpsUrl(client.client_id)?.hostname,
    is_public: isPublic(client),
    gives_username: request.gives_username,
    resources: shownResources(deps.config, request.resources),
    ...choices,
    groups: newGroupsFirst(
      requested,
      ({ name }) => isNewPermission(request, name),
      (permission) => checkboxOf(request, permission, returned, choices.boxes.get(permission.name)),
    ),
    more: choices.is_choice_only ? 0 : request.scopes.filter((scope) => isNewPermission(request, scope)).length,
    duration: returned.duration ?? client.grant?.duration,
    problem,
    changed: changeOf(request),
    new_hosts: newHosts(client.redirect_uris, client.grant?.redirect_uris ?? []),
  };
  renderView(page, 'consent', data, problem === undefined || problem === 'choices_lost' ? 200 : 400);
}

/** Ticked unless the person refused this permission before. A form that is shown again keeps the person's choices. */
function checkboxOf(
  request: AuthorizationRequest,
  permission: Permission,
  { ticked }: ReturnedForm,
  box: boolean | undefined,
): ConsentPermission {
  const { required_scopes, scope_reasons, grant } = request.client;
  const { name, sentence, sentences, changes } = permission;
  const required = required_scopes.includes(name);
  const given = grant?.scopes.includes(name) ? (grant.is_over ? 'over' : 'granted') : undefined;
  return {
    scope: name,
    sentence,
    sentences,
    changes,
    required,
    reason: reasonForScope(scope_reasons, name),
    checked:
      required || (box !== false && (ticked ? ticked.includes(name) : (box ?? !grant?.refused_scopes.includes(name)))),
    before: grant?.refused_scopes.includes(name) ? 'refused' : given,
    is_new: isNewPermission(request, name),
  };
}
