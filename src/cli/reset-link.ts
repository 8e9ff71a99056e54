import { createLinkByOperator, linkUrl, orderResetLink } from '../accounts/mail/mailed-links.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import type { Database } from '../postgres/database.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { byCommand, commandTrace } from './audit.ts';
import { command } from './command.ts';
import { requireUser } from './named-user.ts';
import type { Shell } from './shell.ts';
import { requireReader } from './shown-once.ts';
import { withSchema } from './with-database.ts';

export const resetLink = command({
  name: 'user reset-link',
  takes: ['NAME'],
  summary: 'Print a link with which a user can set a new password.',
  details: `It is valid for a day, works once, and replaces one that was mailed. It begins with ISSUER, which must be that of the server.
Give it to nobody else: whoever opens it can set the password. Without SMTP_URL it is the way to a new password.`,
  options: {
    mail: {
      type: 'boolean',
      help: 'email a link that is valid for an hour to the confirmed address, and print nothing',
    },
  },
  async run({ args: [name = ''], options, shell }) {
    const config = shell.config();
    if (!config.passwords) throw new Error('Nobody has a password here: people sign in elsewhere (PASSWORDS=off).');
    if (options.mail) return mailLink(shell, name);
    requireReader(shell);
    const { username, url } = await withSchema(shell, async (database) => {
      const { user_id, username } = await requireUserOfHere(database, name);
      const recorded = byCommand({ event: 'reset_link_issued', user_id });
      const token = await createLinkByOperator({ database }, user_id, recorded);
      if (token === undefined) throw new Error(`"${username}" is disabled: latchkey user enable NAME.`);
      return { username, url: linkUrl({ config }, 'reset', token) };
    });
    const ifUnread = 'It was not used: run the command again, which replaces it.';
    return {
      text: `${url}\nThis server is ${config.issuer}. The link is valid for a day and works once.`,
      json: { username, url },
      ifUnread,
    };
  },
});

async function requireUserOfHere(database: Database, name: string) {
  const user = await requireUser(database, name);
  const { username, source } = user;
  if (source !== 'here') throw new Error(`"${username}" signs in elsewhere (${source}) and has no password here.`);
  return user;
}

/** Queues the same mail that the person would have got. */
async function mailLink(shell: Shell, name: string) {
  const config = shell.config();
  if (!sendsMail(config)) throw new Error('This server sends no email: set SMTP_URL, or leave out --mail.');
  const username = await withSchema(shell, async (database) => {
    const user = await requireUserOfHere(database, name);
    const sessionSecrets = await findSessionSecrets(config, database);
    if (!(await orderResetLink({ config, database, sessionSecrets }, user.user_id, commandTrace())))
      throw new Error(`"${user.username}" has no confirmed address or no password, or is disabled.`);
    return user.username;
  });
  return { text: `An email with a link to "${username}" is in the queue.`, json: { username, mailed: true } };
}
