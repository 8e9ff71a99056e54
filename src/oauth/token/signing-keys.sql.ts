import type { Trace } from '../../audit/audit.sql.ts';
import type { PublicJwk } from '../../lib/own-jwt.ts';
import { type Database, row, rows, sql } from '../../postgres/database.ts';

/** Seconds for which others may cache the published keys. */
export const publishedKeysMaxAge = 300;
/** Seconds between the publication of a key and its first signature: by then, nobody has a cached copy without it. */
const publishedBefore = 2 * publishedKeysMaxAge;

export interface StoredSigningKey {
  kid: string;
  public_jwk: PublicJwk;
  sealed_private_key: Buffer;
  published_at: Date;
  signs_from: Date;
  may_sign: boolean;
  /** old enough to be replaced */
  is_old: boolean;
}

/** Not now(): a statement may have started before the key that it sees was added, and would take it for one of the future. */
const listKeysStatement = sql(
  'list_signing_keys',
  `select kid, public_jwk, sealed_private_key, published_at, signs_from, signs_from <= clock_timestamp() as may_sign,
     published_at < now() - interval '90 days' as is_old
   from signing_keys
   order by published_at desc`,
);

/** Newest first. The sweep deletes a key a day after a newer one began to sign: all that it has signed has expired. */
export function listSigningKeys(database: Database): Promise<StoredSigningKey[]> {
  return rows<StoredSigningKey>(database, listKeysStatement);
}

export interface NewSigningKey extends Pick<StoredSigningKey, 'kid' | 'public_jwk' | 'sealed_private_key'> {
  /** the newest key that is known here, '' if there is none */
  predecessor: string;
}

/** Does nothing if another instance has added a key after the same predecessor. */
const addKeyStatement = sql(
  'add_signing_key',
  `with added as (
     insert into signing_keys (kid, predecessor, public_jwk, sealed_private_key, signs_from)
     values ($1, $2, $3, $4, now() + make_interval(secs => $5))
     on conflict (predecessor) do nothing
     returning kid
   ), audit_event as (
     insert into audit_events (event, detail, request_id, address)
     select 'signing_key_added', kid, $6, $7
     from added
   )
   select kid from added`,
);

/** `signsAtOnce` if there is no other key to sign with until the new one is in every cache. */
export async function addSigningKey(
  database: Database,
  key: NewSigningKey,
  { signsAtOnce }: { signsAtOnce: boolean },
  { request_id, address }: Trace,
): Promise<boolean> {
  const { kid, predecessor, public_jwk, sealed_private_key } = key;
  const delay = signsAtOnce ? 0 : publishedBefore;
  const values = [kid, predecessor, public_jwk, sealed_private_key, delay, request_id, address];
  return (await row(database, addKeyStatement, values)) !== undefined;
}

const needsKeyStatement = sql(
  'needs_signing_key',
  `select
   from resources
   where token_format = 'jwt'
   union all
   select
   from clients
   where jwks is not null or jwks_uri is not null or profile is not null
   limit 1`,
);

/** Whether somebody may verify signatures of this server: a resource server of JWTs, or a client that can ask for signed answers. */
export async function needsSigningKey(database: Database): Promise<boolean> {
  return (await row(database, needsKeyStatement)) !== undefined;
}
