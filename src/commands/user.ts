import type { Database } from '../postgres/database.ts';
import { checkDemoAccount } from '../process/demo.ts';
import { passwordMaxBytes, passwordMinCharacters } from '../protocol/password.ts';
import { changeUserPassword } from '../store/passwords.ts';
import { deleteSessionsOfUser } from '../store/sessions.ts';
import {
  disableUser as disable,
  enableUser as enable,
  findUserByName,
  listUsers as list,
  registerNewUser,
  type User,
} from '../store/users.ts';
import { askPasswordHash } from './ask.ts';
import { record } from './audit.ts';
import { command } from './command.ts';
import { migrationRule, withSchema } from './connect.ts';
import { listOptions, readLimit, wayOn } from './list.ts';
import { table } from './print.ts';

const askedPassword = `The password is asked for on a terminal, or read from standard input: at least ${passwordMinCharacters} characters, at most ${passwordMaxBytes} bytes.`;

async function demandUser(database: Database, username: string): Promise<User> {
  const user = await findUserByName(database, username);
  if (!user) throw new Error(`There is no user "${username}".`);
  return user;
}

export const createUser = command({
  name: 'user create',
  takes: ['NAME'],
  summary: 'Register a person.',
  details: `${askedPassword}\n${migrationRule}`,
  options: {
    email: { type: 'string', value: 'ADDRESS', help: 'counts as verified: the operator vouches for it' },
    name: { type: 'string', value: 'NAME', help: 'the name that applications see' },
    admin: { type: 'boolean', help: 'may administer the applications of others' },
  },
  async run({ words: [username = ''], options, config }) {
    const settings = config();
    const password_bcrypt = await askPasswordHash();
    const { email = null, name = null, admin: is_admin } = options;
    const user = await withSchema(settings, async (database) => {
      const user_id = await registerNewUser(database, { username, password_bcrypt, email, name, is_admin });
      if (user_id === undefined) throw new Error(`There is a user "${username}" already.`);
      await record(database, { event: 'user_registered', user_id });
      return demandUser(database, username);
    });
    return { text: `Registered the user "${username}".`, json: user };
  },
});

export const listUsers = command({
  name: 'user list',
  summary: 'List the people, by name.',
  details: migrationRule,
  options: listOptions('NAME'),
  async run({ options, config }) {
    const most = readLimit('user list', options.limit);
    const { rows: users, next } = await withSchema(config(), (database) => list(database, options.after ?? '', most));
    const rows = users.map(({ user_id, username, email, name, is_admin, disabled_at }) => {
      return { user_id, username, email, name, admin: is_admin, state: disabled_at ? 'disabled' : 'active' };
    });
    return { text: table(rows, 'No user is registered.') + wayOn(next), json: users };
  },
});

export const setPassword = command({
  name: 'user set-password',
  takes: ['NAME'],
  summary: "Change a person's password and sign them out everywhere.",
  details: `${askedPassword}\n${migrationRule}`,
  options: {},
  async run({ words: [username = ''], config }) {
    const settings = config();
    const hash = await askPasswordHash();
    await withSchema(settings, async (database) => {
      const { user_id } = await demandUser(database, username);
      await changeUserPassword(database, username, hash);
      // after the change: who signs in between needs the new password already
      await deleteSessionsOfUser(database, user_id);
      await record(database, { event: 'password_changed', user_id });
    });
    return {
      text: `Changed the password of "${username}" and ended their sessions.`,
      json: { username, changed: true },
    };
  },
});

export const disableUser = command({
  name: 'user disable',
  takes: ['NAME'],
  summary: 'Turn a person away; their sessions and the tokens they granted end at once.',
  details: migrationRule,
  options: {},
  async run({ words: [username = ''], config }) {
    await withSchema(config(), async (database) => {
      const { user_id } = await demandUser(database, username);
      await disable(database, username);
      await deleteSessionsOfUser(database, user_id);
      await record(database, { event: 'user_disabled', user_id });
    });
    return { text: `Disabled the user "${username}" and ended their sessions.`, json: { username, disabled: true } };
  },
});

export const enableUser = command({
  name: 'user enable',
  takes: ['NAME'],
  summary: 'Let a person in again.',
  details: migrationRule,
  options: {},
  async run({ words: [username = ''], config }) {
    const settings = config();
    await withSchema(settings, async (database) => {
      const { user_id } = await demandUser(database, username);
      if (!settings.demo) await checkDemoAccount(database, username);
      await enable(database, username);
      await record(database, { event: 'user_enabled', user_id });
    });
    return { text: `Enabled the user "${username}".`, json: { username, disabled: false } };
  },
});
