import type { RequestHandler } from 'express';
import type { Trace } from '../../audit/audit.sql.ts';
import { findScopeCatalogue } from '../../catalogue/scopes.sql.ts';
import { harmlessScopes, readMetadata, scopeIn, withoutNull } from '../../clients/client-metadata.ts';
import { acceptRegistration, freeSelfRegistrations, requireInvitation } from '../../clients/self-registration.ts';
import type { Deps } from '../../deps.ts';
import { countAttempt } from '../../identity/attempt-limits.sql.ts';
import { tooManyRequests } from '../../lib/errors.ts';
import { networkOf } from '../../lib/network.ts';
import { answerJson } from '../../web/answers.ts';
import { traceOf } from '../../web/request-log.ts';
import { jsonBody } from '../../web/request-parameters.ts';
import { clientInformation } from './client-information.ts';
import { readRegistrationToken } from './registration-token.ts';

/** The endpoint for dynamic client registration [7591 §3.1]: with an initial access token, or open to everybody. */
export const register =
  (deps: Deps): RequestHandler =>
  async (req, res) => {
    const trace = traceOf(req, res);
    const isOpen = deps.config.registration_endpoint === 'open';
    if (isOpen) await limitRegistrations(deps, trace);
    const token = isOpen ? undefined : readRegistrationToken(req, 'initial_access_token');
    if (token !== undefined) await requireInvitation(deps, trace, token);
    const members = withoutNull(jsonBody(req));
    const catalogue = await findScopeCatalogue(deps.database, scopeIn(members));
    const metadata = readMetadata(deps.config, members, catalogue, harmlessScopes(catalogue));
    const registered = await acceptRegistration(deps, trace, metadata, token);
    answerJson(res, 201, clientInformation(deps, registered, catalogue));
  };

/** Limits registrations and changes together, since each is written to the audit trail. */
export async function limitRegistrations({ database }: Deps, { address }: Trace): Promise<void> {
  const limit = {
    key: `self-registration ${networkOf(address ?? '')}`,
    free: freeSelfRegistrations,
    pause: 10,
    longest: 900,
  };
  const wait = await countAttempt(database, limit);
  if (wait > 0) throw tooManyRequests(wait);
}
