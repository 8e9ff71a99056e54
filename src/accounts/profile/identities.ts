import type { RequestHandler } from 'express';
import { logEvent } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { forPerson } from '../../identity/person.ts';
import { sessionsVersionOf } from '../../identity/session.ts';
import { OAuthError } from '../../lib/errors.ts';
import { listIdentitiesOfUser, unlinkIdentity } from '../../people/providers/identities.sql.ts';
import { websiteOf } from '../../people/website/website.ts';
import { redirectWithin } from '../../web/answers.ts';
import { fieldOf } from '../../web/form-field.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { renderSecurity } from '../factors/security.ts';
import { handleOf } from './identity-row.ts';

/** Removes an identity, unless it is the last way to sign in. An identity of another person is treated as if it did not exist. */
export const unlink = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderSecurity(page, 403, { problem: { form: 'identities', name: problem } });
    const own = await listIdentitiesOfUser(deps.database, user_id);
    const identity = own.find((one) => handleOf(one) === fieldOf(form, 'identity'));
    if (!identity) throw new OAuthError('not_found', 'there is no such identity');
    const { issuer, subject } = identity;
    const trace = traceOf(req, res);
    const { passwords, passkeys } = deps.config;
    const ways = { passwords, website: websiteOf(page) !== undefined, rp_id: passkeys?.rp_id };
    const isRemoved = await unlinkIdentity(
      deps.database,
      { user_id, issuer, subject, ...ways, sessions_version: sessionsVersionOf(req) },
      trace,
    );
    if (!isRemoved) return renderSecurity(page, 409, { problem: { form: 'identities', name: 'last_way_in' } });
    logEvent(deps, trace, { event: 'identity_unlinked', user_id, detail: issuer });
    return redirectWithin(res, deps.config, '/account/security?notice=identity_unlinked');
  });
