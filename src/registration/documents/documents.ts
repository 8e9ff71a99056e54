import type { RequestHandler, Response } from 'express';
import { recordAct, recordRegistration } from '../../audit/audit.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { harmlessScopes } from '../../clients/client-metadata.ts';
import { type Client, findAnyClient, findClient } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { changedMeanwhile, isOwnInput, keptInput, madeFrom, restored } from '../../identity/form-origin.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { isClientId, ownDocuments } from '../../lib/client-id.ts';
import { OAuthError, tooManyRequests } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { digestOf } from '../../lib/secrets.ts';
import type { RegistrationProblem } from '../../postgres/refused-values.sql.ts';
import { answerCacheableJson, redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { fieldProblemOf } from '../console/field-problem.ts';
import { issueTicket, ticketIn } from '../console/secret-ticket.ts';
import {
  changeDocument,
  type DocumentStatement,
  deleteDocument,
  listDocuments,
  registerDocument,
} from './documents.sql.ts';
import type { DocumentForm } from './documents.view.ts';

// Client ID metadata documents for local development [draft-ietf-oauth-client-id-metadata-document]: for an application on the device of
// its developer, which has no public address for its document.

/** Caches keep a document for a minute; this server never reads it from there. */
const maxAge = 60;

/** The document, for whoever looks at the client_id. */
export const showDocument =
  ({ config, database }: Deps): RequestHandler =>
  async (req, res) => {
    const client_id = clientIdOf(config, String(req.params['id']));
    const client = isClientId(client_id) ? await findClient(database, client_id) : undefined;
    if (!client?.only_for) throw noSuchDocument();
    const { name: client_name, redirect_uris, scopes, grant_types } = client;
    const stated = { client_id, client_name, redirect_uris, scope: scopes.join(' '), grant_types };
    answerCacheableJson(res, { ...stated, response_types: ['code'], token_endpoint_auth_method: 'none' }, maxAge);
  };

const clientIdOf = ({ issuer }: Deps['config'], id: string): string => `${issuer}${ownDocuments}/${id}`;

const noSuchDocument = () => new OAuthError('not_found', 'there is no such document');

type Typed = Pick<DocumentForm, 'name' | 'redirect_uris' | 'scope'>;
type Outcome = Partial<DocumentForm> & { status?: number };

const empty: Typed = { name: '', redirect_uris: 'http://127.0.0.1/callback', scope: '' };

const readForm = (form: Parameters): Typed => ({
  name: fieldOf(form, 'name').trim(),
  redirect_uris: fieldOf(form, 'redirect_uris'),
  scope: fieldOf(form, 'scope').trim(),
});

/** The rule of the database names a table, which a developer does not see. */
const shownProblem = (problem: RegistrationProblem) =>
  problem.field === 'scopes' && problem.rule === 'unknown'
    ? ({ field: 'scopes', name: 'unknown_scope', value: problem.value ?? '' } as const)
    : fieldProblemOf(problem);

const wordsIn = (text: string, separator: RegExp): string[] => [...new Set(text.split(separator).filter(Boolean))];

/** Returns what the form states; a document without a scope may ask for what changes nothing, as a fetched one may. */
async function statementOf({ database }: Deps, { name, redirect_uris, scope }: Typed): Promise<DocumentStatement> {
  const scopes = wordsIn(scope, /[\s,]+/);
  const uris = wordsIn(redirect_uris, /\s+/);
  if (scopes.length > 0) return { name, redirect_uris: uris, scopes };
  return { name, redirect_uris: uris, scopes: harmlessScopes(await findScopeCatalogue(database)) };
}

const statementIn = ({ name, redirect_uris, scopes }: Client): DocumentStatement => ({ name, redirect_uris, scopes });

const typedFrom = ({ name, redirect_uris, scopes }: DocumentStatement): Typed => ({
  name,
  redirect_uris: redirect_uris.join('\n'),
  scope: scopes.join(' '),
});

export const showDocuments = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) => {
    const kept = keptInput(page, page.req.path);
    const notice = noticeOf(page.req, ['document_made', 'document_saved', 'document_deleted'] as const);
    return renderDocuments(page, { notice, ...(kept && { ...readForm(kept), ...restored(kept) }) });
  });

async function renderDocuments(page: SignedInPage, { status = 200, ...outcome }: Outcome): Promise<void> {
  const { deps, user, viewer, csrf } = page;
  const { base } = deps.config;
  const documents = (await listDocuments(deps.database, user.user_id)).map(({ name, client_id }) => ({
    ...{ name, client_id },
    change_href: base + changePath(client_id),
  }));
  const form = { action: base + ownDocuments, ...empty, made_from: madeFrom(page), ...outcome };
  renderView(page, 'developer-documents', { viewer, csrf, ticket: issueTicket(), documents, ...form }, status);
}

const idOf = (client_id: string): string => client_id.slice(client_id.lastIndexOf('/') + 1);

const changePath = (client_id: string) => `${ownDocuments}/${idOf(client_id)}/change` as const;

