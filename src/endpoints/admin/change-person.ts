import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { actOnAccount, isAccountAction } from '../../grants/account-actions.ts';
import { audit, logEvent } from '../../grants/audit.ts';
import { orderMail } from '../../grants/mail-queue.ts';
import { createLink, linkUrl } from '../../grants/mailed-links.ts';
import { noticeOf } from '../../grants/notices.ts';
import { changeByOperator } from '../../grants/replaced-address.ts';
import { redirectWithin } from '../../http/answers.ts';
import { fieldOf } from '../../pages/form-field.ts';
import type { SignedInPage } from '../../pages/person.ts';
import type { AdminProblem } from '../../pages/views/admin.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import type { User } from '../../store/users.ts';
import { isValidProfileValue } from '../../values/profile.ts';
import { administratorsTrace, forAdministratorsForm } from './administrator.ts';
import { personPath } from './path.ts';
import { isChangedHere, renderPerson, requirePerson } from './person.ts';

/** Seconds for which a link is good that an administrator hands over. */
const linkValidFor = 86_400;

/** One button of the page of a person. */
export const changePerson = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const person = await requirePerson(page);
    const action = fieldOf(form, 'action');
    if (action === 'show_link') return showLink(page, person);
    const problem = await change(page, person, { action, form });
    if (problem === undefined)
      return redirectWithin(page.res, deps.config, `${personPath(person.user_id)}?notice=admin_done`);
    const typed = action === 'change' ? { typed: typedProfile(form) } : {};
    return renderPerson(page, person, { problem, ...typed }, problem === 'nothing_to_do' ? 200 : 400);
  });

/** Why nothing was changed; undefined if something was. */
async function change(
  page: SignedInPage,
  person: User,
  { action, form }: { action: string; form: Parameters },
): Promise<AdminProblem | undefined> {
  const { deps } = page;
  const { user_id } = person;
  const trace = administratorsTrace(page);
  if (action === 'change') return changeProfile(page, person, form);
  if (action === 'mail_link') return mailLink(page, person);
  if (!isAccountAction(action)) throw new OAuthError('invalid_request', 'action is malformed');
  return actOnAccount(deps.database, {
    user_id,
    action,
    trace,
    recorder: {
      noticeOf: (event) => noticeOf(deps, trace, event),
      record: async (event, is_recorded) => (is_recorded ? logEvent : audit)(deps, trace, event),
    },
  });
}

const typedProfile = (form: Parameters) => ({
  name: fieldOf(form, 'name').trim(),
  email: fieldOf(form, 'email').trim(),
});

/** An empty field changes nothing. */
async function changeProfile(page: SignedInPage, person: User, form: Parameters): Promise<AdminProblem | undefined> {
  const { deps } = page;
  const { user_id } = person;
  if (!isChangedHere(person)) return 'of_another_source';
  const typed = typedProfile(form);
  if (typed.name !== '' && !isValidProfileValue('name', typed.name)) return 'name_invalid';
  if (typed.email !== '' && !isValidProfileValue('email', typed.email)) return 'email_invalid';
  const name = typed.name === '' || typed.name === person.name ? undefined : typed.name;
  const email = typed.email === '' || typed.email === person.email ? undefined : typed.email;
  const is_vouched = fieldOf(form, 'vouched') === 'true';
  if (is_vouched && (email ?? person.email) === null) return 'no_address';
  if (name === undefined && email === undefined && is_vouched === person.email_verified) return 'nothing_to_do';
  // the address that the form shows, and not another one that waits for a proof
  const changed = await changeByOperator(deps, person, {
    name,
    email: email ?? person.email ?? undefined,
    is_vouched,
  });
  if (!changed) return 'address_in_use';
  const parts = [...(name === undefined ? [] : ['name']), ...(email === undefined ? [] : ['address'])];
  const detail = [...parts, is_vouched ? 'address verified' : 'address not verified'].join(', ');
  await audit(deps, administratorsTrace(page), { event: 'user_changed', user_id, detail });
  return undefined;
}

/** The person asks for no new password themselves, so the mail is the one that they would have got. */
async function mailLink(page: SignedInPage, { user_id, username, source }: User): Promise<AdminProblem | undefined> {
  const { deps } = page;
  if (!deps.config.passwords || source !== 'here') return 'of_another_source';
  const facts = { name: username, dialect: 'rfc', query: '', browser: '' };
  await orderMail(deps, { kind: 'forgotten', language: '', facts });
  await audit(deps, administratorsTrace(page), { event: 'reset_link_issued', user_id, detail: 'by mail' });
  return undefined;
}

/** The answer has it, and no address: nobody can open it again. */
async function showLink(page: SignedInPage, person: User): Promise<void> {
  const { deps } = page;
  const { user_id, source } = person;
  if (!deps.config.passwords || source !== 'here') {
    return renderPerson(page, person, { problem: 'of_another_source' }, 400);
  }
  const token = await createLink(deps, { purpose: 'reset', user_id, valid_for: linkValidFor });
  if (token === undefined) return renderPerson(page, person, { problem: 'nothing_to_do' }, 400);
  await audit(deps, administratorsTrace(page), { event: 'reset_link_issued', user_id });
  return renderPerson(page, person, { reset_url: linkUrl(deps, 'reset', token) });
}
