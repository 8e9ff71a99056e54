import type { FoundEvent } from '../audit/audit-search.sql.ts';
import type { SignedInPage } from '../identity/person.ts';
import type { GrantOfClient } from '../oauth/consent/grant-changes.sql.ts';
import type { NamedClient } from '../web/views/parts.ts';
import type { AdminEvent, AdminGrant } from './admin.view.ts';
import { applicationPath, personPath } from './path.ts';

/** A grant of a person, or for an application. */
type ListedGrant = Pick<GrantOfClient, 'user_id' | 'username' | 'scopes' | 'granted_at' | 'last_used_at'> &
  NamedClient & { client_id: string };

export function shownGrant({ deps: { config } }: SignedInPage, grant: ListedGrant): AdminGrant {
  const { user_id, username, client_id, name, vouched, scopes, granted_at, last_used_at } = grant;
  return {
    user_id,
    username,
    person_href: config.base + personPath(user_id),
    ...{ client_id, name, vouched },
    client_href: config.base + applicationPath(client_id),
    scopes,
    granted_at,
    last_used_at: last_used_at ?? undefined,
  };
}

export function shownEvent({ deps: { config } }: SignedInPage, event: FoundEvent): AdminEvent {
  const { user_id, username, by_user_id, by_username, by_system_user } = event;
  return {
    at: event.happened_at,
    event: event.event,
    username: username ?? (user_id === null ? undefined : String(user_id)),
    // a deleted person leaves only the number
    person_href: user_id === null || username === null ? undefined : config.base + personPath(user_id),
    client_id: event.client_id ?? undefined,
    client_href:
      event.client_id !== null && event.has_client ? config.base + applicationPath(event.client_id) : undefined,
    address: event.address ?? undefined,
    request_id: event.request_id,
    detail: event.detail ?? undefined,
    by: by_username ?? by_system_user ?? (by_user_id === null ? undefined : String(by_user_id)),
  };
}
