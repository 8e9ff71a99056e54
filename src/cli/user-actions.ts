import { type AccountAction, type ActionProblem, actionCommands, actOnAccount } from '../accounts/account-actions.ts';
import type { User } from '../identity/users.sql.ts';
import { checkDemoAccount } from '../playground/demo.ts';
import type { Database } from '../postgres/database.ts';
import { commandTrace, noticesIn } from './audit.ts';
import { command } from './command.ts';
import { requireUser } from './named-user.ts';
import type { Shell } from './shell.ts';
import { withSchema } from './with-database.ts';

/** Does to an account what a button on its page for administrators does; returns the problem if nothing was changed. */
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

/** A command for each action that has one. */
export const accountCommands = actionCommands.map(({ action, verb, summary, details, ...texts }) =>
  command({
    name: `user ${verb}`,
    takes: ['NAME'],
    summary,
    ...(details !== undefined && { details }),
    async run({ args: [name = ''], shell }) {
      const { username, problem } = await withSchema(shell, async (database) => {
        const user = await requireUser(database, name);
        if (action === 'enable' && !shell.config().demo) await checkDemoAccount(database, user.username);
        return { username: user.username, problem: await act(shell, database, user, action) };
      });
      const isDone = problem === undefined;
      return { text: (isDone ? texts.done : texts.nothing)(username), json: { username, ...texts.json(isDone) } };
    },
  }),
);
