import type { RequestHandler } from 'express';
import type { AuditEvent, RecordedEvent } from '../audit/audit.sql.ts';
import { logEvent, recordAct } from '../audit/audit.ts';
import {
  disableClient,
  enableClient,
  revokeTokensOfClient,
  transferClient,
  vouchForClient,
} from '../clients/administered-clients.sql.ts';
import { banSite, type FoundBan, findBans, unbanSite } from '../clients/banned-sites.sql.ts';
import { listSecretUses } from '../clients/client-secrets.sql.ts';
import { findOrigin, mayAskForMore } from '../clients/origins.sql.ts';
import { withdrawSecret } from '../clients/withdrawn-secrets.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import { findUserByName } from '../identity/users.sql.ts';
import { isClientId } from '../lib/client-id.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { mayBeBanned, sitesAround } from '../lib/site.ts';
import { secretRows } from '../registration/console/secret-rows.ts';
import { issueTicket } from '../registration/console/secret-ticket.ts';
import { recentRefusals } from '../registration/console/shown-refusals.ts';
import { type AdministeredApplication, findAdministeredApplication } from '../registration/found-applications.sql.ts';
import { redirectWithin } from '../web/answers.ts';
import { encodePathSegment } from '../web/client-path.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import { shownClient } from '../web/shown-client.ts';
import type { AdministeredNotice, AdministeredProblem, ShownBan } from './admin-applications.view.ts';
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

type Outcome = {
  notice?: AdministeredNotice | undefined;
  problem?: AdministeredProblem;
  typed_owner?: string;
  new_secret?: string;
};

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
    disabled_at: application.disabled_at ?? undefined,
    ...shownBans(page, await bansOf(page)),
    may_ban: mayBeBanned(site_domain),
    owner: application.owner ?? undefined,
    owner_href: application.owner_id === null ? undefined : base + personPath(application.owner_id),
    grants_href: base + pathWith(grantsPath, { client: client_id }),
    events_href: base + pathWith(eventsPath, { client: client_id }),
    redirect_uris: application.redirect_uris,
    scopes: application.scopes,
    may_ask_for_more: mayAskForMore(application),
    origin: application.origin ?? (application.owner === null ? ('operator' as const) : undefined),
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

/** The bans that hold for the application: first the one that has disabled it, then that of the longest name. */
async function bansOf({ application, deps }: ApplicationPage): Promise<FoundBan[]> {
  const bans = await findBans(deps.database, sitesAround(application.site_domain));
  return bans.sort((one, other) => Number(isCause(application, other)) - Number(isCause(application, one)));
}

/** The ban writes its time into what it disables. */
const isCause = ({ disabled_at }: AdministeredApplication, { banned_at }: FoundBan) =>
  disabled_at?.getTime() === banned_at.getTime();

function shownBans({ application, deps }: ApplicationPage, bans: readonly FoundBan[]) {
  const [ban, other_ban] = bans.map((found): ShownBan => {
    const { site_domain, banned_at, banned_by, request_id } = found;
    return {
      ...{ site: site_domain, at: banned_at, by: banned_by ?? undefined },
      event_href: request_id === null ? undefined : deps.config.base + pathWith(eventsPath, { request: request_id }),
      is_cause: isCause(application, found),
    };
  });
  return { ban, other_ban };
}

type Done = { notice: AdministeredNotice } | { new_secret: string } | { problem: AdministeredProblem };
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

/** Does what the pressed button says to an application. */
export const administer = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (signedIn, form) => {
    const page = { ...signedIn, application: await requireApplication(signedIn) };
    const action = actions.get(fieldOf(form, 'action'));
    if (!action) throw new OAuthError('invalid_request', 'action is none of this page');
    const done = await action(page, form);
    if ('problem' in done) return render(page, 400, { ...done, typed_owner: fieldOf(form, 'owner') });
    const { client_id } = page.application;
    // the answer shows the new secret, and no address does: nobody can open it again
    if ('new_secret' in done) {
      return render({ ...page, application: await requireApplication(page) }, 200, { new_secret: done.new_secret });
    }
    return redirectWithin(page.res, deps.config, `${applicationPath(client_id)}?notice=${done.notice}`);
  });

