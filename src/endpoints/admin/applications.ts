import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { queryParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { afterOf, pagingOf } from '../../pages/paging.ts';
import { mayRegister } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { shownClient } from '../../pages/shown-client.ts';
import type { Database } from '../../postgres/database.ts';
import { type ListedApplication, listAllApplications } from '../../store/clients.ts';
import { findApplications as find } from '../../store/found-applications.ts';
import type { Page } from '../../store/pagination.ts';
import { findUserByName } from '../../store/users.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';
import { applicationPath, applicationsPath } from './path.ts';

const pageSize = 50;
/** More of it finds nothing that less of it does not. */
const maxTyped = 253;

/** Finds applications; without a text the newest ones. */
export const findApplications = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const { req } = page;
    const { config, database } = deps;
    const typed = fieldOf(queryParameters(req), 'find').trim().slice(0, maxTyped);
    const { rows, next } = typed === '' ? await listNewest(database, afterOf(req)) : await search(database, typed);
    const href = config.base + applicationsPath;
    renderView(page, 'admin-applications', {
      ...frameOf(page, 'applications'),
      ...{ typed, action: href },
      new_href: mayRegister(config, page.user) ? `${config.base}/developer/applications/new` : undefined,
      applications: rows.map((application) => ({
        ...shownClient(application),
        href: config.base + applicationPath(application.client_id),
        disabled: application.disabled_at !== null,
        last_used_at: application.last_used_at ?? undefined,
      })),
      has_more: typed !== '' && next !== undefined,
      paging: pagingOf(page, applicationsPath, typed === '' ? next : undefined),
    });
  });

function listNewest(database: Database, after: string | undefined): Promise<Page<ListedApplication>> {
  return listAllApplications(database, after, pageSize);
}

async function search(database: Database, typed: string): Promise<Page<ListedApplication>> {
  const owner = await findUserByName(database, typed);
  const owner_id = owner === 'ambiguous' ? undefined : owner?.user_id;
  const found = await find(database, typed, owner_id, pageSize + 1);
  return { rows: found.slice(0, pageSize), next: found[pageSize]?.client_id };
}
