import type { RequestHandler } from 'express';
import {
  findConnectedApplication,
  listConnectedApplications,
} from '../accounts/applications/connected-applications.sql.ts';
import { logEvent } from '../audit/audit.ts';
import { findAnyClient } from '../clients/clients.sql.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import type { SignedInPage } from '../identity/person.ts';
import { findAnyUser, findUserByName } from '../identity/users.sql.ts';
import { isClientId } from '../lib/client-id.ts';
import type { Parameters } from '../lib/parameters.ts';
import { thisServer } from '../lib/resource.ts';
import { listGrantsOfClient } from '../oauth/consent/grant-changes.sql.ts';
import { endGrant, revokeShownToken } from '../oauth/token/revocation.ts';
import type { Database } from '../postgres/database.ts';
import { type FoundHistory, findHistoryByKeys, findTokenHistory } from '../registration/console/token-history.ts';
import { redirectWithin } from '../web/answers.ts';
import { afterOf, pagingOf } from '../web/paging.ts';
import { renderView } from '../web/render.ts';
import { fieldOf, queryParameters } from '../web/request-parameters.ts';
import type { NamedClient } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { frameOf } from './parts.ts';
import { applicationPath, grantsPath, pathWith, personPath } from './path.ts';
import { shownGrant } from './rows.ts';

const pageSize = 50;

type Data = Views['admin-grants'];
type Outcome = Pick<Data, 'revoked' | 'problem' | 'history' | 'of' | 'grants' | 'key' | 'is_revoked'> & {
  next?: string | undefined;
};
type Typed = Data['typed'];

const noneTyped: Typed = { user: '', client: '' };

/** The grants of a person, or for an application. */
export const showGrants = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const query = queryParameters(page.req);
    const typed = { user: fieldOf(query, 'user').trim(), client: fieldOf(query, 'client').trim() };
    const revoked = await findRevoked(page, typed.user, fieldOf(query, 'revoked'));
    return renderGrants(page, typed, { revoked, ...(await findGrants(page, typed)) });
  });

async function findGrants(page: SignedInPage, { user, client }: Typed): Promise<Outcome> {
  const { database } = page.deps;
  const after = afterOf(page.req);
  if (user !== '') {
    const person = user.includes('\0') ? undefined : await findUserByName(database, user);
    if (!person) return { problem: 'no_such_person' };
    if (person === 'ambiguous') return { problem: 'ambiguous_person' };
    const { rows, next } = await listConnectedApplications(database, person.user_id, after, pageSize);
    const shown = rows.filter(({ client_id }) => client === '' || client_id === client);
    return { grants: shown.map((grant) => shownGrant(page, { ...person, ...grant })), next };
  }
  if (client === '') return {};
  const found = isClientId(client) ? await findAnyClient(database, client) : undefined;
  if (!found) return { problem: 'no_such_application' };
  const { client_id, name, vouched } = found;
  const { rows, next } = await listGrantsOfClient(database, client_id, after, pageSize);
  return { grants: rows.map((grant) => shownGrant(page, { ...grant, client_id, name, vouched })), next };
}

/** The grant that was revoked before the page was opened; undefined if there is one again. */
async function findRevoked({ deps: { database } }: SignedInPage, user: string, client_id: string) {
  const client = isClientId(client_id) ? await findNamed(database, client_id) : undefined;
  const person = client && !user.includes('\0') ? await findUserByName(database, user) : undefined;
  if (!client || !person || person === 'ambiguous') return undefined;
  const grant = await findConnectedApplication(database, person.user_id, client_id);
  return grant ? undefined : { username: person.username, client };
}

async function findNamed(database: Database, client_id: string): Promise<NamedClient | undefined> {
  const found = await findAnyClient(database, client_id);
  return found && { name: found.name, vouched: found.vouched };
}

/** Shows the history of a pasted token, or revokes a token or grant. */
export const changeGrants = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, (page, form) => {
    if ('token' in form) return showToken(page, fieldOf(form, 'token').trim());
    return 'key' in form ? revokeToken(page, form) : revoke(page, form);
  });

/** Answers the POST itself: a redirect would put the token into a URL or a cookie. */
async function showToken(page: SignedInPage, token: string): Promise<void> {
  return renderToken(page, await findTokenHistory(page.deps, token));
}

async function renderToken(
  page: SignedInPage,
  { history, facts, key }: FoundHistory,
  outcome: Outcome = {},
  status = 200,
): Promise<void> {
  const { database } = page.deps;
  const person = facts && (await findAnyUser(database, facts.user_id));
  const grant = facts && person && (await findConnectedApplication(database, person.user_id, facts.client_id));
  const grants = grant && person && [shownGrant(page, { ...person, ...grant })];
  const { base, issuer } = page.deps.config;
  const of = facts && {
    username: person?.username,
    person_href: person && base + personPath(person.user_id),
    client_id: facts.client_id,
    client: await findNamed(database, facts.client_id),
    client_href: base + applicationPath(facts.client_id),
    scopes: facts.scopes,
    resources: facts.resources.map((one) => (one === thisServer ? issuer : one)),
  };
  return renderGrants(page, noneTyped, { history, of, grants, key: key?.toString('hex'), ...outcome }, status);
}

/** Ends a token by the key of its row, which the page of its history has: the token itself is in no page. The history stays. */
async function revokeToken(page: SignedInPage, form: Parameters): Promise<void> {
  const { deps } = page;
  const typed = fieldOf(form, 'key');
  const key = /^(?:[0-9a-f]{2}){32,39}$/.test(typed) ? Buffer.from(typed, 'hex') : undefined;
  const trace = administratorsTrace(page);
  const revoked = key && (await revokeShownToken(deps.database, key, trace));
  if (revoked) logEvent(deps, trace, revoked);
  if (!key) return renderGrants(page, noneTyped, { problem: 'nothing_to_do' }, 400);
  const found = await findHistoryByKeys(deps.database, { key });
  return revoked
    ? renderToken(page, found, { is_revoked: true })
    : renderToken(page, found, { problem: 'nothing_to_do' }, 400);
}

async function revoke(page: SignedInPage, form: Parameters): Promise<void> {
  const { deps, res } = page;
  const [user_id, client_id] = [Number(fieldOf(form, 'user_id')), fieldOf(form, 'client_id')];
  const isNamed = Number.isInteger(user_id) && user_id > 0 && user_id < 2 ** 31 && isClientId(client_id);
  const person = isNamed ? await findAnyUser(deps.database, user_id) : undefined;
  const isRevoked = person !== undefined && (await endGrant(deps, administratorsTrace(page), { user_id, client_id }));
  const typed = { user: person?.username ?? '', client: '' };
  if (!isRevoked) return renderGrants(page, typed, { problem: 'nothing_to_do' }, 400);
  return redirectWithin(res, deps.config, pathWith(grantsPath, { user: typed.user, revoked: client_id }));
}

function renderGrants(page: SignedInPage, typed: Typed, { next, ...outcome }: Outcome, status = 200): void {
  const query = Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''));
  const data: Data = {
    ...frameOf(page, 'grants'),
    action: page.deps.config.base + grantsPath,
    typed,
    paging: pagingOf(page, grantsPath, next, query),
    ...outcome,
  };
  renderView(page, 'admin-grants', data, status);
}
