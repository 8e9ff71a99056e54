import type { RequestHandler } from 'express';
import { storeNote } from '../../clients/recent-refusals.ts';
import type { Deps } from '../../deps.ts';
import { sessionsVersionOf, signedInUser, signInOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import { redirectWithin } from '../../web/answers.ts';
import { clientAddress, requestIdOf, traceOf } from '../../web/request-log.ts';
import { isForm, rawQuery } from '../../web/request-parameters.ts';
import { showConsent } from '../consent/consent-page.ts';
import { type Dialect, flowPaths } from '../github/dialect.ts';
import { type AuthorizationRequest, grantSilently, issueCode, rememberedGrant } from './authorization.ts';
import {
  type AuthorizationPage,
  redirectToStep,
  requestOf,
  type SignedInAuthorizationPage,
} from './authorization-page.ts';
import { readAuthorizationRequest } from './authorization-request.ts';
import { answerClient } from './client-answer.ts';
import { canSignInStronger, demandOf, unmetLevel } from './demand.ts';

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

const longestQuery = 8000;

/**
 * An authorization request as a form [6749 §3.1]: the browser is redirected to the same request in the query, with which
 * every page of the flow carries it on.
 */
export const authorizeByForm =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  (req, res) => {
    if (!isForm(req)) throw new OAuthError('invalid_request', 'the body must be application/x-www-form-urlencoded');
    if (rawQuery(req) !== '') {
      throw new OAuthError('invalid_request', 'a request that is sent as a form must not have a query as well');
    }
    const query = String(req.body);
    if (query.length > longestQuery) {
      throw new OAuthError('invalid_request', `the form is longer than ${longestQuery} characters`, { status: 413 });
    }
    if (/[^\x21-\x7e]|#/.test(query)) throw new OAuthError('invalid_request', 'the form is not percent-encoded');
    redirectWithin(res, deps.config, `${flowPaths[dialect].authorize}?${query}`);
  };

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
