import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { addresses, type Dialect } from '../../http/dialect.ts';
import { bodyOf, parameter, rawQueryOf, readParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { formProblem } from '../../pages/form-key.ts';
import { signedInUser } from '../../pages/session.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { asksWhoItIs } from '../../protocol/prompt.ts';
import { isWithin } from '../../protocol/scope.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { registerGrant, registerRefusal } from '../../store/grants.ts';
import { type AuthorizationRequest, readAuthorizationRequest } from './authorization-request.ts';
import { answerWithCode } from './authorize.ts';
import { type ReturnedForm, showConsent } from './consent-page.ts';
import { isTicketFor } from './consent-ticket.ts';
import { renderLogin } from './login.ts';

const choicesSchema = z.object({
  scope: z.union([z.string(), z.array(z.string())]).default([]),
  duration: z.enum(['always', '30d', 'once']).default('always'),
});

const decisionSchema = choicesSchema.extend({
  decision: z.enum(['allow', 'deny']),
  ticket: parameter(64, /^[\w-]{16,64}$/),
});

type Decision = z.infer<typeof decisionSchema>;

/** The person's answer. The request in the query is read anew: nothing that the page showed is believed. */
export const consent =
  (deps: Deps, dialect: Dialect): RequestHandler =>
  async (req, res) => {
    const user_id = signedInUser(req);
    if (user_id === undefined) return renderLogin(deps, req, res, dialect, 401, '', 'session_ended');
    const request = await readAuthorizationRequest(deps, req, dialect, user_id);
    const form = bodyOf(req);
    const problem = formProblem(deps, req, form);
    // where the password was demanded, only a form that is ours proves that it was given
    if (problem && asksWhoItIs(request.prompt)) return askAgain(deps, req, res, dialect);
    if (problem) {
      const choices = problem === 'form_expired' ? choicesIn(form) : {};
      return showConsent(deps, req, res, dialect, request, user_id, { problem, ...choices });
    }
    const decision = readParameters(decisionSchema, form);
    const isShown = isTicketFor(deps, decision.ticket, { request, user_id, query: rawQueryOf(req) });
    if (!isShown) return askAgain(deps, req, res, dialect);
    if (decision.decision === 'deny') return refuse(deps, req, res, dialect, request, user_id, decision);
    return allow(deps, req, res, dialect, request, user_id, decision);
  };

async function refuse(
  deps: Deps,
  req: Request,
  res: Response,
  dialect: Dialect,
  { client, target }: AuthorizationRequest,
  user_id: number,
  { ticket }: Decision,
): Promise<void> {
  const isFirst = await registerRefusal(deps.database, digestOf(ticket));
  if (!isFirst) return askAgain(deps, req, res, dialect);
  await audit(deps, traceOf(req, res), { event: 'consent_refused', user_id, client_id: client.client_id });
  // it was the person who sent this answer, so no page has to ask them whether it should go
  throw new OAuthError('access_denied', 'the person refused', { target: { ...target, stranger: undefined } });
}

async function allow(
  deps: Deps,
  req: Request,
  res: Response,
  dialect: Dialect,
  request: AuthorizationRequest,
  user_id: number,
  { ticket, scope, duration }: Decision,
): Promise<void> {
  const { client, scopes } = request;
  const granted = scopes.filter((name) => [scope].flat().includes(name));
  const required = scopes.filter((name) => client.required_scopes.includes(name));
  // a locked box that arrives unticked was tampered with: granting it silently would be granting what nobody agreed to
  const problem = !isWithin(required, granted)
    ? 'required_missing'
    : granted.length === 0
      ? 'nothing_chosen'
      : undefined;
  if (problem) {
    return showConsent(deps, req, res, dialect, request, user_id, { problem, ticked: granted, duration });
  }
  const { config } = deps;
  const grant_id = await registerGrant(deps.database, {
    ticket_sha256: digestOf(ticket),
    user_id,
    client_id: client.client_id,
    granted,
    refused: scopes.filter((name) => !granted.includes(name)),
    redirect_uris: client.redirect_uris,
    duration,
    once_ttl: config.authorization_code_ttl + config.access_token_ttl,
  });
  if (grant_id === undefined) return askAgain(deps, req, res, dialect);
  const { client_id } = client;
  await audit(deps, traceOf(req, res), { event: 'consent_given', user_id, client_id, detail: granted.join(' ') });
  return answerWithCode(deps, req, res, dialect, request, { grant_id, scopes: granted });
}

/** What the person had done with a form that cannot be trusted: worth showing again, and nothing else. */
function choicesIn(form: Parameters): ReturnedForm {
  const { success, data } = choicesSchema.safeParse(form);
  return success ? { ticked: [data.scope].flat(), duration: data.duration } : {};
}

/** A form that was decided already, by another window or the back button, or that showed something else, leads into the request once more. */
function askAgain({ config }: Deps, req: Request, res: Response, dialect: Dialect): void {
  redirectWithin(res, config, `${addresses[dialect].authorize}?${rawQueryOf(req)}`);
}

/** Nobody gets here but by a bookmark of a form's address. */
export const nothingToDecide: RequestHandler = () => {
  throw new OAuthError('invalid_request', 'there is nothing to decide here; start again from the application');
};
