import type { RequestHandler } from 'express';
import { audit } from '../../audit/audit.ts';
import type { Deps } from '../../deps.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import {
  deleteOtherSessions,
  deleteOwnSession,
  listSessionsOfUser,
  type SessionOfUser,
} from '../../identity/sessions.sql.ts';
import { OAuthError } from '../../lib/errors.ts';
import { digestOf } from '../../lib/secrets.ts';
import { redirectWithin } from '../../web/answers.ts';
import { formProblem } from '../../web/form-key.ts';
import { renderView } from '../../web/render.ts';
import { traceOf } from '../../web/request-log.ts';
import { bodyParameters, fieldOf } from '../../web/request-parameters.ts';
import type { Views } from '../../web/views/views.ts';
import type { SessionRow } from '../profile/account.view.ts';

/** Where the person is signed in. */
export const showSessions = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) =>
    renderSessions(page, 200, { notice: noticeOf(page.req, ['session_ended', 'sessions_ended']) }),
  );

async function renderSessions(
  page: SignedInPage,
  status: number,
  outcome: Pick<Views['account-sessions'], 'notice' | 'problem'>,
): Promise<void> {
  const { deps, req, user, viewer, csrf } = page;
  const current = digestOf(req.sessionID);
  const sessions = await listSessionsOfUser(deps.database, user.user_id);
  const data = {
    ...{ viewer, csrf, end_session_action: `${deps.config.base}/account/sessions` },
    sessions: sessions.map((session) => rowOf(session, current)),
    ...outcome,
  };
  renderView(page, 'account-sessions', data, status);
}

function rowOf({ sid_sha256, user_agent, address, ...times }: SessionOfUser, current: Buffer): SessionRow {
  return {
    session: handleOf(sid_sha256),
    current: sid_sha256.equals(current),
    user_agent: user_agent ?? '',
    address: address ?? undefined,
    ...times,
  };
}

const prefixBytes = 8;

/** Identifies a session in a form: the first bytes of the digest of its id, which cannot be used to sign in. */
export function handleOf(sid_sha256: Buffer): string {
  return sid_sha256.toString('hex', 0, prefixBytes);
}

/** The first bytes of the digest; undefined for a malformed handle. */
export function digestPrefixOf(handle: string): Buffer | undefined {
  return /^[0-9a-f]{16}$/.test(handle) ? Buffer.from(handle, 'hex') : undefined;
}

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
