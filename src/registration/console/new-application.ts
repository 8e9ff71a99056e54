import type { RequestHandler } from 'express';
import type { AccountProblem } from '../../accounts/profile/account.view.ts';
import { recordRegistration } from '../../audit/audit.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { registerApplication } from '../../clients/client-registration.sql.ts';
import { findDeveloperApplication } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { isOwnInput, keptInput, madeFrom } from '../../identity/form-origin.ts';
import { proofUnlessFresh } from '../../identity/fresh-proof.ts';
import { mayRegister, type SignedInPage } from '../../identity/person.ts';
import { tooManyRequests } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import type { ScopeCatalogue } from '../../lib/scope.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf, queryParameters } from '../../web/request-parameters.ts';
import type { ApplicationForm } from './developer.view.ts';
import { fieldProblemOf } from './field-problem.ts';
import { chapterPath, consolePath, listPath } from './path.ts';
import { exampleAt, type Preset, presets } from './presets.ts';
import { refusedProof } from './proof.ts';
import { forConsole } from './registered-application.ts';
import {
  createClientId,
  emptyRegistration,
  readRegistration,
  registrationForm,
  registrationOf,
  scopesOfForm,
  type TypedRegistration,
  urisOf,
} from './registration.ts';
import { issueTicket, secretOfTicket, ticketIn } from './secret-ticket.ts';
import { storeTicket } from './secrets.ts';

/** Runs `show` for a person who may register applications. */
const forDeveloper = (deps: Deps, show: (page: SignedInPage) => Promise<void>) =>
  forConsole(deps, (page) => {
    if (mayRegister(deps.config, page.user)) return show(page);
    return renderRegistrationOff(page, 403);
  });

export const showNewApplication = (deps: Deps): RequestHandler =>
  forDeveloper(deps, async (page) => {
    const kept = keptInput(page, page.req.path);
    if (!kept) return renderNew(page, presetForm(page));
    return renderNew(page, { ...readNew(kept, await findScopeCatalogue(deps.database)), is_restored: true });
  });

/** Returns the preset that the address names; the first one if it names none. */
const presetOf = ({ req }: SignedInPage) => {
  const { preset = presets[0]?.name } = queryParameters(req);
  return presets.find(({ name }) => name === preset);
};

/** Returns the form filled in by the preset, with the permission that nearly every application requests. */
function presetForm(page: SignedInPage) {
  const { confidential, refreshes, redirect_uris } = presetOf(page) ?? {
    confidential: true,
    refreshes: true,
    redirect_uris: '',
  };
  const uses: TypedRegistration['uses'] = new Map([['user:name', { use: 'optional', reason: '' }]]);
  return { typed: { ...emptyRegistration, redirect_uris, uses }, confidential, refreshes };
}

/** Returns the form as it was typed; if the button of a preset was pressed, with what the preset decides. */
function readNew(form: Parameters, catalogue: ScopeCatalogue): ShownForm {
  const typed = readRegistration(form, catalogue);
  const chosen = presets.find(({ name }) => name === fieldOf(form, 'preset'));
  if (!chosen) {
    const confidential = fieldOf(form, 'confidential') !== 'false';
    return { typed, confidential, refreshes: fieldOf(form, 'refreshes') !== 'false' };
  }
  const { confidential, refreshes, redirect_uris } = chosen;
  // URIs that another preset has filled in are not kept
  const isTyped = presets.every((one) => urisOf(one).join() !== urisOf(typed).join());
  return { typed: isTyped ? typed : { ...typed, redirect_uris }, confidential, refreshes, chosen };
}

