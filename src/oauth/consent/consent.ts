import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Trace } from '../../audit/audit.sql.ts';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { isFormOf } from '../../identity/form-origin.ts';
import { sessionsVersionOf, signedInUser, signInOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { asksForNewSignIn } from '../../lib/prompt.ts';
import { digestOf } from '../../lib/secrets.ts';
import { isTooWeak } from '../../lib/step-up.ts';
import { formProblem } from '../../web/form-key.ts';
import { clientAddress, traceOf } from '../../web/request-log.ts';
import { bodyParameters, parameter, readParameters } from '../../web/request-parameters.ts';
import {
  type AuthorizationPage,
  carriedQuery,
  redirectToStep,
  requestOf,
  requestQuery,
  type SignedInAuthorizationPage,
} from '../authorize/authorization-page.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from '../authorize/authorization-request.ts';
import { answerWithCode } from '../authorize/authorize.ts';
import { isLookingThrough } from '../choice/choice-form.ts';
import { type ChosenByForm, chooseByForm, recordOf } from '../choice/consent-choices.ts';
import type { Dialect } from '../github/dialect.ts';
import { showConsent } from './consent-page.ts';
import { isTicketFor } from './consent-ticket.ts';
import { type GrantDuration, registerGrant } from './grants.sql.ts';
import { choicesIn, choicesSchema, keepingChoices } from './kept-choices.ts';
import { registerConsentRefusal } from './refused-consent.ts';
import { type Asked, consentProblem, decisionsIn, grantedOf } from './remembered-grant.ts';

const ticketSchema = z.object({ ticket: parameter(64, /^[\w-]{16,64}$/) });

const decisionSchema = choicesSchema.extend({ ...ticketSchema.shape, decision: z.enum(['allow', 'deny']) });

type Decision = z.infer<typeof decisionSchema>;

type ShowSignIn = (page: AuthorizationPage, why: { status: 401; problem: 'session_ended' }) => Promise<void>;

/** Receives the consent form. It contains only the decision; the authorization request is read from the query again. */
export const consent =
  (deps: Deps, dialect: Dialect, showSignIn: ShowSignIn): RequestHandler =>
  async (req, res) => {
    const user_id = signedInUser(req);
    if (user_id === undefined) {
      return showSignIn(keepingChoices({ deps, req, res, dialect }), { status: 401, problem: 'session_ended' });
    }
    const page = { deps, req, res, dialect, user_id };
    const requester = { dialect, user_id, address: clientAddress(req) };
    const request = await readAuthorizationRequest(deps, await requestOf(page), requester);
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    // without a valid form key, nothing shows that the person entered the password that the request demands
    if (problem && asksForNewSignIn(request)) return redirectToStep(keepingChoices(page), 'authorize');
    if (problem) {
      const choices = problem === 'form_expired' && isFormOf(deps, user_id, form) ? choicesIn(form) : {};
      return showConsent(page, request, { problem, ...choices });
    }
    // a press of a language decides nothing
    const decision = 'language' in form || isLookingThrough(form) ? undefined : readParameters(decisionSchema, form);
    const { ticket } = decision ?? readParameters(ticketSchema, form);
    const queries = [requestQuery(page), carriedQuery(page)];
    // the second as the previous release knows it
    const isTicketValid = queries.some((query) => isTicketFor(deps, ticket, { request, user_id, query }));
    // another sign-in may have replaced the one for which the form was shown
    const isWeak = isTooWeak(signInOf(req, deps.config), request);
    if (!isTicketValid || isWeak) return redirectToStep(keepingChoices(page), 'authorize');
    if (!decision) return showConsent(page, request, { ticket, ...choicesIn(form) });
    if (decision.decision === 'deny') return deny(page, request, decision);
    return allow(page, request, decision, form);
  };

async function deny(
  page: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  { ticket }: Decision,
): Promise<void> {
  const { deps, req, res, user_id } = page;
  const refusal = { user_id, sessions_version: sessionsVersionOf(req), ticket };
  const isFirst = await registerConsentRefusal(deps, traceOf(req, res), request, refusal);
  if (!isFirst) return redirectToStep(page, 'authorize');
  // the person sent this answer by a button, so no page in between asks whether to send it
  throw new OAuthError('access_denied', 'the person refused', { target: { ...request.target, unvouched: undefined } });
}

async function allow(
  page: SignedInAuthorizationPage,
  request: AuthorizationRequest,
  decision: Decision,
  form: Parameters,
): Promise<void> {
  const { deps, req, res, user_id } = page;
  const { ticket, scope, duration } = decision;
  const chosen = await chooseByForm(page, request, form, grantedOf(request, [scope].flat()));
  if (chosen.is_refusal) return deny(page, request, decision);
  const { granted, choices, problem = consentProblem(request, granted) } = chosen;
  if (problem) return showConsent(page, request, { problem, ticket, ...choicesIn(form) });
  const consent = { user_id, sessions_version: sessionsVersionOf(req), ticket, ...chosen, duration };
  const grant_id = await registerConsent(deps, traceOf(req, res), request, consent);
  if (grant_id === undefined) return redirectToStep(page, 'authorize');
  return answerWithCode(page, request, { grant_id, scopes: granted, choices });
}

/** Refuses GET: only the form of a consent page leads here, by POST. */
export const refuseWithoutForm: RequestHandler = () => {
  throw new OAuthError('invalid_request', 'there is nothing to decide here; start again from the application');
};

/** A person's answer to one consent form, which its ticket names. */
export interface Consent extends Asked, Pick<ChosenByForm, 'granted' | 'choices' | 'is_choice_only'> {
  ticket: string;
  duration: GrantDuration;
}

/** The id of the grant; undefined when this form was answered before, or somebody has ended the sessions of the person. */
export async function registerConsent(
  deps: Deps,
  trace: Trace,
  request: AuthorizationRequest,
  { user_id, sessions_version, ticket, granted, choices, is_choice_only, duration }: Consent,
): Promise<string | undefined> {
  const { config, database } = deps;
  const { client, scopes, resources, gives_username } = request;
  const { client_id, redirect_uris } = client;
  const detail = decisionsIn({ scopes: granted, resources, choices: [] }).join(' ');
  const is_new = client.grant === null && duration === 'always';
  const event = { event: 'consent_given', user_id, client_id, detail, ...(is_new && { is_new }) } as const;
  const consent = {
    ticket_sha256: digestOf(ticket),
    user_id,
    sessions_version,
    client_id,
    granted,
    refused: scopes.filter((name) => !granted.includes(name)),
    redirect_uris,
    gives_username,
    decided: decisionsIn(request),
    choices: recordOf(choices),
    silent: is_choice_only,
    duration,
    once_ttl: config.authorization_code_ttl + config.access_token_ttl,
    detail,
  };
  return recordChange(deps, trace, event, (told) => registerGrant(database, consent, told));
}
