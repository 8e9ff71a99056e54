import type { AuditEvent, AuditEventName, OperatorsTrace, RecordedEvent, ToldTrace } from '../audit/audit.sql.ts';
import { forgetAttemptsOf } from '../identity/attempt-limits.sql.ts';
import { removeSecondFactor } from '../identity/second-factors.sql.ts';
import { findAnyUser, type User } from '../identity/users.sql.ts';
import { revokeGrantsOfUser } from '../oauth/consent/grant-changes.sql.ts';
import type { Database } from '../postgres/database.ts';
import { disableAccount, enableAccount, endSessions, makeAdministrator } from './administered-users.sql.ts';

// What an administrator does to an account with one button, or one command. The button on the page of a person, its form handler and
// the command follow from a row of the table; the texts are admin.<name>, notice.done.<name> and, if the page asks first, admin.ask.<name>.

/** What is known of a person beside their row. */
export type AccountState = Record<'isLocked' | 'isSignedIn' | 'hasGrants', boolean>;

/** `latchkey user VERB NAME` */
interface ActionCommand {
  verb: string;
  summary: string;
  details?: string;
  done(name: string): string;
  nothing(name: string): string;
  json(isDone: boolean): object;
}

interface Definition {
  event: AuditEventName;
  detail?: string;
  /** True if something was changed. */
  run(database: Database, user_id: number, recorded: RecordedEvent & ToldTrace): Promise<boolean>;
  /** tells an account that already was as the action would make it from the last administrator, who must stay; both stay unchanged */
  isDone?(user: User): boolean;
  /** not allowed at a page, where the action would lock out the administrator who presses the button */
  not_oneself?: true;
  /** whether the button would change something */
  isOffered(person: User, state: AccountState): boolean;
  /** the page asks first, because the action hits much or cannot be taken back */
  asks?: true;
  command?: ActionCommand;
}

const definitions = {
  unlock: {
    event: 'user_unlocked',
    run: forgetAttemptsOf,
    isOffered: (_, { isLocked }) => isLocked,
    command: {
      verb: 'unlock',
      summary: 'Let a user try again at once, after too many wrong passwords or codes.',
      details: 'Earlier wrong passwords and codes no longer count, whatever network and browser they came from.',
      done: (name) => `"${name}" can try again at once.`,
      nothing: (name) => `No wrong password or code of "${name}" counts: nothing was changed.`,
      json: (unlocked) => ({ unlocked }),
    },
  },
  end_sessions: {
    event: 'sessions_ended',
    run: async (database, user_id, recorded) => (await endSessions(database, user_id, recorded)) > 0,
    not_oneself: true,
    isOffered: (_, { isSignedIn }) => isSignedIn,
    command: {
      verb: 'end-sessions',
      summary: 'End all sessions of a user. Applications keep their access.',
      done: (name) => `Ended the sessions of "${name}".`,
      nothing: (name) => `"${name}" is signed in nowhere.`,
      json: (ended) => ({ ended }),
    },
  },
  /** At the command line, `latchkey grant revoke --all`. */
  revoke_grants: {
    event: 'consent_revoked',
    run: revokeGrantsOfUser,
    isOffered: (_, { hasGrants }) => hasGrants,
    asks: true,
  },
  reset_factors: {
    event: 'second_factor_removed',
    run: async (database, user_id, trace) => (await removeSecondFactor(database, { user_id }, trace)) !== undefined,
    not_oneself: true,
    isOffered: ({ has_second_factor }) => has_second_factor,
    asks: true,
    command: {
      verb: 'reset-factors',
      summary: 'Turn off the second factor of a user who has lost it, and end their sessions.',
      details:
        'Make sure first that it is the user who asks: from then on the password alone is enough, until they set up another factor. With SMTP_URL a mail\nlets them know.',
      done: (name) => `Turned off the second factor of "${name}" and ended their sessions.`,
      nothing: (name) => `The user "${name}" has no second factor: nothing was changed.`,
      json: (removed) => ({ removed }),
    },
  },
  /** At the command line, `latchkey user update --admin` and `--no-admin`. */
  make_admin: {
    event: 'user_changed',
    detail: 'made an administrator',
    run: (database, user_id, recorded) => makeAdministrator(database, user_id, true, recorded),
    isOffered: ({ disabled_at, is_admin }) => disabled_at === null && !is_admin,
    asks: true,
  },
  unmake_admin: {
    event: 'user_changed',
    detail: 'no administrator any more',
    run: (database, user_id, recorded) => makeAdministrator(database, user_id, false, recorded),
    isDone: ({ is_admin }) => !is_admin,
    not_oneself: true,
    isOffered: ({ is_admin }) => is_admin,
    asks: true,
  },
  disable: {
    event: 'user_disabled',
    // whoever runs commands can register another administrator
    run: (database, user_id, recorded) => disableAccount(database, user_id, recorded.by !== undefined, recorded),
    isDone: ({ disabled_at }) => disabled_at !== null,
    not_oneself: true,
    isOffered: ({ disabled_at }) => disabled_at === null,
    asks: true,
    command: {
      verb: 'disable',
      summary: 'Disable a user. Their sessions and tokens stop working at once.',
      done: (name) => `Disabled the user "${name}" and ended their sessions.`,
      nothing: (name) => `The user "${name}" is disabled already: nothing was changed.`,
      json: () => ({ disabled: true }),
    },
  },
  enable: {
    event: 'user_enabled',
    run: enableAccount,
    isOffered: ({ disabled_at }) => disabled_at !== null,
    command: {
      verb: 'enable',
      summary: 'Enable a disabled user.',
      done: (name) => `Enabled the user "${name}".`,
      nothing: (name) => `The user "${name}" is not disabled: nothing was changed.`,
      json: () => ({ disabled: false }),
    },
  },
} satisfies Record<string, Definition>;

export type AccountAction = keyof typeof definitions;

/** Actions before which the page asks. */
export type AskedAction = {
  [Name in AccountAction]: (typeof definitions)[Name] extends { asks: true } ? Name : never;
}[AccountAction];

const actions: Readonly<Record<AccountAction, Definition>> = definitions;
export const accountActions = Object.keys(definitions) as AccountAction[];
export const askedActions = accountActions.filter((name): name is AskedAction => actions[name].asks === true);

export const actionCommands = accountActions.flatMap((action) => {
  const { command } = actions[action];
  return command ? [{ action, ...command }] : [];
});

export const isAccountAction = (name: string): name is AccountAction => Object.hasOwn(definitions, name);

/** The actions on this person that a page offers to this administrator. */
export const offeredActions = (person: User, state: AccountState, administrator: Pick<User, 'user_id'>) =>
  accountActions.filter((action) => {
    const { not_oneself, isOffered } = actions[action];
    return isOffered(person, state) && !(not_oneself && person.user_id === administrator.user_id);
  });

/** The reason why nothing was changed. */
export type ActionProblem = 'administrator_must_stay' | 'nothing_to_do' | 'yourself';

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
  const { event, detail, run, isDone, not_oneself } = actions[action];
  if (not_oneself && trace.by?.user_id === user_id) return { problem: 'yourself' };
  const done = { event, user_id, detail };
  if (await run(database, user_id, { ...trace, ...done, notice: noticeOf(done) })) return done;
  const user = isDone && (await findAnyUser(database, user_id));
  return { problem: user && !isDone(user) ? 'administrator_must_stay' : 'nothing_to_do' };
}
