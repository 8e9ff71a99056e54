import { appToSetUp } from '../accounts/factors/change-factors.ts';
import type { FactorRefusal } from '../accounts/factors/factors.view.ts';
import { clientOnTheWay } from '../accounts/mail/way-on.ts';
import { secondStepOptions } from '../accounts/passkeys/passkeys.ts';
import { stateOf } from '../identity/second-factor.ts';
import type { Factors } from '../identity/second-factors.sql.ts';
import type { Proof } from '../identity/session.ts';
import { issueTicket } from '../identity/sign-in-ticket.ts';
import { trustedDays } from '../identity/trusted-browser.ts';
import { newAppSecret } from '../lib/totp.ts';
import { type AuthorizationPage, stepPath } from '../oauth/authorize/authorization-page.ts';
import { issueFormKey } from '../web/form-key.ts';
import { renderView } from '../web/render.ts';

/** A sign-in that is half done; or one to which the person may add a factor, since the application demands two (`level`). */
export interface HalfSignIn {
  proof: Proof;
  factors: Factors;
  missing: 'code' | 'setup' | 'level';
  /** the secret of an app that the person is setting up already */
  app_secret?: Buffer | undefined;
  /** when the ticket of an earlier try was issued */
  issued_at?: number | undefined;
}

const actionOf = (page: AuthorizationPage) => page.deps.config.base + stepPath(page, 'login');

/** Asks for the second factor, or shows how to set one up. */
export async function showSecondStep(
  page: AuthorizationPage,
  half: HalfSignIn,
  refusal?: FactorRefusal,
): Promise<void> {
  const { proof, factors, missing, app_secret = newAppSecret(), issued_at } = half;
  const issued = { ...stateOf(factors), issued_at };
  const form = { action: actionOf(page), csrf: issueFormKey(page), problem: refusal };
  if (missing !== 'code') {
    // neither a setup nor a decline is a proof: the sign-in is as old as what was proved before
    const { auth_time = new Date(factors.now * 1000) } = proof;
    const ticket = issueTicket(page, 'sign-in ticket', { ...proof, auth_time }, { ...issued, app_secret });
    const asked_by = missing === 'setup' ? ('operator' as const) : ('application' as const);
    const client = missing === 'level' ? await clientOnTheWay(page) : undefined;
    const data = { ...form, ...appToSetUp(page, factors.username, app_secret), ticket, asked_by, client };
    return renderView(page, 'factor-setup', data, refusal?.status);
  }
  const data = {
    ...form,
    username: factors.username,
    ticket: issueTicket(page, 'sign-in ticket', proof, issued),
    has_app: factors.totp_secret !== null,
    has_recovery_codes: factors.recovery_codes > 0,
    passkey: await secondStepOptions(page.deps, factors.user_id, form.csrf),
    trusted_days: trustedDays,
    client: await clientOnTheWay(page),
  };
  return renderView(page, 'second-step', data, refusal?.status);
}

/** Shows new recovery codes once; the button continues the sign-in. */
export function showNewCodes(page: AuthorizationPage, half: HalfSignIn, codes: readonly string[]): void {
  const { proof, factors, issued_at } = half;
  const ticket = issueTicket(page, 'sign-in ticket', proof, { ...stateOf(factors), issued_at });
  const next = { action: actionOf(page), csrf: issueFormKey(page), ticket };
  renderView(page, 'recovery-codes', { codes, username: factors.username, next });
}
