import type { Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { clientLocation, redirectToClient } from '../http/answers.ts';
import { answerError, errorParameters, type Responder, respond } from '../http/refusals.ts';
import { requestIdOf } from '../http/request-log.ts';
import type { OAuthError } from '../protocol/errors.ts';
import { redirectUriDifference } from '../protocol/redirect-uri-difference.ts';
import { hostOf } from './destination.ts';
import { findVisitor } from './person.ts';
import { renderView } from './render.ts';
import type { Visitor } from './views/parts.ts';
import type { Views } from './views/views.ts';

/** To the client if the refusal has a verified target, else a page [6749 §4.1.2.1]. */
const browserErrors =
  (hint?: 'not_redirected'): Responder =>
  (deps) =>
    respond(deps, (req, res, error) => {
      if (!error.target) return showError(deps, req, res, error, hint);
      const { redirect_uri, state, stranger } = error.target;
      const answer = { ...errorParameters(deps, error), state };
      if (!stranger) return redirectToClient(res, deps.config, redirect_uri, answer);
      const href = clientLocation(deps.config, redirect_uri, answer);
      return showLeaving(deps, req, res, error, { href, host: hostOf(redirect_uri), client: stranger });
    });

export const authorizationErrors = browserErrors('not_redirected');
export const pageErrors = browserErrors();

/** For an address that belongs to nobody: JSON for software that asks for it, a page for everybody else. */
export const unknownPathErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    if (req.accepts(['html', 'json']) === 'json') return answerError(deps, res, error);
    return showError(deps, req, res, error);
  });

async function showError(
  deps: Deps,
  req: Request,
  res: Response,
  error: OAuthError,
  hint?: 'not_redirected',
): Promise<void> {
  const { code, description, status, mismatch } = error;
  const data = {
    ...(await visitorOf(deps, req, res, error)),
    code,
    description,
    request_id: requestIdOf(res),
    hint: status < 500 ? hint : undefined,
    back: { href: `${deps.config.base}/`, label: 'back.home' as const },
    mismatch: mismatch?.is_shown ? redirectUriDifference(mismatch.received, mismatch.registered) : undefined,
  };
  renderView(req, res, deps.config, 'error', data, status);
}

/** An error page must appear also where it cannot be found out who looks at it. */
async function visitorOf(deps: Deps, req: Request, res: Response, { status }: OAuthError): Promise<Visitor> {
  if (status >= 500 || req.session === undefined) return {};
  return findVisitor(deps, req, res).catch(() => ({}));
}

/** The way to an application that nobody vouches for is a link, which the person may take or leave [9700 §4.11.2]. */
async function showLeaving(
  deps: Deps,
  req: Request,
  res: Response,
  error: OAuthError,
  way: Pick<Views['leaving'], 'href' | 'host' | 'client'>,
): Promise<void> {
  const { code, description, status } = error;
  const visitor = await visitorOf(deps, req, res, error);
  const data = { ...visitor, ...way, code, description, request_id: requestIdOf(res) };
  renderView(req, res, deps.config, 'leaving', data, status);
}
