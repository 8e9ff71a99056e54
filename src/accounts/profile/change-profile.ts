import type { RequestHandler } from 'express';
import type { AuditEvent, OperatorsTrace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { changedMeanwhile, isOwnInput } from '../../identity/form-origin.ts';
import { provePerson, provesByPassword } from '../../identity/fresh-proof.ts';
import { forPerson, type SignedInPage } from '../../identity/person.ts';
import { refuseTooBusy } from '../../identity/too-busy.ts';
import { delayOf } from '../../identity/typed-password.ts';
import { type ChangedUser, changeUserProfile, findUser, type ProfileChange } from '../../identity/users.sql.ts';
import { readMailAddress } from '../../lib/mail-address.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { isValidProfileValue, type ProfileFieldName } from '../../lib/profile.ts';
import { sendsMail } from '../../mail/mail-queue.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { chooseLanguage } from '../../web/language.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import { ownFields, type ProfileValues, profileValues, readProfile, renderAccount } from './account.ts';
import type { FormRefusal } from './account.view.ts';
import { limitProofs, orderProof } from './address-proof.ts';

/** Changes the profile. The statement keeps a verified email address: a changed one is pending. */
export const changeProfile = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const form = bodyParameters(req);
    const typed = readProfile(page, form);
    if (!formProblem(page, form) && changedMeanwhile(form, typed, profileValues(page))) {
      return answerLatecomer(page, form, typed);
    }
    const refusal = await refusalOf(page, form, typed).catch(refuseTooBusy(page));
    if (refusal) {
      const { status, ...shown } = refusal;
      const kept = isOwnInput(page, form) && { typed, made_from: fieldOf(form, 'made_from') };
      return renderAccount(page, status, { problem: { ...shown }, ...kept });
    }
    const { user } = page;
    const isNew = isNewAddress(page, typed.email);
    const email = isNew ? readMailAddress(typed.email ?? '') : undefined;
    const areProved = sendsMail(deps.config);
    const change = { profile: { name: typed.name || undefined, email }, areProved, shown: user };
    const changed = await changeProfileOf(deps, user.user_id, change, traceOf(req, res));
    // another form was saved a moment ago
    if (!changed) return answerLatecomer(page, form, typed);
    if (isNew) await orderProof(deps, changed, chooseLanguage(req));
    const isAsked = isNew && areProved && changed.pending_email === email;
    return redirectWithin(res, deps.config, `/account?notice=${isAsked ? 'confirmation_sent' : 'profile_saved'}`);
  });

/** Shows what is stored now; a second press of the button saves what the form changes. */
async function answerLatecomer(page: SignedInPage, form: Parameters, typed: ProfileValues): Promise<void> {
  const user = await findUser(page.deps.database, page.user.user_id);
  if (!user) return redirectWithin(page.res, page.deps.config, '/login?to=/account');
  const now = { ...page, user };
  const meanwhile = changedMeanwhile(form, typed, profileValues(now));
  if (!meanwhile) return redirectWithin(page.res, page.deps.config, '/account?notice=profile_saved');
  return renderAccount(now, 409, { typed: meanwhile.values, changed_meanwhile: meanwhile.changed });
}

const isNewAddress = (page: SignedInPage, typed: string | undefined) => typed !== profileValues(page).email;

async function refusalOf(page: SignedInPage, form: Parameters, typed: ProfileValues): Promise<FormRefusal | undefined> {
  const problem = formProblem(page, form);
  if (problem) return { status: 403, name: problem };
  if (page.user.kept_elsewhere.some((field) => field in form)) return { status: 403, name: 'kept_elsewhere' };
  const isNew = isNewAddress(page, typed.email);
  const stored = profileValues(page);
  // a field that was always empty can stay empty
  const isValid = (field: ProfileFieldName) =>
    typed[field] === stored[field] ||
    (isValidProfileValue(field, typed[field] ?? '') &&
      (field !== 'email' || readMailAddress(typed.email ?? '') !== undefined));
  const invalid = ownFields(page).find((field) => !isValid(field));
  if (invalid !== undefined) return { status: 400, name: `${invalid}_invalid` };
  const wait = await limitProfileChanges(page.deps, page.user.user_id);
  if (wait > 0) return delayOf(page, wait);
  return isNew ? ((await unproven(page, form)) ?? tooManyMails(page, typed.email ?? '')) : undefined;
}

/** A new e-mail address needs a proof, so that a stranger at an unlocked browser cannot replace it. */
async function unproven(page: SignedInPage, form: Parameters): Promise<FormRefusal | undefined> {
  const [password, code] = [fieldOf(form, 'current_password'), fieldOf(form, 'profile_code')];
  if (password === '' && provesByPassword(page)) return { status: 400, name: 'password_needed' };
  const proof = await provePerson(page, { password, code, purpose: 'change of the e-mail address' });
  return 'name' in proof ? proof : undefined;
}

async function tooManyMails(page: SignedInPage, address: string): Promise<FormRefusal | undefined> {
  // the address is counted as it is stored: another spelling is not another mailbox
  const wait = await limitProofs(page.deps, page.user.user_id, readMailAddress(address) ?? address);
  return wait === 0 ? undefined : delayOf(page, wait);
}

/** Limits changes, because each leaves an event that is kept for long; returns the seconds to wait. */
export function limitProfileChanges({ database }: Pick<Deps, 'database'>, user_id: number): Promise<number> {
  return countAttempt(database, { key: `profile of user ${user_id}`, free: 30, pause: 10, longest: 900 });
}

/**
 * Changes the profile for a person, or an application on their behalf; undefined if the account is disabled, or differs from what was
 * shown.
 */
export async function changeProfileOf(
  { database, log }: Pick<Deps, 'database' | 'log'>,
  user_id: number,
  change: ProfileChange,
  { client_id, ...trace }: OperatorsTrace & Pick<AuditEvent, 'client_id'>,
): Promise<ChangedUser | undefined> {
  const event = { event: 'profile_changed', user_id, client_id } as const;
  const changed = await changeUserProfile(database, user_id, change, { ...trace, ...event });
  if (changed?.is_other) logEvent({ log }, trace, event);
  return changed;
}
