import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { forPerson, noticeOf, type SignedInPage } from '../../identity/person.ts';
import { listSessionsOfUser, type SessionOfUser } from '../../identity/sessions.sql.ts';
import { digestOf } from '../../lib/secrets.ts';
import { renderView } from '../../web/render.ts';
import type { Views } from '../../web/views/views.ts';
import type { SessionRow } from '../profile/account.view.ts';
import { handleOf } from './session-handle.ts';

/** Where the person is signed in. */
export const showSessions = (deps: Deps): RequestHandler =>
  forPerson(deps, (page) =>
    renderSessions(page, 200, { notice: noticeOf(page.req, ['session_ended', 'sessions_ended']) }),
  );

export async function renderSessions(
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
