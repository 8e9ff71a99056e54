import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../../deps.ts';
import { audit } from '../../../grants/audit.ts';
import type { Parameters } from '../../../protocol/parameters.ts';
import { changeOwnPassword, findPassword } from '../../../store/passwords.ts';
import { redirectWithin } from '../../answers.ts';
import { bodyOf } from '../../parameters.ts';
import { comparePassword, hashPassword, passwordProblem } from '../../passwords.ts';
import { traceOf } from '../../request-log.ts';
import type { AccountProblem } from '../account-view-data.ts';
import { fieldOf } from '../form-field.ts';
import { formProblem } from '../form-key.ts';
import { forPerson, type Person } from '../person.ts';
import { signIn } from '../session.ts';
import { countSignIn, forgetSignIns } from '../sign-in-limits.ts';
import { renderAccount } from './account.ts';

interface Refusal {
  status: number;
  name: AccountProblem;
  wait_minutes?: number;
}

/** Asks the old password, although somebody is signed in: whoever found the browser open must not be able to keep it. */
export const changePassword = (deps: Deps): RequestHandler =>
  forPerson(deps, async (person, req, res) => {
    const form = bodyOf(req);
    const problem = formProblem(deps, req, form);
    const refusal = problem ? { status: 403, name: problem } : await change(deps, req, res, person, form);
    if (refusal) {
      const { status, ...shown } = refusal;
      return renderAccount(deps, req, res, person, status, { problem: { form: 'password', ...shown } });
    }
    return redirectWithin(res, deps.config, '/account?notice=password_changed');
  });

/** Why not; undefined when it is done. What needs no bcrypt is looked at first. */
async function change(
  deps: Deps,
  req: Request,
  res: Response,
  { user }: Person,
  form: Parameters,
): Promise<Refusal | undefined> {
  const { user_id, username } = user;
  const [old_password, new_password] = [fieldOf(form, 'old_password'), fieldOf(form, 'new_password')];
  const problem = passwordProblem(new_password);
  if (problem) return { status: 400, name: problem };
  if (new_password !== fieldOf(form, 'repeat_password')) return { status: 400, name: 'passwords_differ' };
  const wait = await countSignIn(deps, req, username);
  if (wait > 0) return { status: 429, name: 'too_many_attempts', wait_minutes: Math.ceil(wait / 60) };
  const oldHash = await findPassword(deps.database, user_id);
  const isRight = oldHash !== undefined && (await comparePassword(old_password, oldHash));
  const isChanged =
    isRight &&
    Buffer.byteLength(old_password) <= 72 &&
    (await changeOwnPassword(deps.database, user_id, oldHash, await hashPassword(new_password)));
  if (!isChanged) {
    await audit(deps, traceOf(req, res), { event: 'sign_in_refused', user_id, detail: 'change of the password' });
    return { status: 400, name: 'wrong_old_password' };
  }
  await forgetSignIns(deps, req, res, username);
  // this session ended with the others; the person has just proved who they are
  await signIn(req, user_id);
  await audit(deps, traceOf(req, res), { event: 'password_changed', user_id });
  return undefined;
}
