import { createLink, linkUrl } from '../grants/mailed-links.ts';
import { recordEvent } from './audit.ts';
import { command } from './command.ts';
import { requireUser } from './named-user.ts';
import { requireReader } from './shown-once.ts';
import { migrationNote, withSchema } from './with-database.ts';

/** Seconds: time enough to hand it over. */
const validFor = 86_400;

export const resetLink = command({
  name: 'user reset-link',
  takes: ['NAME'],
  summary: 'Print a link by which a user sets a new password.',
  details: `It is valid for a day, works once, and replaces one that was mailed. It begins with ISSUER, which must be that of the server.
Give it to nobody else: whoever opens it can set the password. Without SMTP_URL it is the way to a new password.
${migrationNote}`,
  options: {},
  async run({ args: [name = ''], shell }) {
    const config = shell.config();
    if (!config.passwords) throw new Error('Nobody has a password here: people sign in elsewhere (PASSWORDS=off).');
    requireReader(shell);
    const { username, url } = await withSchema(shell, async (database) => {
      const { user_id, username, source } = await requireUser(database, name);
      if (source !== 'here') throw new Error(`"${username}" signs in elsewhere (${source}), and has no password here.`);
      const token = await createLink({ database }, { purpose: 'reset', user_id, valid_for: validFor });
      if (token === undefined) throw new Error(`"${username}" is disabled: latchkey user enable NAME.`);
      await recordEvent(database, { event: 'reset_link_issued', user_id });
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
