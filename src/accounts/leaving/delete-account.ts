import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import { listOwnApplications } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { askedProof, provePerson, provesByPassword, shownProof } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { sessionsVersionOf, signOut } from '../../identity/session.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';
import { deleteUser, findDeletionObstacle } from './deleted-users.sql.ts';

/** How many applications the page names. */
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
      : await deleteProven(page, form).catch(refuseTooBusy(page));
    if (refusal) return renderDeletion(page, refusal);
    await signOut(page.req);
    const back = { href: `${deps.config.base}/`, label: 'back.home' as const };
    return renderView(page, 'message', { signed_out: true, message: 'account_deleted', back });
  });

/**
 * Deletes the account; returns the reason for a refusal, or undefined after the deletion, also if the same form, sent twice, has deleted
 * the account before.
 */
async function deleteProven(page: SignedInPage, form: Parameters): Promise<Refusal | undefined> {
  const { deps, req, res } = page;
  const { user_id } = page.user;
  const proof = await provePerson(page, askedProof(form, 'deletion of the account'));
  const trace = traceOf(req, res);
  const isProven = !('name' in proof);
  const state = { user_id, sessions_version: sessionsVersionOf(req) };
  if (isProven && (await deleteUser(deps.database, { ...trace, ...proof, ...state }))) {
    logEvent(deps, trace, { event: 'user_deleted', user_id });
    return undefined;
  }
  const obstacle = await findDeletionObstacle(deps.database, user_id);
  if (obstacle === 'deleted_already') return undefined;
  if (!isProven) return proof;
  if (obstacle === 'last_administrator') return { status: 403, name: obstacle };
  // the account was changed or disabled at this moment
  return provesByPassword(page) ? { status: 400, name: 'wrong_old_password' } : { status: 403, name: 'sign_in_again' };
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
