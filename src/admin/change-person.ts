import { isDeepStrictEqual } from 'node:util';
import type { RequestHandler } from 'express';
import { actOnAccount, isAccountAction } from '../accounts/account-actions.ts';
import { digestPrefixOf } from '../accounts/activity/sessions.ts';
import { createLinkByOperator, linkUrl, orderResetLink } from '../accounts/mail/mailed-links.ts';
import { changeByOperator } from '../accounts/mail/replaced-address.ts';
import type { AuditEvent } from '../audit/audit.sql.ts';
import { logEvent, recordAct } from '../audit/audit.ts';
import { noticeOf } from '../audit/notices.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { changedMeanwhile, isOwnInput } from '../identity/form-origin.ts';
import type { SignedInPage } from '../identity/person.ts';
import { endSessionOfUser } from '../identity/sessions.sql.ts';
import type { User } from '../identity/users.sql.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { isValidProfileValue } from '../lib/profile.ts';
import { redirectWithin } from '../web/answers.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { AdminProblem } from './admin.view.ts';
import { forAdministratorsForm } from './administrator.ts';
import { personPath } from './path.ts';
import { accountValues, renderPerson, requirePerson, typedProfile } from './person.ts';

/** Does what the pressed button says to a person. */
export const changePerson = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const person = await requirePerson(page);
    if ('session' in form) return endSession(page, person, fieldOf(form, 'session'));
    const action = fieldOf(form, 'action');
    if (action === 'show_link') return showLink(page, person);
    if (action === 'change') return changeProfile(page, person, form);
    const problem = await act(page, person, action);
    if (problem === undefined) return goBack(page, person, action);
    return renderPerson(page, person, { problem }, statusOf(problem));
  });

const goBack = ({ deps, res }: SignedInPage, { user_id }: User, done: string): void =>
  redirectWithin(res, deps.config, `${personPath(user_id)}?notice=done.${done}`);

const statusOf = (problem: AdminProblem) => (problem === 'nothing_to_do' ? 200 : 400);

/** Says why nothing was changed; undefined if something was. */
async function act(page: SignedInPage, person: User, action: string): Promise<AdminProblem | undefined> {
  const { deps } = page;
  const { user_id } = person;
  const trace = administratorsTrace(page);
  if (action === 'mail_link') return mailLink(page, person);
  if (!isAccountAction(action)) throw new OAuthError('invalid_request', 'action is malformed');
  const order = { user_id, action, trace, noticeOf: (event: AuditEvent) => noticeOf(deps, trace, event) };
  const done = await actOnAccount(deps.database, order);
  if ('problem' in done) return done.problem;
  logEvent(deps, trace, done);
  return undefined;
}

/** Ends one session of another person; their own sessions administrators end in their account. */
async function endSession(page: SignedInPage, person: User, handle: string): Promise<void> {
  const { deps, user } = page;
  const { user_id } = person;
  const prefix = user_id === user.user_id ? undefined : digestPrefixOf(handle);
  const event = { event: 'session_ended', user_id } as const;
  const isEnded =
    prefix !== undefined &&
    (await recordAct(deps, administratorsTrace(page), event, (recorded) =>
      endSessionOfUser(deps.database, { user_id, prefix }, recorded),
    ));
  return isEnded
    ? goBack(page, person, 'end_session')
    : renderPerson(page, person, { problem: 'session_gone' }, statusOf('session_gone'));
}

/** Saves the form unless it would overwrite what was changed since it was made; then a second press saves it. */
async function changeProfile(page: SignedInPage, person: User, form: Parameters): Promise<void> {
  const stored = accountValues(person);
  const typed = typedProfile(form, person);
  if (sendsKept(person, form)) return renderPerson(page, person, { problem: 'kept_elsewhere' }, 400);
  const meanwhile = changedMeanwhile(form, typed, stored);
  if (meanwhile) {
    return renderPerson(page, person, { typed: meanwhile.values, changed_meanwhile: meanwhile.changed }, 409);
  }
  const problem = problemOf(person, typed) ?? (await saveProfile(page, person, typed));
  if (problem === undefined) return goBack(page, person, 'change');
  const now = await requirePerson(page);
  // another form has changed the person a moment ago
  if (!isDeepStrictEqual(accountValues(now), stored)) return changeProfile(page, now, form);
  const kept = isOwnInput(page, form) && { typed, made_from: fieldOf(form, 'made_from') };
  return renderPerson(page, person, { problem, ...kept }, statusOf(problem));
}

/** The inputs of the form for each field of the profile. */
const inputs = { name: ['name'], email: ['email', 'vouched'] } as const;

const sendsKept = ({ kept_elsewhere }: User, form: Parameters): boolean =>
  kept_elsewhere.some((field) => inputs[field].some((input) => input in form));

type TypedProfile = ReturnType<typeof typedProfile>;

function problemOf(person: User, typed: TypedProfile): AdminProblem | undefined {
  const stored = accountValues(person);
  if (typed.name !== stored.name && !isValidProfileValue('name', typed.name)) return 'name_invalid';
  if (typed.email !== stored.email && !isValidProfileValue('email', typed.email)) return 'email_invalid';
  if (typed.vouched && typed.email === '') return 'no_address';
  return isDeepStrictEqual(typed, stored) ? 'nothing_to_do' : undefined;
}

async function saveProfile(page: SignedInPage, person: User, typed: TypedProfile): Promise<AdminProblem | undefined> {
  const { deps } = page;
  const stored = accountValues(person);
  const name = typed.name === stored.name ? undefined : typed.name;
  const isNew = typed.email !== stored.email;
  // the address that the form shows, and not an address that waits for its proof
  const address =
    isNew || typed.vouched !== stored.vouched ? { email: typed.email, is_vouched: typed.vouched } : undefined;
  const detail = [
    ...(name === undefined ? [] : ['name']),
    ...(isNew ? ['address'] : []),
    ...(address ? [typed.vouched ? 'address verified' : 'address not verified'] : []),
  ].join(', ');
  const event = { event: 'user_changed', user_id: person.user_id, detail } as const;
  const change = { name, ...address, shown: person };
  const isSaved = await recordAct(deps, administratorsTrace(page), event, (recorded) =>
    changeByOperator(deps, person, change, recorded),
  );
  return isSaved ? undefined : 'address_in_use';
}

async function mailLink(page: SignedInPage, { user_id, source }: User): Promise<AdminProblem | undefined> {
  const { deps } = page;
  if (!deps.config.passwords || source !== 'here') return 'of_another_source';
  const trace = administratorsTrace(page);
  if (!(await orderResetLink(deps, user_id, trace))) return 'no_link_by_mail';
  logEvent(deps, trace, { event: 'reset_link_issued', user_id, detail: 'by mail' });
  return undefined;
}

/** The answer shows the link, and no address does: nobody can open it again. */
async function showLink(page: SignedInPage, person: User): Promise<void> {
  const { deps } = page;
  const { user_id, source } = person;
  if (!deps.config.passwords || source !== 'here') {
    return renderPerson(page, person, { problem: 'of_another_source' }, 400);
  }
  const event = { event: 'reset_link_issued', user_id } as const;
  const token = await recordAct(deps, administratorsTrace(page), event, (recorded) =>
    createLinkByOperator(deps, user_id, recorded),
  );
  if (token === undefined) return renderPerson(page, person, { problem: 'nothing_to_do' }, 400);
  return renderPerson(page, person, { reset_url: linkUrl(deps, 'reset', token) });
}
