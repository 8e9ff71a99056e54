import type { RequestHandler } from 'express';
import { type AccountState, accountActions, askedActions, offeredActions } from '../accounts/account-actions.ts';
import { handleOf } from '../accounts/activity/sessions.ts';
import { listConnectedApplications } from '../accounts/applications/connected-applications.sql.ts';
import { listPasskeysOfUser } from '../accounts/passkeys/passkeys.sql.ts';
import { findEvents } from '../audit/audit-search.sql.ts';
import { listOwnApplications } from '../clients/clients.sql.ts';
import type { Deps } from '../deps.ts';
import { findLock } from '../identity/attempt-limits.sql.ts';
import { keptInput, madeFrom, restored } from '../identity/form-origin.ts';
import { keptValues } from '../identity/kept-values.ts';
import { noticeOf, type SignedInPage } from '../identity/person.ts';
import { listSessionsOfUser } from '../identity/sessions.sql.ts';
import { findAnyUser, findLanguagesAndLastSeen, findUserByName, type User } from '../identity/users.sql.ts';
import { OAuthError } from '../lib/errors.ts';
import type { Parameters } from '../lib/parameters.ts';
import { profileFieldNames } from '../lib/profile.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import { listIdentitiesOfUser } from '../people/providers/identities.sql.ts';
import { renderView } from '../web/render.ts';
import { fieldOf } from '../web/request-parameters.ts';
import type { FormState } from '../web/views/parts.ts';
import type { Views } from '../web/views/views.ts';
import type { DoneAction, PersonAction } from './admin.view.ts';
import { forAdministrator } from './administrator.ts';
import { frameOf } from './parts.ts';
import { applicationPath, applicationsPath, eventsPath, grantsPath, pathWith, personPath } from './path.ts';
import { shownEvent, shownGrant } from './rows.ts';

/** Rows of each list on the page; links lead to the rest. */
const shownRows = 10;

const doneActions: readonly DoneAction[] = [...accountActions, 'mail_link', 'end_session', 'change', 'add'];
const notices = doneActions.map((action) => `done.${action}` as const);

/** Everything about one person. */
export const showPerson = (deps: Deps): RequestHandler =>
  forAdministrator(deps, async (page) => {
    const notice = noticeOf(page.req, notices);
    const person = await requirePerson(page);
    const kept = keptInput(page, personPath(person.user_id));
    return renderPerson(page, person, {
      notice,
      ...(kept && { typed: typedProfile(kept, person), ...restored(kept) }),
    });
  });

/** The person in the path. */
export async function requirePerson({ deps, req }: SignedInPage): Promise<User> {
  const number = String(req.params['user_id']);
  const user = /^[1-9]\d{0,8}$/.test(number) ? await findAnyUser(deps.database, Number(number)) : undefined;
  if (!user) throw new OAuthError('not_found', 'there is no such person');
  return user;
}

/** The values of the form, as they are compared with what is stored. */
export const accountValues = ({ name, email, email_verified }: User) => ({
  name: name ?? '',
  email: email ?? '',
  vouched: email_verified,
});

type TypedProfile = ReturnType<typeof accountValues>;

/** Reads the typed profile; an empty field changes nothing. */
export function typedProfile(form: Parameters, person: User): TypedProfile {
  const stored = accountValues(person);
  const typed = (field: 'name' | 'email') => fieldOf(form, field).trim() || stored[field];
  const vouched = person.kept_elsewhere.includes('email') ? stored.vouched : fieldOf(form, 'vouched') === 'true';
  return { name: typed('name'), email: typed('email'), vouched };
}

type Page = Views['admin-person'];
type Outcome = Pick<Page, 'notice' | 'problem' | 'reset_url'> & Partial<FormState> & { typed?: TypedProfile };

