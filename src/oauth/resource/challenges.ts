import type { Request } from 'express';
import type { Config } from '../../config/config.ts';
import type { Binding } from '../../lib/binding.ts';
import type { ErrorCode, OAuthError } from '../../lib/errors.ts';
import { answerError, type Responder, respond } from '../json-refusals.ts';
import { bearer } from './bearer.ts';
import { dpop } from './dpop.ts';
import { mac } from './mac.ts';
import { type Presentation, quoted } from './presentation.ts';

/** Every way to present an access token. */
export const presentations: readonly Presentation[] = [bearer, dpop, mac];

export const presentationHeaders = [...new Set(presentations.flatMap(({ headers }) => headers))];

/**
 * A challenge for each way that is offered. The one that the request used, or else the first, says what is wrong [6750 §3; 9449 §7.1]. They name
 * the metadata of the resource, from which a client that knows nothing else finds this server [9728 §5.1].
 */
export function challengeHeader({ issuer, base }: Config, req: Request, error?: OAuthError) {
  const own = error && ownChallenge(req, error);
  if (own) return own;
  const resource_metadata = `${new URL(issuer).origin}/.well-known/oauth-protected-resource${base}`;
  const offered = presentations.flatMap(({ challenge }) => challenge ?? []);
  const used = offered.find(({ scheme }) => isScheme(req, scheme)) ?? offered[0];
  const challenges = offered.map((one) => {
    const parameters = { ...(one === used && error && faultOf(error)), ...one.attributes, resource_metadata };
    return `${one.scheme} ${quoted(parameters)}`;
  });
  return { 'WWW-Authenticate': challenges.join(', ') };
}

/** The header for a way that is not offered, if the request uses it or the token is bound so. */
export function ownChallenge(req: Request, error: Pick<OAuthError, 'description' | 'sign_in'>, bound: Binding = null) {
  const needed = presentations
    .flatMap(({ own }) => own ?? [])
    .find(({ scheme, isNeededBy }) => isScheme(req, scheme) || isNeededBy(bound));
  const { description, sign_in } = error;
  // a scheme whose errors are sentences has the code of this one, which tells what the attributes mean
  const challenge = sign_in
    ? needed?.challenge('insufficient_user_authentication', sign_in)
    : needed?.challenge(description, {});
  return challenge === undefined ? undefined : { 'WWW-Authenticate': challenge };
}

function isScheme({ headers: { authorization = '' } }: Request, scheme: string): boolean {
  return authorization.split(' ')[0]?.toLowerCase() === scheme.toLowerCase();
}

function faultOf({ code, description, scope, sign_in }: OAuthError): Record<string, string> {
  return { error: code, error_description: description, ...(scope && { scope }), ...sign_in };
}

const challenged: ReadonlySet<ErrorCode> = new Set([
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  'insufficient_user_authentication',
  'invalid_dpop_proof',
  'use_dpop_nonce',
]);

/** JSON, with a challenge for errors about the token [6750 §3]. */
export const resourceErrors: Responder = (deps) =>
  respond(deps, (req, res, error) => {
    if (challenged.has(error.code)) res.set({ ...challengeHeader(deps.config, req, error), ...error.headers });
    answerError(deps, res, error);
  });
