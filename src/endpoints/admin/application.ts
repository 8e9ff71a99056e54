import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit, logEvent, recordAct } from '../../grants/audit.ts';
import { withdrawSecret } from '../../grants/withdrawn-secrets.ts';
import { redirectWithin } from '../../http/answers.ts';
import { administratorsTrace } from '../../pages/administrator.ts';
import { encodePathSegment } from '../../pages/client-path.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { noticeOf, type SignedInPage } from '../../pages/person.ts';
import { recentRefusals } from '../../pages/recent-refusals.ts';
import { renderView } from '../../pages/render.ts';
import { secretRows } from '../../pages/secret-rows.ts';
import { issueTicket } from '../../pages/secret-ticket.ts';
import { shownClient } from '../../pages/shown-client.ts';
import type { AdministeredNotice, AdministeredProblem } from '../../pages/views/admin-applications.ts';
import { isClientId } from '../../protocol/client-id.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import type { AuditEvent } from '../../store/audit.ts';
import { banSite, findBannedSite, unbanSite } from '../../store/banned-sites.ts';
import { listSecretUses } from '../../store/client-secrets.ts';
import {
  disableClient,
  enableClient,
  revokeTokensOfClient,
  transferClient,
  vouchForClient,
} from '../../store/clients.ts';
import { type AdministeredApplication, findAdministeredApplication } from '../../store/found-applications.ts';
import { findOrigin } from '../../store/origins.ts';
import { findUserByName } from '../../store/users.ts';
import { mayBeBanned, sitesAround } from '../../values/site.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { addSecret } from './application-secrets.ts';
import { frameOf } from './parts.ts';
import { applicationPath, applicationsPath, eventsPath, grantsPath, pathWith, personPath } from './path.ts';

interface ApplicationPage extends SignedInPage {
  readonly application: AdministeredApplication;
}

const notices: readonly AdministeredNotice[] = [
  'application_disabled',
  'application_enabled',
  'application_vouched',
  'application_unvouched',
  'tokens_revoked',
  'application_passed_on',
  'secret_deleted',
  'site_banned',
  'site_unbanned',
];

export const showAdministered = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const application = await requireApplication(page);
    return render({ ...page, application }, 200, { notice: noticeOf(page.req, notices) });
  });

async function requireApplication({ deps, req }: SignedInPage): Promise<AdministeredApplication> {
  const client_id = String(req.params['client_id']);
  const application = isClientId(client_id) ? await findAdministeredApplication(deps.database, client_id) : undefined;
  if (!application) throw new OAuthError('not_found', 'there is no such application');
  return application;
}

type Outcome = { notice?: AdministeredNotice | undefined; problem?: AdministeredProblem; new_secret?: string };

async function render(page: ApplicationPage, status: number, { problem, ...outcome }: Outcome): Promise<void> {
  const { application, deps } = page;
  const { base } = deps.config;
  const { client_id, site_domain } = application;
  const path = applicationPath(client_id);
  const data = {
    ...frameOf(page, 'applications'),
    client: shownClient(application),
    back_href: base + applicationsPath,
    console_href: `${base}/developer/applications/${encodePathSegment(client_id)}`,
    action: base + path,
    disabled: application.disabled_at !== null,
    banned: await findBannedSite(deps.database, sitesAround(site_domain)),
    may_ban: mayBeBanned(site_domain),
    owner: application.owner ?? undefined,
    owner_href: application.owner_id === null ? undefined : base + personPath(application.owner_id),
    grants_href: base + pathWith(grantsPath, { client: client_id }),
    events_href: base + pathWith(eventsPath, { client: client_id }),
    origin: application.origin,
    seeded: await findOrigin(deps.database, client_id),
    people: application.people,
    has_more_people: application.has_more_people,
    secrets: secretRows(application, await listSecretUses(deps.database, application)),
    ticket: issueTicket(),
    last_used_at: application.last_used_at ?? undefined,
    tokens_not_before: application.tokens_not_before ?? undefined,
    refusals: await recentRefusals(page, [application], path),
    ...(problem === 'no_such_owner' || problem === 'ambiguous_person' || problem === 'owner_disabled'
      ? { owner_problem: problem }
      : { problem }),
    ...outcome,
  };
  renderView(page, 'admin-application', data, status);
}

/** What an action has done, with the event of it; without an event it was done before. */
type Done =
  | { notice: AdministeredNotice; event?: AuditEvent }
  | { new_secret: string; event?: AuditEvent }
  | { problem: AdministeredProblem };
type Action = (page: ApplicationPage, form: Parameters) => Promise<Done>;

const actions: ReadonlyMap<string, Action> = new Map<string, Action>([
  ['disable', disable],
  ['enable', enable],
  ['vouch', (page) => vouch(page, true)],
  ['unvouch', (page) => vouch(page, false)],
  ['revoke_tokens', revokeTokens],
  ['pass_on', passOn],
  ['add_secret', makeSecret],
  ['delete_secret', deleteSecret],
  ['ban', ban],
  ['unban', unban],
]);