/** Makes a change of the application together with its event; false if there was nothing to change. */
const record = (page: ApplicationPage, event: AuditEvent, change: (recorded: RecordedEvent) => Promise<boolean>) =>
  recordAct(page.deps, administratorsTrace(page), { client_id: page.application.client_id, ...event }, change);

async function makeSecret(page: ApplicationPage, form: Parameters): Promise<Done> {
  const new_secret = await addSecret(page, form, (change) => record(page, { event: 'client_secret_added' }, change));
  return new_secret === undefined ? { problem: 'two_secrets' } : { new_secret };
}

async function deleteSecret(page: ApplicationPage, form: Parameters): Promise<Done> {
  const isUseKnown = fieldOf(form, 'confirmed') === 'true';
  const handle = fieldOf(form, 'handle');
  const withdrawal = { client: page.application, handle, isUseKnown };
  const outcome = await withdrawSecret(page.deps, withdrawal, (change) =>
    record(page, { event: 'client_secret_deleted', detail: handle }, change),
  );
  if (outcome !== 'withdrawn') return { problem: outcome === 'in_use' ? 'secret_in_use' : 'nothing_to_do' };
  return { notice: 'secret_deleted' };
}

async function disable(page: ApplicationPage): Promise<Done> {
  await record(page, { event: 'client_disabled' }, (recorded) =>
    disableClient(page.deps.database, page.application.client_id, recorded),
  );
  return { notice: 'application_disabled' };
}

async function enable(page: ApplicationPage): Promise<Done> {
  await record(page, { event: 'client_enabled' }, (recorded) =>
    enableClient(page.deps.database, page.application.client_id, true, recorded),
  );
  return { notice: 'application_enabled' };
}

async function vouch(page: ApplicationPage, vouched: boolean): Promise<Done> {
  const detail = vouched ? 'vouched for' : 'no longer vouched for';
  await record(page, { event: 'client_changed', detail }, (recorded) =>
    vouchForClient(page.deps.database, page.application.client_id, vouched, recorded),
  );
  return { notice: vouched ? 'application_vouched' : 'application_unvouched' };
}

async function revokeTokens(page: ApplicationPage): Promise<Done> {
  await record(page, { event: 'client_tokens_revoked' }, (recorded) =>
    revokeTokensOfClient(page.deps.database, page.application.client_id, recorded),
  );
  return { notice: 'tokens_revoked' };
}

async function passOn(page: ApplicationPage, form: Parameters): Promise<Done> {
  const { deps, application } = page;
  const owner = await findUserByName(deps.database, fieldOf(form, 'owner').trim());
  if (owner === 'ambiguous') return { problem: 'ambiguous_person' };
  if (owner && owner.user_id === application.owner_id && !owner.disabled_at) return { notice: 'application_passed_on' };
  if (!owner) return { problem: 'no_such_owner' };
  const event = { event: 'client_passed_on', user_id: owner.user_id, detail: 'to this user' } as const;
  const isDone = await record(page, event, (recorded) =>
    transferClient(deps.database, application.client_id, owner.user_id, recorded),
  );
  return isDone ? { notice: 'application_passed_on' } : { problem: 'owner_disabled' };
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

/** Lifts the ban of the application's site, or of a domain above the site, that the page has named. */
async function unban(page: ApplicationPage, form: Parameters): Promise<Done> {
  const { deps } = page;
  const named = fieldOf(form, 'site');
  const site = (await bansOf(page)).find(({ site_domain }) => site_domain === named)?.site_domain;
  if (site !== undefined) {
    await record(page, { event: 'site_unbanned', detail: site }, (recorded) =>
      unbanSite(deps.database, site, recorded),
    );
  }
  return { notice: 'site_unbanned' };
}
