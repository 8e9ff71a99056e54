import type { RequestHandler } from 'express';
import { isPublic } from '../../clients/client.ts';
import { type ListedApplication, listAllApplications, listOwnApplications } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { forPerson, mayRegister, noticeOf } from '../../identity/person.ts';
import type { User } from '../../identity/users.sql.ts';
import { ownDocuments } from '../../lib/client-id.ts';
import type { Database } from '../../postgres/database.ts';
import type { Page } from '../../postgres/pagination.sql.ts';
import { afterOf, pagingOf } from '../../web/paging.ts';
import { renderView } from '../../web/render.ts';
import { shownClient } from '../../web/shown-client.ts';
import { findFigures } from './figures.sql.ts';
import { renderRegistrationOff } from './new-application.ts';
import { consolePath, listPath } from './path.ts';
import { recentRefusals } from './shown-refusals.ts';

const pageSize = 50;
/** Grants and refusals that are read of each application of the list. */
const maxRead = 100;

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
    const figures = await findFigures(
      database,
      applications.map(({ client_id }) => client_id),
      maxRead,
    );
    renderView(page, 'developer-applications', {
      viewer,
      csrf,
      may_register,
      new_href: `${config.base}${listPath}/new`,
      documents_href: config.client_id_documents ? config.base + ownDocuments : undefined,
      applications: applications.map((application) => ({
        ...shownClient(application),
        href: config.base + consolePath(application.client_id),
        confidential: !isPublic(application),
        disabled: application.disabled_at !== null,
        last_used_at: application.last_used_at ?? undefined,
        figures: figures.get(application.client_id),
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
