import { type AccountAction, type ActionProblem, actOnAccount } from '../admin/account-actions.ts';
import type { User } from '../identity/users.sql.ts';
import { checkDemoAccount } from '../playground/demo.ts';
import type { Database } from '../postgres/database.ts';
import { commandTrace, noticesIn } from './audit.ts';
import { command } from './command.ts';
import { requireUser } from './named-user.ts';
import type { Shell } from './shell.ts';
import { migrationNote, withSchema } from './with-database.ts';

/** Does to an account what a button of its page for administrators does; the problem if nothing was changed. */
export async function act(
  shell: Shell,
  database: Database,
  { user_id }: User,
  action: AccountAction,
): Promise<ActionProblem | undefined> {
  const noticeOf = await noticesIn(shell, database);
  const done = await actOnAccount(database, { user_id, action, trace: commandTrace(), noticeOf });
  return 'problem' in done ? done.problem : undefined;
}

/** A command that names one person and does one thing. */
function actionCommand(
  verb: string,
  action: AccountAction,
  texts: {
    summary: string;
    details?: string;
    done: (name: string) => string;
    nothing: (name: string) => string;
    json: (isDone: boolean) => object;
    check?: (shell: Shell, database: Database, name: string) => Promise<void>;
  },
) {
  return command({
    name: `user ${verb}`,
    takes: ['NAME'],
    summary: texts.summary,
    details: [...(texts.details === undefined ? [] : [texts.details]), migrationNote].join('\n'),
    options: {},
    async run({ args: [name = ''], shell }) {
      const { username, problem } = await withSchema(shell, async (database) => {
        const user = await requireUser(database, name);
        await texts.check?.(shell, database, user.username);
        return { username: user.username, problem: await act(shell, database, user, action) };
      });
      const isDone = problem === undefined;
      return { text: (isDone ? texts.done : texts.nothing)(username), json: { username, ...texts.json(isDone) } };
    },
  });
}

export const resetFactors = actionCommand('reset-factors', 'reset_factors', {
  summary: 'Turn off the second factor of a user who has lost it, and end their sessions.',
  details:
    'Make sure first that it is the user who asks: from then on the password alone is enough, until they set up another factor. With SMTP_URL a mail\nlets them know.',
  done: (name) => `Turned off the second factor of "${name}" and ended their sessions.`,
  nothing: (name) => `The user "${name}" has no second factor: nothing was changed.`,
  json: (removed) => ({ removed }),
});

export const disableUser = actionCommand('disable', 'disable', {
  summary: 'Disable a user. Their sessions and tokens stop working at once.',
  done: (name) => `Disabled the user "${name}" and ended their sessions.`,
  nothing: (name) => `The user "${name}" is disabled already: nothing was changed.`,
  json: () => ({ disabled: true }),
});

export const enableUser = actionCommand('enable', 'enable', {
  summary: 'Enable a disabled user.',
  check: async (shell, database, name) => {
    if (!shell.config().demo) await checkDemoAccount(database, name);
  },
  done: (name) => `Enabled the user "${name}".`,
  nothing: (name) => `The user "${name}" is not disabled: nothing was changed.`,
  json: () => ({ disabled: false }),
});

export const unlockUser = actionCommand('unlock', 'unlock', {
  summary: 'Let a user try again at once, after too many wrong passwords or codes.',
  details: 'Wrong passwords and codes of before no longer count, from whatever network and browser they came.',
  done: (name) => `"${name}" can try again at once.`,
  nothing: (name) => `No wrong password or code of "${name}" counts: nothing was changed.`,
  json: (unlocked) => ({ unlocked }),
});

export const endUserSessions = actionCommand('end-sessions', 'end_sessions', {
  summary: 'End all sessions of a user. Applications keep their access.',
  done: (name) => `Ended the sessions of "${name}".`,
  nothing: (name) => `"${name}" is signed in nowhere.`,
  json: (ended) => ({ ended }),
});
