import type { RequestHandler } from 'express';
import { recordAct } from '../audit/audit.ts';
import { type ListedScope, listScopes, registerNewScope } from '../catalogue/scopes.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { isOwnInput, keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import type { Parameters } from '../lib/parameters.ts';
import { orProblems } from '../postgres/refused-values.sql.ts';
import { redirectWithin } from '../web/answers.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { Views } from '../web/views/views.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { fieldRefusalOf } from './field-refusal.ts';
import { frameOf } from './parts.ts';
import { scopePath, scopesPath } from './path.ts';

const pageSize = 20;

type Data = Views['admin-scopes'];
type Outcome = Pick<Data, 'notice'> & Partial<Data['form']>;

/** Shows all scopes, by name. */
export const showScopes = (deps: Deps): RequestHandler =>
  forAdministrator(deps, (page) => {
    const kept = keptInput(page, scopesPath);
    const notice = noticeOf(page.req, ['scope_deleted'] as const);
    return renderScopes(page, { notice, ...(kept && { ...typedScope(kept), ...restored(kept) }) });
  });

/** Registers a scope. */
export const registerScope = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const { name, sentence, group_name, changes } = typedScope(form);
    // a box that is not ticked leaves it to the name
    const scope = { name, sentence, group_name: group_name || null, changes: changes || null };
    const event = { event: 'scope_registered', detail: name } as const;
    const { done, problems } = await orProblems(
      recordAct(deps, administratorsTrace(page), event, (recorded) => registerNewScope(deps.database, scope, recorded)),
    );
    if (done) return redirectWithin(page.res, deps.config, `${scopePath(name)}?notice=scope_created`);
    const refusals = problems?.map(fieldRefusalOf) ?? [{ field: 'name', name: 'exists' as const, value: name }];
    return renderScopes(page, { ...(isOwnInput(page, form) && typedScope(form)), problems: refusals }, 400);
  });

const typedScope = (form: Parameters) => ({
  name: fieldOf(form, 'name').trim(),
  sentence: fieldOf(form, 'sentence').trim(),
  group_name: fieldOf(form, 'group_name').trim(),
  changes: fieldOf(form, 'changes') === 'true',
});

async function renderScopes(page: SignedInPage, { notice, ...form }: Outcome, status = 200): Promise<void> {
  const { config, database } = page.deps;
  const { rows, next } = await listScopes(database, afterOf(page.req) ?? '', pageSize);
  const data: Data = {
    ...frameOf(page, 'scopes'),
    action: config.base + scopesPath,
    scopes: rows.map((scope) => shownScope(config.base, scope)),
    paging: pagingOf(page, scopesPath, next),
    form: {
      made_from: madeFrom(page),
      ...{ name: '', sentence: '', group_name: '', changes: false, problems: [] },
      ...form,
    },
    notice,
  };
  renderView(page, 'admin-scopes', data, status);
}

function shownScope(base: string, { group_name, seed, ...scope }: ListedScope): Data['scopes'][number] {
  const group = group_name === scope.name ? undefined : group_name;
  return { ...scope, href: base + scopePath(scope.name), group, seed: seed ?? undefined };
}
