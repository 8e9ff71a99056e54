import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../lib/errors.ts';
import type { ClientAndGrant } from '../consent/grants.sql.ts';

/** The owner of the client sees how the URI differs from the registered ones; in the demo everybody does. */
export function unverifiedRedirectUri(
  { config }: Deps,
  { owner_id, redirect_uris: registered }: ClientAndGrant,
  redirect_uri: string | undefined,
  user_id: number | undefined,
): OAuthError {
  const is_shown = config.demo || (user_id !== undefined && owner_id === user_id);
  return new OAuthError('invalid_request', 'redirect_uri is missing or is not registered for this client', {
    reason: redirect_uri === undefined ? 'redirect_uri missing' : 'redirect_uri not registered',
    mismatch: { received: redirect_uri ?? '', registered, is_shown },
  });
}
