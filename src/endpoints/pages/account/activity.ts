import type { Deps } from '../../../deps.ts';
import type { AuditEventName } from '../../../store/audit-events.ts';
import { findEventsOfUser } from '../../../store/audit-trail.ts';
import type { ActivityName, ActivityRow } from '../account-view-data.ts';

/** Events in the words of the account page; null: not news for the person, because an application or an operator did it. */
const activities: Record<AuditEventName, ActivityName | null> = {
  signed_in: 'signed_in',
  sign_in_refused: 'sign_in_failed',
  signed_out: 'signed_out',
  session_ended: 'session_ended',
  password_changed: 'password_changed',
  profile_changed: 'profile_changed',
  consent_given: 'application_allowed',
  consent_refused: 'application_refused',
  consent_changed: 'permission_changed',
  consent_revoked: 'application_revoked',
  refresh_token_reused: 'refresh_token_reused',
  code_reused: 'code_reused',
  token_leaked: 'token_leaked',
  sign_in_delayed: null,
  tokens_issued: null,
  tokens_refreshed: null,
  code_verifier_wrong: null,
  token_revoked: null,
  client_registered: null,
  client_changed: null,
  client_disabled: null,
  client_enabled: null,
  client_deleted: null,
  client_secret_added: null,
  client_secret_deleted: null,
  user_registered: null,
  user_disabled: null,
  user_enabled: null,
};

const names = Object.keys(activities) as AuditEventName[];
const notNews = names.filter((name) => activities[name] === null);
const most = 20;

export async function recentActivity({ database }: Deps, user_id: number): Promise<ActivityRow[]> {
  const events = await findEventsOfUser(database, user_id, notNews, most);
  return events.flatMap(({ happened_at, event, client_name, client_id, address }) => {
    const activity = activities[event];
    // a name that a later version wrote has no words here yet
    if (!activity) return [];
    return { at: happened_at, activity, client_name: client_name ?? client_id, address: address ?? undefined };
  });
}
