import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { changedMeanwhile, keptInput, madeFrom, restored } from '../../identity/form-origin.ts';
import { shownProof } from '../../identity/fresh-proof.ts';
import { keptValues } from '../../identity/kept-values.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { findUser, wantNotices } from '../../identity/users.sql.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { type ProfileFieldName, profileFieldNames, profileFields } from '../../lib/profile.ts';
import { sendsMail } from '../../mail/mail-queue.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import type { FormState } from '../../web/views/parts.ts';
import type { Views } from '../../web/views/views.ts';
import type { AccountNotice } from './account.view.ts';
import { unprovedAddress } from './address-proof.ts';

const notices: readonly AccountNotice[] = [
  'profile_saved',
  'notices_saved',
  'confirmation_sent',
  'address_confirmed',
  'signed_up',
  'password_reset',
];

/** The first part of the account: the profile, mails, and the end of the account. */
export const showAccount = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) => renderAccount(page, 200, { notice: noticeOf(page.req, notices), ...inputBefore(page) }));

/** Returns what the person had typed into a form of this page when the session ended. */
function inputBefore(page: SignedInPage): Partial<Outcome> {
  const profile = keptInput(page, '/account');
  const choice = keptInput(page, '/account/notices');
  return {
    ...(profile && { typed: readProfile(page, profile), ...restored(profile) }),
    ...(choice && { typed_notices: { wanted: readNotices(choice).wants_notices, ...restored(choice) } }),
  };
}

export type ProfileValues = { [field in ProfileFieldName]?: string };

export const readProfile = (page: SignedInPage, form: Parameters): ProfileValues =>
  Object.fromEntries(ownFields(page).map((field) => [field, fieldOf(form, field).trim()]));

const readNotices = (form: Parameters) => ({ wants_notices: fieldOf(form, 'wants_notices') === 'true' });

type Data = Views['account'];
/** The outcome of a form of this page, and what was typed into it. */
type Outcome = Pick<Data, 'notice' | 'problem'> &
  Partial<FormState> & { typed?: ProfileValues; typed_notices?: FormState & { wanted: boolean } };

/** The fields of the profile that the person changes here. */
export const ownFields = ({ user }: SignedInPage): ProfileFieldName[] =>
  profileFieldNames.filter((name) => !user.kept_elsewhere.includes(name));

/** The values of the form, as they are compared with what is stored. */
export const profileValues = (page: SignedInPage): ProfileValues =>
  Object.fromEntries(
    ownFields(page).map((name) => [name, (name === 'email' && pendingAddress(page)) || page.user[name] || '']),
  );

const noticeValues = ({ user }: SignedInPage) => ({ wants_notices: user.wants_notices });

export function renderAccount(
  page: SignedInPage,
  status: number,
  { notice, problem, typed, typed_notices, ...state }: Outcome,
): void {
  const { deps, user, viewer, csrf } = page;
  const { config } = deps;
  const pending = pendingAddress(page);
  const unproved = sendsMail(config) ? unprovedAddress(user) : undefined;
  const stored = profileValues(page);
  const fields = ownFields(page).map((name) => {
    const { inputType: type, maxLength: maxlength, autocomplete } = profileFields[name];
    return { name, value: (typed ?? stored)[name] ?? '', type, maxlength, autocomplete };
  });
  const data: Data = {
    viewer,
    csrf,
    profile: {
      action: `${config.base}/account`,
      fields,
      kept: keptValues(user),
      made_from: madeFrom(page, stored),
      ...state,
      is_new_address: typed !== undefined && typed.email !== stored.email,
      is_unconfirmed: (pending ?? user.email) !== null && !user.email_verified,
      verified_beside: pending !== null && user.email_verified ? (user.email ?? undefined) : undefined,
    },
    unproved:
      unproved === undefined
        ? undefined
        : {
            address: unproved,
            action: `${config.base}/account/address`,
            is_sent: user.pending_email !== null || notice === 'confirmation_sent',
          },
    notices:
      sendsMail(config) && user.email_verified
        ? {
            action: `${config.base}/account/notices`,
            wanted: user.wants_notices,
            made_from: madeFrom(page, noticeValues(page)),
            ...typed_notices,
          }
        : undefined,
    proof: shownProof(page, '/account'),
    delete_href: `${config.base}/account/delete`,
    export_href: `${config.base}/account/export`,
    notice,
    problem,
  };
  renderView(page, 'account', data, status);
}

/** Returns the address that waits for its proof. An unconfirmed present address counts only if mails can prove it. */
const pendingAddress = ({ deps: { config }, user }: SignedInPage): string | null =>
  !user.kept_elsewhere.includes('email') && (user.email_verified || sendsMail(config)) ? user.pending_email : null;

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
