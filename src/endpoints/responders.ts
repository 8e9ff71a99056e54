import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Deps } from '../deps.ts';
import { noteForOwner } from '../grants/recent-refusals.ts';
import { type ErrorCode, OAuthError } from '../protocol/errors.ts';
import { redirectUriDifference } from '../protocol/redirect-uri-difference.ts';
import { withoutSecrets } from '../protocol/secrets.ts';
import { DatabaseAwayError } from '../store/database-errors.ts';
import type { Refusal } from '../store/refusals.ts';
import { answerJson, clientLocation, redirectToClient } from './answers.ts';
import { claimedClientId } from './oauth/claimed-client.ts';
import { hostOf } from './pages/destination.ts';
import { findVisitor } from './pages/person.ts';
import { renderView } from './pages/render.ts';
import type { Views } from './pages/view-data.ts';
import type { Visitor } from './pages/view-parts.ts';
import { addressOf, noteRefusal, requestIdOf } from './request-log.ts';

/** The only places where refusals are answered, one per shape of answer. */
type Responder = (deps: Deps) => ErrorRequestHandler;

/** JSON as RFC 6749 §5.2 has it. */
export const jsonErrors: Responder = (deps) => respond(deps, (_req, res, error) => answerError(deps, res, error));

/** JSON with a challenge [6750 §3]; a request that sent no token learns only how to send one. */
export const bearerErrors: Responder = (deps) =>
  respond(deps, (_req, res, error) => {
    if (challenged.has(error.code)) res.setHeader('WWW-Authenticate', challengeOf(error));
    answerError(deps, res, error);
  });

const challenged: ReadonlySet<ErrorCode> = new Set(['invalid_request', 'invalid_token', 'insufficient_scope']);

function challengeOf({ code, description, headers }: OAuthError): string {
  const given = headers['WWW-Authenticate'];
  return given ?? `Bearer error="${code}", error_description="${description}"`;
}

/** To the client if the refusal has a verified target, else a page [6749 §4.1.2.1]. */
const browserErrors =
  (hint?: 'not_redirected'): Responder =>
  (deps) =>
    respond(deps, (req, res, error) => {
      if (!error.target) return showError(deps, req, res, error, hint);
      const { redirect_uri, state, stranger } = error.target;
      const answer = { ...bodyOf(deps, error), state };
      if (!stranger) return redirectToClient(res, deps.config, redirect_uri, answer);
      const href = clientLocation(deps.config, redirect_uri, answer);
      return showLeaving(deps, req, res, error, { href, host: hostOf(redirect_uri), client: stranger });
    });

export const authorizationErrors = browserErrors('not_redirected');
export const pageErrors = browserErrors();

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

/** For an address that belongs to nobody: JSON for software that asks for it, a page for everybody else. */
export const unknownPathErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    if (req.accepts(['html', 'json']) === 'json') return answerError(deps, res, error);
    return showError(deps, req, res, error);
  });

function answerError(deps: Deps, res: Response, error: OAuthError): void {
  answerJson(res, error.status, { ...bodyOf(deps, error), request_id: requestIdOf(res) });
}

function bodyOf({ config }: Deps, { code, description }: OAuthError) {
  return { error: code, error_description: description, error_uri: `${config.issuer}/errors/${code}` };
}

function respond(
  { database }: Deps,
  answer: (req: Request, res: Response, error: OAuthError) => void | Promise<void>,
): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const refusal = refusalOf(error);
    const client_id = refusal.client_id ?? claimedClientId(req);
    noteRefusal(res, {
      error: refusal.code,
      reason: refusal.reason,
      client_id: client_id && withoutSecrets(client_id),
      ...(error !== refusal && refusal.status >= 500 && { err: error }),
    });
    if (client_id !== undefined && refusal.status < 500) {
      noteForOwner(database, forOwner(req, res, refusal, client_id), addressOf(req));
    }
    // an answer that has begun can only be cut off
    if (res.headersSent) return void res.destroy();
    res.set(refusal.headers);
    return answer(req, res, refusal);
  };
}

/** Of text from outside as much as tells what it is, and no secret that strayed into it. */
const excerpt = (text: string) => withoutSecrets(text).slice(0, 300);

function forOwner(req: Request, res: Response, refusal: OAuthError, client_id: string): Refusal {
  const { code: error, owner_reason: reason, mismatch } = refusal;
  const redirect_uri = mismatch && excerpt(mismatch.received);
  return {
    client_id,
    request_id: requestIdOf(res),
    request: excerpt(`${req.method} ${req.path}`),
    error,
    reason,
    redirect_uri,
  };
}

/** What may be said about an error: of one that is not a refusal of ours, nothing. */
function refusalOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof DatabaseAwayError) {
    return new OAuthError('temporarily_unavailable', 'the database does not answer, try again', {
      reason: 'database away',
      headers: { 'Retry-After': '5' },
    });
  }
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new OAuthError('invalid_request', 'the request cannot be read');
  return new OAuthError('server_error', 'something unexpected happened; the request id leads to it in the log', {
    reason: 'unexpected error',
  });
}

/** Express marks its refusals with a status. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
