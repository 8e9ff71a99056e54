import { type RecordedEvent, recordedEvent, recordedValues } from '../audit/audit.sql.ts';
import { batched } from '../postgres/batches.ts';
import { type Database, hasRow, rows, sql } from '../postgres/database.ts';

// A confidential client has one or two secrets, so that its developer can replace a secret without an outage.

/** A form whose answer shows a secret counts once; `digest` is `values (…)` or a query. */
export const ticketUsed = (digest: string) => `ticket as (
     insert into used_tickets (ticket_sha256)
     ${digest}
     on conflict do nothing
     returning ticket_sha256
   )`;

const addSecretStatement = sql(
  'add_client_secret',
  `with ${ticketUsed('values ($3)')}, added as (
     update clients
     set secrets_sha256 = $2::bytea || secrets_sha256,
       secrets_since = now() || secrets_since
     from ticket
     where client_id = $1
       and cardinality(secrets_sha256) = 1
     returning client_id
   ), ${recordedEvent('added', 4)}
   select client_id from added`,
);

interface NewSecret {
  client_id: string;
  secret_sha256: Buffer;
}

/**
 * Adds a secret. False when the client has two secrets already, or none, because a public client stays public; and when the ticket was
 * used before, because a form sent again must not bring back a secret that was deleted in the meantime.
 */
export function addClientSecret(
  database: Database,
  { client_id, secret_sha256, ticket_sha256 }: NewSecret & { ticket_sha256: Buffer },
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, addSecretStatement, [client_id, secret_sha256, ticket_sha256, ...recordedValues(recorded)]);
}

const deleteSecretStatement = sql(
  'delete_client_secret',
  `with deleted as (
     update clients
     set secrets_sha256 = array_remove(secrets_sha256, $2),
       secrets_since = array(
         select since
         from unnest(secrets_sha256, secrets_since) with ordinality secret (digest, since, position)
         where digest <> $2
         order by position)
     where client_id = $1
       and cardinality(secrets_sha256) = 2
       and $2 = any (secrets_sha256)
     returning client_id
   ), ${recordedEvent('deleted', 3)}
   select client_id from deleted`,
);

/** Deletes a secret; false for the only secret of a client, which would become public without it. */
export function deleteClientSecret(
  database: Database,
  client_id: string,
  secret_sha256: Buffer,
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, deleteSecretStatement, [client_id, secret_sha256, ...recordedValues(recorded)]);
}

const rotateSecretStatement = sql(
  'rotate_client_secret',
  `with rotated as (
     update clients
     set secrets_sha256 = $2::bytea || secrets_sha256[1:$3],
         secrets_since = now() || secrets_since[1:$3]
     where client_id = $1
       and cardinality(secrets_sha256) > 0
       and deleted_at is null
     returning client_id
   ), ${recordedEvent('rotated', 4)}
   select client_id from rotated`,
);

/**
 * Adds a secret that is valid at once, and keeps the previous secret until the next rotation; with `now` the previous secret ends at
 * once.
 */
export function rotateClientSecret(
  database: Database,
  { client_id, secret_sha256, now }: NewSecret & { now: boolean },
  recorded: RecordedEvent,
): Promise<boolean> {
  return hasRow(database, rotateSecretStatement, [client_id, secret_sha256, now ? 0 : 1, ...recordedValues(recorded)]);
}

/**
 * Writes at most once in five minutes; callers of this statement ask less often. The next use forgets what became of former
 * secrets.
 */
const noteUse = batched<{ client_id: string; secret_sha256: Buffer }, object>(
  'note_secret_use',
  { client_id: 'text', secret_sha256: 'bytea' },
  (requests) => `with used as (
     select position, clients.client_id, requests.secret_sha256
     from ${requests}
     join clients on clients.client_id = requests.client_id
     where requests.secret_sha256 = any (clients.secrets_sha256)
   ), noted as (
     insert into client_secret_uses as known (client_id, secret_sha256, last_used_at)
     select distinct client_id, secret_sha256, now()
     from used
     order by client_id, secret_sha256
     on conflict on constraint client_secret_uses_pkey do update
     set last_used_at = now()
     where known.last_used_at < now() - interval '5 minutes'
   ), forgotten as (
     delete from client_secret_uses former
     using clients
     where former.client_id in (select client_id from used)
       and clients.client_id = former.client_id
       and former.secret_sha256 <> all (clients.secrets_sha256)
   )
   select position
   from used`,
);

/** Notes the use of a secret with which the client has just authenticated. */
export async function noteSecretUse(database: Database, client_id: string, secret_sha256: Buffer): Promise<void> {
  await noteUse(database, { client_id, secret_sha256 });
}

export interface SecretUse {
  secret_sha256: Buffer;
  last_used_at: Date;
  /** whether the secret was used within 30 days: a program may well send it */
  is_in_use: boolean;
}

const listUsesStatement = sql(
  'list_secret_uses',
  `select secret_sha256, last_used_at, last_used_at > now() - interval '30 days' as is_in_use
   from client_secret_uses
   where client_id = $1
     and secret_sha256 = any ($2)`,
);

/** The last use of each secret whose use was seen. */
export function listSecretUses(
  database: Database,
  { client_id, secrets_sha256 }: { client_id: string; secrets_sha256: readonly Buffer[] },
): Promise<SecretUse[]> {
  return rows<SecretUse>(database, listUsesStatement, [client_id, secrets_sha256]);
}
