import type { RequestHandler } from 'express';
import { encode } from 'uqr';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { askedProof, provesByPassword, proveUnlessFresh } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { addApp, isDemandedOf, renewCodes, stateOf } from '../../identity/second-factor.ts';
import { type Factors, findFactors, removeSecondFactor } from '../../identity/second-factors.sql.ts';
import { type Proof, sessionsVersionOf, signIn } from '../../identity/session.ts';
import { isCurrent, issueTicket, openTicket, type Ticket } from '../../identity/sign-in-ticket.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { isSecondFactor, type SecondFactor } from '../../lib/second-factors.ts';
import { keyUri, newAppSecret, writtenSecret } from '../../lib/totp.ts';
import { redirectWithin } from '../../web/answers.ts';
import type { Brand } from '../../web/brand.ts';
import { formProblem, issueFormKey } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import type { AppToSetUp, FactorRefusal } from './factors.view.ts';
import { renderSecurity, securityPath } from './security.ts';

/** Changes the second factor. Each form asks for a proof first; the last form of a setup has a ticket that was given after a proof. */
export const changeSecondFactor = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const factors = await findFactors(deps.database, page.user.user_id);
    const isCurrent = factors?.sessions_version === sessionsVersionOf(page.req);
    if (problem || !isCurrent) return renderFactor(page, { status: 403, name: problem ?? 'form_expired' });
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
  if (!('remove' in form)) return renderSetup(page, factors, { app_secret: newAppSecret() });
  if (isDemandedOf(deps, factors)) return renderFactor(page, { status: 403, name: 'factor_demanded' });
  const { sessions_version } = factors;
  const removed = await recordChange(deps, traceOf(req, res), { event: 'second_factor_removed', user_id }, (told) =>
    removeSecondFactor(deps.database, { user_id, sessions_version }, told),
  );
  if (removed === undefined) return renderFactor(page, { status: 409, name: 'changed_meanwhile' });
  // the removal ended all sessions, this one too
  const { methods, ...present } = presentProof(page);
  const kept = methods.filter((method) => method === 'passkey' || !isSecondFactor(method));
  await signIn(req, { ...present, methods: kept, sessions_version: removed });
  return redirectWithin(res, deps.config, `${securityPath}?notice=factor_removed`);
}

/** Confirms the app that the person has set up, by its code. */
async function confirm(page: SignedInPage, factors: Factors, form: Parameters): Promise<void> {
  const { deps, req, res } = page;
  const ticket = openTicket(page, 'ticket of a setup', fieldOf(form, 'ticket'));
  const secret = ticket && secretOf(page, ticket, factors);
  if (!secret) return renderFactor(page, { status: 403, name: 'form_expired' });
  const added = await addApp(deps, traceOf(req, res), { factors, secret, code: fieldOf(form, 'code') });
  const { issued_at } = ticket;
  if (added === 'wrong_code') return renderSetup(page, factors, { app_secret: secret, issued_at }, added);
  if (added === 'changed_meanwhile') return renderFactor(page, { status: 409, name: added });
  return showFirstCodes(page, 'totp', added);
}

function secretOf({ user }: SignedInPage, ticket: Ticket, factors: Factors): Buffer | undefined {
  const isOwn = ticket.user_id === user.user_id;
  if (!isOwn || !isCurrent(ticket, stateOf(factors))) return undefined;
  return ticket.app_secret === undefined ? undefined : Buffer.from(ticket.app_secret, 'base64url');
}

interface Setup {
  app_secret: Buffer;
  /** when the ticket of an earlier try was issued */
  issued_at?: number;
}

function renderSetup(page: SignedInPage, factors: Factors, setup: Setup, problem?: 'wrong_code'): void {
  const { viewer, csrf, deps } = page;
  const issued = { ...stateOf(factors), ...setup };
  const ticket = issueTicket(page, 'ticket of a setup', presentProof(page), issued);
  const app = appToSetUp(page, factors.username, setup.app_secret);
  const refusal = problem && { status: 400, name: problem };
  const form = { viewer, csrf, action: deps.config.base + securityPath, ticket };
  const data = { ...form, ...app, is_on: factors.is_needed, problem: refusal };
  renderView(page, 'factor-setup', data, refusal?.status);
}

const renderFactor = (page: SignedInPage, { status, ...problem }: FactorRefusal): Promise<void> =>
  renderSecurity(page, status, { problem: { form: 'factor', ...problem } });

/** Returns what the person scans or types into the app. It is in the page only, and in no address. */
export function appToSetUp(
  { deps }: { deps: { config: { brand: Brand } } },
  username: string,
  secret: Buffer,
): AppToSetUp {
  const { brand } = deps.config;
  const uri = keyUri(secret, { issuer: brand.name, account: username });
  const { data, size } = encode(uri, { border: 2 });
  const dark = data.flatMap((line, y) => line.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { secret: writtenSecret(secret), picture: { size, path: dark.join('') }, uri, username };
}

/** Returns the proof of the present session: a new session for the same person is no newer proof of who they are. */
function presentProof({ req, user }: SignedInPage): Proof {
  const { methods = ['password'], auth_time, acr, amr, source } = req.session;
  const sessions_version = sessionsVersionOf(req);
  return { user_id: user.user_id, methods, auth_time, acr, amr, source, sessions_version };
}

interface FirstCodes {
  codes: readonly string[];
  /** the version of the sessions after the change, see NewSession */
  sessions_version: string;
}

/** Shows the codes of a first factor, which has ended all sessions, in a new session. */
export async function showFirstCodes(
  page: SignedInPage,
  factor: SecondFactor,
  { codes, sessions_version }: FirstCodes,
): Promise<void> {
  const proof = presentProof(page);
  const methods = [...proof.methods.filter((method) => !isSecondFactor(method)), factor];
  await signIn(page.req, { ...proof, methods, sessions_version });
  return renderCodes(page, codes);
}

/** Shows the codes, which nobody sees again. */
function renderCodes(page: SignedInPage, codes: readonly string[]): void {
  const { deps, viewer, user } = page;
  const next = { href: `${deps.config.base}/account/security` };
  // the session may be new
  const csrf = issueFormKey(page);
  renderView(page, 'recovery-codes', { viewer, csrf, username: user.username, codes, next });
}
