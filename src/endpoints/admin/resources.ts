import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { recordAct } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { administratorsTrace } from '../../pages/administrator.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { isOwnInput, keptInput, madeFrom, restored } from '../../pages/form-origin.ts';
import { afterOf, pagingOf } from '../../pages/paging.ts';
import { noticeOf, type SignedInPage } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import type { FormatName } from '../../pages/views/admin-registrations.ts';
import type { Views } from '../../pages/views/views.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { splitScope } from '../../protocol/scope.ts';
import { orProblems } from '../../store/refused-values.ts';
import { listResources, registerNewResource } from '../../store/resources.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { fieldRefusalOf } from './field-refusal.ts';
import { frameOf } from './parts.ts';
import { resourcePath, resourcesPath } from './path.ts';

/** Their addresses may be long. */
const pageSize = 10;

type Data = Views['admin-resources'];
type Outcome = Pick<Data, 'notice'> & Partial<Data['form']>;

/** The resources of other servers, by their URLs. */
export const showResources = (deps: Deps): RequestHandler =>
  forAdministrator(deps, (page) => {
    const kept = keptInput(page, resourcesPath);
    const notice = noticeOf(page.req, ['admin_done'] as const);
    return renderResources(page, { notice, ...(kept && { ...typedResource(kept), ...restored(kept) }) });
  });

/** Registers another one. */
export const registerResource = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const typed = typedResource(form);
    const registration = { ...typed, scopes: splitScope(typed.scopes), client_id: typed.client_id || null };
    const event = { event: 'resource_registered', detail: typed.resource } as const;
    const { done, problems } = await orProblems(
      recordAct(deps, administratorsTrace(page), event, (recorded) =>
        registerNewResource(deps.database, registration, recorded),
      ),
    );
    if (done !== undefined) return redirectWithin(page.res, deps.config, `${resourcePath(done)}?notice=admin_done`);
    const exists = { field: 'resource', name: 'exists' as const, value: typed.resource };
    const refusals = problems?.map(fieldRefusalOf) ?? [exists];
    return renderResources(page, { ...(isOwnInput(page, form) && typed), problems: refusals }, 400);
  });

const typedResource = (form: Parameters) => ({
  resource: fieldOf(form, 'resource').trim(),
  scopes: fieldOf(form, 'scopes').trim(),
  client_id: fieldOf(form, 'client_id').trim(),
  token_format: (fieldOf(form, 'token_format') === 'jwt' ? 'jwt' : 'opaque') as FormatName,
});

async function renderResources(page: SignedInPage, { notice, ...form }: Outcome, status = 200): Promise<void> {
  const { config, database } = page.deps;
  const { rows, next } = await listResources(database, afterOf(page.req) ?? '', pageSize);
  const data: Data = {
    ...frameOf(page, 'resources'),
    action: config.base + resourcesPath,
    resources: rows.map(({ resource, scopes, token_format, disabled }) => ({
      ...{ resource, scopes, disabled },
      href: config.base + resourcePath(resource),
      format: token_format,
    })),
    paging: pagingOf(page, resourcesPath, next),
    form: {
      made_from: madeFrom(page),
      ...{ resource: '', scopes: '', client_id: '', token_format: 'opaque', problems: [] },
      ...form,
    },
    notice,
  };
  renderView(page, 'admin-resources', data, status);
}
