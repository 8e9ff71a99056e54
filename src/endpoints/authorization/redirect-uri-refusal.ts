import type { Deps } from '../../deps.ts';
import { OAuthError } from '../../protocol/errors.ts';
import type { Client } from '../../store/clients.ts';

/** Shown on a page, never sent [6749 §4.1.2.1]; its developer will look for it in the console. */
export function redirectUriRefusal(
  { config }: Deps,
  { owner_id, redirect_uris: registered }: Client,
  redirect_uri: string | undefined,
  user_id: number | undefined,
): OAuthError {
  // what is registered is shown to the owner, and in the demo to anybody; a stranger reads the reference only
  const is_shown = config.demo || (user_id !== undefined && owner_id === user_id);
  return new OAuthError('invalid_request', 'redirect_uri is missing or is not registered for this client', {
    reason: redirect_uri === undefined ? 'redirect_uri missing' : 'redirect_uri not registered',
    mismatch: { received: redirect_uri ?? '', registered, is_shown },
  });
}
