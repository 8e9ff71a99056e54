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

/** Whether the request proves what its client and its code bind the new tokens to [9449 §10]. */
export const isBoundAtExchange = `${isBoundAsRegistered}
       and (code.binding is null or code.binding = requests.dpop)`;

/** The same for a refresh: only the refresh token of a public client is bound to a key [9449 §5]. */
export const isBoundAtRefresh = `${isBoundAsRegistered}
       and (token.binding is null or token.binding = ${newBinding})`;
