import type { RequestHandler } from 'express';
import { invitePerson, takesInvitations } from '../accounts/sign-up/invitation.ts';
import { findUsernameProblem, isSignInName } from '../accounts/sign-up/sign-ups.sql.ts';
import { recordAct } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import { administratorsTrace } from '../identity/administrator.ts';
import { isOwnInput, keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import type { SignedInPage } from '../identity/person.ts';
import { registerNewUser } from '../identity/users.sql.ts';
import { isNameOfView } from '../identity/view/view-accounts.ts';
import { readMailAddress } from '../lib/mail-address.ts';
import { ownNames } from '../lib/own-names.ts';
import type { Parameters } from '../lib/parameters.ts';
import { isValidProfileValue } from '../lib/profile.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import { isDuplicateIn } from '../postgres/database-errors.ts';
import { redirectWithin } from '../web/answers.ts';
import { chooseLanguage } from '../web/language.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { Views } from '../web/views/views.ts';
import type { NewPersonProblem } from './admin.view.ts';
import { forAdministrator, forAdministratorsForm } from './administrator.ts';
import { frameOf } from './parts.ts';
import { newPersonPath, personPath } from './path.ts';

type Data = Views['admin-person-new'];
type Typed = Data['typed'];
type Outcome = Partial<Pick<Data, 'made_from' | 'is_restored' | 'invited' | 'url' | 'problem' | 'typed'>>;
interface Refusal {
  problem: NewPersonProblem;
  status: number;
}

/** The forms that invite a person and that add an account. */
export const showNewPerson = (deps: Deps): RequestHandler =>
  forAdministrator(deps, (page) => {
    const kept = keptInput(page, newPersonPath);
    return renderNew(page, kept && { typed: typedPerson(kept), ...restored(kept) });
  });

/** Invites a person, or adds an account. */
export const addPerson = (deps: Deps): RequestHandler =>
  forAdministratorsForm(deps, async (page, form) => {
    const typed = typedPerson(form);
    const refusal = await ('address' in form ? invite(page, typed) : add(page, typed));
    if (!refusal) return;
    const { problem, status } = refusal;
    renderNew(page, { problem, ...(isOwnInput(page, form) && { typed }) }, status);
  });

const typedPerson = (form: Parameters): Typed => ({
  address: fieldOf(form, 'address').trim(),
  username: fieldOf(form, 'username').trim(),
  name: fieldOf(form, 'name').trim(),
  email: fieldOf(form, 'email').trim(),
});

/** Where no mail is sent, the answer shows the link, and no address does: nobody can open it again. */
async function invite(page: SignedInPage, typed: Typed): Promise<Refusal | undefined> {
  const { deps, req } = page;
  const address = readMailAddress(typed.address);
  if (!takesInvitations(deps.config)) return { problem: 'no_invitations', status: 400 };
  if (address === undefined) return { problem: 'address_invalid', status: 400 };
  const invitation = { address, language: chooseLanguage(req), isMailed: sendsMail(deps.config) };
  const event = { event: 'user_invited' } as const;
  const invited = await recordAct(deps, administratorsTrace(page), event, (recorded) =>
    invitePerson(deps, invitation, recorded),
  );
  if (!invited) return { problem: 'address_known', status: 409 };
  renderNew(page, { invited: address, url: invited.url });
  return undefined;
}

/** Adds an account without a password. The page of the person has the links to set a password. */
async function add(page: SignedInPage, typed: Typed): Promise<Refusal | undefined> {
  const { deps, res } = page;
  const problem = await problemOf(page, typed);
  if (problem) return problem;
  const { username, name, email } = typed;
  const person = { username, password_hash: null, is_admin: false, name: name || null, email: email || null };
  const event = { event: 'user_registered' } as const;
  const user_id = await recordAct(deps, administratorsTrace(page), event, (recorded) =>
    registerNewUser(deps.database, person, recorded),
  ).catch((error: unknown) => {
    // somebody else has got the address since problemOf looked
    if (isDuplicateIn(error, 'sign_in_names_pkey')) return 'address_in_use' as const;
    throw error;
  });
  if (user_id === 'address_in_use') return { problem: user_id, status: 409 };
  if (user_id === undefined) return { problem: 'name_taken', status: 409 };
  redirectWithin(res, deps.config, `${personPath(user_id)}?notice=done.add`);
  return undefined;
}

async function problemOf({ deps }: SignedInPage, { username, name, email }: Typed): Promise<Refusal | undefined> {
  const { config, database } = deps;
  if (!config.passwords) return { problem: 'no_invitations', status: 400 };
  const rule = await findUsernameProblem(database, username, ownNames(config));
  if (rule === 'taken' || (await isNameOfView(deps, username))) return { problem: 'name_taken', status: 409 };
  if (rule !== undefined)
    return { problem: rule === 'reserved' ? 'username_reserved' : 'username_malformed', status: 400 };
  if (name !== '' && !isValidProfileValue('name', name)) return { problem: 'name_invalid', status: 400 };
  if (email === '') return undefined;
  if (!isValidProfileValue('email', email)) return { problem: 'email_invalid', status: 400 };
  const isKnown = (await isSignInName(database, email)) || (await isNameOfView(deps, email));
  return isKnown ? { problem: 'address_in_use', status: 409 } : undefined;
}

function renderNew(page: SignedInPage, { typed, ...outcome }: Outcome = {}, status = 200): void {
  const { config } = page.deps;
  const data: Data = {
    ...frameOf(page, 'people'),
    action: config.base + newPersonPath,
    made_from: madeFrom(page),
    invites: takesInvitations(config),
    is_mailed: sendsMail(config),
    typed: typed ?? { address: '', username: '', name: '', email: '' },
    ...outcome,
  };
  renderView(page, 'admin-person-new', data, status);
}
