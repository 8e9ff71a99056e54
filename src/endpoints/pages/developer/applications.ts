import type { RequestHandler } from 'express';
import type { Deps } from '../../../deps.ts';
import { listDeveloperApplications } from '../../../store/developer-applications.ts';
import { faceOf } from '../client-face.ts';
import { forPerson, mayRegister, noticeOf } from '../person.ts';
import { renderView } from '../render.ts';
import { consolePath, listPath } from './path.ts';
import { recentRefusals } from './refusals.ts';

const mostApplications = 100;

/** The applications this person registered; of an administrator: all, as far as they fit on a page. */
export const showDeveloperApplications = (deps: Deps): RequestHandler =>
  forPerson(deps, async ({ user, viewer, csrf }, req, res) => {
    const { config, database } = deps;
    const { user_id, is_admin } = user;
    const applications = await listDeveloperApplications(database, user_id, is_admin, mostApplications);
    const may_register = mayRegister(config, user);
    if (applications.length === 0 && !may_register) {
      const back = { href: `${config.base}/account`, label: 'back.account' as const };
      return renderView(req, res, config, 'message', { message: 'registration_off', back });
    }
    renderView(req, res, config, 'developer-applications', {
      viewer,
      csrf,
      may_register,
      new_href: `${config.base}${listPath}/new`,
      applications: applications.map((application) => ({
        ...faceOf(application),
        href: config.base + consolePath(application.client_id),
        confidential: application.secrets_sha256.length > 0,
        disabled: application.disabled_at !== null,
        last_used_at: application.last_used_at ?? undefined,
      })),
      refusals: await recentRefusals(deps, req, applications, listPath),
      notice: noticeOf(req, ['application_deleted'] as const),
    });
  });
