import { type Database, row, sql } from '../postgres/database.ts';

// A confidential client has one secret or two, so that its developer can replace one without an outage.

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
 * False when the client has two secrets already or none, because a public client stays public; and when the ticket was used
 * before, because a form sent again must not bring back a secret that was deleted meanwhile.
 */
export async function addClientSecret(
  database: Database,
  client_id: string,
  secret_sha256: Buffer,
  ticket_sha256: Buffer,
): Promise<boolean> {
  return (await row(database, addSecretStatement, [client_id, secret_sha256, ticket_sha256])) !== undefined;
}

const deleteSecretStatement = sql(
  'delete_client_secret',
  `update clients
   set secrets_sha256 = array_remove(secrets_sha256, $2),
     secrets_since = array(
       select since
       from unnest(secrets_sha256, secrets_since) with ordinality secret (digest, since, position)
       where digest <> $2
       order by position)
   where client_id = $1
     and cardinality(secrets_sha256) = 2
     and $2 = any (secrets_sha256)
   returning client_id`,
);

/** False for the only secret of a client: without it the client would be a public one. */
export async function deleteClientSecret(
  database: Database,
  client_id: string,
  secret_sha256: Buffer,
): Promise<boolean> {
  return (await row(database, deleteSecretStatement, [client_id, secret_sha256])) !== undefined;
}

const rotateSecretStatement = sql(
  'rotate_client_secret',
  `update clients
   set secrets_sha256 = $2::bytea || secrets_sha256[1:1],
       secrets_since = now() || secrets_since[1:1]
   where client_id = $1
     and cardinality(secrets_sha256) > 0
     and deleted_at is null
   returning client_id`,
);

/** The new secret is valid at once, the one before it until the next rotation. */
export async function rotateClientSecret(
  database: Database,
  client_id: string,
  secret_sha256: Buffer,
): Promise<boolean> {
  return (await row(database, rotateSecretStatement, [client_id, secret_sha256])) !== undefined;
}