/** Registers an application; a form that is sent twice registers only one, because its client_id is derived from the ticket. */
export const registerNewApplication = (deps: Deps): RequestHandler =>
  forDeveloper(deps, async (page) => {
    const { req, res, user } = page;
    const { user_id } = user;
    const { config, database } = deps;
    const form = bodyParameters(req);
    const input = readNew(form, await findScopeCatalogue(database, scopesOfForm(form)));
    const { typed, confidential, refreshes, chosen } = input;
    const ticket = ticketIn(form);
    const problem = formProblem(page, form);
    if (problem || ticket === undefined) {
      const kept = isOwnInput(page, form) ? input : presetForm(page);
      return renderNew(page, { ...kept, status: 403, problem: problem ?? 'form_expired' });
    }
    if (chosen) return renderNew(page, input);
    const refused = await refusedProof(page, form);
    if (refused) return renderNew(page, { ...input, ...refused });
    const wait = await countAttempt(database, { key: `register ${user_id}`, free: 30, pause: 10, longest: 900 });
    if (wait > 0) throw tooManyRequests(wait);
    const ticket_sha256 = digestOf(ticket);
    const client_id = createClientId(typed.name, ticket_sha256);
    const client_secret = confidential ? secretOfTicket(deps, client_id, ticket) : null;
    const grant_types = refreshes ? ['authorization_code', 'refresh_token'] : ['authorization_code'];
    const application = { client_id, ...registrationOf(typed), client_secret, grant_types };
    const recorded = { ...traceOf(req, res), event: 'client_registered', user_id, client_id } as const;
    const { isDone, problems } = await recordRegistration(deps, recorded, () =>
      registerApplication(database, { application, owner: user, ticket_sha256 }, recorded),
    );
    if (problems.length > 0) {
      return renderNew(page, { ...input, status: 400, problems: problems.map(fieldProblemOf) });
    }
    if (!isDone && !(await findDeveloperApplication(database, user_id, false, client_id))) {
      return renderNew(page, { ...input, status: 403, problem: 'form_expired' });
    }
    storeTicket(page, client_id, ticket);
    const next = confidential ? 'secrets/new' : 'connect?notice=application_registered';
    return redirectWithin(res, config, `${consolePath(client_id)}/${next}`);
  });

/** The form as it was typed, and its problems. */
interface ShownForm {
  typed: TypedRegistration;
  confidential: boolean;
  refreshes: boolean;
  /** the preset whose button was pressed */
  chosen?: Preset;
  status?: number;
  problem?: AccountProblem;
  wait_minutes?: number | undefined;
  problems?: ApplicationForm['problems'];
  is_restored?: boolean;
}

async function renderNew(
  page: SignedInPage,
  { typed, chosen, status = 200, problems, ...shown }: ShownForm,
): Promise<void> {
  const { viewer, csrf } = page;
  const { config, database } = page.deps;
  const catalogue = await findScopeCatalogue(database);
  const href = `${config.base}${listPath}/new`;
  const preset = chosen ?? presetOf(page);
  const action = preset && preset !== presets[0] ? `${href}?preset=${preset.name}` : href;
  const form = registrationForm(action, typed, catalogue, problems);
  const data = {
    ...{ viewer, csrf, ticket: issueTicket(), made_from: madeFrom(page), form },
    proof: proofUnlessFresh(page, `${listPath}/new`),
    presets: presets.map((one) => {
      const { name, confidential } = one;
      return { name, confidential, is_current: one === preset };
    }),
    preset: preset && {
      name: preset.name,
      example: exampleAt(preset, typed.site_domain),
      page_href: config.base + preset.page,
    },
    is_usual: shown.confidential === preset?.confidential && shown.refreshes === preset?.refreshes,
    ...shown,
  };
  renderView(page, 'developer-application-new', data, status);
}

/** Tells a person who may not register applications what to send to whoever may. */
export function renderRegistrationOff(page: SignedInPage, status: number): void {
  const { viewer, csrf } = page;
  const { base } = page.deps.config;
  const more = { href: base + chapterPath, label: 'message.registration_off.how' as const };
  const back = { href: `${base}/account`, label: 'back.account' as const };
  renderView(page, 'message', { viewer, csrf, message: 'registration_off', more, back }, status);
}
