import { audit, refusedSignIns } from '../../audit/audit.ts';
import { countAttempt, returnAttempt, underLimits } from '../../identity/attempt-limits.sql.ts';
import { networkLimits } from '../../identity/failed-authentications.ts';
import { isFirstDelay } from '../../identity/sign-in-limits.ts';
import { type Delay, delayOf } from '../../identity/typed-password.ts';
import type { PageContext } from '../../web/page-context.ts';
import { clientAddress, traceOf } from '../../web/request-log.ts';
import type { PasskeyRefusal } from './passkeys.ts';

/**
 * Runs `check` for a passkey under limits. Nobody guesses a passkey; the limits protect the database from floods. Every page that takes
 * a passkey calls this, so that all refused ones are counted together, by network.
 */
export async function checkPasskey<Checked extends object>(
  page: PageContext,
  check: () => Promise<Checked | PasskeyRefusal>,
): Promise<Delay | Checked | PasskeyRefusal> {
  const { deps, req, res } = page;
  const address = clientAddress(req);
  const limits = networkLimits('passkeys', address, 100, 900);
  const wait = await countAttempt(deps.database, ...limits);
  if (wait > 0) {
    refusedSignIns.add('too many attempts');
    if (await isFirstDelay(deps, address)) await audit(deps, traceOf(req, res), { event: 'sign_in_delayed' });
    return delayOf(page, wait);
  }
  const checked = await underLimits(deps.database, limits, check);
  if (!('refused' in checked)) await returnAttempt(deps.database, ...limits);
  return checked;
}
