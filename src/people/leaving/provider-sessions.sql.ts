import type { Trace } from '../../audit/audit.sql.ts';
import { type Database, row, rows, sql } from '../../postgres/database.ts';
import type { SessionAtProvider } from '../providers/provider-person.ts';

// The sign-ins that came from providers, and how a provider ends them.

export interface NewProviderSession extends SessionAtProvider {
  user_id: number;
  issuer: string;
}

const beginStatement = sql(
  'begin_provider_session',
  'select begin_provider_session($1, $2, $3, $4, to_timestamp($5))::text as provider_session_id',
);

/** The name of the sign-in; null if the provider has ended it meanwhile. */
export async function beginProviderSession(
  database: Database,
  { user_id, issuer, sub, sid, began_at }: NewProviderSession,
): Promise<string | null> {
  const values = [user_id, issuer, sub, sid, began_at];
  const begun = await row<{ provider_session_id: string | null }>(database, beginStatement, values);
  return begun?.provider_session_id ?? null;
}

/** What a provider ends by a JWT: `token_sha256` recognises the JWT if it comes back. */
export interface EndAtProvider {
  /** the name of the provider */
  provider: string;
  issuer: string;
  /** null: the sessions of whoever has this sid */
  sub: string | null;
  /** null: all sessions of this person */
  sid: string | null;
  /** in seconds since 1970, by the clock of the provider */
  iat: number;
  exp: number;
  jti: string;
  token_sha256: Buffer;
}

export interface Ended {
  outcome: 'ended' | 'untimely' | 'provider_gone' | 'repeated';
  /** null if nobody had a session that came from there */
  user_id: number | null;
  detail: string | null;
}

const endStatement = sql(
  'end_provider_sessions',
  `select outcome, user_id, detail
   from end_provider_sessions($1, $2, $3, $4, to_timestamp($5), to_timestamp($6), $7, $8, $9, $10)`,
);

/** A row for each person whose sessions were ended. */
export function endProviderSessions(
  database: Database,
  { provider, issuer, sub, sid, iat, exp, jti, token_sha256 }: EndAtProvider,
  { request_id, address }: Trace,
): Promise<Ended[]> {
  return rows<Ended>(database, endStatement, [
    provider,
    issuer,
    sub,
    sid,
    iat,
    exp,
    jti,
    token_sha256,
    request_id,
    address,
  ]);
}

/** A request of a provider to end all of a person. */
export type RevocationOfSubject = Omit<EndAtProvider, 'issuer' | 'sid' | 'sub'> & { iss: string; sub: string };

export type RevokedSubject = Omit<Ended, 'outcome'> & {
  outcome: 'revoked' | 'untimely' | 'not_allowed' | 'repeated' | 'unknown';
};

const revokeStatement = sql(
  'revoke_subject',
  `select outcome, user_id, detail
   from revoke_subject($1, $2, $3, to_timestamp($4), to_timestamp($5), $6, $7, $8, $9)`,
);

/** A row for each person of whom something was ended, or the reason why nothing was. */
export function revokeSubject(
  database: Database,
  { provider, iss, sub, iat, exp, jti, token_sha256 }: RevocationOfSubject,
  { request_id, address }: Trace,
): Promise<RevokedSubject[]> {
  const values = [provider, iss, sub, iat, exp, jti, token_sha256, request_id, address];
  return rows<RevokedSubject>(database, revokeStatement, values);
}
