import { checkPasskey } from '../accounts/passkeys/passkey-limit.ts';
import { checkSecondStep } from '../accounts/passkeys/passkeys.ts';
import { audit } from '../audit/audit.ts';
import { signInBrowser } from '../identity/known-browser.ts';
import { addApp, checkCode, missingFactor, stateOf, versionOf } from '../identity/second-factor.ts';
import { type Factors, findFactors } from '../identity/second-factors.sql.ts';
import { leaveSession, type Proof } from '../identity/session.ts';
import { isCurrent, openTicket, proofOf } from '../identity/sign-in-ticket.ts';
import { trustBrowser } from '../identity/trusted-browser.ts';
import { delayOf } from '../identity/typed-password.ts';
import type { Parameters } from '../lib/parameters.ts';
import { isTooOld } from '../lib/prompt.ts';
import { hasSecondFactor } from '../lib/second-factors.ts';
import type { AuthorizationPage } from '../oauth/authorize/authorization-page.ts';
import { requiredSignIn } from '../oauth/authorize/missing-sign-in.ts';
import { clientAddress, traceOf } from '../web/request-log.ts';
import { fieldOf } from '../web/request-parameters.ts';
import { hasPasskey } from './passkey-sign-in.ts';
import { type HalfSignIn, showNewCodes, showSecondStep } from './second-step-page.ts';
import { completeSignIn } from './sign-in.ts';
import type { FailedStep } from './sign-in.view.ts';

/** Takes the second half of a sign-in. Undefined when the request was answered; otherwise the person begins again. */
export async function takeSecondStep(page: AuthorizationPage, form: Parameters): Promise<FailedStep | undefined> {
  const { deps } = page;
  const ticket = openTicket(page, 'sign-in ticket', fieldOf(form, 'ticket'));
  const factors = ticket && (await findFactors(deps.database, ticket.user_id));
  if (!ticket || !factors || !isCurrent(ticket, stateOf(factors))) {
    return { status: 403, problem: 'sign_in_over' };
  }
  const { app_secret, issued_at } = ticket;
  const { max_age } = await requiredSignIn(page);
  // max_age=0 demands a new proof, and this sign-in is one
  if (isTooOld(factors.now - issued_at, max_age || undefined)) return { status: 403, problem: 'sign_in_over' };
  const proof = proofOf(ticket);
  if (app_secret !== undefined && 'decline' in form) await completeSignIn(page, proof, { has_declined: true });
  else if (app_secret !== undefined)
    await setUp(
      page,
      { proof, factors, issued_at, secret: Buffer.from(app_secret, 'base64url') },
      fieldOf(form, 'code'),
    );
  // the person has seen the recovery codes
  else if (hasSecondFactor(proof.methods)) await completeSignIn(page, proof);
  else await takeFactor(page, { proof, factors, issued_at, missing: 'code' }, form);
  return undefined;
}

const takeFactor = (page: AuthorizationPage, half: HalfSignIn, form: Parameters): Promise<void> =>
  hasPasskey(form) ? takePasskey(page, half, form) : takeCode(page, half, form);

/** Checks one of the person's passkeys or security keys. */
async function takePasskey(page: AuthorizationPage, half: HalfSignIn, form: Parameters): Promise<void> {
  const { deps, req, res } = page;
  const { proof, factors } = half;
  const { user_id } = factors;
  const user_agent = req.headers['user-agent']?.slice(0, 400) ?? null;
  const answer = { form, form_key: fieldOf(form, 'csrf'), address: clientAddress(req), user_agent };
  const check = await checkPasskey(page, () => checkSecondStep(deps, user_id, answer));
  if ('status' in check) return showSecondStep(page, half, check);
  if ('refused' in check) {
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', user_id, detail: `passkey: ${check.refused}` });
    return showSecondStep(page, half, { status: 401, name: 'passkey_refused' });
  }
  keepTrust(page, factors, form);
  return completeSignIn(page, {
    ...proof,
    methods: [...proof.methods, check.user_verified ? 'passkey' : 'security_key'],
  });
}

function keepTrust(page: AuthorizationPage, factors: Factors, form: Parameters): void {
  const { user_id, now } = factors;
  if (fieldOf(form, 'trust') === 'true') trustBrowser(page, { user_id, version: versionOf(factors), now });
}

async function takeCode(page: AuthorizationPage, half: HalfSignIn, form: Parameters): Promise<void> {
  const { deps, req, res } = page;
  const { proof, factors } = half;
  const { user_id } = factors;
  const { address, knownBrowserOf } = signInBrowser(page);
  const browser = { address, knownBrowser: knownBrowserOf(factors) };
  const check = await checkCode(deps, factors, browser, fieldOf(form, 'code'));
  if ('wait' in check) return showSecondStep(page, half, delayOf(page, check.wait));
  if ('problem' in check) {
    // where a password was not the first step, nobody has shown that they know it
    const detail = `second factor${proof.methods.includes('password') ? '' : `: after ${proof.methods.join(' ')}`}`;
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', user_id, detail });
    return showSecondStep(page, half, { status: 401, name: check.problem });
  }
  keepTrust(page, factors, form);
  return completeSignIn(page, { ...proof, methods: [...proof.methods, check.method] });
}

interface Setup {
  proof: Proof;
  factors: Factors;
  issued_at: number;
  secret: Buffer;
}

/** Sets up an app; the person has no session before that is done, or declined. */
async function setUp(page: AuthorizationPage, setup: Setup, code: string): Promise<void> {
  const { deps, req, res } = page;
  const { proof, factors, issued_at, secret } = setup;
  const added = await addApp(deps, traceOf(req, res), { factors, secret, code });
  if (typeof added === 'string') {
    const missing: HalfSignIn['missing'] = (await missingFactor(deps, factors, proof.methods)) ?? 'level';
    const half = { proof, factors, missing, issued_at, app_secret: secret };
    return showSecondStep(page, half, { status: 400, name: added });
  }
  // the new factor has ended the session
  await leaveSession(req);
  const changed = (await findFactors(deps.database, factors.user_id)) ?? factors;
  const { codes, sessions_version } = added;
  const whole: Proof = { ...proof, methods: [...proof.methods, 'totp'], sessions_version };
  return showNewCodes(page, { proof: whole, factors: changed, issued_at, missing: 'code' }, codes);
}
