import type { Trace } from '../../audit/audit.sql.ts';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { digestOf } from '../../lib/secrets.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { invalidRequestUri } from '../authorize/pushed-request.ts';
import { registerRefusal } from './grant-changes.sql.ts';
import type { Asked } from './remembered-grant.ts';

/** False when this form was answered before, or somebody has ended the sessions of the person. */
export async function registerConsentRefusal(
  deps: Deps,
  trace: Trace,
  { client: { client_id }, pushed }: AuthorizationRequest,
  { user_id, sessions_version, ticket }: Asked & { ticket: string },
): Promise<boolean> {
  const request_sha256 = pushed?.request_sha256 ?? null;
  const refusal = { ticket_sha256: digestOf(ticket), user_id, sessions_version, client_id, request_sha256 };
  const { is_first, is_open } = await registerRefusal(deps.database, refusal, trace);
  if (!is_open) throw invalidRequestUri();
  if (is_first) logEvent(deps, trace, { event: 'consent_refused', user_id, client_id });
  return is_first;
}
