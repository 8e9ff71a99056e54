import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { type ProofRefusal, provePerson, provesByPassword } from '../../pages/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../pages/person.ts';
import { refuseTooBusy } from '../../pages/too-busy.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { changeUserProfile } from '../../store/users.ts';
import { isValidProfileValue, type ProfileFieldName, profileFieldNames } from '../../values/profile.ts';
import { renderAccount } from './account.ts';

/** The statement keeps a verified e-mail address: a changed one is pending. */
export const changeProfile = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const form = bodyParameters(req);
    const typed = Object.fromEntries(profileFieldNames.map((field) => [field, fieldOf(form, field).trim()])) as Record<
      ProfileFieldName,
      string
    >;
    const refusal = await refusalOf(page, form, typed).catch(refuseTooBusy(page));
    if (refusal) {
      const { status, ...shown } = refusal;
      return renderAccount(page, status, { typed, problem: { form: 'profile', ...shown } });
    }
    const { user_id } = page.user;
    await changeUserProfile(deps.database, user_id, typed);
    await audit(deps, traceOf(req, res), { event: 'profile_changed', user_id });
    return redirectWithin(res, deps.config, '/account?notice=profile_saved');
  });

async function refusalOf(
  page: SignedInPage,
  form: Parameters,
  typed: Record<ProfileFieldName, string>,
): Promise<ProofRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  const invalid = profileFieldNames.find((field) => !isValidProfileValue(field, typed[field]));
  if (invalid !== undefined) return { status: 400, name: `${invalid}_invalid` };
  if (typed.email === (page.user.pending_email ?? page.user.email)) return undefined;
  const [password, code] = [fieldOf(form, 'current_password'), fieldOf(form, 'profile_code')];
  if (password === '' && provesByPassword(page)) return { status: 400, name: 'password_needed' };
  const proof = await provePerson(page, { password, code, purpose: 'change of the e-mail address' });
  return 'name' in proof ? proof : undefined;
}
