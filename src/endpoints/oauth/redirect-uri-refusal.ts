import type { Deps } from '../../deps.ts';
import { audit } from '../../grants/audit.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { networkOf } from '../../protocol/network.ts';
import { withoutSecrets } from '../../protocol/secrets.ts';
import { countAttempt } from '../../store/attempts.ts';
import type { Trace } from '../../store/audit-events.ts';
import type { Client } from '../../store/clients.ts';

interface Refused {
  redirect_uri: string | undefined;
  user_id: number | undefined;
  trace: Trace;
}

/** Shown on a page, never sent [6749 §4.1.2.1]; its developer will look for it in the console. */
export async function redirectUriRefusal(
  deps: Deps,
  { client_id, owner_id, redirect_uris }: Client,
  { redirect_uri, user_id, trace }: Refused,
): Promise<OAuthError> {
  const detail = redirect_uri && withoutSecrets(redirect_uri);
  // anybody can bring this about, so it must not fill the trail that nothing is ever deleted from
  const limit = { key: `redirect ${client_id} ${networkOf(trace.address ?? '')}`, free: 20, pause: 60, longest: 900 };
  if ((await countAttempt(deps.database, limit)) === 0) {
    await audit(deps, trace, { event: 'redirect_uri_refused', user_id, client_id, detail });
  }
  // what is registered is shown to the owner, and in the demo to anybody; a stranger reads the reference only
  const mayCompare = deps.config.demo || (user_id !== undefined && owner_id === user_id);
  return new OAuthError('invalid_request', 'redirect_uri is missing or is not registered for this client', {
    mismatch: mayCompare ? { received: redirect_uri ?? '', registered: redirect_uris } : undefined,
  });
}
