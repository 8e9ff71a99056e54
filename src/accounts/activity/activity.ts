import type { RequestHandler } from 'express';
import { type EventForPerson, type EventRow, findEventOfUser, findEventsOfUser } from '../../audit/events.sql.ts';
import type { Deps } from '../../deps.ts';
import { provesByPassword } from '../../identity/fresh-proof.ts';
import { forPerson } from '../../identity/person.ts';
import type { Page } from '../../postgres/pagination.sql.ts';
import { applicationPath } from '../../web/client-path.ts';
import { afterOf, pagingOf } from '../../web/paging.ts';
import { renderView } from '../../web/render.ts';
import type { NamedClient } from '../../web/views/parts.ts';
import type { ActivityName, ActivityRow, ShownMethod, TokenTheft } from '../profile/account.view.ts';

/** The shown audit events whose text has another name than the event. */
const otherNames: Record<Exclude<EventForPerson, ActivityName>, ActivityName> = {
  sign_in_refused: 'sign_in_failed',
  consent_given: 'application_allowed',
  consent_refused: 'application_refused',
  consent_changed: 'permission_changed',
  consent_revoked: 'application_revoked',
};

const isRenamed = (event: EventForPerson): event is keyof typeof otherNames => event in otherNames;

/** Events that somebody else may have caused in the name of the person. */
const undoable: ReadonlySet<EventForPerson> = new Set([
  'signed_in',
  'password_changed',
  'password_reset',
  'address_confirmed',
  'profile_changed',
  'identity_linked',
  'identity_unlinked',
  'second_factor_added',
  'second_factor_removed',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  'consent_given',
  'consent_changed',
]);

const thefts: readonly TokenTheft[] = ['refresh_token_reused', 'code_reused', 'token_leaked'];

const methods: readonly ShownMethod[] = [
  'password',
  'website',
  'provider',
  'passkey',
  'security_key',
  'totp',
  'recovery_code',
  'trusted_browser',
];

/** Reads the methods that completeSignIn writes; a sign-in recorded by an old release has none. */
function methodsIn(detail: string | null | undefined): readonly ShownMethod[] {
  const named = detail?.split(' ') ?? [];
  return methods.filter((method) => named.includes(method));
}

/** Reads the browser and the system that follow the methods; releases before 1.2.0 recorded none. */
const deviceIn = (detail: string | null | undefined): string | undefined => /^[\w ]+ · (.+)$/.exec(detail ?? '')?.[1];

/** Names what was wrong: the password, which old releases recorded without a detail; the answer of a passkey; or a code. */
function refusedName(detail: string | null | undefined): ActivityName {
  if (detail?.startsWith('second factor')) return 'sign_in_failed_code';
  if (!detail || detail.endsWith('password')) return 'sign_in_failed';
  if (detail === 'disabled') return 'sign_in_failed_disabled';
  return detail.startsWith('passkey') ? 'sign_in_failed_passkey' : 'sign_in_failed_code';
}

/** A provider ends sessions, too, see migrations/functions/end_provider_sessions.sql. */
function endedName(detail: string | null | undefined): ActivityName {
  if (!detail?.startsWith('provider:')) return 'session_ended';
  return detail.split(' ')[1] === 'logout' ? 'session_ended_there' : 'access_ended_there';
}

const pageSize = 20;

/** What has happened in the account lately. */
export const showActivity = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { viewer, csrf, user, req } = page;
    const { rows: activity, next } = await activityOf(deps, user.user_id, afterOf(req));
    const data = { viewer, csrf, activity, has_password: provesByPassword(page) };
    renderView(page, 'account-activity', { ...data, paging: pagingOf(page, '/account/activity', next) });
  });

/** Returns the recent activity of a person, newest first. */
export async function activityOf(deps: Deps, user_id: number, after: string | undefined): Promise<Page<ActivityRow>> {
  const { rows, next } = await findEventsOfUser(deps.database, user_id, after, pageSize);
  return { rows: rows.map((row) => shownEvent(deps, row)), next };
}

function nameOfEvent({ event, detail }: EventRow): ActivityName {
  if (event === 'sign_in_refused') return refusedName(detail);
  if (event === 'session_ended') return endedName(detail);
  return isRenamed(event) ? otherNames[event] : event;
}

/** Names the application of an event; a deleted application has only its client_id. */
function namedClient({ client_name: name, client_vouched: vouched, client_id }: EventRow): NamedClient | undefined {
  if (name !== null && vouched !== null) return { name, vouched };
  return client_id ? { name: client_id, vouched: true } : undefined;
}

export function shownEvent({ config }: Deps, row: EventRow): ActivityRow {
  const { happened_at, event, address, detail } = row;
  return {
    at: happened_at,
    activity: nameOfEvent(row),
    methods: event === 'signed_in' ? methodsIn(detail) : undefined,
    device: event === 'signed_in' ? deviceIn(detail) : undefined,
    client: namedClient(row),
    client_href: isTheft(row) ? config.base + applicationPath(row.client_id) : undefined,
    password_href: showsPassword(row) ? `${config.base}/account/security#password` : undefined,
    passkey: event === 'passkey_added' || event === 'passkey_removed' ? detail : undefined,
    address: address ?? undefined,
    by_operator: row.by_operator,
    not_me_href: canBeUndone(row) ? `${config.base}/account/not-me?event=${row.key}` : undefined,
  };
}

/** Whether whoever failed knew the password; the second step says what came before the code if that was something else. */
const showsPassword = (row: EventRow): boolean =>
  nameOfEvent(row) === 'sign_in_failed_code' && row.detail?.startsWith('second factor: after') !== true;

/** Whether the event can be undone: for as long as the link of a mail is good. */
const canBeUndone = ({ event, is_of_this_week }: EventRow): boolean => undoable.has(event) && is_of_this_week;

/** Whether somebody else may have a token of an application, which still exists. */
const isTheft = (row: EventRow): row is EventRow & { client_id: string } =>
  thefts.some((event) => event === row.event) && row.client_name !== null;

/** Finds the event with this key, if it belongs to this person and can still be undone. */
export async function findUndoable({ database }: Deps, user_id: number, key: string): Promise<EventRow | undefined> {
  const found = await findEventOfUser(database, user_id, key);
  return found && canBeUndone(found) ? found : undefined;
}
