import { createInvitation, listInvitations, withdrawInvitation } from '../clients/invitations.sql.ts';
import { createSecret, digestOf } from '../lib/secrets.ts';
import { byCommand } from './audit.ts';
import { command, UsageError } from './command.ts';
import { formatTable } from './format.ts';
import { requireReader } from './shown-once.ts';
import { withNewSchema, withSchema } from './with-database.ts';

export const invite = command({
  name: 'client invite',
  summary: 'Create a token with which an application can register itself. It is shown once.',
  details: 'The server accepts it at /register while REGISTRATION_ENDPOINT is token.',
  options: {
    uses: { type: 'string', value: 'N', help: 'how many applications may register with it (default 1)' },
    expires: { type: 'string', value: 'DAYS', help: 'days until it expires (default 7)' },
  },
  async run({ options, shell }) {
    const uses = readNumber('uses', options.uses ?? '1', 1_000_000);
    const days = readNumber('expires', options.expires ?? '7', 3650);
    requireReader(shell);
    const initial_access_token = createSecret('initial_access_token');
    const token_sha256 = digestOf(initial_access_token);
    const invitation = await withNewSchema(shell, (database) =>
      createInvitation(database, { token_sha256, uses, days }, byCommand({ event: 'invitation_created' })),
    );
    const applications = uses === 1 ? 'one application' : `${uses} applications`;
    const limits = `Invitation ${invitation.invitation_id}, for ${applications}, expires in ${days === 1 ? 'one day' : `${days} days`}.`;
    return {
      text: `Initial access token (shown only once):\n${initial_access_token}\n${limits}`,
      json: { ...invitation, initial_access_token },
      ifUnread: `Withdraw the invitation, and create another: latchkey client uninvite ${invitation.invitation_id}`,
    };
  },
});

function readNumber(option: string, value: string, max: number): number {
  const number = /^\d+$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max) throw new UsageError(`client invite: --${option} is not a number from 1 to ${max}`);
  return number;
}

export const listAllInvitations = command({
  name: 'client invitations',
  summary: 'List the invitations by their numbers, without the tokens.',
  async run({ shell }) {
    const invitations = await withSchema(shell, listInvitations);
    const rows = invitations.map((invitation) => ({ ...invitation }));
    return { text: formatTable(rows, 'There are no invitations.'), json: invitations };
  },
});

export const uninvite = command({
  name: 'client uninvite',
  takes: ['NUMBER'],
  summary: 'Withdraw an invitation. Applications that have registered with it stay.',
  async run({ args: [number = ''], shell }) {
    const invitation_id = /^\d{1,9}$/.test(number) ? Number(number) : 0;
    const isWithdrawn = await withSchema(shell, (database) =>
      withdrawInvitation(database, invitation_id, byCommand({ event: 'invitation_withdrawn' })),
    );
    if (!isWithdrawn) throw new Error(`There is no invitation "${number}".`);
    return { text: `Withdrew invitation ${invitation_id}.`, json: { invitation_id, withdrawn: true } };
  },
});
