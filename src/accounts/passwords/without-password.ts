import type { RequestHandler } from 'express';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { proofUnlessFresh, refuseUnproven } from '../../identity/fresh-proof.ts';
import { signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { removeOwnPassword, setOwnPassword } from '../../identity/passwords.sql.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { checkTypedPassword } from '../../identity/typed-password.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { redirectWithin } from '../../web/answers.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { canHavePasskeys } from '../passkeys/passkeys-section.ts';
import type { FormRefusal } from '../profile/account.view.ts';

// People who sign in with passkeys only: the way there and back.

export const showPasswordRemoval = (deps: Deps): RequestHandler => forPerson(deps, (page) => renderRemoval(page));

export const removePassword = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const refusal = await remove(page, bodyParameters(page.req));
    if (refusal) return renderRemoval(page, refusal);
    return redirectWithin(page.res, deps.config, '/account/security?notice=password_removed');
  });

async function remove(page: SignedInPage, form: Parameters): Promise<FormRefusal | undefined> {
  const { deps, req, res, user } = page;
  requireOwnSignIn(page, true);
  const refusal = await refuseUnproven(page, form, 'removal of the password');
  if (refusal) return refusal;
  const trace = traceOf(req, res);
  const { user_id } = user;
  const rp_id = deps.config.passkeys?.rp_id ?? '';
  const event = { event: 'password_changed', user_id, detail: 'removed' } as const;
  const isRemoved = await recordChange(deps, trace, event, (told) =>
    removeOwnPassword(deps.database, { user_id, rp_id, sessions_version: sessionsVersionOf(req) }, told),
  );
  return isRemoved ? undefined : { status: 409, name: 'no_passkey' };
}

export const showNewPassword = (deps: Deps): RequestHandler => forPerson(deps, (page) => renderNewPassword(page));

export const setPassword = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const refusal = await set(page, bodyParameters(page.req)).catch(refuseTooBusy(page));
    if (refusal) return renderNewPassword(page, refusal);
    return redirectWithin(page.res, deps.config, '/account/security?notice=password_set');
  });

async function set(page: SignedInPage, form: Parameters): Promise<FormRefusal | undefined> {
  const { deps, req, res, user } = page;
  requireOwnSignIn(page, false);
  const refusal = await refuseUnproven(page, form, 'a first password');
  if (refusal) return refusal;
  const password = fieldOf(form, 'new_password');
  const { username, email } = user;
  const problem = passwordProblem(password, { username, email, config: deps.config });
  if (problem) return { status: 400, name: problem };
  if (password !== fieldOf(form, 'repeat_password')) return { status: 400, name: 'passwords_differ' };
  const password_hash = await deps.passwords.hash(password, askerOf(signInBrowser(page), true));
  const trace = traceOf(req, res);
  const { user_id } = user;
  const isSet = await recordChange(deps, trace, { event: 'password_changed', user_id, detail: 'set' }, (told) =>
    setOwnPassword(deps.database, { user_id, password_hash, sessions_version: sessionsVersionOf(req) }, told),
  );
  if (isSet) return undefined;
  // if the form was sent twice, the first request has set the password
  const check = await checkTypedPassword(page, username, password);
  if ('status' in check) return check;
  return check.isRight ? undefined : { status: 409, name: 'form_expired' };
}

function requireOwnSignIn(page: SignedInPage, has_password: boolean): void {
  if (canHavePasskeys(page) && page.user.has_password === has_password) return;
  throw new OAuthError('not_found', 'the password of this account cannot be set or removed here');
}

function renderRemoval(page: SignedInPage, refusal?: FormRefusal): void {
  requireOwnSignIn(page, true);
  renderView(page, 'password-remove', provingAt(page, '/account/password/remove', refusal), refusal?.status);
}

function renderNewPassword(page: SignedInPage, refusal?: FormRefusal): void {
  requireOwnSignIn(page, false);
  renderView(page, 'password-set', provingAt(page, '/account/password/set', refusal), refusal?.status);
}

function provingAt(page: SignedInPage, path: `/${string}`, problem?: FormRefusal) {
  const { deps, viewer, csrf } = page;
  return { viewer, csrf, action: deps.config.base + path, proof: proofUnlessFresh(page, path), problem };
}
