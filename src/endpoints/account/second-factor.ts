import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { recordChange } from '../../grants/audit.ts';
import { addApp, isDemandedOf, renewCodes, stateOf } from '../../grants/second-factor.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { appToSetUp } from '../../pages/app-setup.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { askedProof, provesByPassword, proveUnlessFresh } from '../../pages/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { signIn } from '../../pages/session.ts';
import { isCurrent, issueTicket, openTicket, type Ticket } from '../../pages/sign-in-ticket.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import type { FactorRefusal } from '../../pages/views/factors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { newAppSecret } from '../../protocol/totp.ts';
import { type Factors, findFactors, removeSecondFactor } from '../../store/second-factors.ts';
import { isSecondFactor } from '../../values/second-factors.ts';
import { presentProof, renderCodes, showFirstCodes } from './recovery-codes.ts';
import { renderSecurity, securityPath } from './security.ts';

/** Each form asks for a proof first; the last form of a setup has a ticket that was given after one. */
export const changeSecondFactor = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const factors = await findFactors(deps.database, page.user.user_id);
    if (problem || !factors) return renderFactor(page, { status: 403, name: problem ?? 'form_expired' });
    if ('ticket' in form) return confirm(page, factors, form);
    const refusal = await proveUnlessFresh(page, askedProof(form, 'second factor')).catch(refuseTooBusy(page));
    return refusal ? renderFactor(page, refusal) : change(page, factors, form);
  });

async function change(page: SignedInPage, factors: Factors, form: Parameters): Promise<void> {
  const { deps, req, res } = page;
  const { user_id } = factors;
  // whoever has no password here can only change or turn off what is on
  if (!provesByPassword(page) && !factors.is_needed) return renderFactor(page, { status: 403, name: 'form_expired' });
  if ('codes' in form) {
    const codes = await renewCodes(deps, traceOf(req, res), factors);
    return codes ? renderCodes(page, codes) : renderFactor(page, { status: 409, name: 'changed_meanwhile' });
  }
  if (!('remove' in form)) return renderSetup(page, factors, newAppSecret());
  if (isDemandedOf(deps, factors)) return renderFactor(page, { status: 403, name: 'factor_demanded' });
  await recordChange(deps, traceOf(req, res), { event: 'second_factor_removed', user_id }, (told) =>
    removeSecondFactor(deps.database, user_id, told),
  );
  // the removal ended all sessions, this one too
  const { methods, ...present } = presentProof(page);
  const kept = methods.filter((method) => method === 'passkey' || !isSecondFactor(method));
  await signIn(req, { ...present, methods: kept });
  return redirectWithin(res, deps.config, `${securityPath}?notice=factor_removed`);
}

/** The code of the app that the person has set up. */
async function confirm(page: SignedInPage, factors: Factors, form: Parameters): Promise<void> {
  const { deps, req, res } = page;
  const ticket = openTicket(page, fieldOf(form, 'ticket'));
  const secret = ticket && secretOf(page, ticket, factors);
  if (!secret) return renderFactor(page, { status: 403, name: 'form_expired' });
  const codes = await addApp(deps, traceOf(req, res), { factors, secret, code: fieldOf(form, 'code') });
  if (codes === 'wrong_code') return renderSetup(page, factors, secret, { status: 400, name: codes });
  if (codes === 'changed_meanwhile') return renderFactor(page, { status: 409, name: codes });
  return showFirstCodes(page, 'totp', codes);
}

function secretOf({ user }: SignedInPage, ticket: Ticket, factors: Factors): Buffer | undefined {
  const isOwn = ticket.user_id === user.user_id;
  if (!isOwn || !isCurrent(ticket, stateOf(factors))) return undefined;
  return ticket.app_secret === undefined ? undefined : Buffer.from(ticket.app_secret, 'base64url');
}

function renderSetup(page: SignedInPage, factors: Factors, app_secret: Buffer, refusal?: FactorRefusal): void {
  const { viewer, csrf, deps } = page;
  const issued = { ...stateOf(factors), app_secret };
  const form = { action: deps.config.base + securityPath, ticket: issueTicket(page, presentProof(page), issued) };
  const app = appToSetUp(page, factors.username, app_secret);
  const data = { viewer, csrf, ...form, ...app, problem: refusal };
  renderView(page, 'factor-setup', data, refusal?.status);
}

const renderFactor = (page: SignedInPage, { status, ...problem }: FactorRefusal): Promise<void> =>
  renderSecurity(page, status, { problem: { form: 'factor', ...problem } });
