import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { isPublic } from '../../clients/client.ts';
import type { Deps } from '../../deps.ts';
import { isFormOf, personMark } from '../../identity/form-origin.ts';
import { findUser } from '../../identity/users.sql.ts';
import { type Parameters, parseForm } from '../../lib/parameters.ts';
import { demandsSignIn } from '../../lib/prompt.ts';
import { publicHttpsUrl } from '../../lib/public-address.ts';
import type { Permission } from '../../lib/scope.ts';
import { issueFormKey } from '../../web/form-key.ts';
import { keptParameter, openKept } from '../../web/kept-form.ts';
import { languages } from '../../web/language.ts';
import { redirectHost, remoteHost } from '../../web/redirect-host.ts';
import { renderView } from '../../web/render.ts';
import { shownClient } from '../../web/shown-client.ts';
import { shownResources } from '../../web/shown-resources.ts';
import { type AuthorizationRequest, decisionsIn, hasChanged, isNewPermission } from '../authorize/authorization.ts';
import {
  queryOf,
  requestQuery,
  type SignedInAuthorizationPage,
  stepPath,
  withParameter,
} from '../authorize/authorization-page.ts';
import { flowPaths } from '../github/dialect.ts';
import type { ConsentPermission, ConsentProblem } from './consent.view.ts';
import type { GrantDuration } from './grants.sql.ts';
import { permissionGroups } from './permission-groups.ts';

/** A consent form that is shown again: what was wrong with it, and what the person had chosen. */
export interface ReturnedForm {
  problem?: ConsentProblem;
  /** valid for the earlier form */
  ticket?: string;
  ticked?: readonly string[];
  duration?: GrantDuration;
}

export const choicesSchema = z.object({
  scope: z.union([z.string(), z.array(z.string())]).default([]),
  duration: z.enum(['always', '30d', 'once']).default('always'),
});

/** The boxes and the duration that the person chose in an earlier form, to be shown again and not to be acted on. */
export function choicesIn(form: Parameters): ReturnedForm {
  const { success, data } = choicesSchema.safeParse(form);
  return success ? { ticked: [data.scope].flat(), duration: data.duration } : {};
}

/** Stands for choices that cannot be kept: opens as nothing. */
export const lostChoices = '-';

/** What the same person had chosen when the session ended. If that is lost, nothing counts as chosen: a refusal may be among it. */
function choicesBefore(page: SignedInAuthorizationPage): ReturnedForm {
  const sealed = parseForm(queryOf(page))[keptParameter];
  if (sealed === undefined) return {};
  const kept = openKept(page, sealed, flowPaths[page.dialect].consent);
  if (!kept) return { problem: 'choices_lost', ticked: [], duration: 'once' };
  return isFormOf(page.deps, page.user_id, kept) ? choicesIn(kept) : {};
}

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
  const user = await findUser(deps.database, user_id);
  const username = user?.username ?? '';
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
  renderView(page, 'consent', data, problem === undefined || problem === 'choices_lost' ? 200 : 400);
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

/** Characters of each half of a ticket: 16 bytes in base64url. */
const halfLength = 22;

/** Seconds for which a ticket replaces the password that a request demands; after that the person enters it again. */
const passwordTtl = 600;

const now = () => Math.floor(Date.now() / 1000);

/** What a consent form showed, and to whom. */
export interface ShownForm {
  request: AuthorizationRequest;
  user_id: number;
  /** the query of the authorization request, see carriedQuery */
  query: string;
}

/**
 * Identifies one consent form. The first half is the time and 12 random bytes, the second an HMAC of what the form shows.
 * A form that is shown again keeps the time of its earlier ticket, so that sending it does not prolong the password.
 */
export function issueTicket({ sessionSecrets }: Deps, form: ShownForm, earlier?: string): string {
  const bytes = randomBytes(16);
  bytes.writeUInt32BE(earlier === undefined ? now() : timeOf(earlier));
  const id = bytes.toString('base64url');
  return id + hmacOf(sessionSecrets[0] ?? '', id, form);
}

/**
 * Whether the ticket was issued for this form. A registration can change while a person reads the form; a decision counts
 * only if the request, the application, its redirection URIs, its permissions and where they apply are the same that the person saw.
 */
export function isTicketFor({ sessionSecrets }: Deps, ticket: string, form: ShownForm): boolean {
  const id = idOf(ticket);
  const received = Buffer.from(ticket.slice(halfLength));
  const isGenuine = sessionSecrets.some((secret) => {
    const expected = Buffer.from(hmacOf(secret, id, form));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  if (!isGenuine || !demandsSignIn(form.request)) return isGenuine;
  // a ticket of the future shows that the clock of an instance was put back
  return Math.abs(now() - timeOf(ticket)) < passwordTtl;
}

const idOf = (ticket: string) => ticket.slice(0, halfLength);
const timeOf = (ticket: string) => Buffer.from(idOf(ticket), 'base64url').readUInt32BE();

function hmacOf(secret: string, id: string, { request, user_id, query }: ShownForm): string {
  const { client, target, gives_username } = request;
  const { client_id, name, site_domain, redirect_uris, required_scopes } = client;
  // scopes with their resources: a request that names no resource may mean another resource meanwhile
  const permissions = decisionsIn(request);
  const seen = [client_id, name, site_domain, redirect_uris, required_scopes, permissions, target.redirect_uri];
  const shown = [user_id, ...seen, gives_username];
  const hmac = createHmac('sha256', secret)
    .update(JSON.stringify(['consent', id, query, ...shown]))
    .digest('base64url');
  return hmac.slice(0, halfLength);
}
