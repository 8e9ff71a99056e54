import type { RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { audit, recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { provesByPassword, refusedCode } from '../../identity/fresh-proof.ts';
import { rememberBrowser, signInBrowser } from '../../identity/known-browser.ts';
import { askerOf } from '../../identity/password-check.ts';
import { changeOwnPassword, type UserCredentials } from '../../identity/passwords.sql.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { type Factors, findFactors } from '../../identity/second-factors.sql.ts';
import { renewSession, sessionsVersionOf } from '../../identity/session.ts';
import { findSession } from '../../identity/sessions.sql.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { checkTypedPassword } from '../../identity/typed-password.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { passwordProblem } from '../../lib/password-rules.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { renderSecurity } from '../factors/security.ts';
import type { FormRefusal } from '../profile/account.view.ts';

/** Requires the old password, so that a stranger at an unlocked browser cannot take over the account. */
export const changePassword = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    if (!provesByPassword(page))
      throw new OAuthError('invalid_request', 'this account has no password here', { status: 403 });
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    const refusal = problem
      ? { status: 403, name: problem }
      : await replacePassword(page, form).catch(refuseTooBusy(page));
    if (refusal) {
      const { status, ...shown } = refusal;
      return renderSecurity(page, status, { problem: { form: 'password', ...shown } });
    }
    const notice = endsAccess(form) ? 'password_changed_access_ended' : 'password_changed';
    return redirectWithin(page.res, deps.config, `/account/security?notice=${notice}`);
  });

/** Whether the person wants to end the access of applications, which a new password does not do by itself. */
function endsAccess(form: Parameters): boolean {
  return fieldOf(form, 'end_access') === 'true';
}

/** Replaces the password; returns the reason for a refusal, or undefined after the change. The cheap checks come before bcrypt. */
async function replacePassword(page: SignedInPage, form: Parameters): Promise<FormRefusal | undefined> {
  const { deps, req, res } = page;
  const { user_id, username, email } = page.user;
  const [old_password, new_password] = [fieldOf(form, 'old_password'), fieldOf(form, 'new_password')];
  const problem = passwordProblem(new_password, { username, email, config: deps.config });
  if (problem) return { status: 400, name: problem };
  if (new_password !== fieldOf(form, 'repeat_password')) return { status: 400, name: 'passwords_differ' };
  const before = await findFactors(deps.database, user_id);
  const check = await checkTypedPassword(page, username, old_password);
  if ('status' in check) return check;
  const { isRight, account } = check;
  const trace = traceOf(req, res);
  const change = { trace, ends_access: endsAccess(form) };
  const purpose = 'change of the password';
  const refusal =
    isRight && (await refusedCode(page, { password: old_password, code: fieldOf(form, 'password_code'), purpose }));
  if (refusal) return refusal;
  const hash = () => deps.passwords.hash(new_password, askerOf(signInBrowser(page), true));
  const asked = { ...account, sessions_version: sessionsVersionOf(req) };
  const first = isRight ? await replaceHash(deps, asked, hash, change) : undefined;
  const changed = first ?? (before && (await repeatedChange(page, new_password, change, before)));
  if (changed === undefined) {
    await audit(deps, trace, { event: 'current_password_wrong', user_id, detail: purpose });
    return { status: 400, name: 'wrong_old_password' };
  }
  rememberBrowser(page, { username, password_hash: changed.password_hash });
  // the change ended all sessions, this one too
  await renewSession(req, changed.sessions_version);
  return undefined;
}

/**
 * Returns the change of another request with the same form, which has set this password and ended the session of both. While the session
 * lives, the new password is not compared: that would be a second guess at the old one. A session that ended for another reason stays
 * ended, even if the sender knows the present password.
 */
async function repeatedChange(
  page: SignedInPage,
  new_password: string,
  change: Change,
  before: Factors,
): Promise<Changed | undefined> {
  const { deps, req, user } = page;
  if (await findSession(deps.database, digestOf(req.sessionID))) return undefined;
  const now = await findFactors(deps.database, user.user_id);
  if (now?.version !== before.version || now.password_hash === before.password_hash) return undefined;
  const check = await checkTypedPassword(page, user.username, new_password);
  if ('status' in check || !check.isRight) return undefined;
  const { password_hash, sessions_version } = check.account;
  if (password_hash === null) return undefined;
  // only this request may have asked to end the access of applications; the session that the other request has renewed goes on
  if (change.ends_access) return replaceHash(deps, check.account, async () => password_hash, change);
  return { password_hash, sessions_version };
}

/** The account after the change. */
interface Changed {
  password_hash: string;
  sessions_version: string;
}

interface Change {
  trace: Trace;
  ends_access: boolean;
}

/** Stores the new password; undefined when the old password is not current any more, because of a simultaneous change. */
async function replaceHash(
  deps: Deps,
  account: UserCredentials,
  hashNew: () => Promise<string>,
  { trace, ends_access }: Change,
): Promise<Changed | undefined> {
  const { user_id, password_hash, sessions_version } = account;
  if (user_id === null || password_hash === null) return undefined;
  const hash = await hashNew();
  const change = { user_id, oldHash: password_hash, newHash: hash, ends_access, sessions_version };
  const version = await recordChange(deps, trace, { event: 'password_changed', user_id }, (told) =>
    changeOwnPassword(deps.database, change, told),
  );
  return version === undefined ? undefined : { password_hash: hash, sessions_version: version };
}

/** Leads to the form that changes a password, also from where password managers look for it [A Well-Known URL for Changing Passwords]. */
export const showPasswordForm =
  ({ config }: Deps): RequestHandler =>
  (_req, res) =>
    redirectWithin(res, config, '/account/security#password', 303);
