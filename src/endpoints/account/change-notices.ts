import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { redirectWithin } from '../../http/answers.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson } from '../../pages/person.ts';
import { wantNotices } from '../../store/users.ts';
import { renderAccount } from './account.ts';

/** Only what is no question of security can be switched off. */
export const changeNotices = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res, user } = page;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderAccount(page, 403, { problem: { form: 'profile', name: problem } });
    await wantNotices(deps.database, user.user_id, fieldOf(form, 'wants_notices') === 'true');
    return redirectWithin(res, deps.config, '/account?notice=notices_saved');
  });
