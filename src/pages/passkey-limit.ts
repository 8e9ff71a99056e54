import { audit, refusedSignIns } from '../grants/audit.ts';
import { networkLimits } from '../grants/failed-authentications.ts';
import type { PasskeyRefusal } from '../grants/passkeys.ts';
import { isFirstDelay } from '../grants/sign-in-limits.ts';
import { clientAddress, traceOf } from '../http/request-log.ts';
import { countAttempt, returnAttempt, underLimits } from '../store/attempt-limits.ts';
import type { PageContext } from './page-context.ts';
import { type Delay, delayOf } from './typed-password.ts';

/**
 * What `check` says about a passkey, which nobody guesses: the limits protect the database from floods. Every page that takes one asks
 * here, so that all refused ones are counted together, by network.
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
