import type { RequestHandler } from 'express';
import { logEvent, recordRegistration } from '../../audit/audit.ts';
import { changeClientSecurity } from '../../clients/client-registration.sql.ts';
import { cameByItself } from '../../clients/origins.sql.ts';
import type { Deps } from '../../deps.ts';
import { changedMeanwhile, isOwnInput, keptInput, madeFrom, restored } from '../../identity/form-origin.ts';
import { proofUnlessFresh } from '../../identity/fresh-proof.ts';
import { noticeOf } from '../../identity/person.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { digestOf } from '../../lib/secrets.ts';
import type { RegistrationProblem } from '../../postgres/refused-values.sql.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { translator } from '../../web/language.ts';
import { renderView } from '../../web/render.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { shownClient } from '../../web/shown-client.ts';
import { consolePath } from './path.ts';
import { refusedProof } from './proof.ts';
import { type ApplicationPage, forApplication, readAgain, recordedOf } from './registered-application.ts';
import { issueTicket, secretOfTicket, ticketIn } from './secret-ticket.ts';
import { storeTicket } from './secrets.ts';
import type { MemberProblem, SecurityForm, SecurityViews } from './security.view.ts';
import {
  formOf,
  isFilledIn,
  offersFor,
  readSecurity,
  securityFrom,
  securityOf,
  securityValues,
  shownFields,
  withoutPrivateKey,
} from './security-form.ts';

/** Shows how an application authenticates, and what it takes to use its tokens. */
export const showSecurity = (deps: Deps): RequestHandler =>
  forApplication(deps, (page) => {
    const kept = keptInput(page, page.req.path);
    // keys whose input was not kept stay as they are
    const { jwks } = formOf(page.application);
    const input = kept && { typed: readSecurity(deps, page.application, { jwks, ...kept }), ...restored(kept) };
    const notice = noticeOf(page.req, ['application_saved'] as const);
    return renderSecurity(page, 200, { notice, ...input });
  });

/**
 * Changes the security of an application. One that starts to use a secret gets it shown once; a form that is sent twice makes one
 * secret.
 */
export const changeSecurity = (deps: Deps): RequestHandler =>
  forApplication(deps, async (page) => {
    const { req, application } = page;
    const form = bodyParameters(req);
    const typed = readSecurity(deps, application, form);
    const problem = formProblem(page, form);
    const ticket = ticketIn(form);
    const kept = { typed, made_from: fieldOf(form, 'made_from') };
    if (problem || ticket === undefined) {
      return renderSecurity(page, 403, { problem: problem ?? 'form_expired', ...(isOwnInput(page, form) && kept) });
    }
    if (isFilledIn(form)) return renderSecurity(page, 200, kept);
    const refused = await refusedProof(page, form);
    if (refused) {
      const { status, ...shown } = refused;
      return renderSecurity(page, status, { ...shown, ...kept });
    }
    return saveSecurity(page, form, ticket);
  });

async function saveSecurity(page: ApplicationPage, form: Parameters, ticket: string): Promise<void> {
  const { deps, res, application, user } = page;
  const { client_id } = application;
  const typed = readSecurity(deps, application, form);
  const now = securityValues(formOf(application));
  const meanwhile = changedMeanwhile(form, securityValues(typed), now);
  if (meanwhile) {
    const shown = withoutPrivateKey({ ...typed, ...securityFrom(meanwhile.values) });
    const changed_meanwhile = meanwhile.changed.map((one) =>
      one.field === 'jwks' ? { ...one, yours: shown.jwks } : one,
    );
    return renderSecurity(page, 409, { typed: shown, changed_meanwhile });
  }
  const change = {
    client_id,
    security: securityOf(application, typed),
    by_admin: user.is_admin,
    secret_sha256: digestOf(secretOfTicket(deps, client_id, ticket)),
    ticket_sha256: digestOf(ticket),
    shown: application,
  };
  const detail = ['security', typed.profile, typed.token_endpoint_auth_method, typed.token_binding].join(' ');
  const recorded = recordedOf(page, { event: 'client_changed', detail });
  const { isDone, problems } = await recordRegistration(deps, recorded, () =>
    changeClientSecurity(deps.database, change, recorded),
  );
  if (problems.length > 0) {
    return renderSecurity(page, 400, { made_from: fieldOf(form, 'made_from'), ...refusalOf(typed, problems) });
  }
  // another form was saved a moment ago
  if (!isDone) return saveSecurity(await readAgain(page), form, ticket);
  if (typed.token_endpoint_auth_method === 'client_secret_basic' && application.secrets_sha256.length === 0) {
    const added = recordedOf(page, { event: 'client_secret_added' });
    logEvent(deps, added, added);
    storeTicket(page, client_id, ticket);
    return redirectWithin(res, deps.config, `${consolePath(client_id)}/secrets/new`);
  }
  return redirectWithin(res, deps.config, `${consolePath(client_id)}/security?notice=application_saved`);
}

interface Outcome extends Partial<Pick<SecurityViews['developer-security'], Shown>> {
  typed?: SecurityForm;
}

type Shown = 'notice' | 'problem' | 'wait_minutes' | 'problems' | 'made_from' | 'changed_meanwhile' | 'is_restored';

function refusalOf(typed: SecurityForm, problems: readonly RegistrationProblem[]): Outcome {
  // the form was sent before, and its secret is used up
  if (problems.some(({ rule }) => rule === 'contradicts_secret')) return { typed, problem: 'form_expired' };
  return { typed, problems: problems.map(securityProblemOf) };
}

function renderSecurity(
  page: ApplicationPage,
  status: number,
  { typed, problems = [], made_from, ...shown }: Outcome,
): void {
  const { deps, application, viewer, csrf } = page;
  const application_href = deps.config.base + consolePath(application.client_id);
  const data = {
    viewer,
    csrf,
    ticket: issueTicket(),
    client: shownClient(application),
    application_href,
    action: `${application_href}/security`,
    form: typed ? withoutPrivateKey(typed) : formOf(application),
    made_from: made_from ?? madeFrom(page, securityValues(formOf(application))),
    ...offersFor(deps, application),
    takes_rs256: cameByItself(application),
    proof: proofUnlessFresh(page, `${consolePath(application.client_id)}/security`),
    problems,
    ...shown,
  };
  renderView(page, 'developer-security', data, status);
}

type Problem = SecurityViews['developer-security']['problems'][number];

/** Returns the problem at its field of the form, with the text for its rule; a rule without a text has the database's message. */
function securityProblemOf({ field, rule, sentence }: RegistrationProblem): Problem {
  const shownAt = shownFields.find((one) => one === field);
  const name = `${field}_${rule}`;
  if (shownAt !== undefined && hasText(name)) return { field: shownAt, name };
  return {
    field: shownAt ?? 'token_endpoint_auth_method',
    name: 'token_endpoint_auth_method_refused',
    value: sentence,
  };
}

const { has: hasKey } = translator('en');
const hasText = (name: string): name is MemberProblem => hasKey(`security_problem.${name}`);
