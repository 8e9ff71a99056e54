import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { isPublic } from '../../grants/client.ts';
import { afterOf, pagingOf } from '../../pages/paging.ts';
import { forPerson, mayRegister, noticeOf } from '../../pages/person.ts';
import { recentRefusals } from '../../pages/recent-refusals.ts';
import { renderView } from '../../pages/render.ts';
import { shownClient } from '../../pages/shown-client.ts';
import type { Database } from '../../postgres/database.ts';
import { type ListedApplication, listAllApplications, listOwnApplications } from '../../store/clients.ts';
import type { Page } from '../../store/pagination.ts';
import type { User } from '../../store/users.ts';
import { consolePath, listPath } from './path.ts';
import { renderRegistrationOff } from './registration-off.ts';

const pageSize = 50;

/** The applications that the person registered; an administrator sees all, their own first. */
export const showDeveloperApplications = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, user, viewer, csrf } = page;
    const { config, database } = deps;
    const after = afterOf(req);
    const { rows: applications, next } = await listApplications(database, user, after);
    const may_register = mayRegister(config, user);
    if (applications.length === 0 && after === undefined && !may_register) {
      return renderRegistrationOff(page, 200);
    }
    renderView(page, 'developer-applications', {
      viewer,
      csrf,
      may_register,
      new_href: `${config.base}${listPath}/new`,
      applications: applications.map((application) => ({
        ...shownClient(application),
        href: config.base + consolePath(application.client_id),
        confidential: !isPublic(application),
        disabled: application.disabled_at !== null,
        last_used_at: application.last_used_at ?? undefined,
      })),
      refusals: await recentRefusals(page, applications, listPath),
      paging: pagingOf(page, listPath, next),
      notice: noticeOf(req, ['application_deleted'] as const),
    });
  });

/** The first page of an administrator has their own applications and then the newest of all; later pages list all. */
async function listApplications(
  database: Database,
  { user_id, is_admin }: User,
  after: string | undefined,
): Promise<Page<ListedApplication>> {
  if (!is_admin) return listOwnApplications(database, user_id, after, pageSize);
  const all = await listAllApplications(database, after, pageSize);
  if (after !== undefined) return all;
  const own = await listOwnApplications(database, user_id, undefined, pageSize);
  const isOther = ({ client_id }: ListedApplication) => own.rows.every((one) => one.client_id !== client_id);
  return { rows: [...own.rows, ...all.rows.filter(isOther)], next: all.next };
}
