import type { RequestHandler } from 'express';
import { recordAct } from '../audit/audit.ts';
import { findResource, type ListedResource, deleteResource as remove } from '../catalogue/resources.sql.ts';
import { findOriginInSeeds } from '../clients/origins.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { changedMeanwhile, madeFrom } from '../identity/form-origin.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import { OAuthError } from '../lib/errors.ts';
import { redirectWithin } from '../web/answers.ts';
import { renderView } from '../web/render.ts';
import type { Views } from '../web/views/views.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { frameOf } from './parts.ts';
import { applicationPath, resourcePath, resourcesPath, scopePath } from './path.ts';

export const showResource = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) =>
    render(page, await requireResource(page), { notice: noticeOf(page.req, ['resource_registered'] as const) }),
  );

/** Deletes a resource, unless it was registered otherwise since the form was made. */
export const deleteResource = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const shown = await requireResource(page);
    const { resource } = shown;
    const event = { event: 'resource_deleted', detail: resource } as const;
    const isDeleted =
      !changedMeanwhile(form, {}, shownValues(shown)) &&
      (await recordAct(deps, administratorsTrace(page), event, (recorded) =>
        remove(deps.database, resource, recorded, shown),
      ));
    if (!isDeleted) return render(page, await requireResource(page), { problem: 'changed_since' }, 409);
    return redirectWithin(page.res, deps.config, `${resourcesPath}?notice=resource_deleted`);
  });

async function requireResource({ deps, req }: SignedInPage): Promise<ListedResource> {
  const resource = String(req.params['resource']);
  const found = /^[\x21-\x7e]{1,500}$/.test(resource) ? await findResource(deps.database, resource) : undefined;
  if (!found) throw new OAuthError('not_found', 'there is no such resource');
  return found;
}

const shownValues = ({ scopes, client_id, token_format }: ListedResource) => ({ scopes, client_id, token_format });

type Outcome = Pick<Views['admin-resource'], 'notice' | 'problem'>;

async function render(page: SignedInPage, found: ListedResource, outcome: Outcome, status = 200): Promise<void> {
  const { base } = page.deps.config;
  const { resource, scopes, client_id, token_format: format, disabled } = found;
  const data: Views['admin-resource'] = {
    ...frameOf(page, 'resources'),
    ...{ resource, format, disabled },
    scopes: scopes.map((name) => ({ name, href: base + scopePath(name) })),
    action: base + resourcePath(resource),
    back_href: base + resourcesPath,
    client_id: client_id ?? undefined,
    client_href: client_id === null ? undefined : base + applicationPath(client_id),
    origin: await findOriginInSeeds(page.deps.database, 'resource', resource),
    made_from: madeFrom(page, shownValues(found)),
    ...outcome,
  };
  renderView(page, 'admin-resource', data, status);
}
