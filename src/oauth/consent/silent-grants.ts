import type { ToldTrace, Trace } from '../../audit/audit.sql.ts';
import { recordChange } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { findClientAndGrant } from './grants.sql.ts';
import { type Asked, asksNobody, consentProblem, decisionsIn, rememberedGrant } from './remembered-grant.ts';
import { registerSilentGrant } from './silent-grants.sql.ts';

/** The grant of a client that does not ask, the first time that a person uses it; undefined if the person must decide. */
export async function grantSilently(
  deps: Deps,
  trace: Trace,
  request: AuthorizationRequest,
  { user_id, sessions_version }: Asked,
): Promise<{ grant_id: string; scopes: readonly string[] } | undefined> {
  const { client, scopes, choices, gives_username } = request;
  const { client_id, redirect_uris } = client;
  if (client.grant || choices.length > 0 || !asksNobody(request) || consentProblem(request, scopes)) return undefined;
  const decided = decisionsIn(request);
  const detail = `without asking: ${decided.join(' ')}`;
  const grant = {
    user_id,
    client_id,
    granted: scopes,
    redirect_uris,
    gives_username,
    decided,
    detail,
    sessions_version,
  };
  const event = { event: 'consent_given', user_id, client_id, detail } as const;
  const register = (told: ToldTrace) => registerSilentGrant(deps.database, grant, told);
  const grant_id = await recordChange(deps, trace, event, register);
  if (grant_id !== undefined) return { grant_id, scopes };
  // another tab may have been the first
  const found = await findClientAndGrant(deps.database, client_id, user_id);
  return found && rememberedGrant({ ...request, client: found });
}
