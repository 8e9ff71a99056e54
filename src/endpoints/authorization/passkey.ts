import { audit } from '../../grants/audit.ts';
import { checkSignIn } from '../../grants/passkeys.ts';
import { clientAddress, traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { checkPasskey } from '../../pages/passkey-limit.ts';
import type { Proof } from '../../pages/session.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import type { AuthorizationPage } from './authorization-page.ts';
import type { FailedStep } from './failed-step.ts';

/** Whether the script has filled this form with the answer of a passkey. */
export const hasPasskey = (form: Parameters): boolean => 'credential_id' in form;

/** Every refusal looks the same, and none depends on a name. */
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
    const { refused, user_id } = check;
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', user_id, detail: `passkey: ${refused}` });
    return { status: 401, problem: 'passkey_refused' };
  }
  return { user_id: check.user_id, methods: ['passkey'] };
}
