import { OAuthError } from '../../lib/errors.ts';
import { ProviderAwayError } from '../providers/provider-fetch.ts';

/** The provider tries again: nobody can say yet whether its token is right. */
export function tellKeysAreAway(error: unknown): never {
  if (!(error instanceof ProviderAwayError)) throw error;
  throw new OAuthError('temporarily_unavailable', 'the keys of the provider cannot be had at the moment, try again', {
    reason: `provider: ${error.message}`,
    headers: { 'Retry-After': '30' },
  });
}
