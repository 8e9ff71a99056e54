import { answerError, errorParameters, type Responder, respond } from '../http/refusals.ts';
import { requestIdOf } from '../http/request-log.ts';
import type { OAuthError } from '../protocol/errors.ts';
import { redirectUriDifference } from '../protocol/redirect-uri-difference.ts';
import { answerClient, offeredAnswer } from './client-answer.ts';
import type { PageContext } from './page-context.ts';
import { findVisitor } from './person.ts';
import { redirectHost } from './redirect-host.ts';
import { renderView } from './render.ts';
import type { Visitor } from './views/parts.ts';
import type { Views } from './views/views.ts';

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

/** At a path that does not exist: JSON for a client that prefers it, a page for all others. */
export const unknownPathErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    if (req.accepts(['html', 'json']) === 'json') return answerError(deps, res, error);
    return showError({ deps, req, res }, error, false);
  });

async function showError(page: PageContext, error: OAuthError, isAuthorization: boolean): Promise<void> {
  const { code, description, status, mismatch } = error;
  const data = {
    ...(await visitorOf(page, error)),
    code,
    description,
    request_id: requestIdOf(page.res),
    // without the request that it names, nobody knows an address
    not_redirected: isAuthorization && status < 500 && code !== 'invalid_request_uri',
    mismatch: mismatch?.is_shown ? redirectUriDifference(mismatch.received, mismatch.registered) : undefined,
  };
  renderView(page, 'error', data, status);
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
