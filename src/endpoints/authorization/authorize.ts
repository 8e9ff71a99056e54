import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { redirectToClient } from '../../http/answers.ts';
import type { Dialect } from '../../http/dialect.ts';
import { signedInUser } from '../../pages/session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { asksWhoItIs } from '../../protocol/prompt.ts';
import { isWithin } from '../../protocol/scope.ts';
import { createCredential, keyOf } from '../../protocol/secrets.ts';
import { issueAuthorizationCode } from '../../store/authorization-codes.ts';
import type { RememberedGrant } from '../../store/grants.ts';
import { type AuthorizationPage, redirectToStep, type SignedInAuthorizationPage } from './authorization-page.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts';
import { showConsent } from './consent-page.ts';

/** The authorization endpoint [6749 §3.1]. */
export const authorize =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const user_id = signedInUser(req);
    const request = await readAuthorizationRequest(deps, req, dialect, user_id);
    const { target, prompt } = request;
    if (user_id === undefined && prompt.has('none')) {
      throw new OAuthError('login_required', 'nobody is signed in', { target });
    }
    if (user_id === undefined || asksWhoItIs(prompt)) {
      return redirectToStep(page, 'login');
    }
    return answerPerson({ ...page, user_id }, request);
  };

/**
 * Answers once it is certain who the person is. An authorization request that demands the password or a choice of account
 * is answered in the POST of the sign-in form itself: no state says that it was fulfilled, so none can be reused.
 */
export async function answerPerson(page: SignedInAuthorizationPage, request: AuthorizationRequest): Promise<void> {
  const { target, prompt } = request;
  const grant = rememberedGrant(request);
  if (grant) return answerWithCode(page, request, grant);
  if (prompt.has('none')) throw new OAuthError('consent_required', 'the person has to be asked', { target });
  return showConsent(page, request);
}

/**
 * The grant that answers this request without asking again: everything asked for was decided, what is required was
 * allowed, and the client is the one the person saw. A public client proves nothing about itself, so it never passes
 * unseen [8252 §8.6].
 */
function rememberedGrant({ client, scopes, prompt }: AuthorizationRequest): RememberedGrant | undefined {
  const { grant } = client;
  if (!grant || grant.is_over || prompt.has('consent') || client.secrets_sha256.length === 0) return undefined;
  const required = scopes.filter((scope) => client.required_scopes.includes(scope));
  const decided = [...grant.scopes, ...grant.refused_scopes].filter((scope) => !grant.to_confirm.includes(scope));
  const isAnswer =
    isWithin(scopes, decided) &&
    isWithin(required, grant.scopes) &&
    scopes.some((scope) => grant.scopes.includes(scope)) &&
    isWithin(client.redirect_uris, grant.redirect_uris);
  return isAnswer ? grant : undefined;
}

/** The code, and nothing else, travels through the browser [6749 §4.1.2]. */
export async function answerWithCode(
  page: AuthorizationPage,
  request: AuthorizationRequest,
  grant: { grant_id: string; scopes: string[] },
): Promise<void> {
  const { deps, res } = page;
  const code = createCredential('authorization_code');
  const issued = await issueAuthorizationCode(deps.database, {
    code_sha256: keyOf(code),
    grant_id: grant.grant_id,
    redirect_uri: request.target.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    scope: request.scopes.filter((scope) => grant.scopes.includes(scope)).join(' '),
    ttl: deps.config.authorization_code_ttl,
  });
  // revoked in another window a moment ago: ask again
  if (!issued) return redirectToStep(page, 'authorize');
  redirectToClient(res, deps.config, request.target.redirect_uri, { code, state: request.target.state });
}
