import type { Binding } from '../protocol/binding.ts';
import { OAuthError } from '../protocol/errors.ts';
import type { ProvenKeys } from '../store/bindings.ts';
import type { Client } from '../store/clients.ts';
import { invalidGrant } from './token-response.ts';

/** Refuses a token request that does not prove what its client, code or refresh token binds the tokens to. */
export function requireBinding({ token_binding }: Client, proven: ProvenKeys, bound: Binding): void {
  if (token_binding === 'certificate' && proven.certificate === undefined) {
    throw new OAuthError('invalid_request', 'the tokens of this client are bound to its certificate, which is missing');
  }
  if (token_binding === 'dpop' && proven.dpop === undefined) {
    throw new OAuthError('invalid_request', 'the tokens of this client are bound to a key: a DPoP proof is missing');
  }
  if (bound !== null && bound !== proven.dpop) throw invalidGrant({ reason: 'bound to another key' });
}
