import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit, logEvent } from '../../grants/audit.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { isFresh, provesByPassword, shownProof, staleProof } from '../../pages/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../pages/person.ts';
import { renderView } from '../../pages/render.ts';
import { signOut } from '../../pages/session.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import { checkTypedPassword } from '../../pages/typed-password.ts';
import type { Views } from '../../pages/views/views.ts';
import { listOwnApplications } from '../../store/clients.ts';
import { deleteUser, findDeletionObstacle } from '../../store/deleted-users.ts';
import { oneLine } from '../../values/one-line.ts';

/** Applications that the page names. */
const shownApplications = 20;

type Refusal = { status: number } & NonNullable<Views['account-delete']['problem']>;

/** Says what is lost and what stays, and asks for the password, or for a new sign-in. */
export const showDeletion = (deps: Deps): RequestHandler => forPerson(deps, (page) => renderDeletion(page));

/** Requires the password, so that a stranger at an unlocked browser cannot delete the account. */
export const deleteAccount = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const refusal = problem
      ? { status: 403, name: problem }
      : await deleteProven(page, fieldOf(form, 'password')).catch(refuseTooBusy(page));
    if (refusal) return renderDeletion(page, refusal);
    await signOut(page.req);
    const back = { href: `${deps.config.base}/`, label: 'back.home' as const };
    return renderView(page, 'message', { signed_out: true, message: 'account_deleted', back });
  });

/** The reason for a refusal, or undefined after the deletion: also when the same form, sent twice, has deleted the account before. */
async function deleteProven(page: SignedInPage, password: string): Promise<Refusal | undefined> {
  const { deps, req, res } = page;
  const { user_id } = page.user;
  const proof = provesByPassword(page) ? await provePassword(page, password) : proveBySession(page);
  if ('name' in proof) return proof;
  const { isProven, password_hash } = proof;
  const trace = traceOf(req, res);
  const deletion = { ...trace, user_id, password_hash, by_person: true };
  if (isProven && (await deleteUser(deps.database, deletion))) {
    logEvent(deps, trace, { event: 'user_deleted', user_id });
    return undefined;
  }
  const obstacle = await findDeletionObstacle(deps.database, user_id);
  if (obstacle === 'deleted_already') return undefined;
  if (isProven && obstacle === 'last_administrator') return { status: 403, name: obstacle };
  await audit(deps, trace, { event: 'sign_in_refused', user_id, detail: 'deletion of the account' });
  return provesByPassword(page) ? { status: 400, name: 'wrong_old_password' } : { status: 403, name: 'sign_in_again' };
}

interface Proven {
  isProven: boolean;
  /** that the account must still have; null for one without a password */
  password_hash: string | null;
}

async function provePassword(page: SignedInPage, password: string): Promise<Proven | Refusal> {
  const check = await checkTypedPassword(page, page.user.username, password);
  if ('status' in check) return check;
  const { password_hash } = check.account;
  return { isProven: check.isRight && password_hash !== null, password_hash };
}

function proveBySession(page: SignedInPage): Proven | Refusal {
  return isFresh(page) ? { isProven: true, password_hash: null } : { status: 403, name: staleProof(page) };
}

async function renderDeletion(page: SignedInPage, refusal?: Refusal): Promise<void> {
  const { deps, user, viewer, csrf } = page;
  const { config, database } = deps;
  const { rows, next } = await listOwnApplications(database, user.user_id, undefined, shownApplications);
  const obstacle = user.is_admin ? await findDeletionObstacle(database, user.user_id) : undefined;
  const data: Views['account-delete'] = {
    viewer,
    csrf,
    action: `${config.base}/account/delete`,
    proof: shownProof(page, '/account/delete'),
    applications: rows.map(({ name }) => oneLine(name)),
    more: next !== undefined,
    audit_days: config.audit_retention,
    is_last_administrator: obstacle === 'last_administrator',
    problem: refusal,
  };
  renderView(page, 'account-delete', data, refusal?.status);
}
