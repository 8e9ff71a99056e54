import { registerNewClient } from '../clients/client-registration.sql.ts';
import { deleteClientSecret, listSecretUses, rotateClientSecret } from '../clients/client-secrets.sql.ts';
import type { User } from '../identity/users.sql.ts';
import { splitScope } from '../lib/scope.ts';
import { createSecret, digestOf, digestOfHandle } from '../lib/secrets.ts';
import type { Database } from '../postgres/database.ts';
import { byCommand } from './audit.ts';
import { requireClient, withoutDigests } from './client.ts';
import { memberOptions, membersIn, needsSecret } from './client-options.ts';
import { command, UsageError } from './command.ts';
import { formatCell } from './format.ts';
import { requireUser } from './named-user.ts';
import { readSecret } from './secret-input.ts';
import { requireReader } from './shown-once.ts';
import { withNewSchema, withSchema } from './with-database.ts';

export const createClient = command({
  name: 'client create',
  takes: ['ID'],
  summary: 'Register a client. Its secret, if it needs one, is generated and shown once.',
  options: {
    name: { type: 'string', required: true, value: 'NAME', help: 'shown to users' },
    'site-domain': { type: 'string', required: true, value: 'HOST', help: 'domain of all its redirection URIs' },
    'redirect-uri': {
      type: 'string',
      required: true,
      multiple: true,
      value: 'URI',
      help: 'redirection URI (repeatable)',
    },
    scope: {
      type: 'string',
      required: true,
      multiple: true,
      value: 'SCOPE',
      help: 'scope it may request (repeatable)',
    },
    'required-scope': {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      help: 'scope that users cannot deselect (repeatable)',
    },
    public: { type: 'boolean', help: 'public client: no secret, must use PKCE' },
    owner: { type: 'string', value: 'NAME', help: 'the user who manages it in the developer console' },
    'secret-stdin': { type: 'boolean', help: 'read the secret from standard input' },
    ...memberOptions,
  },
  async run({ args: [client_id = ''], options, shell }) {
    if (options.public && options['secret-stdin'])
      throw new UsageError('client create: a --public client has no secret');
    if (options.public && options['resource-server']) {
      throw new UsageError('client create: a --resource-server needs a secret, so it cannot be --public');
    }
    if (needsSecret(options) && !options['secret-stdin']) requireReader(shell);
    const generated = needsSecret(options) && !options['secret-stdin'] ? createSecret('client_secret') : null;
    const registration = {
      client_id,
      client_secret: options['secret-stdin'] ? await readSecret(shell, 'Client secret') : generated,
      name: options.name,
      site_domain: options['site-domain'],
      redirect_uris: options['redirect-uri'],
      scopes: options.scope.flatMap(splitScope),
      required_scopes: options['required-scope'].flatMap(splitScope),
      ...membersIn(options),
    };
    const client = await withNewSchema(shell, async (database) => {
      const owner = options.owner === undefined ? null : (await requireOwner(database, options.owner)).username;
      const recorded = byCommand({ event: 'client_registered', client_id });
      const isNew = await registerNewClient(database, { ...registration, owner }, recorded);
      if (!isNew) throw new Error(`There is already a client "${client_id}".`);
      return requireClient(database, client_id);
    });
    const text = `Registered the client "${client_id}".${generated ? `\n${showSecret(generated)}` : ''}`;
    const json = { ...withoutDigests(client), ...(generated ? { client_secret: generated } : {}) };
    return generated ? { text, json, ifUnread: makeAnother(client_id) } : { text, json };
  },
});

async function requireOwner(database: Database, name: string): Promise<User> {
  const user = await requireUser(database, name);
  if (user.disabled_at) throw disabledOwner(user);
  return user;
}

export const disabledOwner = ({ username }: User) => new Error(`The user "${username}" is disabled.`);

export const makeAnother = (client_id: string) =>
  `It was stored; make another: latchkey client rotate-secret ${client_id}`;

export function showSecret(secret: string): string {
  return `Client secret (shown only once):\n${secret}`;
}

export const rotateSecret = command({
  name: 'client rotate-secret',
  takes: ['ID'],
  summary: 'Generate a new client secret and show it once.',
  details:
    'The previous secret stays valid until the next rotation, so that the application can switch over; end a leaked secret with --now.',
  options: { now: { type: 'boolean', help: 'the previous secrets, which have leaked, stop working at once' } },
  async run({ args: [client_id = ''], options: { now }, shell }) {
    requireReader(shell);
    const client_secret = createSecret('client_secret');
    await withSchema(shell, async (database) => {
      const secret = { client_id, secret_sha256: digestOf(client_secret), now };
      if (await rotateClientSecret(database, secret, byCommand({ event: 'client_secret_added', client_id }))) return;
      await requireClient(database, client_id);
      throw new Error(`The client "${client_id}" is public: it has no secret.`);
    });
    const rule = now
      ? 'All previous secrets have stopped working.'
      : 'The previous secret stays valid until the next rotation, or --now.';
    const text = `${showSecret(client_secret)}\n${rule}`;
    return { text, json: { client_id, client_secret }, ifUnread: makeAnother(client_id) };
  },
});

export const deleteSecret = command({
  name: 'client delete-secret',
  takes: ['ID', 'HANDLE'],
  summary: 'Delete one of two client secrets. It stops working at once.',
  details: `HANDLE is its beginning in latchkey client show ID. The only secret of a client stays: rotate it first. One that a program has sent
within 30 days stays, too, without --now.`,
  options: {
    now: { type: 'boolean', help: 'even if a program has sent it within 30 days; that program is then refused' },
  },
  async run({ args: [client_id = '', handle = ''], options: { now }, shell }) {
    const last_used_at = await withSchema(shell, async (database) => {
      const client = await requireClient(database, client_id);
      const digest = digestOfHandle(client, handle);
      if (!digest) throw new Error(`The client "${client_id}" has no secret with this handle.`);
      const isLast = client.secrets_sha256.length === 1;
      const use = (await listSecretUses(database, client)).find(({ secret_sha256 }) => digest.equals(secret_sha256));
      if (use?.is_in_use && !now && !isLast) {
        throw new Error(
          `A program sent the secret ${handle} ${formatCell(use.last_used_at)}, and would be refused: --now withdraws it all the same.`,
        );
      }
      const recorded = byCommand({ event: 'client_secret_deleted', client_id, detail: handle });
      if (isLast || !(await deleteClientSecret(database, client_id, digest, recorded)))
        throw new Error('This is its only secret: create another with latchkey client rotate-secret ID.');
      return use?.last_used_at ?? null;
    });
    const used = last_used_at ? `last used ${formatCell(last_used_at)}` : 'of which no use was seen';
    return {
      text: `Deleted the secret ${handle} of the client "${client_id}", ${used}.`,
      json: { client_id, handle, last_used_at, deleted: true },
    };
  },
});
