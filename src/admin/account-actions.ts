import { disableAccount, enableAccount, endSessions, makeAdministrator } from '../accounts/administered-users.sql.ts';
import type { AuditEvent, AuditEventName, OperatorsTrace, RecordedEvent, ToldTrace } from '../audit/audit.sql.ts';
import { forgetAttemptsOf } from '../identity/attempt-limits.sql.ts';
import { removeSecondFactor } from '../identity/second-factors.sql.ts';
import type { User } from '../identity/users.sql.ts';
import { revokeGrantsOfUser } from '../oauth/consent/grant-changes.sql.ts';
import type { Database } from '../postgres/database.ts';
import { findAnyUser } from './people-search.sql.ts';

/** What an administrator does to an account with one button, or one command. */
export type AccountAction =
  | 'disable'
  | 'enable'
  | 'unlock'
  | 'end_sessions'
  | 'reset_factors'
  | 'revoke_grants'
  | 'make_admin'
  | 'unmake_admin';

/** The reason why nothing was changed. */
export type ActionProblem = 'administrator_must_stay' | 'nothing_to_do' | 'yourself';

interface Definition {
  event: AuditEventName;
  detail?: string;
  /** True if something was changed. */
  run(database: Database, user_id: number, recorded: RecordedEvent & ToldTrace): Promise<boolean>;
  /** whether an unchanged account already was as the action would make it; otherwise the last administrator must stay */
  isDone?(user: User): boolean;
  /** not allowed at a page, where the action would lock out the administrator who presses the button */
  not_oneself?: true;
}

const definitions: Record<AccountAction, Definition> = {
  disable: {
    event: 'user_disabled',
    // whoever runs commands can register another administrator
    run: (database, user_id, recorded) => disableAccount(database, user_id, recorded.by !== undefined, recorded),
    isDone: ({ disabled_at }) => disabled_at !== null,
    not_oneself: true,
  },
  enable: { event: 'user_enabled', run: enableAccount },
  unlock: { event: 'user_unlocked', run: forgetAttemptsOf },
  end_sessions: {
    event: 'sessions_ended',
    run: async (database, user_id, recorded) => (await endSessions(database, user_id, recorded)) > 0,
    not_oneself: true,
  },
  reset_factors: {
    event: 'second_factor_removed',
    run: async (database, user_id, trace) => (await removeSecondFactor(database, { user_id }, trace)) !== undefined,
    not_oneself: true,
  },
  revoke_grants: {
    event: 'consent_revoked',
    run: revokeGrantsOfUser,
  },
  make_admin: {
    event: 'user_changed',
    detail: 'made an administrator',
    run: (database, user_id, recorded) => makeAdministrator(database, user_id, true, recorded),
  },
  unmake_admin: {
    event: 'user_changed',
    detail: 'no administrator any more',
    run: (database, user_id, recorded) => makeAdministrator(database, user_id, false, recorded),
    isDone: ({ is_admin }) => !is_admin,
    not_oneself: true,
  },
};

export const isAccountAction = (name: string): name is AccountAction => Object.hasOwn(definitions, name);

interface Order {
  user_id: number;
  action: AccountAction;
  trace: OperatorsTrace;
  /** the mail that tells the person, for the statement that makes the change */
  noticeOf(event: AuditEvent): Buffer | null;
}

/** The event that the statement has written, or the reason why nothing was changed. */
export async function actOnAccount(
  database: Database,
  { user_id, action, trace, noticeOf }: Order,
): Promise<AuditEvent | { problem: ActionProblem }> {
  const { event, detail, run, isDone, not_oneself } = definitions[action];
  if (not_oneself && trace.by?.user_id === user_id) return { problem: 'yourself' };
  const done = { event, user_id, detail };
  if (await run(database, user_id, { ...trace, ...done, notice: noticeOf(done) })) return done;
  const user = isDone && (await findAnyUser(database, user_id));
  return { problem: user && !isDone(user) ? 'administrator_must_stay' : 'nothing_to_do' };
}
