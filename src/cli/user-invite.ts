import { invitePerson, takesInvitations } from '../accounts/sign-up/invitation.ts';
import { withdrawUserInvitation } from '../accounts/sign-up/sign-ups.sql.ts';
import { readMailAddress } from '../lib/mail-address.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { byCommand } from './audit.ts';
import { command } from './command.ts';
import { requireReader } from './shown-once.ts';
import { withSchema } from './with-database.ts';

export const inviteUser = command({
  name: 'user invite',
  takes: ['ADDRESS'],
  summary: 'Invite somebody to create an account.',
  details: `Needs SIGN_UP=invited or open. With SMTP_URL the link is mailed, otherwise printed; it is valid for a week, works once, and begins
with ISSUER, which must be that of the server. The person chooses a username and a password; the address counts as confirmed.`,
  options: { withdraw: { type: 'boolean', help: 'end the invitation instead' } },
  async run({ args: [typed = ''], options, shell }) {
    const config = shell.config();
    const address = readMailAddress(typed);
    if (address === undefined) throw new Error('This is not an email address that can receive mail.');
    if (options.withdraw) {
      const isWithdrawn = await withSchema(shell, (database) => withdrawUserInvitation(database, address));
      if (!isWithdrawn) throw new Error(`There is no invitation for ${address}.`);
      return { text: `Withdrew the invitation for ${address}.`, json: { address, withdrawn: true } };
    }
    if (!takesInvitations(config))
      throw new Error('Nobody can create an account here: set SIGN_UP=invited and PASSWORDS=on.');
    const isMailed = config.smtp !== undefined;
    if (!isMailed) requireReader(shell);
    const invited = await withSchema(shell, async (database) => {
      const sessionSecrets = isMailed ? await findSessionSecrets(config, database) : [];
      const invitation = { address, language: 'en', isMailed };
      return invitePerson({ config, database, sessionSecrets }, invitation, byCommand({ event: 'user_invited' }));
    });
    if (!invited) throw new Error(`There is already an account with the address ${address}.`);
    const { url } = invited;
    if (url === undefined) return { text: `An email to ${address} is in the queue.`, json: { address, mailed: true } };
    const text = `${url}\nThis server is ${config.issuer}. The link is valid for a week and works once.`;
    return { text, json: { address, url }, ifUnread: 'It was not used: run the command again, which replaces it.' };
  },
});
