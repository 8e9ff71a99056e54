import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { bodyParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson } from '../../pages/person.ts';
import type { AccountProblem } from '../../pages/views/account.ts';
import { isValidProfileValue, type ProfileFieldName, profileFieldNames } from '../../protocol/profile.ts';
import { changeUserProfile } from '../../store/users.ts';
import { renderAccount } from './account.ts';

/** The statement marks a changed e-mail address as unverified. */
export const changeProfile = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const form = bodyParameters(req);
    const typed = Object.fromEntries(profileFieldNames.map((field) => [field, fieldOf(form, field).trim()])) as Record<
      ProfileFieldName,
      string
    >;
    const refuse = (status: number, name: AccountProblem) =>
      renderAccount(page, status, { typed, problem: { form: 'profile', name } });
    const problem = formProblem(page, form);
    if (problem) return refuse(403, problem);
    const invalid = profileFieldNames.find((field) => !isValidProfileValue(field, typed[field]));
    if (invalid !== undefined) return refuse(400, `${invalid}_invalid`);
    const { user_id } = page.user;
    await changeUserProfile(deps.database, user_id, typed);
    await audit(deps, traceOf(req, res), { event: 'profile_changed', user_id });
    return redirectWithin(res, deps.config, '/account?notice=profile_saved');
  });
