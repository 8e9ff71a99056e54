import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { logEvent } from '../../grants/audit.ts';
import { redirectWithin } from '../../http/answers.ts';
import { traceOf } from '../../http/request-log.ts';
import { bodyParameters } from '../../http/request-parameters.ts';
import { fieldOf } from '../../pages/form-field.ts';
import { formProblem } from '../../pages/form-key.ts';
import { forPerson } from '../../pages/person.ts';
import { sessionsVersionOf } from '../../pages/session.ts';
import { websiteOf } from '../../pages/website.ts';
import { OAuthError } from '../../protocol/errors.ts';
import { listIdentitiesOfUser, unlinkIdentity } from '../../store/identities.ts';
import { handleOf } from './identity-row.ts';
import { renderSecurity } from './security.ts';

/** Removes a way to sign in, unless it is the last one. One of another person is treated as one that does not exist. */
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
