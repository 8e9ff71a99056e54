import type { RequestHandler } from 'express';
import { recordAct } from '../audit/audit.ts';
import { listResources, registerNewResource } from '../catalogue/resources.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { isOwnInput, keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import type { Parameters } from '../lib/parameters.ts';
import { splitScope } from '../lib/scope.ts';
import { orProblems } from '../postgres/refused-values.sql.ts';
import { redirectWithin } from '../web/answers.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { Views } from '../web/views/views.ts';
import type { FormatName } from './admin-registrations.view.ts';
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
    const notice = noticeOf(page.req, ['resource_deleted'] as const);
    return renderResources(page, { notice, ...(kept && { ...typedResource(kept), ...restored(kept) }) });
  });

/** Registers a resource. */
export const registerResource = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const typed = typedResource(form);
    const registration = { resource: typed.resource, ...registeredValues(typed) };
    const event = { event: 'resource_registered', detail: typed.resource } as const;
    const { done, problems } = await orProblems(
      recordAct(deps, administratorsTrace(page), event, (recorded) =>
        registerNewResource(deps.database, registration, recorded),
      ),
    );
    if (done !== undefined)
      return redirectWithin(page.res, deps.config, `${resourcePath(done)}?notice=resource_registered`);
    const exists = { field: 'resource', name: 'exists' as const, value: typed.resource };
    const refusals = problems?.map(fieldRefusalOf) ?? [exists];
    return renderResources(page, { ...(isOwnInput(page, form) && typed), problems: refusals }, 400);
  });

const typedResource = (form: Parameters) => ({ resource: fieldOf(form, 'resource').trim(), ...typedValues(form) });

/** What can be changed of a resource, as it is typed. */
export const typedValues = (form: Parameters) => ({
  scopes: fieldOf(form, 'scopes').trim(),
  client_id: fieldOf(form, 'client_id').trim(),
  token_format: (fieldOf(form, 'token_format') === 'jwt' ? 'jwt' : 'opaque') as FormatName,
});

/** How it is registered. */
export const registeredValues = ({ scopes, client_id, token_format }: ReturnType<typeof typedValues>) => ({
  scopes: splitScope(scopes),
  client_id: client_id || null,
  token_format,
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
