import type { RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { storeNote } from '../../clients/recent-refusals.ts';
import type { Deps } from '../../deps.ts';
import { sessionsVersionOf, signedInUser, signInOf } from '../../identity/session.ts';
import { OAuthError, type RefusalTarget } from '../../lib/errors.ts';
import { type AnswerToClient, redirectionTo } from '../../lib/redirect-uri.ts';
import { spelledAsRequested } from '../../lib/scope.ts';
import { createCredential, credentialKey } from '../../lib/secrets.ts';
import { rulesFor } from '../../lib/security-profile.ts';
import type { Level } from '../../lib/sign-in-level.ts';
import { redirectToClient } from '../../web/answers.ts';
import type { PageContext } from '../../web/page-context.ts';
import { redirectHost } from '../../web/redirect-host.ts';
import { renderView } from '../../web/render.ts';
import { clientAddress, requestIdOf, traceOf } from '../../web/request-log.ts';
import type { ClientAnswer } from '../answers.view.ts';
import { showConsent } from '../consent/consent-page.ts';
import { grantSilently } from '../consent/silent-grants.ts';
import type { Dialect } from '../github/dialect.ts';
import { issueAuthorizationCode } from '../token/authorization-codes.sql.ts';
import { sign } from '../token/signing-keys.ts';
import { type AuthorizationRequest, grantedOf, rememberedGrant } from './authorization.ts';
import {
  type AuthorizationPage,
  redirectToStep,
  requestOf,
  type SignedInAuthorizationPage,
} from './authorization-page.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { canSignInStronger, demandOf, unmetLevel } from './demand.ts';
import { invalidRequestUri } from './pushed-request.ts';

/** The authorization endpoint [6749 §3.1]. */
export const authorize =
  (deps: Deps, dialect: Dialect, hasPasskey: (deps: Deps, user_id: number) => Promise<boolean>): RequestHandler =>
  async (req, res) => {
    const page = { deps, req, res, dialect };
    const user_id = signedInUser(req);
    const requester = { dialect, user_id, address: clientAddress(req) };
    const request = await readAuthorizationRequest(deps, await requestOf(page), requester);
    noteForOwner(page, request);
    const { target, prompt } = request;
    const demand = await demandOf(page);
    if (user_id !== undefined && demand === 'nothing') return answerPerson({ ...page, user_id }, request);
    if (prompt.has('none')) {
      if (user_id !== undefined && demand === 'level' && !(await canSignInStronger(page, user_id, hasPasskey)))
        throw unmetLevel(target);
      const description = {
        sign_in: 'nobody is signed in',
        choice: 'somebody else is signed in',
        proof: 'the person signed in longer ago than max_age, or a scope, permits',
        level: 'the person signed in at a lower level than acr_values, or a scope, demands',
        nothing: '',
      }[demand];
      throw new OAuthError('login_required', description, { target });
    }
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
  const grant = rememberedGrant(request) ?? (await grantSilently(deps, traceOf(req, res), request, asked));
  if (grant) return answerWithCode(page, request, grant);
  if (prompt.has('none')) throw new OAuthError('consent_required', 'the person has to be asked', { target });
  return showConsent(page, request);
}

/** Only the code travels through the browser, never a token [6749 §4.1.2]. */
export async function answerWithCode(
  page: AuthorizationPage,
  request: AuthorizationRequest,
  grant: { grant_id: string; scopes: readonly string[] },
): Promise<void> {
  const { deps, req } = page;
  const code = await issueCode(deps, request, { ...grant, ...signInOf(req, deps.config) });
  if (code === undefined) return redirectToStep(page, 'authorize');
  return answerClient(page, request.target, { code });
}

/** What a person allows, and how they have signed in, which the code and all its tokens keep [9470 §6]. */
export interface SignedInGrant {
  grant_id: string;
  scopes: readonly string[];
  /** undefined if the time is unknown */
  auth_time: Date | undefined;
  acr: Level;
}

/** A code for what the grant allows of this request; undefined when the grant was revoked meanwhile. */
export async function issueCode(
  deps: Deps,
  request: AuthorizationRequest,
  { grant_id, scopes, auth_time, acr }: SignedInGrant,
): Promise<string | undefined> {
  const { config, database } = deps;
  const code = createCredential('authorization_code');
  const { catalogue, requested_scope } = request;
  const granted = grantedOf(request, scopes);
  const { pushed } = request;
  const issued = await issueAuthorizationCode(database, {
    code_sha256: credentialKey(code),
    grant_id,
    redirect_uri: request.target.redirect_uri,
    redirect_uri_sent: request.redirect_uri_sent,
    code_challenge: request.code_challenge,
    binding: request.binding,
    scope: granted.join(' '),
    requested_scope: requested_scope && spelledAsRequested(catalogue, requested_scope, granted),
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

/** Answers an authorization request at once: by a redirect, or by a page whose form the browser sends to the client. */
export async function answerClient(
  page: PageContext,
  target: RefusalTarget,
  parameters: AnswerToClient,
): Promise<void> {
  const written = await writeAnswer(page.deps, target, parameters, traceOf(page.req, page.res));
  if (!isForm(target)) return redirectToClient(page.res, target, written);
  renderView(page, 'form-post', { answer: formOf(target, written), host: redirectHost(target.redirect_uri) ?? '' });
}

/** The answer as a page offers it to a person, who decides whether it is sent: a link or a form. */
export async function offeredAnswer(
  { deps, req, res }: PageContext,
  target: RefusalTarget,
  parameters: AnswerToClient,
): Promise<ClientAnswer> {
  const written = await writeAnswer(deps, target, parameters, traceOf(req, res));
  return isForm(target) ? formOf(target, written) : { href: redirectionTo(target.redirect_uri, written) };
}

const isForm = ({ response_mode }: RefusalTarget) => response_mode.startsWith('form_post');

function formOf({ redirect_uri }: RefusalTarget, written: AnswerToClient) {
  const fields = Object.entries(written).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  return { action: redirect_uri, fields };
}

/** Seconds for which a signed answer is valid; JARM §2.1 recommends ten minutes at most. */
const lifetime = 300;

/**
 * What the client receives: the parameters of the answer, the state, and `iss` against mix-up attacks [9207 §2]. If it asked
 * for a signed answer, all of that as one JWT that names it [JARM §2.1].
 */
export async function writeAnswer(
  deps: Deps,
  { client_id, state, issuer, response_mode }: RefusalTarget,
  parameters: AnswerToClient,
  trace: Trace,
): Promise<AnswerToClient> {
  const answer = { ...parameters, state, iss: issuer };
  if (!response_mode.endsWith('.jwt')) return answer;
  const exp = Math.floor(Date.now() / 1000) + lifetime;
  // JARM defines no type of its own, and some libraries accept no other than this one
  return { response: await sign(deps, { ...answer, aud: client_id, exp }, 'JWT', trace) };
}
