import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../deps.ts';
import { applicationPath } from '../../pages/client-path.ts';
import { forPerson, noticeOf, type Person } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import type { GrantedPermission } from '../../pages/views/account.ts';
import type { PermissionGroup } from '../../pages/views/parts.ts';
import type { Views } from '../../pages/views/views.ts';
import type { ScopeCatalogue } from '../../protocol/scope.ts';
import { type ConnectedApplication, findConnectedApplication } from '../../store/connected-applications.ts';
import { findScopeCatalogue } from '../../store/scopes.ts';
import { grantFacts } from './applications.ts';

type ConnectedPage = (
  person: Person,
  application: ConnectedApplication,
  req: Request,
  res: Response,
) => void | Promise<void>;

/**
 * A page about the application of the path. Applications link here, also after the person has taken everything back: then
 * it says that there is no access, and the same of one that this person never allowed, or that does not exist.
 */
export const forConnected = (deps: Deps, page: ConnectedPage): RequestHandler =>
  forPerson(deps, async (person, req, res) => {
    const { config, database } = deps;
    const client_id = String(req.params['client_id']);
    // what the database could not even compare is no client_id
    const isPrintable = /^[\x21-\x7e]{1,200}$/.test(client_id);
    const application = isPrintable && (await findConnectedApplication(database, person.user.user_id, client_id));
    if (application) return page(person, application, req, res);
    const back = { href: `${config.base}/account/applications`, label: 'back.applications' as const };
    const { viewer, csrf } = person;
    return renderView(req, res, config, 'message', { viewer, csrf, message: 'no_access', back }, 404);
  });

/** One application with its switches. */
export const showApplication = (deps: Deps): RequestHandler =>
  forConnected(deps, (person, application, req, res) => renderApplication(deps, req, res, person, application));

export async function renderApplication(
  deps: Deps,
  req: Request,
  res: Response,
  { viewer, csrf }: Person,
  application: ConnectedApplication,
  problem?: Views['application']['problem'],
): Promise<void> {
  const { config, database } = deps;
  const path = config.base + applicationPath(application.client_id);
  const data = {
    viewer,
    csrf,
    ...grantFacts(application),
    action: path,
    revoke_action: `${path}/revoke`,
    groups: groupsOf(application, await findScopeCatalogue(database)),
    notice: noticeOf(req, ['permission_changed'] as const),
    problem,
  };
  renderView(
    req,
    res,
    config,
    'application',
    data,
    problem === undefined ? 200 : problem === 'required_missing' ? 400 : 403,
  );
}

/** Only what was offered to the person before can be switched on here: the rest the application has to ask for. */
function groupsOf(application: ConnectedApplication, catalogue: ScopeCatalogue): PermissionGroup<GrantedPermission>[] {
  const { scopes, refused_scopes, required_scopes, scope_reasons } = application;
  const offered = catalogue.filter(({ name }) => scopes.includes(name) || refused_scopes.includes(name));
  const groups = [...new Set(offered.map(({ group_name }) => group_name))];
  const switchOf = ({ name, sentence, changes }: (typeof offered)[number]) => {
    const granted = scopes.includes(name);
    // one that became required later was not agreed to yet, so it is not locked
    const required = granted && required_scopes.includes(name);
    return { scope: name, sentence, changes, granted, required, reason: scope_reasons[name] };
  };
  return groups.map((name) => ({
    name,
    permissions: offered.filter(({ group_name }) => group_name === name).map(switchOf),
  }));
}
