import { isPublic } from './client-rules.sql.ts';

// The keys to which codes and tokens are bound [9449 §5; 8705 §3]; most are bound to none.

/** What a request proves beside the client's credentials. */
export interface ProvenKeys {
  /** `dpop` and the thumbprint of the key */
  dpop?: string | undefined;
  /** `certificate` and the thumbprint of the client certificate */
  certificate?: string | undefined;
}

/** The columns of a batched statement in which requests say which keys they have proven. */
export const provenKeyColumns = { dpop: 'text', certificate: 'text' } as const;

/** What a new access token is bound to; null for a bearer token, or if the request does not prove what the client registered. */
export const newBinding = `case clients.token_binding when 'mac' then 'mac' when 'certificate' then requests.certificate else requests.dpop end`;

/**
 * Whether the request proves the key to which a code or refresh token is bound. 'mac' is no such key: a MAC key belongs to an
 * access token.
 */
export const provesKeyOf = (binding: string) =>
  `(coalesce(${binding}, 'mac') in ('mac', requests.dpop, requests.certificate)) is true`;

/** What the first refresh token is bound to: nothing for a confidential client, because the client authenticates. */
export const firstRefreshBinding = `case when ${isPublic} then ${newBinding} end`;

/** What the refresh token of a request is bound to: tokens from before the first key was proven are bound to nothing. */
export const refreshBinding = `case when requests.generation >= code.refresh_bound_since then code.refresh_binding end`;

/** What a successor is bound to: the key of the token that it replaces, or the first key that is proven for it. */
export const nextRefreshBinding = `coalesce(nullif(code.refresh_binding, 'mac'), ${firstRefreshBinding})`;
