import type { RequestHandler } from 'express';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { findAnyClient } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { isClientId } from '../../lib/client-id.ts';
import { isWithin } from '../../lib/scope.ts';
import { applicationPath } from '../../web/client-path.ts';
import { afterOf, pagingOf } from '../../web/paging.ts';
import { renderView } from '../../web/render.ts';
import { queryParameters } from '../../web/request-parameters.ts';
import { shownClient } from '../../web/shown-client.ts';
import type { FormProblem, NamedClient } from '../../web/views/parts.ts';
import {
  type ConnectedApplication,
  findConnectedApplication,
  listConnectedApplications,
} from './connected-applications.sql.ts';

const pageSize = 50;

/** The applications that have access to the account, each with a button that revokes it. */
export const showApplications = (deps: Deps): RequestHandler => forPerson(deps, (page) => renderApplications(page));

export async function renderApplications(page: SignedInPage, problem?: FormProblem): Promise<void> {
  const { deps, req, user, viewer, csrf } = page;
  const { config, database } = deps;
  const { rows, next } = await listConnectedApplications(database, user.user_id, afterOf(req), pageSize);
  const catalogue = await findScopeCatalogue(database);
  const data = {
    viewer,
    csrf,
    problem,
    revoked: await revokedApplication(page),
    applications: rows.map((application) => ({
      ...grantFacts(application),
      permissions: catalogue
        .filter(({ name }) => isWithin([name], application.scopes))
        .map(({ name, sentence, sentences }) => ({ scope: name, sentence, sentences })),
      revoke_action: `${config.base}${applicationPath(application.client_id)}/revoke`,
      details_href: config.base + applicationPath(application.client_id),
    })),
    paging: pagingOf(page, '/account/applications', next),
  };
  renderView(page, 'applications', data, problem ? 403 : 200);
}

/** Returns the application that the query names, where a redirect after the form puts it, unless the application has access. */
async function revokedApplication({ deps: { database }, req, user }: SignedInPage): Promise<NamedClient | undefined> {
  const { revoked } = queryParameters(req);
  if (typeof revoked !== 'string' || !isClientId(revoked)) return undefined;
  if (await findConnectedApplication(database, user.user_id, revoked)) return undefined;
  return findAnyClient(database, revoked);
}

/** The application, the times of its grant, and its last use. */
export function grantFacts(application: ConnectedApplication) {
  const { duration, silent, granted_at, last_used_at, expires_at } = application;
  const times = { granted_at, last_used_at: last_used_at ?? undefined, expires_at: expires_at ?? undefined };
  return { client: shownClient(application), once: duration === 'once', silent, ...times };
}
