import type { RequestHandler } from 'express';
import { storeNote } from '../../clients/recent-refusals.ts';
import type { Deps } from '../../deps.ts';
import { sessionsVersionOf, signedInUser, signInOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import {
  asksOfflineAccess,
  namesIn,
  offlineAccess,
  spelledAsRequested,
  withoutOfflineAccess,
} from '../../lib/scope.ts';
import { createCredential, credentialKey } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import { clientAddress, requestIdOf, traceOf } from '../../web/request-log.ts';
import type { GivenChoices } from '../choice/choices.ts';
import { withChoices } from '../choice/remembered-choices.ts';
import { showConsent } from '../consent/consent-page.ts';
import { grantedOf, rememberedGrant } from '../consent/remembered-grant.ts';
import { grantSilently } from '../consent/silent-grants.ts';
import type { Dialect } from '../github/dialect.ts';
import { issueAuthorizationCode } from '../token/authorization-codes.sql.ts';
import { answerClient } from './answer-client.ts';
import {
  type AuthorizationPage,
  redirectToStep,
  requestOf,
  type SignedInAuthorizationPage,
} from './authorization-page.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts';
import { type HasPasskey, missingSignIn, silentRefusal } from './missing-sign-in.ts';
import { invalidRequestUri } from './pushed-request.ts';

/** The authorization endpoint [6749 §3.1]. */
export const authorize =
  (deps: Deps, dialect: Dialect, hasPasskey: HasPasskey): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const user_id = signedInUser(req);
    const requester = { dialect, user_id, address: clientAddress(req) };
    const request = await readAuthorizationRequest(deps, await requestOf(page), requester);
    noteForOwner(page, request);
    // prompt, max_age, acr_values, login_hint and the scopes may demand more than that somebody is signed in
    const missing = await missingSignIn(page);
    if (user_id !== undefined && missing === 'nothing') return answerPerson({ ...page, user_id }, request);
    if (request.prompt.has('none')) throw await silentRefusal(page, request.target, missing, hasPasskey);
    return redirectToStep(page, 'login');
  };

function noteForOwner({ deps, req, res }: AuthorizationPage, { client, note }: AuthorizationRequest): void {
  if (note === undefined) return;
  const { client_id } = client;
  const request = `${req.method} ${req.path}`;
  storeNote(deps.database, { client_id, request_id: requestIdOf(res), request, reason: note });
}

/**
 * Answers once it is certain who the person is. An authorization request that demands the password or a choice of account
 * is answered in the POST of the sign-in form itself: no state says that it was fulfilled, so none can be reused.
 */
export async function answerPerson(page: SignedInAuthorizationPage, request: AuthorizationRequest): Promise<void> {
  const { deps, req, res, user_id } = page;
  const { target, prompt } = request;
  const asked = { user_id, sessions_version: sessionsVersionOf(req) };
  const known = rememberedGrant(request) ?? (await grantSilently(deps, traceOf(req, res), request, asked));
  const grant = await withChoices(deps, request, user_id, known);
  if (grant) return answerWithCode(page, request, grant);
  if (prompt.has('none')) throw new OAuthError('consent_required', 'the person has to be asked', { target });
  return showConsent(page, request);
}

/** Only the code travels through the browser, never a token [6749 §4.1.2]. */
export async function answerWithCode(
  page: AuthorizationPage,
  request: AuthorizationRequest,
  grant: Allowed,
): Promise<void> {
  const { deps, req } = page;
  const code = await issueCode(deps, request, { ...grant, ...signInOf(req, deps.config) });
  if (code === undefined) return redirectToStep(page, 'authorize');
  return answerClient(page, request.target, { code });
}

/** What a person allows. */
interface Allowed {
  grant_id: string;
  scopes: readonly string[];
  choices?: GivenChoices | undefined;
}

/** A code for what the grant allows of this request; undefined when the grant was revoked, or the session ended, meanwhile. */
async function issueCode(
  deps: Deps,
  request: AuthorizationRequest,
  // how the person has signed in, the code and all its tokens keep [9470 §6]
  { grant_id, sid_sha256, scopes, choices, auth_time, acr }: Allowed & ReturnType<typeof signInOf>,
): Promise<string | undefined> {
  const { config, database } = deps;
  const code = createCredential('authorization_code');
  const { catalogue, requested_scope } = request;
  const granted = grantedOf(request, scopes);
  const spelled = withoutOfflineAccess(requested_scope);
  const spelling = spelled && spelledAsRequested(catalogue, spelled, granted);
  const asked = [...request.asked, ...(asksOfflineAccess(requested_scope) ? [offlineAccess] : [])];
  const isAll = asked.length === granted.length && spelling === spelled;
  const { pushed } = request;
  const issued = await issueAuthorizationCode(database, {
    code_sha256: credentialKey(code),
    sid_sha256,
    grant_id,
    redirect_uri: request.target.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    binding: request.binding,
    scope: granted.join(' '),
    choices: choices && JSON.stringify(choices),
    asked_scope: isAll ? undefined : [...(namesIn(spelled ?? '') ?? []), ...asked].join(' '),
    requested_scope: spelling,
    gives_username: request.gives_username,
    resources: request.resources.join(' '),
    ttl: Math.min(config.authorization_code_ttl, rulesFor(request.client).max_code_ttl),
    auth_time: auth_time?.toISOString(),
    acr,
    request_sha256: pushed?.request_sha256,
  });
  if (issued && !issued.is_open) throw invalidRequestUri();
  return issued && code;
}
