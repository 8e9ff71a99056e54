import type { RequestHandler } from 'express';
import { audit } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { forPerson } from '../../identity/person.ts';
import { deleteOtherSessions, deleteOwnSession } from '../../identity/sessions.sql.ts';
import { OAuthError } from '../../lib/errors.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { fieldOf } from '../../web/form-field.ts';
import { formProblem } from '../../web/form-key.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters } from '../../web/request-parameters.ts';
import { digestPrefixOf } from './session-handle.ts';
import { renderSessions } from './sessions.ts';

/** Ends one session, or all except the current one. A session of another person is treated as if it did not exist. */
export const endSession = (deps: Deps): RequestHandler =>
  forPerson(deps, async (page) => {
    const { req, res } = page;
    const { user_id } = page.user;
    const form = bodyParameters(req);
    const problem = formProblem(page, form);
    if (problem) return renderSessions(page, 403, { problem });
    const isOthers = fieldOf(form, 'others') === '1';
    if (isOthers) await deleteOtherSessions(deps.database, user_id, digestOf(req.sessionID));
    else {
      const prefix = digestPrefixOf(fieldOf(form, 'session'));
      const isEnded = prefix && (await deleteOwnSession(deps.database, user_id, prefix));
      if (!isEnded) throw new OAuthError('not_found', 'there is no such session');
    }
    await audit(deps, traceOf(req, res), { event: 'session_ended', user_id });
    return redirectWithin(
      res,
      deps.config,
      `/account/sessions?notice=${isOthers ? 'sessions_ended' : 'session_ended'}`,
    );
  });
