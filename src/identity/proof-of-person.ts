import type { Parameters } from '../lib/parameters.ts';
import { formProblem } from '../web/form-key.ts';
import { askedProof, type ProofRefusal, proveUnlessFresh } from './fresh-proof.ts';
import type { SignedInPage } from './person.ts';
import { refuseTooBusy } from './too-busy.ts';

/** Says why a form of an account has changed nothing. */
export type FormRefusal = ProofRefusal;

/**
 * Undefined if the form belongs to this session, and its person has proved who they are, in this form or by a sign-in a short time
 * ago. `change` tells the audit trail what the proof was for.
 */
export async function refuseUnproven(
  page: SignedInPage,
  form: Parameters,
  change: string,
): Promise<FormRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  return proveUnlessFresh(page, askedProof(form, change)).catch(refuseTooBusy(page));
}