export async function renderPerson(
  page: SignedInPage,
  user: User,
  { typed, ...outcome }: Outcome,
  status = 200,
): Promise<void> {
  const { database, config } = page.deps;
  const { user_id, username, is_admin } = user;
  const [lock, identities, passkeys, sessions, grants, looksAfter, events] = [
    await findLock(database, user_id),
    await listIdentitiesOfUser(database, user_id),
    await listPasskeysOfUser(database, user_id),
    await listSessionsOfUser(database, user_id),
    await listConnectedApplications(database, user_id, undefined, shownRows),
    await listOwnApplications(database, user_id, undefined, shownRows),
    await findEvents(database, { user_id }, undefined, shownRows),
  ];
  const data: Page = {
    ...frameOf(page, 'people'),
    action: config.base + personPath(user_id),
    username,
    sub: user.sub,
    source: user.source,
    created_at: user.created_at,
    stored_email: user.email ?? '',
    known: [user.name, user.email].filter(Boolean).join(' · '),
    ...accountValues(user),
    ...typed,
    kept: keptValues(user),
    made_from: madeFrom(page, accountValues(user)),
    email_verified: user.email_verified,
    other: outcome.problem === 'address_in_use' ? await findOther(page, typed?.email) : undefined,
    pending_email: user.pending_email ?? undefined,
    is_admin,
    disabled: user.disabled_at !== null,
    disabled_at: user.disabled_at ?? undefined,
    has_password: user.has_password,
    second_factor: user.has_second_factor ? (user.has_app ? 'app' : 'key') : 'none',
    passkeys: passkeys.map(({ name, created_at, last_used_at, user_verified }) => {
      return { name, created_at, last_used_at: last_used_at ?? undefined, only_second: !user_verified };
    }),
    last_seen: await lastSeen(page, user_id, sessions),
    identities: identities.map(({ issuer, subject, title, label, linked_at, last_used_at }) => ({
      issuer,
      subject,
      title: title ?? undefined,
      label: label ?? undefined,
      linked_at,
      last_used_at: last_used_at ?? undefined,
    })),
    lock: { attempts: lock.attempts, until: lock.until ?? undefined },
    sessions: sessions.slice(0, shownRows).map(({ sid_sha256, user_agent, address, ...times }) => {
      return { session: handleOf(sid_sha256), user_agent: user_agent ?? '', address: address ?? undefined, ...times };
    }),
    grants: grants.rows.map((grant) => shownGrant(page, { ...grant, user_id, username })),
    grants_href: config.base + pathWith(grantsPath, { user: username }),
    looks_after: looksAfter.rows.map(({ client_id, name, vouched, disabled_at }) => {
      return {
        client_id,
        name,
        vouched,
        href: config.base + applicationPath(client_id),
        disabled: disabled_at !== null,
      };
    }),
    looks_after_href: config.base + pathWith(applicationsPath, { find: username }),
    events: events.rows.map((event) => shownEvent(page, event)),
    events_href: config.base + pathWith(eventsPath, { user: username }),
    links_when_enabled: config.passwords && user.source === 'here' && user.disabled_at !== null,
    asks: askedActions,
    actions: actionsFor(page, user, {
      isLocked: lock.attempts > 0,
      isSignedIn: sessions.length > 0,
      hasGrants: grants.rows.length > 0,
    }),
    ...outcome,
  };
  renderView(page, 'admin-person', data, status);
}

/** When a session was last used; without a session, the day of the last sign-in, to the week. */
async function lastSeen(
  { deps: { database } }: SignedInPage,
  user_id: number,
  sessions: readonly { last_used_at: Date }[],
): Promise<Page['last_seen']> {
  const [latest] = sessions.map((session) => session.last_used_at.getTime()).sort((one, other) => other - one);
  if (latest !== undefined) return { used_at: new Date(latest) };
  const { language = null, seen_on = '' } = (await findLanguagesAndLastSeen(database, user_id)) ?? {};
  // who signs in has a language from then on
  return language === null ? undefined : { seen_on: new Date(seen_on) };
}

/** The account that has this address, unless several accounts may be meant. */
async function findOther({ deps: { database, config } }: SignedInPage, email = ''): Promise<Page['other']> {
  const other = await findUserByName(database, email);
  if (!other || other === 'ambiguous') return undefined;
  return { href: config.base + personPath(other.user_id), username: other.username };
}

/** The buttons that would change something. */
function actionsFor({ deps: { config }, user }: SignedInPage, person: User, state: AccountState): PersonAction[] {
  const canGetLink = config.passwords && person.disabled_at === null && person.source === 'here';
  const offered: [PersonAction, boolean][] = [
    ['mail_link', canGetLink && sendsMail(config) && person.has_password && person.email_verified],
    ['show_link', canGetLink],
    ['change', keptValues(person).length < profileFieldNames.length],
  ];
  const others = offered.filter(([, isOffered]) => isOffered).map(([action]) => action);
  return [...others, ...offeredActions(person, state, user)];
}