/** Makes a document; a form that is sent twice makes one, because its address is derived from the ticket. */
export const makeDocument = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, user } = page;
    const { user_id } = user;
    const form = bodyParameters(req);
    const typed = readForm(form);
    const ticket = ticketIn(form);
    const problem = formProblem(page, form) ?? (ticket === undefined ? 'form_expired' : undefined);
    if (problem || ticket === undefined) {
      return renderDocuments(page, { status: 403, problem, ...(isOwnInput(page, form) && typed) });
    }
    const wait = await countAttempt(deps.database, { key: `register ${user_id}`, free: 30, pause: 10, longest: 900 });
    if (wait > 0) throw tooManyRequests(wait);
    const client_id = clientIdOf(deps.config, digestOf(ticket).toString('base64url').slice(0, 22));
    const document = { ...(await statementOf(deps, typed)), user_id, client_id };
    const recorded = { ...traceOf(req, page.res), event: 'client_registered', user_id, client_id } as const;
    const { isDone, problems } = await recordRegistration(deps, recorded, () =>
      registerDocument(deps.database, document, recorded),
    );
    if (problems.length > 0) {
      return renderDocuments(page, { status: 400, ...typed, problems: problems.map(shownProblem) });
    }
    const isMade = isDone || (await findAnyClient(deps.database, client_id))?.only_for === user_id;
    if (!isMade) return renderDocuments(page, { status: 400, ...typed, problem: 'too_many_documents' });
    return redirectTo(page, 'document_made');
  });

const redirectTo = ({ res, deps }: { res: Response; deps: Deps }, notice: string): void =>
  redirectWithin(res, deps.config, `${ownDocuments}?notice=${notice}`);

interface DocumentPage extends SignedInPage {
  readonly client: Client;
}

/** Runs `show` for the person whose document it is; for others it is not found. */
const forDocument = (deps: Deps, show: (page: DocumentPage) => Promise<void>): RequestHandler =>
  forPerson(deps, async (page) => show({ ...page, client: await findOwn(page) }));

async function findOwn({ deps, req, user }: SignedInPage): Promise<Client> {
  const client_id = clientIdOf(deps.config, String(req.params['id']));
  const client = isClientId(client_id) ? await findAnyClient(deps.database, client_id) : undefined;
  if (client?.only_for !== user.user_id) throw noSuchDocument();
  return client;
}

export const showDocumentForm = (deps: Deps): RequestHandler =>
  forDocument(deps, async (page) => {
    const kept = keptInput(page, page.req.path);
    renderDocument(page, kept ? { ...readForm(kept), ...restored(kept) } : {});
  });

function renderDocument(page: DocumentPage, { status = 200, ...outcome }: Outcome): void {
  const { deps, viewer, csrf, client } = page;
  const { client_id } = client;
  const stored = typedFrom(statementIn(client));
  const data = {
    ...{ viewer, csrf, client_id },
    action: deps.config.base + changePath(client_id),
    delete_action: `${deps.config.base}${changePath(client_id)}/delete`,
    ...stored,
    made_from: madeFrom(page, { ...statementIn(client) }),
    ...outcome,
  };
  renderView(page, 'developer-document', data, status);
}

/** Changes a document; what was granted to the client stays. */
export const changeOwnDocument = (deps: Deps): RequestHandler =>
  forDocument(deps, (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    if (!problem) return saveDocument(page, form);
    const own = isOwnInput(page, form) && { ...readForm(form), made_from: fieldOf(form, 'made_from') };
    return Promise.resolve(renderDocument(page, { status: 403, problem, ...own }));
  });

async function saveDocument(page: DocumentPage, form: Parameters): Promise<void> {
  const { deps, req, res, user, client } = page;
  const { client_id } = client;
  const typed = readForm(form);
  const changes = await statementOf(deps, typed);
  const shown = statementIn(client);
  const meanwhile = changedMeanwhile(form, { ...changes }, { ...shown });
  if (meanwhile) {
    const values = typedFrom(meanwhile.values);
    return renderDocument(page, { status: 409, ...values, changed_meanwhile: meanwhile.changed });
  }
  const recorded = { ...traceOf(req, res), event: 'client_changed', user_id: user.user_id, client_id } as const;
  const { isDone, problems } = await recordRegistration(deps, recorded, () =>
    changeDocument(deps.database, { user_id: user.user_id, client_id, changes, shown }, recorded),
  );
  if (problems.length > 0) {
    const made_from = fieldOf(form, 'made_from');
    return renderDocument(page, { status: 400, ...typed, made_from, problems: problems.map(shownProblem) });
  }
  // another form was saved a moment ago
  if (!isDone) return saveDocument({ ...page, client: await findOwn(page) }, form);
  return redirectTo(page, 'document_saved');
}

export const deleteOwnDocument = (deps: Deps): RequestHandler =>
  forDocument(deps, async (page) => {
    const { req, res, user, client } = page;
    const { client_id } = client;
    const { user_id } = user;
    const problem = formProblem(page, bodyParameters(req));
    if (problem) return renderDocument(page, { status: 403, problem });
    const event = { event: 'client_deleted', user_id, client_id } as const;
    await recordAct(deps, traceOf(req, res), event, (recorded) =>
      deleteDocument(deps.database, { user_id, client_id }, recorded),
    );
    return redirectTo(page, 'document_deleted');
  });
