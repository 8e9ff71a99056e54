import {
  deleteClient as remove,
  revokeTokensOfClient,
  transferClient as transfer,
} from '../clients/administered-clients.sql.ts';
import { updateClient as update } from '../clients/client-registration.sql.ts';
import { createSecret, digestOf } from '../lib/secrets.ts';
import { byCommand } from './audit.ts';
import { requireClient, unknownClient, withoutDigests } from './client.ts';
import { changesIn, updateOptions } from './client-options.ts';
import { disabledOwner, makeAnother, showSecret } from './client-secret.ts';
import { command, UsageError } from './command.ts';
import { requireUser } from './named-user.ts';
import { requireReader } from './shown-once.ts';
import { withSchema } from './with-database.ts';

export const updateClient = command({
  name: 'client update',
  takes: ['ID'],
  summary: 'Change the registration of a client. What is not named stays as it is.',
  details: `An empty value takes a member away: --logo-uri ''. A client that goes over to a secret gets one, which is shown once.
People who allowed it something are asked again if a redirection URI was added.`,
  options: updateOptions,
  async run({ args: [client_id = ''], options, shell }) {
    const changes = changesIn(options);
    const names = Object.keys(changes);
    if (names.length === 0) throw new UsageError('client update: an option that names the change is missing');
    const mayGetSecret = changes.token_endpoint_auth_method?.startsWith('client_secret_') ?? false;
    if (mayGetSecret) requireReader(shell);
    const client_secret = createSecret('client_secret');
    const { client, isChanged } = await withSchema(shell, async (database) => {
      const change = { client_id, changes, secret_sha256: digestOf(client_secret) };
      const recorded = byCommand({ event: 'client_changed', client_id, detail: names.join(' ') });
      const isChanged = await update(database, change, recorded);
      if (isChanged === undefined) throw unknownClient(client_id);
      return { client: await requireClient(database, client_id), isChanged };
    });
    const text = isChanged
      ? `Changed ${names.join(', ')} of the client "${client_id}".`
      : `The client "${client_id}" was registered like that before: nothing was changed.`;
    if (!client.secrets_sha256.some((digest) => digest.equals(digestOf(client_secret)))) {
      return { text, json: withoutDigests(client) };
    }
    const json = { ...withoutDigests(client), client_secret };
    return { text: `${text}\n${showSecret(client_secret)}`, json, ifUnread: makeAnother(client_id) };
  },
});

export const deleteClient = command({
  name: 'client delete',
  takes: ['ID'],
  summary: 'Delete a client with its grants and tokens. This cannot be undone.',
  details: 'To be able to undo this, disable the client instead. A seed that names the client registers it again.',
  async run({ args: [client_id = ''], shell }) {
    await withSchema(shell, async (database) => {
      const recorded = byCommand({ event: 'client_deleted', client_id });
      if (!(await remove(database, client_id, recorded))) throw unknownClient(client_id);
    });
    return { text: `Deleted the client "${client_id}".`, json: { client_id, deleted: true } };
  },
});

export const transferClient = command({
  name: 'client transfer',
  takes: ['ID'],
  summary: 'Transfer a client to another owner, who then manages it in the developer console.',
  details: 'Its secrets do not change: the previous owner may know them.',
  options: { owner: { type: 'string', required: true, value: 'NAME', help: 'the new owner' } },
  async run({ args: [client_id = ''], options, shell }) {
    const owner = await withSchema(shell, async (database) => {
      const user = await requireUser(database, options.owner);
      const { user_id, username } = user;
      const recorded = byCommand({ event: 'client_passed_on', user_id, client_id, detail: 'to this user' });
      if (!(await transfer(database, client_id, user_id, recorded))) {
        const { owner_id } = await requireClient(database, client_id);
        if (owner_id !== user_id || user.disabled_at) throw disabledOwner(user);
      }
      return username;
    });
    return { text: `The client "${client_id}" now belongs to "${owner}".`, json: { client_id, owner } };
  },
});

export const revokeTokens = command({
  name: 'client revoke-tokens',
  takes: ['ID'],
  summary: 'Revoke all codes and tokens of a client. What people allowed it stays.',
  details:
    'Its users go through it once more, and are not asked again. Other servers accept a JWT until it expires, ten minutes at most.',
  async run({ args: [client_id = ''], shell }) {
    await withSchema(shell, async (database) => {
      const recorded = byCommand({ event: 'client_tokens_revoked', client_id });
      if (!(await revokeTokensOfClient(database, client_id, recorded))) throw unknownClient(client_id);
    });
    return { text: `Revoked all tokens of the client "${client_id}".`, json: { client_id, revoked: true } };
  },
});
