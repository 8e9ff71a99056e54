import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { bodyParameters } from '../../http/parameters.ts';
import { traceOf } from '../../http/request-log.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson } from '../../pages/person.ts';
import type { AccountProblem } from '../../pages/views/account.ts';
import { changeUserProfile } from '../../store/users.ts';
import { renderAccount } from './account.ts';

const nameSchema = z.string().regex(/^[^\p{Cc}]{1,100}$/u);
const emailSchema = z
  .string()
  .max(254)
  .regex(/^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u);

/** The statement marks a changed e-mail address as unverified. */
export const changeProfile = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const form = bodyParameters(req);
    const typed = { name: fieldOf(form, 'name').trim(), email: fieldOf(form, 'email').trim() };
    const refuse = (status: number, name: AccountProblem) =>
      renderAccount(page, status, { typed, problem: { form: 'profile', name } });
    const problem = formProblem(page, form);
    if (problem) return refuse(403, problem);
    if (!nameSchema.safeParse(typed.name).success) return refuse(400, 'name_invalid');
    if (!emailSchema.safeParse(typed.email).success) return refuse(400, 'email_invalid');
    const { user_id } = page.user;
    await changeUserProfile(deps.database, user_id, typed);
    await audit(deps, traceOf(req, res), { event: 'profile_changed', user_id });
    return redirectWithin(res, deps.config, '/account?notice=profile_saved');
  });
