import { isDeepStrictEqual } from 'node:util';
import type { RequestHandler } from 'express';
import { logEvent, recordAct } from '../audit/audit.ts';
import {
  deleteResource,
  type FoundResource,
  findResource,
  jwtMaxTtl,
  changeResource as update,
} from '../catalogue/resources.sql.ts';
import { findOriginInSeeds } from '../clients/origins.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { changedMeanwhile, isOwnInput, keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { orProblems } from '../postgres/refused-values.sql.ts';
import { sqlCall } from '../postgres/sql-text.ts';
import { redirectWithin } from '../web/answers.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { FormState } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import type { ResourceFields } from './admin-registrations.view.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { fieldRefusalOf } from './field-refusal.ts';
import { frameOf, runOfSeed } from './parts.ts';
import { applicationPath, resourcePath, resourcesPath, scopePath } from './path.ts';
import { registeredValues, typedValues } from './resources.ts';

export const showResource = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const kept = keptInput(page, page.req.path);
    const isKept = kept && fieldOf(kept, 'action') === 'change';
    return render(page, await requireResource(page), {
      notice: noticeOf(page.req, ['resource_registered', 'resource_changed'] as const),
      ...(isKept && { form: { ...typedValues(kept), ...restored(kept) } }),
    });
  });

/** Handles one button of the page of a resource. */
export const changeResource = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const found = await requireResource(page);
    const action = fieldOf(form, 'action');
    if (action === 'change') return change(page, found, form);
    if (action !== 'delete') throw new OAuthError('invalid_request', 'action is none of this page');
    return remove(page, found, form);
  });

/** Saves the form, unless that would overwrite what was changed since the form was made. */
async function change(page: SignedInPage, found: FoundResource, form: Parameters): Promise<void> {
  const { deps, res } = page;
  const { resource, disabled_at } = found;
  const typed = typedValues(form);
  // a seed has stopped naming the resource since the form was made
  const stored = shownValues(found);
  if (disabled_at) {
    const entered = isOwnInput(page, form) && differences(typed, stored);
    return render(page, found, { problem: 'disabled_since', ...(entered && { entered }) }, 409);
  }
  const meanwhile = changedMeanwhile(form, typed, stored);
  if (meanwhile) {
    const state = { ...meanwhile.values, changed_meanwhile: meanwhile.changed };
    return render(page, found, { form: state }, 409);
  }
  if (isDeepStrictEqual(typed, stored)) return render(page, found, { problem: 'nothing_to_do' });
  const event = { event: 'resource_changed', detail: resource } as const;
  const trace = administratorsTrace(page);
  const { done, problems } = await orProblems(
    update(deps.database, { resource, ...registeredValues(typed) }, { ...trace, ...event }, found),
  );
  if (problems) {
    const kept = isOwnInput(page, form) && { ...typed, made_from: fieldOf(form, 'made_from') };
    return render(page, found, { form: { ...kept, problems: problems.map(fieldRefusalOf) } }, 400);
  }
  // another form was saved a moment ago
  if (!done) return change(page, await requireResource(page), form);
  // nothing is different when the same scopes are named in another order, or by their group
  if (done === 'same') return render(page, found, { problem: 'nothing_to_do' });
  logEvent(deps, trace, event);
  return redirectWithin(res, deps.config, `${resourcePath(resource)}?notice=resource_changed`);
}

/** Deletes a resource, unless it was changed since the form was made. */
async function remove(page: SignedInPage, found: FoundResource, form: Parameters): Promise<void> {
  const { deps, res } = page;
  const { resource } = found;
  const event = { event: 'resource_deleted', detail: resource } as const;
  const isDeleted =
    !changedMeanwhile(form, {}, shownValues(found)) &&
    (await recordAct(deps, administratorsTrace(page), event, (recorded) =>
      deleteResource(deps.database, resource, recorded, found),
    ));
  if (!isDeleted) return render(page, await requireResource(page), { problem: 'changed_since' }, 409);
  return redirectWithin(res, deps.config, `${resourcesPath}?notice=resource_deleted`);
}

async function requireResource({ deps, req }: SignedInPage): Promise<FoundResource> {
  const resource = String(req.params['resource']);
  const found = /^[\x21-\x7e]{1,500}$/.test(resource) ? await findResource(deps.database, resource) : undefined;
  if (!found) throw new OAuthError('not_found', 'there is no such resource');
  return found;
}

/** The values of the forms, as they are compared with what is stored. */
const shownValues = ({ scopes, client_id, token_format }: FoundResource) => ({
  scopes: scopes.join(' '),
  client_id: client_id ?? '',
  token_format,
});

/** Returns the typed values that are not the stored ones; undefined if there are none. */
function differences<Values extends object>(typed: Values, stored: Values): Partial<Values> | undefined {
  const different = Object.entries(typed).filter(([field, value]) => value !== Reflect.get(stored, field));
  return different.length > 0 ? (Object.fromEntries(different) as Partial<Values>) : undefined;
}

type Outcome = Pick<Views['admin-resource'], 'notice' | 'problem' | 'entered'> & {
  form?: Partial<FormState & ResourceFields>;
};

async function render(
  page: SignedInPage,
  found: FoundResource,
  { form, ...outcome }: Outcome,
  status = 200,
): Promise<void> {
  const { base } = page.deps.config;
  const { resource, scopes, client_id, token_format: format } = found;
  const disabled_at = found.disabled_at ?? undefined;
  const made_from = madeFrom(page, shownValues(found));
  const registered = registeredValues({ ...shownValues(found), ...outcome.entered });
  const jwts_until = disabled_at && new Date(disabled_at.getTime() + jwtMaxTtl * 1000);
  const origin = await findOriginInSeeds(page.deps.database, 'resource', resource);
  const data: Views['admin-resource'] = {
    ...frameOf(page, 'resources'),
    ...{ resource, format, disabled_at },
    jwts_until: jwts_until && jwts_until > new Date() ? jwts_until : undefined,
    scopes: scopes.map((name) => ({ name, href: base + scopePath(name) })),
    action: base + resourcePath(resource),
    back_href: base + resourcesPath,
    client_id: client_id ?? undefined,
    client_href: client_id === null ? undefined : base + applicationPath(client_id),
    origin,
    run: disabled_at && origin.seed !== null ? runOfSeed(origin.seed) : undefined,
    statement: sqlCall('register_resource', { resource, ...registered, client_id: registered.client_id ?? undefined }),
    form: disabled_at ? undefined : { made_from, ...shownValues(found), problems: [], ...form },
    made_from,
    ...outcome,
  };
  renderView(page, 'admin-resource', data, status);
}
