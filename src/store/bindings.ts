import { type Database, row, sql } from '../postgres/database.ts';
import { isPublic } from './active.ts';

/** What a request proves beside the client's credentials. */
export interface ProvenKeys {
  /** `dpop` and the thumbprint of the key */
  dpop?: string | undefined;
  /** `certificate` and the thumbprint of the client certificate */
  certificate?: string | undefined;
}

/** For the columns of a batched statement. */
export const provenKeyColumns = { dpop: 'text', certificate: 'text' } as const;

/** What a new access token is bound to; null for a bearer token, or if the request does not prove what the client registered. */
export const newBinding = `case clients.token_binding when 'mac' then 'mac' when 'certificate' then requests.certificate else requests.dpop end`;

const isBoundAsRegistered = `(clients.token_binding = 'any' or ${newBinding} is not null)`;

/** Whether the request proves the key to which a code or refresh token is bound. 'mac' is none: a MAC key belongs to an access token. */
export const provesKeyOf = (binding: string) =>
  `(coalesce(${binding}, 'mac') in ('mac', requests.dpop, requests.certificate)) is true`;

/** Whether the request proves what its client, and the code or refresh token, bind the new tokens to [9449 §5, §10; 8705 §4]. */
export const isBound = (binding: string) => `${isBoundAsRegistered}
       and ${provesKeyOf(binding)}`;

/** What a request does not prove: what its client registered, or the key of its code or refresh token. */
export type BindingFault = 'certificate' | 'dpop' | 'other key';

/** Why isBound is false; null if it is true. For the explanation of a refusal, so that it agrees with the statement that refused. */
export const bindingFault = (binding: string) =>
  `case when not ${isBoundAsRegistered} then clients.token_binding when not ${provesKeyOf(binding)} then 'other key' end`;

/** What the first refresh token is bound to: that of a confidential client to nothing, because the client authenticates. */
export const firstRefreshBinding = `case when ${isPublic} then ${newBinding} end`;

/** What a successor is bound to: the same as the token, or the first key that is proven for it. */
export const nextRefreshBinding = `coalesce(nullif(token.binding, 'mac'), ${firstRefreshBinding})`;

/** A row with which the fragments above judge a single request. */
export const provenBy = (dpop: string, certificate: string) =>
  `(values (${dpop}::text, ${certificate}::text)) requests (dpop, certificate)`;

const findFaultStatement = sql(
  'find_binding_fault_of_code',
  `select ${bindingFault('code.binding')} as fault
   from authorization_codes code
   join clients on clients.client_id = code.client_id
   cross join ${provenBy('$2', '$3')}
   where code.code_sha256 = $1`,
);

/** After a redemption that was refused. */
export async function findBindingFaultOfCode(
  database: Database,
  code_sha256: Buffer,
  { dpop, certificate }: ProvenKeys,
): Promise<BindingFault | null> {
  const values = [code_sha256, dpop ?? null, certificate ?? null];
  return (await row<{ fault: BindingFault | null }>(database, findFaultStatement, values))?.fault ?? null;
}
