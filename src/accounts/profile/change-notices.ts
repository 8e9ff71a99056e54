import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { changedMeanwhile, madeFrom } from '../../identity/form-origin.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { findUser, wantNotices } from '../../identity/users.sql.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { noticeValues, readNotices, renderAccount } from './account.ts';

/** Changes which mails the person gets; only mails that do not concern security can be switched off. */
export const changeNotices = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const form = bodyParameters(page.req);
    const problem = formProblem(page, form);
    if (problem) return renderAccount(page, 403, { problem: { name: problem } });
    return save(page, form);
  });

async function save(page: SignedInPage, form: Parameters): Promise<void> {
  const { deps, res, user } = page;
  const typed = readNotices(form);
  const meanwhile = changedMeanwhile(form, typed, noticeValues(page));
  if (meanwhile) {
    const { values, changed: changed_meanwhile } = meanwhile;
    const made_from = madeFrom(page, noticeValues(page));
    const typed_notices = { wanted: values.wants_notices, made_from, changed_meanwhile };
    return renderAccount(page, 409, { typed_notices });
  }
  const isDone = await wantNotices(deps.database, user.user_id, typed.wants_notices, user.wants_notices);
  if (isDone) return redirectWithin(res, deps.config, '/account?notice=notices_saved');
  // another form was saved a moment ago
  const now = await findUser(deps.database, user.user_id);
  return now ? save({ ...page, user: now }, form) : redirectWithin(res, deps.config, '/login?to=/account');
}
