import { allHold, clientRules, type PresentedClient, presentedClientColumns } from '../../clients/client-rules.sql.ts';
import { type ProofDigests, unlessUsedMeanwhile, withProofs } from '../../clients/used-proofs.sql.ts';
import { batched } from '../../postgres/batches.ts';
import type { Database } from '../../postgres/database.ts';
import { isOpenRequest } from '../rules.sql.ts';

export interface PushedRequest {
  request_sha256: Buffer;
  client_id: string;
  /** form-encoded parameters that this server reads again, and so without the client's credentials */
  parameters: string;
}

const requestColumns = { request_sha256: 'bytea', client_id: 'text', parameters: 'text', ttl: 'integer' } as const;

const insertFrom = (requests: string) => `registered as (
     insert into pushed_requests (request_sha256, client_id, parameters, expires_at)
     select request_sha256, client_id, parameters, now() + make_interval(secs => ttl)
     from ${requests}
   )
   select position from ${requests}`;

const registerStatement = batched<PushedRequest & { ttl: number }, object>(
  'register_pushed_request',
  requestColumns,
  (requests) => `with ${insertFrom(requests)}`,
);

/** Keeps an authorization request for `ttl` seconds. */
export async function registerPushedRequest(database: Database, request: PushedRequest, ttl: number): Promise<void> {
  await registerStatement(database, { ...request, ttl });
}

const registerWithProofs = batched<PushedRequest & PresentedClient & ProofDigests & { ttl: number }, object>(
  'register_pushed_request_with_proofs',
  { ...requestColumns, ...presentedClientColumns, ...withProofs.columns },
  (requests) => `with granted as (
     select requests.*
     from ${requests}
     cross join clients
     where ${allHold(clientRules)}${withProofs.condition}
   ), ${withProofs.stored}${insertFrom('granted')}`,
);

/** Keeps an authorization request, and uses up the proofs of the client, if they count. */
export async function registerPushedRequestWithProofs(
  database: Database,
  request: PushedRequest & PresentedClient & ProofDigests,
  ttl: number,
): Promise<boolean> {
  return (await unlessUsedMeanwhile(registerWithProofs(database, { ...request, ttl }))) !== undefined;
}

type Key = Pick<PushedRequest, 'request_sha256' | 'client_id'>;
const keyColumns = { request_sha256: 'bytea', client_id: 'text' } as const;

const isFound = `pushed.request_sha256 = requests.request_sha256
     and pushed.client_id = requests.client_id
     and ${isOpenRequest('pushed')}`;

const openStatement = batched<Key, Pick<PushedRequest, 'parameters'>>(
  'open_pushed_request',
  keyColumns,
  (requests) => `with found as (
     select position, pushed.request_sha256, pushed.parameters, pushed.opened_at
     from ${requests}
     join pushed_requests pushed on ${isFound}
   ), opened as (
     update pushed_requests pushed
     set opened_at = now()
     from (
       select distinct request_sha256
       from found
       where opened_at is null) unopened
     where pushed.request_sha256 = unopened.request_sha256
       and pushed.opened_at is null
   )
   select position, parameters
   from found`,
);

/** The parameters; undefined if the request is another client's, has expired or was answered. Only the first call writes. */
export async function openPushedRequest(database: Database, key: Key): Promise<string | undefined> {
  return (await openStatement(database, key))?.parameters;
}

/** Uses up the pushed requests of the rows of a table, each once, however many forms answer it at the same time [9126 §7.3]. */
export const answering = (table: string) => `answered as (
     update pushed_requests pushed
     set completed_at = now()
     from ${table} requests
     where ${isFound}
     returning requests.position
   )`;
