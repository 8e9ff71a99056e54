import { audit } from '../audit/audit.ts';
import type { Parameters } from '../lib/parameters.ts';
import { hasProvenFactor } from '../lib/second-factors.ts';
import { formProblem } from '../web/form-key.ts';
import { isSealed, keepForm, keptIn, keptParameter } from '../web/kept-form.ts';
import { traceOf } from '../web/request-log.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { ProofProblem, ShownProof, StaleProof } from '../web/views/parts.ts';
import { signInBrowser } from './known-browser.ts';
import type { SignedInPage } from './person.ts';
import { checkCode } from './second-factor.ts';
import { findFactors } from './second-factors.sql.ts';
import { hasKnownTime, secondsSinceProof } from './session.ts';
import { refuseTooBusy } from './too-busy.ts';
import { checkTypedPassword, delayOf } from './typed-password.ts';

/** Seconds for which a sign-in proves who asks for a change that could take the account away. */
const freshFor = 900;

/**
 * Whether the person proves a change that could take the account away by a password: people who have a password here enter it, others
 * must have signed in a short time ago.
 */
export function provesByPassword({ deps, user }: SignedInPage): boolean {
  return deps.config.passwords && user.has_password;
}

const isRecent = ({ req }: SignedInPage): boolean => secondsSinceProof(req) <= freshFor;

/**
 * Whether a code is needed: whoever has a second factor proves that, too, unless the present sign-in just did. A trusted browser proves
 * nothing.
 */
const needsCode = (page: SignedInPage): boolean =>
  page.user.has_second_factor && !(isRecent(page) && hasProvenFactor(page.req.session.methods ?? []));

export const isFresh = (page: SignedInPage): boolean => isRecent(page) && !needsCode(page);

/** Says why the present sign-in is no proof. A new sign-in at the same place is no proof either if its time is never known. */
export const staleProof = ({ req }: SignedInPage): StaleProof =>
  hasKnownTime(req) ? 'sign_in_again' : 'sign_in_elsewhere';

/** Returns what the page asks for as proof; `path` is the page's own, to which a new sign-in leads back. */
export function shownProof(page: SignedInPage, path: `/${string}`): ShownProof {
  const code = needsCode(page);
  // a security key answers in the second step of a sign-in only
  if (provesByPassword(page) && (page.user.has_app || !code)) return { by: 'password', code };
  const kept = keptThrough(page);
  const query = new URLSearchParams({ to: path, fresh: '1', ...(kept !== undefined && { [keptParameter]: kept }) });
  if (isFresh(page)) return { by: 'session' };
  return { by: 'sign_in', problem: staleProof(page), href: `${page.deps.config.base}/login?${query}` };
}

/** The input that comes back after the sign-in: from this request, or from the one that opened its page. */
function keptThrough(page: SignedInPage): string | undefined {
  const sealed = keepForm(page) ?? keptIn(page.req);
  return isSealed(sealed) ? sealed : undefined;
}

/** The proof for a change that needs only a sign-in within the last 15 minutes: whoever has signed in so lately enters nothing. */
export function proofUnlessFresh(page: SignedInPage, path: `/${string}`): ShownProof {
  return isFresh(page) ? { by: 'session' } : shownProof(page, path);
}

export async function proveUnlessFresh(page: SignedInPage, asked: AskedProof): Promise<ProofRefusal | undefined> {
  if (isFresh(page)) return undefined;
  const proof = await provePerson(page, asked);
  return 'name' in proof ? proof : undefined;
}

/**
 * Refuses a form that does not belong to this session, or whose person has not proved who they are, in the form or by a recent sign-in;
 * otherwise returns undefined. `change` tells the audit trail what the proof was for.
 */
export async function refuseUnproven(
  page: SignedInPage,
  form: Parameters,
  change: string,
): Promise<ProofRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  return proveUnlessFresh(page, askedProof(form, change)).catch(refuseTooBusy(page));
}

export interface ProofRefusal {
  status: number;
  name: ProofProblem;
  wait_minutes?: number;
}

export interface Proven {
  /** the hash that the account must still have; null for an account without a password */
  password_hash: string | null;
}

/** The fields of a form with the password and the code, and what the audit trail says about wrong ones. */
export interface AskedProof {
  password: string;
  code: string;
  purpose: string;
}

export const askedProof = (form: Parameters, purpose: string): AskedProof => ({
  ...{ password: fieldOf(form, 'password'), code: fieldOf(form, 'code'), purpose },
});

/** Checks that the sender of the form is the person, so that a stranger at an unlocked browser can take nothing away. */
export async function provePerson(page: SignedInPage, asked: AskedProof): Promise<Proven | ProofRefusal> {
  if (!provesByPassword(page)) return isFresh(page) ? { password_hash: null } : { status: 403, name: staleProof(page) };
  const check = await checkTypedPassword(page, page.user.username, asked.password);
  if ('status' in check) return check;
  const { account } = check;
  if (!check.isRight || account.user_id !== page.user.user_id) return refuse(page, asked, 'wrong_old_password');
  return (await refusedCode(page, asked)) ?? { password_hash: account.password_hash };
}

/** Checks the code; the caller has checked the password, so that a guess at the password uses up no code. */
export async function refusedCode(page: SignedInPage, asked: AskedProof): Promise<ProofRefusal | undefined> {
  if (!needsCode(page)) return undefined;
  const { deps, user } = page;
  if (asked.code === '') {
    return user.has_app ? { status: 400, name: 'code_needed' } : { status: 403, name: staleProof(page) };
  }
  const factors = await findFactors(deps.database, user.user_id);
  if (!factors) return { status: 403, name: 'form_expired' };
  const { address, knownBrowserOf } = signInBrowser(page);
  const check = await checkCode(deps, factors, { address, knownBrowser: knownBrowserOf(factors) }, asked.code);
  if ('wait' in check) return delayOf(page, check.wait);
  return 'problem' in check ? refuse(page, asked, check.problem) : undefined;
}

async function refuse(page: SignedInPage, { purpose }: AskedProof, name: ProofProblem): Promise<ProofRefusal> {
  const { deps, req, res, user } = page;
  const event =
    name === 'wrong_old_password'
      ? ({ event: 'current_password_wrong', detail: purpose } as const)
      : ({ event: 'sign_in_refused', detail: `second factor: ${purpose}` } as const);
  await audit(deps, traceOf(req, res), { ...event, user_id: user.user_id });
  return { status: 400, name };
}
