import type { RequestHandler } from 'express';
import type { AuditEvent, RecordedEvent } from '../../audit/audit.sql.ts';
import { recordAct } from '../../audit/audit.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { choiceOf, isPublic } from '../../clients/client.ts';
import { listSecretUses } from '../../clients/client-secrets.sql.ts';
import { type DeveloperApplication, findDeveloperApplication } from '../../clients/clients.sql.ts';
import { findOrigin } from '../../clients/origins.sql.ts';
import type { Deps } from '../../deps.ts';
import { administratorsTrace, ifSignedInRecently } from '../../identity/administrator.ts';
import { keptInput, madeFrom, restored } from '../../identity/form-origin.ts';
import { proofUnlessFresh } from '../../identity/fresh-proof.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { findAnyUser } from '../../identity/users.sql.ts';
import { isClientId } from '../../lib/client-id.ts';
import { OAuthError } from '../../lib/errors.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, queryParameters } from '../../web/request-parameters.ts';
import { shownClient } from '../../web/shown-client.ts';
import type { Views } from '../../web/views/views.ts';
import type { ApplicationForm, ApplicationPart, DeveloperNotice } from './developer.view.ts';
import { findFigures } from './figures.sql.ts';
import { consolePath } from './path.ts';
import {
  readRegistration,
  registrationForm,
  registrationValues,
  type TypedRegistration,
  typedRegistration,
} from './registration.ts';
import { secretRows } from './secret-rows.ts';
import { issueTicket } from './secret-ticket.ts';
import { recentRefusals } from './shown-refusals.ts';

/** The context of a page about one application, opened by its owner or an administrator. */
export interface ApplicationPage extends SignedInPage {
  readonly application: DeveloperApplication;
}

/** Grants and refusals that are read for the figures of an application. */
const maxRead = 1000;

type ShowApplication = (page: ApplicationPage) => void | Promise<void>;

/** Runs `show` for a signed-in person; for an administrator, whose privileges hold here, too, as a page at /admin does. */
export const forConsole = (deps: Deps, show: (page: SignedInPage) => void | Promise<void>): RequestHandler =>
  forPerson(deps, (page) => (page.user.is_admin ? ifSignedInRecently(page, show) : show(page)));

/** Runs `show` for the application in the path, if the person owns it or is an administrator; for others it is not found. */
export const forApplication = (deps: Deps, show: ShowApplication): RequestHandler =>
  forConsole(deps, async (page) => {
    const client_id = String(page.req.params['client_id']);
    const { user_id, is_admin } = page.user;
    const application =
      isClientId(client_id) && (await findDeveloperApplication(deps.database, user_id, is_admin, client_id));
    if (!application) throw noSuchApplication();
    return show({ ...page, application });
  });

type EventOfApplication = Pick<AuditEvent, 'event' | 'detail'>;

/** Returns the event for an action of the owner, or of an administrator with an application of somebody else. */
export function recordedOf(page: ApplicationPage, event: EventOfApplication): RecordedEvent {
  const { req, res, user, application } = page;
  const { client_id, owner_id } = application;
  if (owner_id !== user.user_id) return { ...administratorsTrace(page), ...event, client_id };
  return { ...traceOf(req, res), ...event, client_id, user_id: user.user_id };
}

/** Makes a change together with its event. */
export function recordApplication<Done>(
  page: ApplicationPage,
  event: EventOfApplication,
  change: (recorded: RecordedEvent) => Promise<Done>,
): Promise<Done> {
  const recorded = recordedOf(page, event);
  return recordAct(page.deps, recorded, recorded, change);
}

/** Returns the page with the application as it is stored at this moment. */
export async function readAgain(page: ApplicationPage): Promise<ApplicationPage> {
  const { deps, user, application } = page;
  const { user_id, is_admin } = user;
  const now = await findDeveloperApplication(deps.database, user_id, is_admin, application.client_id);
  if (!now) throw noSuchApplication();
  return { ...page, application: now };
}

export function noSuchApplication(): OAuthError {
  return new OAuthError('not_found', 'there is no such application');
}

/** Runs `change` for a form on this part of the application's pages. With a wrong form key it changes nothing and shows the part again. */
export const forApplicationForm = (deps: Deps, part: ApplicationPart, change: ShowApplication): RequestHandler =>
  forApplication(deps, (page) => {
    const problem = formProblem(page, bodyParameters(page.req));
    if (problem) return renderApplication(page, part, 403, { problem });
    return change(page);
  });

