import { audit } from '../../grants/audit.ts';
import { traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { isFresh, provesByPassword, staleProof } from '../../pages/fresh-proof.ts';
import type { SignedInPage } from '../../pages/person.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import { checkTypedPassword } from '../../pages/typed-password.ts';
import type { AccountProblem } from '../../pages/views/account.ts';
import type { Parameters } from '../../protocol/parameters.ts';

/** Why a form of an account has changed nothing. */
export interface FormRefusal {
  status: number;
  name: AccountProblem;
  wait_minutes?: number;
}

/** Undefined if the form is of this session, and its person has just proved who they are. `change` says for what, in the audit trail. */
export async function refuseUnproven(
  page: SignedInPage,
  form: Parameters,
  change: string,
): Promise<FormRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  if (!provesByPassword(page)) return isFresh(page) ? undefined : { status: 403, name: staleProof(page) };
  const { user_id, username } = page.user;
  const check = await checkTypedPassword(page, username, fieldOf(form, 'password')).catch(refuseTooBusy(page));
  if ('status' in check) return check;
  if (check.isRight && check.account.user_id === user_id) return undefined;
  await audit(page.deps, traceOf(page.req, page.res), { event: 'sign_in_refused', user_id, detail: change });
  return { status: 400, name: 'wrong_old_password' };
}
