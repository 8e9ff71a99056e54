import type { ErrorRequestHandler, Request, Response } from 'express';
import { storeRefusal } from '../clients/recent-refusals.ts';
import type { Refusal } from '../clients/refusals.sql.ts';
import type { Deps } from '../deps.ts';
import { isClientId } from '../lib/client-id.ts';
import { type ErrorCode, OAuthError } from '../lib/errors.ts';
import { withoutSecrets } from '../lib/secrets.ts';
import { confirmServer, type Database } from '../postgres/database.ts';
import { DatabaseUnavailableError, refusedAdministrator, whyUnavailable } from '../postgres/database-errors.ts';
import { answerJson } from '../web/answers.ts';
import { claimedClientId } from '../web/claimed-client.ts';
import { arrivalOf, clientAddress, recordRefusal, requestIdOf } from '../web/request-log.ts';
import { countRefusal } from '../web/request-metrics.ts';

/** Makes the error handler of a route. There is one for each format of an error; those of pages are in `oauth/page-refusals.ts`. */
export type Responder = (deps: Deps) => ErrorRequestHandler;

/** JSON [6749 §5.2]. */
export const jsonErrors: Responder = (deps) => respond(deps, (_req, res, error) => answerError(deps, res, error));

export function answerError(deps: Deps, res: Response, error: OAuthError): void {
  answerJson(res, error.status, { ...errorParameters(deps, error), request_id: requestIdOf(res) });
}

export function errorParameters({ config }: Deps, { code, description }: OAuthError) {
  return { error: code, error_description: description, error_uri: `${config.issuer}/errors/${code}` };
}

/** Records a refusal in the log and for the owner of the client, then answers it. */
export function respond(
  { database }: Deps,
  answer: (req: Request, res: Response, error: OAuthError) => void | Promise<void>,
): ErrorRequestHandler {
  return async (thrown: unknown, req, res, _next) => {
    const error = await confirmed(database, res, thrown);
    const refusal = refusalOf(error);
    const client_id = refusal.client_id ?? claimedClientId(req);
    // a description may name a value; a reason beside it has fixed words
    countRefusal(refusal.code, refusal.reason === refusal.description ? undefined : refusal.reason);
    recordRefusal(res, {
      error: refusal.code,
      reason: refusal.reason,
      client_id: client_id && withoutSecrets(client_id),
      ...(error !== refusal && refusal.status >= 500 && { err: error }),
    });
    if (client_id !== undefined && isClientId(client_id) && refusal.status < 500) {
      storeRefusal(database, forOwner(req, res, refusal, client_id), clientAddress(req));
    }
    // part of another answer has been sent: all that is left is to close the connection
    if (res.headersSent) return void res.destroy();
    res.set(refusal.headers);
    return answer(req, res, refusal);
  };
}

/** These depend on what is stored, and make clients throw away what they have. */
const verdicts: ReadonlySet<ErrorCode> = new Set([
  'invalid_client',
  'invalid_grant',
  'invalid_token',
  'unauthorized_client',
  'invalid_scope',
  'invalid_target',
  'invalid_request_uri',
  'insufficient_scope',
  'insufficient_user_authentication',
  'access_denied',
  'login_required',
  'consent_required',
  'unmet_authentication_requirements',
]);

/** The error, or another one if the database server on whose word it rests has been replaced meanwhile. */
async function confirmed(database: Database, res: Response, error: unknown): Promise<unknown> {
  if (!(error instanceof OAuthError && verdicts.has(error.code))) return error;
  return confirmServer(database, arrivalOf(res)).then(
    () => error,
    (replaced: unknown) => replaced,
  );
}

function forOwner(req: Request, res: Response, refusal: OAuthError, client_id: string): Refusal {
  const { code: error, owner_reason: reason, mismatch } = refusal;
  const redirect_uri = mismatch && withoutSecrets(mismatch.received);
  return {
    client_id,
    request_id: requestIdOf(res),
    request: withoutSecrets(`${req.method} ${req.path}`),
    error,
    reason,
    redirect_uri,
  };
}

/** Messages of other errors are never sent: they may quote data. */
function refusalOf(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  if (error instanceof DatabaseUnavailableError) {
    return new OAuthError('temporarily_unavailable', 'the database is unavailable, try again', {
      reason: whyUnavailable(error),
      headers: { 'Retry-After': '5' },
    });
  }
  if (refusedAdministrator(error)) return new OAuthError('not_found', 'there is no page at this address');
  const status = statusOf(error);
  if (status >= 400 && status < 500) return new OAuthError('invalid_request', 'the request cannot be read');
  return new OAuthError('server_error', 'an unexpected error occurred; search the server log for the request ID', {
    reason: 'unexpected error',
  });
}

/** Errors of Express itself have a status. */
function statusOf(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}
