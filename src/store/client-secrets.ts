import { type Database, row, sql } from '../postgres/database.ts';

const addSecretStatement = sql(
  'add_client_secret',
  `with ticket as (
     insert into used_tickets (ticket_sha256)
     values ($3)
     on conflict do nothing
     returning ticket_sha256
   )
   update clients
   set secrets_sha256 = $2::bytea || secrets_sha256,
     secrets_since = now() || secrets_since
   from ticket
   where client_id = $1
     and cardinality(secrets_sha256) = 1
   returning client_id`,
);

/**
 * A second one beside the first. False when there are two already, or none, for a public client stays one; and when the
 * ticket was used before: a secret that was deleted meanwhile does not come back.
 */
export async function addClientSecret(
  database: Database,
  client_id: string,
  digest: Buffer,
  ticket_sha256: Buffer,
): Promise<boolean> {
  return (await row(database, addSecretStatement, [client_id, digest, ticket_sha256])) !== undefined;
}

const deleteSecretStatement = sql(
  'delete_client_secret',
  `update clients
   set secrets_sha256 = array_remove(secrets_sha256, $2),
     secrets_since = array(
       select since
       from unnest(secrets_sha256, secrets_since) with ordinality secret (digest, since, place)
       where digest <> $2
       order by place)
   where client_id = $1
     and cardinality(secrets_sha256) = 2
     and $2 = any (secrets_sha256)
   returning client_id`,
);

/** One of two; the last one stays, for a client without any would be a public one. */
export async function deleteClientSecret(database: Database, client_id: string, digest: Buffer): Promise<boolean> {
  return (await row(database, deleteSecretStatement, [client_id, digest])) !== undefined;
}
