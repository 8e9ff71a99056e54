import type { Deps } from '../deps.ts';
import { reasonOf } from '../postgres/database-errors.ts';
import { copyFromViewAccount, findInViewByName, findViewOfAccounts } from '../store/view-accounts.ts';
import { counter } from '../telemetry/metric.ts';
import { TooBusyError } from './hashing-queue.ts';

const lookUps = counter(
  'latchkey_view_look_ups_total',
  'Names unknown here that were looked up in latchkey_accounts.',
  {
    outcome: ['copied', 'unknown', 'refused', 'failed'],
  },
);

/**
 * Looks in the operator's view for a name that nobody has here, and makes an account of its row. False if there is none, or none that
 * can be used: then the name is as unknown as any. What the view does not answer in time is no answer.
 */
export async function copyFromView({ database, log }: Pick<Deps, 'database' | 'log'>, typed: string): Promise<boolean> {
  if (!(await findViewOfAccounts(database)).is_there) return false;
  const found = await findInViewByName(database, typed).catch((error: unknown) => {
    lookUps.add('failed');
    log.warn({ reason: reasonOf(error) }, 'latchkey_accounts could not be read: somebody unknown here cannot sign in');
    throw new TooBusyError('latchkey_accounts gives no answer');
  });
  const [account, other] = found;
  if (!account) {
    lookUps.add('unknown');
    return false;
  }
  const outcome = other ? 'several rows have the name' : await copyFromViewAccount(database, typed, account);
  const isKnown = outcome === 'kept' || outcome === 'known';
  lookUps.add(isKnown ? 'copied' : 'refused');
  if (!isKnown)
    log.warn({ subject: account.subject?.slice(0, 100), reason: outcome }, 'a row of latchkey_accounts was not used');
  return isKnown;
}
