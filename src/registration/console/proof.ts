import type { AccountProblem } from '../../accounts/profile/account.view.ts';
import { askedProof, proveUnlessFresh } from '../../identity/fresh-proof.ts';
import type { SignedInPage } from '../../identity/person.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import type { Parameters } from '../../lib/parameters.ts';

/** What the page with the form says about a proof that was refused. */
interface RefusedProof {
  status: number;
  problem: AccountProblem;
  wait_minutes: number | undefined;
}

/**
 * Requires a proof before a credential is shown or replaced: whoever has a credential of an application can act as it, and a stranger at
 * an unlocked browser must not get one.
 */
export async function refusedProof(page: SignedInPage, form: Parameters): Promise<RefusedProof | undefined> {
  const asked = askedProof(form, 'credentials of an application');
  const refusal = await proveUnlessFresh(page, asked).catch(refuseTooBusy(page));
  if (!refusal) return undefined;
  const { name: problem, ...shown } = { wait_minutes: undefined, ...refusal };
  return { problem, ...shown };
}
