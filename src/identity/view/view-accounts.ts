import type { Deps } from '../../deps.ts';
import { reasonOf } from '../../postgres/database-errors.ts';
import { counter } from '../../telemetry/metric.ts';
import { TooBusyError } from '../hashing-queue.ts';
import { copyFromViewAccount, findInViewByName, findViewOfAccounts, type ViewAccount } from './view-accounts.sql.ts';

const lookUps = counter(
  'latchkey_view_look_ups_total',
  'Names unknown here that were looked up in latchkey_accounts.',
  {
    outcome: ['copied', 'unknown', 'refused', 'failed'],
  },
);

type ViewDeps = Pick<Deps, 'database' | 'log'>;

async function readView({ database, log }: ViewDeps, name: string): Promise<ViewAccount[]> {
  return findInViewByName(database, name).catch((error: unknown) => {
    log.warn(
      { reason: reasonOf(error) },
      'latchkey_accounts could not be read: a name that is unknown here is refused',
    );
    throw new TooBusyError('latchkey_accounts gives no answer');
  });
}

/**
 * Looks in the operator's view for a name that nobody has here, and makes an account of its row. False if there is no usable row: then
 * the name is as unknown as any other. If the view does not answer in time, there is no account.
 */
export async function copyFromView(deps: ViewDeps, typed: string): Promise<boolean> {
  const { database, log } = deps;
  if (!(await findViewOfAccounts(database)).is_there) return false;
  const found = await readView(deps, typed).catch((error: unknown) => {
    lookUps.add('failed');
    throw error;
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

/** Whether a person of the operator's view has this name or address, who may not have come yet; not the person whose `subject` is given. */
export async function isNameOfView(deps: ViewDeps, name: string, subject?: string): Promise<boolean> {
  if (!(await findViewOfAccounts(deps.database)).is_there) return false;
  return (await readView(deps, name)).some((account) => account.subject !== subject);
}

/** Which of these names and addresses people of the view have. While the view gives no answer, all: no sign-in waits for another name. */
export async function namesOfView(
  deps: ViewDeps,
  names: readonly (string | null)[],
  subject?: string,
): Promise<string[]> {
  const given = names.filter((name) => name !== null);
  const taken = await Promise.all(given.map((name) => isNameOfView(deps, name, subject).catch(() => true)));
  return given.filter((_, at) => taken[at]);
}
