import { batched } from '../postgres/batches.ts';
import type { Database } from '../postgres/database.ts';
import { isOpenRequest } from './active.ts';

export interface PushedRequest {
  request_sha256: Buffer;
  client_id: string;
  /** form-encoded: those that this server reads again, and so without the client's credentials */
  parameters: string;
}

const registerStatement = batched<PushedRequest & { ttl: number }, object>(
  'register_pushed_request',
  { request_sha256: 'bytea', client_id: 'text', parameters: 'text', ttl: 'integer' },
  (requests) => `with registered as (
     insert into pushed_requests (request_sha256, client_id, parameters, expires_at)
     select request_sha256, client_id, parameters, now() + make_interval(secs => ttl)
     from ${requests}
   )
   select position from ${requests}`,
);

/** Keeps an authorization request for `ttl` seconds. */
export async function registerPushedRequest(database: Database, request: PushedRequest, ttl: number): Promise<void> {
  await registerStatement(database, { ...request, ttl });
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

/** The parameters; undefined if the request is another client's, has expired or was answered. Only the first time writes. */
export async function openPushedRequest(database: Database, key: Key): Promise<string | undefined> {
  return (await openStatement(database, key))?.parameters;
}

const completeStatement = batched<Key, object>(
  'complete_pushed_request',
  keyColumns,
  (requests) => `
   update pushed_requests pushed
   set completed_at = now()
   from ${requests}
   where ${isFound}
   returning requests.position`,
);

/** Once, however many forms answer it at the same time [9126 §7.3]. */
export async function completePushedRequest(database: Database, key: Key): Promise<boolean> {
  return (await completeStatement(database, key)) !== undefined;
}
