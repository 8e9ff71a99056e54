import { OAuthError } from '../protocol/errors.ts';
import type { BindingFault } from '../store/bindings.ts';
import { invalidGrant } from './token-response.ts';

/** Refuses a token request that does not prove what its client, code or refresh token binds the tokens to. */
export function requireBinding(fault: BindingFault | null): void {
  if (fault === null) return;
  if (fault === 'other key') throw invalidGrant({ reason: 'bound to another key' });
  throw new OAuthError('invalid_request', missing[fault]);
}

const missing = {
  certificate: 'the tokens of this client are bound to its certificate, which is missing or has a weak key',
  dpop: 'the tokens of this client are bound to a key: a DPoP proof is missing',
};
