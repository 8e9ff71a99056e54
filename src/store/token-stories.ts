import { type Database, row, rows, sql } from '../postgres/database.ts';
import type { CredentialKind } from '../protocol/secrets.ts';
import { familyOfToken } from './active.ts';
import type { AuditEventName } from './audit-events.ts';

/** All that the tables say about a code or token, dead or alive, and about what stands above it. */
export interface TokenFacts {
  kind: CredentialKind;
  client_id: string;
  code_id: string;
  issued_at: Date;
  expires_at: Date;
  /** of an access token alone */
  revoked_at: Date | null;
  /** of a refresh token: when its successor was made */
  rotated_at: Date | null;
  redeemed_at: Date | null;
  family_revoked_at: Date | null;
  grant_revoked_at: Date | null;
  grant_expires_at: Date | null;
  client_disabled_at: Date | null;
  user_disabled_at: Date | null;
  /** whether the person has taken back a part of what it was issued for, and when they last changed their mind */
  is_reduced: boolean;
  grant_changed_at: Date;
  /** whether its client is not registered any more for a part of that */
  is_narrowed: boolean;
  /** what the authorization request carried, for the token request to repeat or to answer */
  redirect_uri: string;
  redirect_uri_sent: boolean;
  code_challenge: string | null;
  /** when this was asked, by the clock that all the other times are of */
  asked_at: Date;
}

const findFactsStatement = sql(
  'find_token_facts',
  `select token.kind, code.client_id, token.code_id, token.issued_at, token.expires_at, token.revoked_at, token.rotated_at,
     code.redeemed_at, code.revoked_at as family_revoked_at,
     grants.revoked_at as grant_revoked_at, grants.expires_at as grant_expires_at,
     clients.disabled_at as client_disabled_at, users.disabled_at as user_disabled_at,
     not token.scopes <@ grants.scopes as is_reduced, greatest(grants.granted_at, grants.changed_at) as grant_changed_at,
     not token.scopes <@ clients.scopes as is_narrowed,
     code.redirect_uri, code.redirect_uri_sent, code.code_challenge, now() as asked_at
   from (
     select 'authorization_code' as kind, code_id, scopes, issued_at, expires_at,
       null::timestamptz as revoked_at, null::timestamptz as rotated_at
     from authorization_codes
     where code_sha256 = $1
     union all
     select 'access_token', code_id, scopes, issued_at, expires_at, revoked_at, null
     from access_tokens
     where access_token_sha256 = $1
     union all
     select 'refresh_token', code_id, scopes, issued_at, expires_at, null, rotated_at
     from refresh_tokens
     where refresh_token_sha256 = $1) token
   join ${familyOfToken}`,
);

/** Whichever client it was issued to: only that one may be told. */
export function findTokenFacts(database: Database, digest: Buffer): Promise<TokenFacts | undefined> {
  return row<TokenFacts>(database, findFactsStatement, [digest]);
}

export interface FamilyEvent {
  happened_at: Date;
  event: AuditEventName;
}

/** What the audit trail adds: the latest events of the family, and the first after its end, of which one says why it ended. */
const listFamilyEventsStatement = sql(
  'list_family_events',
  `select told.happened_at, told.event
   from authorization_codes code
   cross join lateral (
     (select happened_at, event
     from audit_events
     where audit_events.code_id = code.code_id
     order by happened_at desc
     limit 20)
     union
     (select happened_at, event
     from audit_events
     where audit_events.code_id = code.code_id
       and audit_events.happened_at >= code.revoked_at
     order by happened_at
     limit 20)) told
   where code.code_id = $1
   order by told.happened_at desc`,
);

/** The latest first. */
export function listFamilyEvents(database: Database, code_id: string): Promise<FamilyEvent[]> {
  return rows<FamilyEvent>(database, listFamilyEventsStatement, [code_id]);
}
