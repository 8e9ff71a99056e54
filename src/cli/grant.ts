import { listConnectedApplications } from '../accounts/applications/connected-applications.sql.ts';
import { listGrantsOfClient, revokeGrant } from '../oauth/consent/grant-changes.sql.ts';
import type { Database } from '../postgres/database.ts';
import { commandTrace } from './audit.ts';
import { requireClient } from './client.ts';
import { command, UsageError } from './command.ts';
import { formatTable, listOptions, nextPageHint, readLimit } from './format.ts';
import { requireUser } from './named-user.ts';
import { act } from './user-actions.ts';
import { withSchema } from './with-database.ts';

export const listGrants = command({
  name: 'grant list',
  summary: 'List the grants of a user, or the grants for a client.',
  details: 'Give one of --user and --client. The newest grants come first.',
  options: {
    user: { type: 'string', value: 'NAME', help: 'the grants of this user' },
    client: { type: 'string', value: 'ID', help: 'the grants for this client' },
    ...listOptions('GRANT'),
  },
  async run({ options: { user, client, after, limit: rows }, shell }) {
    const limit = readLimit('grant list', rows);
    if ((user === undefined) === (client === undefined))
      throw new UsageError('grant list: give one of --user and --client');
    const found = await withSchema(shell, async (database) => {
      if (user !== undefined) {
        const { user_id, username } = await requireUser(database, user);
        const page = await listConnectedApplications(database, user_id, after, limit);
        return { ...page, rows: page.rows.map((grant) => ({ ...grant, username })) };
      }
      const { client_id } = await requireClient(database, client ?? '');
      const page = await listGrantsOfClient(database, client_id, after, limit);
      return { ...page, rows: page.rows.map((grant) => ({ ...grant, client_id })) };
    });
    const grants = found.rows.map(({ username, client_id, scopes, granted_at, last_used_at, expires_at }) => {
      return { user: username, client_id, scopes, granted_at, last_used_at, expires_at };
    });
    return { text: formatTable(grants, 'There are no grants.') + nextPageHint(found.next), json: grants };
  },
});

export const endGrant = command({
  name: 'grant revoke',
  summary: 'Revoke the grant of a user for one client, or all of them. The tokens stop working at once.',
  details: 'Give one of --client and --all. What was revoked does not come back when a disabled user is enabled.',
  options: {
    user: { type: 'string', value: 'NAME', required: true, help: 'the user whose grant it is' },
    client: { type: 'string', value: 'ID', help: 'for which client' },
    all: { type: 'boolean', help: 'for all clients' },
  },
  async run({ options: { user, client, all }, shell }) {
    if ((client !== undefined) === all) throw new UsageError('grant revoke: give one of --client and --all');
    const { username, revoked } = await withSchema(shell, async (database) => {
      const person = await requireUser(database, user);
      const isRevoked =
        client === undefined
          ? (await act(shell, database, person, 'revoke_grants')) === undefined
          : await revokeOne(database, person.user_id, client);
      return { username: person.username, revoked: isRevoked };
    });
    const whom = client === undefined ? 'applications' : `"${client}"`;
    const done = `Revoked ${client === undefined ? 'all that' : 'what'} "${username}" had allowed ${whom}.`;
    return {
      text: revoked ? done : `"${username}" has allowed ${whom} nothing: nothing was changed.`,
      json: { username, ...(client === undefined ? { all } : { client_id: client }), revoked },
    };
  },
});

async function revokeOne(database: Database, user_id: number, client: string): Promise<boolean> {
  const { client_id } = await requireClient(database, client);
  return revokeGrant(database, { user_id, client_id }, commandTrace());
}
