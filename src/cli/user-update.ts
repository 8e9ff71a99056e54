import { changeByOperator } from '../accounts/mail/replaced-address.ts';
import type { User } from '../identity/users.sql.ts';
import { isValidProfileValue, type ProfileFieldName } from '../lib/profile.ts';
import { sendsMail } from '../mail/mail-queue.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';
import { byCommand } from './audit.ts';
import { command, UsageError } from './command.ts';
import { requireUser } from './named-user.ts';
import { administratorHelp } from './user.ts';
import { act } from './user-actions.ts';
import { withSchema } from './with-database.ts';

export const updateUser = command({
  name: 'user update',
  takes: ['NAME'],
  summary: 'Change the name or address of a user, or make them an administrator.',
  details:
    'What is left out stays. A new address counts as verified: applications receive it as such, and mail goes there.',
  options: {
    name: { type: 'string', value: 'NAME', help: 'full name' },
    email: { type: 'string', value: 'ADDRESS', help: 'email address, for which you vouch' },
    'email-verified': { type: 'boolean', help: 'confirm the address that they have entered' },
    admin: { type: 'boolean', help: administratorHelp },
    'no-admin': { type: 'boolean', help: 'remove the administrator rights' },
  },
  async run({ args: [named = ''], options, shell }) {
    const { name, email, admin } = options;
    const is_vouched = options['email-verified'] || email !== undefined;
    const isProfile = name !== undefined || is_vouched;
    if (admin && options['no-admin']) throw new UsageError('user update: --admin and --no-admin contradict each other');
    if (!isProfile && !admin && !options['no-admin']) throw new UsageError('user update: there is nothing to change');
    if (name !== undefined && !isValidProfileValue('name', name)) throw new Error('This name cannot be stored.');
    if (email !== undefined && !isValidProfileValue('email', email)) throw new Error('This is not an email address.');
    const { user, isSame } = await withSchema(shell, async (database) => {
      const found = await requireUser(database, named);
      const { user_id, username } = found;
      if (isProfile) {
        refuseKept(found, { name: name !== undefined, email: is_vouched });
        if (is_vouched && email === undefined && (found.pending_email ?? found.email) === null)
          throw new Error(`"${username}" has no address.`);
        const config = shell.config();
        const deps = {
          config,
          database,
          sessionSecrets: sendsMail(config) ? await findSessionSecrets(config, database) : [],
        };
        const replacing = email ?? (is_vouched ? (found.pending_email ?? undefined) : undefined);
        const change = { name, email: replacing, is_vouched: is_vouched || undefined };
        const recorded = byCommand({ event: 'user_changed', user_id, detail: changesOf({ name, is_vouched }) });
        if (!(await changeByOperator(deps, found, change, recorded)))
          throw new Error('Somebody else signs in with this address.');
      }
      const action = admin ? 'make_admin' : 'unmake_admin';
      const problem = admin || options['no-admin'] ? await act(shell, database, found, action) : undefined;
      if (problem === 'administrator_must_stay')
        throw new Error(`"${username}" is the last administrator: make somebody else an administrator first.`);
      return { user: await requireUser(database, username), isSame: !isProfile && problem !== undefined };
    });
    const text = isSame
      ? `"${user.username}" is ${user.is_admin ? 'an administrator' : 'an ordinary user'} already: nothing was changed.`
      : `Changed the user "${user.username}".`;
    return { text, json: user };
  },
});

/** Describes a changed profile for the audit trail, which has no names and addresses of people. */
function changesOf({ name, is_vouched }: { name: string | undefined; is_vouched: boolean }): string {
  return [...(name === undefined ? [] : ['name']), ...(is_vouched ? ['address'] : [])].join(', ');
}

function refuseKept({ username, source, kept_elsewhere }: User, isChanged: Record<ProfileFieldName, boolean>): void {
  const kept = kept_elsewhere.filter((field) => isChanged[field]);
  if (kept.length > 0)
    throw new Error(`Of "${username}", ${kept.join(' and ')} can only be changed at the source (${source}).`);
}
