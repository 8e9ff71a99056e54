import type { RequestHandler } from 'express';
import { findDeveloperApplication } from '../clients/clients.sql.ts';
import type { Deps } from '../deps.ts';
import { findVisitor } from '../identity/person.ts';
import { signedInUser } from '../identity/session.ts';
import { isClientId } from '../lib/client-id.ts';
import { type ErrorCode, errorStatus, OAuthError } from '../lib/errors.ts';
import { redirectUriDifference } from '../lib/redirect-uri-difference.ts';
import { encodePathSegment } from '../web/client-path.ts';
import type { PageContext } from '../web/page-context.ts';
import { renderView } from '../web/render.ts';
import { requestIdOf } from '../web/request-log.ts';
import { returnAddress } from '../web/return-address.ts';
import { redirectHost } from '../web/shown-client.ts';
import type { Visitor } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import { answerClient, offeredAnswer } from './authorize/answer-client.ts';
import { answerError, errorParameters, type Responder, respond } from './json-refusals.ts';

/** Answers the client if the error has a verified target; otherwise shows an error page [6749 §4.1.2.1]. */
const browserErrors =
  (isAuthorization: boolean): Responder =>
  (deps) =>
    respond(deps, async (req, res, error) => {
      const page = { deps, req, res };
      if (!error.target) return showError(page, error, isAuthorization);
      const { redirect_uri, unvouched } = error.target;
      const parameters = errorParameters(deps, error);
      if (!unvouched) return answerClient(page, error.target, parameters);
      const answer = await offeredAnswer(page, error.target, parameters);
      return showLeaving(page, error, { answer, host: redirectHost(redirect_uri), client: unvouched });
    });

export const authorizationErrors = browserErrors(true);
export const pageErrors = browserErrors(false);

const pathsOfPrograms = /^\/(api|applications|register|\.well-known)\//;

/** Answers a path that does not exist: with JSON for a client that prefers it, with a page for all others. */
export const unknownPathErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    // a browser names HTML; a program that takes anything gets JSON where only programs come
    const offered = pathsOfPrograms.test(req.path) ? ['json', 'html'] : ['html', 'json'];
    if (req.accepts(offered) === 'json') return answerError(deps, res, error);
    return showError({ deps, req, res }, error, false);
  });

async function showError(page: PageContext, error: OAuthError, isAuthorization: boolean): Promise<void> {
  const { code, description, status, mismatch, buried_name, is_for_another } = error;
  const own = isAuthorization ? await ownApplication(page, error).catch(() => undefined) : undefined;
  const visitor = await visitorOf(page, error);
  const may_enable = own?.disabled_by_owner === true || visitor.viewer?.admin === true;
  const data = {
    ...visitor,
    // whoever may open it was perhaps signed in a moment ago
    return_to: code === 'not_found' ? returnAddress(page.req) : undefined,
    code,
    description: own?.disabled_at ? 'The application is disabled.' : description,
    client_id: code === 'invalid_client' && isAuthorization ? requestedClientId(page) : undefined,
    request_id: requestIdOf(page.res),
    // without the request that it names, nobody knows an address
    not_redirected: isAuthorization && status < 500 && code !== 'invalid_request_uri',
    is_passing: page.req.method === 'GET' && (status >= 500 || status === 429),
    own_disabled: own?.disabled_at ? { name: own.name, href: own.href, may_enable } : undefined,
    buried_name,
    is_for_another,
    own_redirects_href: own && mismatch ? `${own.href}/registration` : undefined,
    mismatch: mismatch?.is_shown ? redirectUriDifference(mismatch.received, mismatch.registered) : undefined,
  };
  renderView(page, 'error', data, status);
}

/** Unknown and disabled applications get the same answer, except for the owner of one. */
async function ownApplication(page: PageContext, { status }: OAuthError) {
  const { deps, req } = page;
  const user_id = status < 500 && req.session !== undefined ? signedInUser(req) : undefined;
  const client_id = requestedClientId(page);
  if (user_id === undefined || client_id === undefined) return undefined;
  const own = await findDeveloperApplication(deps.database, user_id, false, client_id);
  return own && { ...own, href: `${deps.config.base}/developer/applications/${encodePathSegment(client_id)}` };
}

function requestedClientId({ req }: PageContext): string | undefined {
  const client_id = new URLSearchParams(req.originalUrl.replace(/^[^?]*/, '')).get('client_id') ?? '';
  return isClientId(client_id) ? client_id : undefined;
}

/** An error page must appear even when looking up the session fails. */
async function visitorOf(page: PageContext, { status }: OAuthError): Promise<Visitor> {
  if (status >= 500 || page.req.session === undefined) return {};
  return findVisitor(page).catch(() => ({}));
}

/** Shows a link or a button, so that the person decides whether to go to a client that no administrator vouches for [9700 §4.11.2]. */
async function showLeaving(
  page: PageContext,
  error: OAuthError,
  offer: Pick<Views['leaving'], 'answer' | 'host' | 'client'>,
): Promise<void> {
  const { code, description, status } = error;
  const visitor = await visitorOf(page, error);
  renderView(page, 'leaving', { ...visitor, ...offer, code, description, request_id: requestIdOf(page.res) }, status);
}

const codes = Object.keys(errorStatus) as ErrorCode[];

/** The page behind an error_uri. */
export const explainError =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const code = codes.find((name) => name === req.params['code']);
    if (!code) throw new OAuthError('not_found', 'there is no error of this name');
    const page = { deps, req, res };
    renderView(page, 'error-explained', { ...(await findVisitor(page)), code, codes });
  };
