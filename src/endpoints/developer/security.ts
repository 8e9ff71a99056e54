import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { formProblem } from '../../pages/form-key.ts';
import { noticeOf } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { shownClient } from '../../pages/shown-client.ts';
import type { SecurityForm, SecurityViews } from '../../pages/views/security.ts';
import { digestOf } from '../../protocol/secrets.ts';
import { changeClientSecurity, type RegistrationProblem } from '../../store/client-registration.ts';
import { issueTicket, secretOfTicket, storeTicket, ticketIn } from './new-secret.ts';
import { consolePath } from './path.ts';
import { type ApplicationPage, forApplication, noSuchApplication } from './registered-application.ts';
import { formOf, offersFor, readSecurity, securityOf } from './security-form.ts';
import { securityProblemOf } from './security-problem.ts';

/** How an application proves who it is, and what it takes to use its tokens. */
export const showSecurity = (deps: Deps): RequestHandler =>
  forApplication(deps, (page) =>
    renderSecurity(page, 200, { notice: noticeOf(page.req, ['application_saved'] as const) }),
  );

/** An application that goes over to a secret gets one, which is shown once. A form that is sent twice makes one secret. */
export const changeSecurity = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const { req, res, application, user } = page;
    const { user_id, is_admin } = user;
    const { client_id } = application;
    const form = bodyParameters(req);
    const typed = readSecurity(deps, application, form);
    const problem = formProblem(page, form);
    const ticket = ticketIn(form);
    if (problem || ticket === undefined)
      return renderSecurity(page, 403, { typed, problem: problem ?? 'form_expired' });
    const security = securityOf(application, typed);
    const secret_sha256 = digestOf(secretOfTicket(deps, client_id, ticket));
    const ticket_sha256 = digestOf(ticket);
    const change = { client_id, security, by_admin: is_admin, secret_sha256, ticket_sha256 };
    const { isDone, problems } = await changeClientSecurity(deps.database, change);
    if (problems.length > 0) return renderSecurity(page, 400, refusalOf(typed, problems));
    if (!isDone) throw noSuchApplication();
    const detail = ['security', typed.profile, typed.token_endpoint_auth_method, typed.token_binding].join(' ');
    await audit(deps, traceOf(req, res), { event: 'client_changed', user_id, client_id, detail });
    if (typed.token_endpoint_auth_method === 'client_secret_basic' && application.secrets_sha256.length === 0) {
      await audit(deps, traceOf(req, res), { event: 'client_secret_added', user_id, client_id });
      storeTicket(page, client_id, ticket);
      return redirectWithin(res, deps.config, `${consolePath(client_id)}/secrets/new`);
    }
    return redirectWithin(res, deps.config, `${consolePath(client_id)}/security?notice=application_saved`);
  });

interface Outcome extends Partial<Pick<SecurityViews['developer-security'], 'notice' | 'problem' | 'problems'>> {
  typed?: SecurityForm;
}

function refusalOf(typed: SecurityForm, problems: readonly RegistrationProblem[]): Outcome {
  // the form was sent before, and its secret is used up
  if (problems.some(({ rule }) => rule === 'contradicts_secret')) return { typed, problem: 'form_expired' };
  const showsPrivateKey = problems.some(({ field, rule }) => field === 'jwks' && rule === 'secret');
  return { typed: showsPrivateKey ? { ...typed, jwks: '' } : typed, problems: problems.map(securityProblemOf) };
}

function renderSecurity(page: ApplicationPage, status: number, { typed, problems = [], ...shown }: Outcome): void {
  const { deps, application, viewer, csrf } = page;
  const application_href = deps.config.base + consolePath(application.client_id);
  const data = {
    viewer,
    csrf,
    ticket: issueTicket(),
    client: shownClient(application),
    application_href,
    action: `${application_href}/security`,
    form: typed ?? formOf(application),
    ...offersFor(deps, application),
    problems,
    ...shown,
  };
  renderView(page, 'developer-security', data, status);
}
