import type { RequestHandler } from 'express';
import { type FoundApplication, listAllApplications } from '../clients/clients.sql.ts';
import type { Deps } from '../deps.ts';
import { mayRegister } from '../identity/person.ts';
import { findUserByName } from '../identity/users.sql.ts';
import type { Database } from '../postgres/database.ts';
import type { Page } from '../postgres/pagination.sql.ts';
import { findApplications as find } from '../registration/found-applications.sql.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf, queryParameters } from '../web/request-parameters.ts';
import { shownClient } from '../web/shown-client.ts';
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
        owner: application.owner ?? undefined,
        last_used_at: application.last_used_at ?? undefined,
      })),
      has_more: typed !== '' && next !== undefined,
      paging: pagingOf(page, applicationsPath, typed === '' ? next : undefined),
    });
  });

function listNewest(database: Database, after: string | undefined): Promise<Page<FoundApplication>> {
  return listAllApplications(database, after, pageSize);
}

async function search(database: Database, typed: string): Promise<Page<FoundApplication>> {
  const owner = await findUserByName(database, typed);
  const owner_id = owner === 'ambiguous' ? undefined : owner?.user_id;
  const found = await find(database, typed, owner_id, pageSize + 1);
  return { rows: found.slice(0, pageSize), next: found[pageSize]?.client_id };
}
