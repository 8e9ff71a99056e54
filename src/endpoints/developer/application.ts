import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { bodyOf } from '../../http/parameters.ts';
import { faceOf } from '../../pages/client-face.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson, noticeOf, type Person } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import type { ApplicationForm, DeveloperNotice } from '../../pages/views/developer.ts';
import type { Views } from '../../pages/views/views.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { type DeveloperApplication, findDeveloperApplication } from '../../store/developer-applications.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { issueTicket } from './new-secret.ts';
import { consolePath } from './path.ts';
import { recentRefusals } from './recent-refusals.ts';
import { registrationForm, type TypedRegistration, typedRegistration } from './registration.ts';
import { secretRows } from './secret-handle.ts';

export type DeveloperPage = (
  person: Person,
  application: DeveloperApplication,
  req: Request,
  res: Response,
) => void | Promise<void>;

/** A page about the application of the path, for its owner or an administrator; for all others it does not exist. */
export const forApplication = (deps: Deps, page: DeveloperPage): RequestHandler =>
  forPerson(deps, async (person, req, res) => {
    const client_id = String(req.params['client_id']);
    const { user_id, is_admin } = person.user;
    // what the database could not even compare is no client_id
    const isPrintable = /^[\x21-\x7e]{1,200}$/.test(client_id);
    const found = isPrintable && (await findDeveloperApplication(deps.database, user_id, is_admin, client_id));
    if (!found) throw new OAuthError('not_found', 'there is no such application');
    return page(person, found, req, res);
  });

/** A form on that page; one that cannot be trusted brings the page back and changes nothing. */
export const forApplicationForm = (deps: Deps, change: DeveloperPage): RequestHandler =>
  forApplication(deps, (person, application, req, res) => {
    const problem = formProblem(deps, req, bodyOf(req));
    if (problem) return renderApplication(deps, req, res, person, application, 403, { problem });
    return change(person, application, req, res);
  });

const notices: readonly DeveloperNotice[] = [
  'application_saved',
  'application_disabled',
  'application_enabled',
  'application_vouched',
  'application_unvouched',
  'secret_deleted',
];

export const showDeveloperApplication = (deps: Deps): RequestHandler =>
  forApplication(deps, (person, application, req, res) =>
    renderApplication(deps, req, res, person, application, 200, { notice: noticeOf(req, notices) }),
  );

export type PageChanges = Pick<Views['developer-application'], 'notice' | 'problem' | 'story'> & {
  typed?: TypedRegistration;
  problems?: ApplicationForm['problems'];
};

export async function renderApplication(
  deps: Deps,
  req: Request,
  res: Response,
  { viewer, csrf, user }: Person,
  application: DeveloperApplication,
  status: number,
  { typed, problems, ...shown }: PageChanges,
): Promise<void> {
  const { config, database } = deps;
  const path = config.base + consolePath(application.client_id);
  const catalogue = await findScopeCatalogue(database);
  const data = {
    viewer,
    csrf,
    ticket: issueTicket(),
    client: faceOf(application),
    confidential: application.secrets_sha256.length > 0,
    disabled: application.disabled_at !== null,
    may_block:
      application.disabled_at !== null && application.disabled_by_owner && application.owner_id !== user.user_id,
    vouched: application.vouched,
    may_vouch: user.is_admin,
    form: registrationForm(path, typed ?? typedRegistration(application), catalogue, problems),
    secrets: secretRows(application),
    actions: {
      add_secret: `${path}/secrets`,
      delete_secret: `${path}/secrets/delete`,
      disable: `${path}/disable`,
      enable: `${path}/enable`,
      vouch: `${path}/vouch`,
      delete: `${path}/delete`,
      token_story: `${path}/token`,
    },
    refusals: await recentRefusals(deps, req, [application], consolePath(application.client_id)),
    ...shown,
  };
  renderView(req, res, config, 'developer-application', data, status);
}
