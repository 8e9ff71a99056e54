import { answerError, type Responder, respond } from '../../http/refusals.ts';
import type { ErrorCode, OAuthError } from '../../protocol/errors.ts';

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
