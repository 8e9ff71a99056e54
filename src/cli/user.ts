import { findDeletionObstacle, deleteUser as removeUser } from '../accounts/leaving/deleted-users.sql.ts';
import { changeUserPassword } from '../identity/passwords.sql.ts';
import { listUsers as list, registerNewUser } from '../identity/users.sql.ts';
import { passwordMaxBytes, passwordMinCharacters } from '../lib/password-rules.ts';
import { isDuplicateIn } from '../postgres/database-errors.ts';
import { byCommand, commandTrace, noticesIn } from './audit.ts';
import { command } from './command.ts';
import { formatTable, listOptions, nextPageHint, readLimit } from './format.ts';
import { requireUser } from './named-user.ts';
import { hashNewPassword, readNewPassword } from './secret-input.ts';
import { withNewSchema, withSchema } from './with-database.ts';

export const administratorHelp =
  'an administrator: may change all clients and scopes, disable people, reset their factors and read the audit trail';

const passwordNote = `The password is prompted for, or read from standard input: at least ${passwordMinCharacters} characters, at most ${passwordMaxBytes} bytes, and neither a common
password nor the name or address of the user.
With PASSWORDS=off there is none.`;

export const createUser = command({
  name: 'user create',
  asksFor: 'password',
  takes: ['NAME'],
  summary: 'Register a user.',
  details: `NAME has at most 200 characters, of any kind except control characters; spaces are allowed, because other programs have such names.\n${passwordNote}`,
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'email address; applications receive it as verified' },
    name: { type: 'string', value: 'NAME', help: 'full name' },
    admin: { type: 'boolean', help: administratorHelp },
  },
  async run({ args: [username = ''], options, shell }) {
    const { email = null, name = null, admin: is_admin } = options;
    const password = shell.config().passwords ? await readNewPassword(shell) : undefined;
    const password_hash = password === undefined ? null : await hashNewPassword(shell, password, { username, email });
    const user = await withNewSchema(shell, async (database) => {
      const person = { username, password_hash, email, name, is_admin };
      const added = await registerNewUser(database, person, byCommand({ event: 'user_registered' })).catch(
        (error: unknown) => {
          if (!isDuplicateIn(error, 'sign_in_names_pkey')) throw error;
          throw new Error(`${(error as Error).message}. Choose another name or address, or change that account.`);
        },
      );
      if (!added) throw new Error(`There is already a user "${username}".`);
      return requireUser(database, username);
    });
    return { text: `Registered the user "${username}".`, json: user };
  },
});

export const listUsers = command({
  name: 'user list',
  summary: 'List users.',
  options: listOptions('NAME'),
  async run({ options, shell }) {
    const limit = readLimit('user list', options.limit);
    const { rows: users, next } = await withSchema(shell, (database) => list(database, options.after ?? '', limit));
    const rows = users.map(({ user_id, username, email, email_verified, name, is_admin, disabled_at, ...ways }) => {
      return {
        user_id,
        username,
        email,
        email_verified,
        name,
        admin: is_admin,
        password: ways.has_password,
        passkeys: ways.passkeys,
        state: disabled_at ? 'disabled' : 'active',
      };
    });
    return { text: formatTable(rows, 'No users are registered.') + nextPageHint(next), json: users };
  },
});

export const setPassword = command({
  name: 'user set-password',
  asksFor: 'password',
  takes: ['NAME'],
  summary: 'Set the password of a user and end their sessions.',
  details: `${passwordNote}\nEarlier wrong passwords no longer count: the user can sign in at once. With SMTP_URL, they are told by email.`,
  async run({ args: [name = ''], shell }) {
    const config = shell.config();
    if (!config.passwords) throw new Error('Nobody has a password here: people sign in elsewhere (PASSWORDS=off).');
    const password = await readNewPassword(shell);
    const username = await withSchema(shell, async (database) => {
      const user = await requireUser(database, name);
      const { user_id } = user;
      const password_hash = await hashNewPassword(shell, password, user);
      const noticeOf = await noticesIn(shell, database);
      const notice = noticeOf({ event: 'password_changed', user_id });
      await changeUserPassword(database, { user_id, password_hash }, { ...commandTrace(), notice });
      return user.username;
    });
    return {
      text: `Changed the password of "${username}" and ended their sessions.`,
      json: { username, changed: true },
    };
  },
});

export const deleteUser = command({
  name: 'user delete',
  takes: ['NAME'],
  summary: 'Delete a user with their sessions, grants and tokens. This cannot be undone.',
  details:
    'Applications of the user are disabled. The audit trail keeps the number of the user. A seed that registers the name\nregisters a new account. To be able to undo it, disable the user instead.',
  async run({ args: [name = ''], shell }) {
    const { username, disabled_clients } = await withSchema(shell, async (database) => {
      const { user_id, username } = await requireUser(database, name);
      const deleted = await removeUser(database, { ...commandTrace(), user_id, password_hash: null });
      if (deleted) return { ...deleted, username };
      const obstacle = await findDeletionObstacle(database, user_id);
      if (obstacle !== 'last_administrator') throw new Error(`There is no user "${username}" any more.`);
      throw new Error(
        `"${username}" is the last administrator: register another one (latchkey user create NAME --admin) and try again.`,
      );
    });
    const disabled = disabled_clients.map(
      (client_id) => `\nDisabled the application "${client_id}", which they owned.`,
    );
    return {
      text: `Deleted the user "${username}".${disabled.join('')}`,
      json: { username, deleted: true, disabled_clients },
    };
  },
});
