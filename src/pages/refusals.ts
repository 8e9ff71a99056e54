import { clientLocation, redirectToClient } from '../http/answers.ts';
import { answerError, errorParameters, type Responder, respond } from '../http/refusals.ts';
import { requestIdOf } from '../http/request-log.ts';
import type { OAuthError } from '../protocol/errors.ts';
import { redirectUriDifference } from '../protocol/redirect-uri-difference.ts';
import type { PageContext } from './page-context.ts';
import { findVisitor } from './person.ts';
import { redirectHost } from './redirect-host.ts';
import { renderView } from './render.ts';
import type { Visitor } from './views/parts.ts';
import type { Views } from './views/views.ts';

/** Redirects to the client if the error has a verified target; otherwise shows an error page [6749 §4.1.2.1]. */
const browserErrors =
  (isAuthorization: boolean): Responder =>
  (deps) =>
    respond(deps, (req, res, error) => {
      const page = { deps, req, res };
      if (!error.target) return showError(page, error, isAuthorization);
      const { redirect_uri, unvouched } = error.target;
      const answer = errorParameters(deps, error);
      if (!unvouched) return redirectToClient(res, error.target, answer);
      const href = clientLocation(error.target, answer);
      return showLeaving(page, error, { href, host: redirectHost(redirect_uri), client: unvouched });
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
    not_redirected: isAuthorization && status < 500,
    mismatch: mismatch?.is_shown ? redirectUriDifference(mismatch.received, mismatch.registered) : undefined,
  };
  renderView(page, 'error', data, status);
}

/** An error page must appear even when looking up the session fails. */
async function visitorOf(page: PageContext, { status }: OAuthError): Promise<Visitor> {
  if (status >= 500 || page.req.session === undefined) return {};
  return findVisitor(page).catch(() => ({}));
}

/** For a client that no administrator vouches for: a link instead of a redirect, so that the person decides [9700 §4.11.2]. */
async function showLeaving(
  page: PageContext,
  error: OAuthError,
  link: Pick<Views['leaving'], 'href' | 'host' | 'client'>,
): Promise<void> {
  const { code, description, status } = error;
  const visitor = await visitorOf(page, error);
  renderView(page, 'leaving', { ...visitor, ...link, code, description, request_id: requestIdOf(page.res) }, status);
}