const notices: readonly DeveloperNotice[] = [
  'application_saved',
  'application_disabled',
  'application_enabled',
  'application_vouched',
  'application_unvouched',
  'secret_deleted',
];

export const showDeveloperApplication = (deps: Deps, part: ApplicationPart): RequestHandler =>
  forApplication(deps, async (page) => {
    const kept = keptInput(page, page.req.path);
    const input = kept && {
      typed: readRegistration(kept, await findScopeCatalogue(deps.database)),
      ...restored(kept),
    };
    const handle = queryParameters(page.req)['delete'];
    // a session that has ended leads back to the address of the form
    return renderApplication(page, kept ? 'registration' : part, 200, {
      notice: noticeOf(page.req, notices),
      ...input,
      ...(part === 'credentials' && typeof handle === 'string' && { deleting: handle }),
    });
  });

/** The outcome of a form of this page, and what was typed into it. */
type Outcome = Pick<
  Views['developer-application'],
  'notice' | 'problem' | 'wait_minutes' | 'token_history' | 'changed_meanwhile' | 'is_restored'
> & {
  /** the handle of a secret whose deletion the page asks about */
  deleting?: string;
  typed?: TypedRegistration;
  problems?: ApplicationForm['problems'];
  /** the mark of a form that is shown again, whose values count from its first page */
  made_from?: string;
};

export async function renderApplication(
  page: ApplicationPage,
  part: ApplicationPart,
  status: number,
  { deleting, typed, problems, made_from, ...shown }: Outcome,
): Promise<void> {
  const { application, user, viewer, csrf } = page;
  const { config, database } = page.deps;
  const path = config.base + consolePath(application.client_id);
  const { client_id } = application;
  const disabled = application.disabled_at !== null;
  const catalogue = part === 'registration' || part === 'overview' ? await findScopeCatalogue(database) : [];
  const registered = typedRegistration(application);
  const uses = part === 'credentials' ? await listSecretUses(database, application) : [];
  const secrets = secretRows(application, uses);
  const data = {
    ...{ viewer, csrf, part, application_href: path },
    redirect_uris: application.redirect_uris,
    ticket: issueTicket(),
    client: shownClient(application),
    owner: part === 'overview' ? await ownerOf(page) : undefined,
    confidential: !isPublic(application),
    refreshes: application.grant_types.includes('refresh_token'),
    disabled,
    may_enable: disabled && (application.disabled_by_owner || user.is_admin),
    may_block: disabled && application.disabled_by_owner && application.owner_id !== user.user_id,
    vouched: application.vouched,
    origin: await findOrigin(database, application.client_id),
    choice: choiceOf(application),
    may_vouch: user.is_admin,
    connect_href: `${path}/connect`,
    form: registrationForm(path, typed ?? registered, catalogue, problems),
    made_from: made_from ?? madeFrom(page, registrationValues(registered, catalogue)),
    secrets,
    deleting: secrets.length > 1 ? secrets.find(({ handle }) => handle === deleting) : undefined,
    proof: proofUnlessFresh(page, `${consolePath(application.client_id)}/credentials`),
    keys: publicKeysOf(application),
    actions: {
      credentials: `${path}/credentials`,
      add_secret: `${path}/secrets`,
      delete_secret: `${path}/secrets/delete`,
      disable: `${path}/disable`,
      enable: `${path}/enable`,
      vouch: `${path}/vouch`,
      delete: `${path}/delete`,
      token_history: `${path}/token`,
    },
    figures: part === 'overview' ? (await findFigures(database, [client_id], maxRead)).get(client_id) : undefined,
    refusals:
      part === 'activity'
        ? await recentRefusals(page, [application], `${consolePath(application.client_id)}/activity`)
        : undefined,
    ...shown,
  };
  renderView(page, 'developer-application', data, status);
}

async function ownerOf({ deps, application, user }: ApplicationPage): Promise<string | undefined> {
  const { owner_id } = application;
  if (owner_id === null) return undefined;
  return owner_id === user.user_id ? user.username : (await findAnyUser(deps.database, owner_id))?.username;
}

/** Returns the names of the public keys, or their address. A set of one key may have no name for it. */
function publicKeysOf({ jwks, jwks_uri }: DeveloperApplication): string[] {
  if (jwks_uri !== null) return [jwks_uri];
  return (jwks?.keys ?? []).map(({ kid, kty }) => kid ?? kty ?? '');
}
