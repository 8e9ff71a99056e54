import { audit, refusedSignIns } from '../../grants/audit.ts';
import { networkLimits } from '../../grants/failed-authentications.ts';
import { checkSignIn } from '../../grants/passkeys.ts';
import { isFirstDelay } from '../../grants/sign-in-limits.ts';
import { clientAddress, traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import type { Proof } from '../../pages/session.ts';
import { delayOf } from '../../pages/typed-password.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { countAttempt, returnAttempt } from '../../store/attempt-limits.ts';
import type { AuthorizationPage } from './authorization-page.ts';
import type { FailedStep } from './failed-step.ts';

/** Whether the script has filled this form with the answer of a passkey. */
export const hasPasskey = (form: Parameters): boolean => 'credential_id' in form;

/**
 * Who signs in with a passkey, which nobody guesses: the limits protect the database from floods. Every refusal looks the same, and
 * none depends on a name.
 */
export async function provePasskey(page: AuthorizationPage, form: Parameters): Promise<Proof | FailedStep> {
  const { deps, req, res } = page;
  const trace = traceOf(req, res);
  const address = clientAddress(req);
  const limits = networkLimits('passkeys', address, 100, 900);
  const wait = await countAttempt(deps.database, ...limits);
  if (wait > 0) {
    refusedSignIns.add('too many attempts');
    if (await isFirstDelay(deps, address)) await audit(deps, trace, { event: 'sign_in_delayed' });
    const { status, name, wait_minutes } = delayOf(page, wait);
    return { status, problem: name, wait_minutes };
  }
  const user_agent = req.headers['user-agent']?.slice(0, 400) ?? null;
  const check = await checkSignIn(deps, { form, form_key: fieldOf(form, 'csrf'), address, user_agent });
  if ('refused' in check) {
    const { refused, user_id } = check;
    await audit(deps, trace, { event: 'sign_in_refused', user_id, detail: `passkey: ${refused}` });
    return { status: 401, problem: 'passkey_refused' };
  }
  await returnAttempt(deps.database, ...limits);
  return { user_id: check.user_id, methods: ['passkey'] };
}
