import { checkPasskey } from '../accounts/passkeys/passkey-limit.ts';
import { checkSignIn } from '../accounts/passkeys/passkeys.ts';
import { audit } from '../audit/audit.ts';
import type { Proof } from '../identity/session.ts';
import type { Parameters } from '../lib/parameters.ts';
import type { AuthorizationPage } from '../oauth/authorize/authorization-page.ts';
import { clientAddress, traceOf } from '../web/request-log.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { FailedStep } from './sign-in.view.ts';

/** Whether the script has filled this form with the answer of a passkey. */
export const hasPasskey = (form: Parameters): boolean => 'credential_id' in form;

/**
 * Signs in with a passkey. Every refusal looks the same, and none depends on a name; the script tells the password manager of a passkey
 * that nobody has.
 */
export async function provePasskey(page: AuthorizationPage, form: Parameters): Promise<Proof | FailedStep> {
  const { deps, req, res } = page;
  const user_agent = req.headers['user-agent']?.slice(0, 400) ?? null;
  const answer = { form, form_key: fieldOf(form, 'csrf'), address: clientAddress(req), user_agent };
  const check = await checkPasskey(page, () => checkSignIn(deps, answer));
  if ('status' in check) {
    const { status, name, wait_minutes } = check;
    return { status, problem: name, wait_minutes };
  }
  if ('refused' in check) {
    const { refused, user_id, is_unknown } = check;
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', user_id, detail: `passkey: ${refused}` });
    const unknown = { rpId: deps.config.passkeys?.rp_id, credentialId: fieldOf(form, 'credential_id') };
    const signals = is_unknown ? { signalUnknownCredential: unknown } : undefined;
    return { status: 401, problem: 'passkey_refused', signals };
  }
  return { user_id: check.user_id, methods: ['passkey'] };
}