/** All that an administrator does with an application: the button that was pressed says what. */
export const administer = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (signedIn, form) => {
    const page = { ...signedIn, application: await requireApplication(signedIn) };
    const action = actions.get(fieldOf(form, 'action'));
    if (!action) throw new OAuthError('invalid_request', 'action is none of this page');
    const done = await action(page, form);
    if ('problem' in done) return render(page, 400, done);
    const { client_id } = page.application;
    if (done.event) await audit(deps, administratorsTrace(page), { client_id, ...done.event });
    // the answer has it, and no address: nobody can open it again
    if ('new_secret' in done) {
      return render({ ...page, application: await requireApplication(page) }, 200, { new_secret: done.new_secret });
    }
    return redirectWithin(page.res, deps.config, `${applicationPath(client_id)}?notice=${done.notice}`);
  });

async function makeSecret(page: ApplicationPage, form: Parameters): Promise<Done> {
  const added = await addSecret(page, form);
  if (!added) return { problem: 'two_secrets' };
  return { new_secret: added.client_secret, ...(added.isNew && { event: { event: 'client_secret_added' } }) };
}

async function deleteSecret({ deps, application: client }: ApplicationPage, form: Parameters): Promise<Done> {
  const isUseKnown = fieldOf(form, 'confirmed') === 'true';
  const handle = fieldOf(form, 'handle');
  const outcome = await withdrawSecret(deps, { client, handle, isUseKnown });
  if (outcome !== 'withdrawn') return { problem: outcome === 'in_use' ? 'secret_in_use' : 'nothing_to_do' };
  return { notice: 'secret_deleted', event: { event: 'client_secret_deleted', detail: handle } };
}

async function disable({ deps, application }: ApplicationPage): Promise<Done> {
  const isDisabled = await disableClient(deps.database, application.client_id);
  return { notice: 'application_disabled', ...(isDisabled && { event: { event: 'client_disabled' } }) };
}

async function enable({ deps, application }: ApplicationPage): Promise<Done> {
  const isEnabled = await enableClient(deps.database, application.client_id, true);
  return { notice: 'application_enabled', ...(isEnabled && { event: { event: 'client_enabled' } }) };
}

async function vouch({ deps, application }: ApplicationPage, vouched: boolean): Promise<Done> {
  const notice = vouched ? 'application_vouched' : 'application_unvouched';
  const detail = vouched ? 'vouched for' : 'no longer vouched for';
  const isChanged = await vouchForClient(deps.database, application.client_id, vouched);
  return { notice, ...(isChanged && { event: { event: 'client_changed', detail } }) };
}

async function revokeTokens({ deps, application }: ApplicationPage): Promise<Done> {
  await revokeTokensOfClient(deps.database, application.client_id);
  return { notice: 'tokens_revoked', event: { event: 'client_tokens_revoked' } };
}

async function passOn({ deps, application }: ApplicationPage, form: Parameters): Promise<Done> {
  const owner = await findUserByName(deps.database, fieldOf(form, 'owner').trim());
  if (owner === 'ambiguous') return { problem: 'ambiguous_person' };
  if (owner && owner.user_id === application.owner_id) return { notice: 'application_passed_on' };
  if (!owner) return { problem: 'no_such_owner' };
  const isDone = await transferClient(deps.database, application.client_id, owner.user_id);
  if (!isDone) return { problem: 'owner_disabled' };
  return {
    notice: 'application_passed_on',
    event: { event: 'client_passed_on', user_id: owner.user_id, detail: 'to this user' },
  };
}

async function ban(page: ApplicationPage): Promise<Done> {
  const { deps, application } = page;
  const { site_domain } = application;
  if (!mayBeBanned(site_domain)) throw new OAuthError('invalid_request', 'this site cannot be banned');
  const { client_id } = application;
  const event = { event: 'site_banned', client_id, detail: site_domain } as const;
  const trace = administratorsTrace(page);
  const { is_new } = await banSite(deps.database, site_domain, { ...trace, ...event });
  if (is_new) logEvent(deps, trace, event);
  return { notice: 'site_banned' };
}

/** Of a ban of a domain above it, that domain. */
async function unban(page: ApplicationPage): Promise<Done> {
  const { deps, application } = page;
  const banned = await findBannedSite(deps.database, sitesAround(application.site_domain));
  if (banned !== undefined) {
    const event = { event: 'site_unbanned', client_id: application.client_id, detail: banned } as const;
    await recordAct(deps, administratorsTrace(page), event, (recorded) => unbanSite(deps.database, banned, recorded));
  }
  return { notice: 'site_unbanned' };
}
