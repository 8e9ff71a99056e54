import {
  disableClient as disable,
  enableClient as enable,
  vouchForClient as vouch,
} from '../clients/administered-clients.sql.ts';
import { choiceOf, isPublic } from '../clients/client.ts';
import { listSecretUses } from '../clients/client-secrets.sql.ts';
import { type Client, findAnyClient, listClients as list } from '../clients/clients.sql.ts';
import { findOrigin } from '../clients/origins.sql.ts';
import { findRefusals } from '../clients/refusals.sql.ts';
import type { Database } from '../postgres/database.ts';
import { secretRows } from '../registration/console/secret-rows.ts';
import { findAdministeredApplication } from '../registration/found-applications.sql.ts';
import { byCommand } from './audit.ts';
import { command } from './command.ts';
import { formatFields, formatTable, listOptions, nextPageHint, readLimit } from './format.ts';
import { withSchema } from './with-database.ts';

/** A client as commands print it: without the digests of its secrets. */
export function withoutDigests<C extends Client>({ secrets_sha256, ...client }: C) {
  return { ...client, public: isPublic({ ...client, secrets_sha256 }), valid_secrets: secrets_sha256.length };
}

export const unknownClient = (client_id: string) => new Error(`There is no client "${client_id}".`);

export async function requireClient(database: Database, client_id: string): Promise<Client> {
  const client = await findAnyClient(database, client_id);
  if (!client) throw unknownClient(client_id);
  return client;
}

export const listClients = command({
  name: 'client list',
  summary: 'List clients.',
  options: listOptions('ID'),
  async run({ options, shell }) {
    const limit = readLimit('client list', options.limit);
    const { rows: found, next } = await withSchema(shell, (database) => list(database, options.after ?? '', limit));
    const clients = found.map(withoutDigests);
    const rows = clients.map(({ client_id, name, site_domain, scopes, disabled_at, vouched, ...client }) => {
      const type = client.resource_server ? 'resource server' : client.public ? 'public' : 'confidential';
      return { client_id, name, site_domain, type, state: disabled_at ? 'disabled' : 'active', vouched, scopes };
    });
    return { text: formatTable(rows, 'No clients are registered.') + nextPageHint(next), json: clients };
  },
});

export const showClient = command({
  name: 'client show',
  takes: ['ID'],
  summary: 'Show a client: registration, owner, secrets, use and latest refusals.',
  details: 'Refusals are kept for seven days, at most 300; those that are alike are shown once for each hour.',
  options: { refusals: { type: 'string', value: 'N', help: 'how many of the latest refusals to show (default 20)' } },
  async run({ args: [client_id = ''], options, shell }) {
    const limit = readLimit('client show', options.refusals ?? '20', 'refusals');
    const { client, ...more } = await withSchema(shell, async (database) => ({
      client: { ...(await requireClient(database, client_id)), ...(await findOrigin(database, client_id)) },
      administered: await findAdministeredApplication(database, client_id),
      refusals: await findRefusals(database, { client_ids: [client_id] }, undefined, limit),
      uses: await listSecretUses(database, await requireClient(database, client_id)),
    }));
    const { administered } = more;
    const { owner = null, people = 0, last_used_at = null } = administered ?? {};
    const secrets = administered ? secretRows(administered, more.uses) : [];
    const choice = choiceOf(client);
    const method_choice = choice
      ? `${choice.chosen}, the strongest that it can use and this server supports of ${choice.offered.join(', ')}`
      : null;
    const shown = { ...withoutDigests(client), method_choice, owner, people, last_used_at };
    const { jwks } = client;
    const scope_reasons = Object.entries(client.scope_reasons).map(([scope, reason]) => `${scope}: ${reason}`);
    const lists = {
      secrets: secrets.map(({ handle, created_at, last_used_at: used }) => {
        return `${handle} since ${created_at.toISOString()}, used ${used?.toISOString() ?? '-'}`;
      }),
      refusals: more.refusals.rows.map(
        ({ happened_at, error, reason }) => `${happened_at.toISOString()} ${error} ${reason}`,
      ),
    };
    const fields = formatFields({ ...shown, jwks: jwks && JSON.stringify(jwks), scope_reasons, ...lists });
    const hint =
      more.refusals.next === undefined ? '' : `\n\nThese are the newest ${limit} refusals: --refusals N shows more.`;
    return { text: fields + hint, json: { ...shown, secrets, refusals: more.refusals.rows } };
  },
});

export const disableClient = command({
  name: 'client disable',
  takes: ['ID'],
  summary: 'Disable a client. Its tokens stop working at once.',
  async run({ args: [client_id = ''], shell }) {
    const done = await withSchema(shell, async (database) => {
      const isDone = await disable(database, client_id, byCommand({ event: 'client_disabled', client_id }));
      if (!isDone) await requireClient(database, client_id);
      return isDone;
    });
    const same = `The client "${client_id}" is disabled already: nothing was changed.`;
    return { text: done ? `Disabled the client "${client_id}".` : same, json: { client_id, disabled: true } };
  },
});

export const enableClient = command({
  name: 'client enable',
  takes: ['ID'],
  summary: 'Enable a disabled client.',
  async run({ args: [client_id = ''], shell }) {
    const done = await withSchema(shell, async (database) => {
      const isDone = await enable(database, client_id, true, byCommand({ event: 'client_enabled', client_id }));
      if (!isDone) await requireClient(database, client_id);
      return isDone;
    });
    const same = `The client "${client_id}" is not disabled: nothing was changed.`;
    return { text: done ? `Enabled the client "${client_id}".` : same, json: { client_id, disabled: false } };
  },
});

function vouchCommand(name: string, summary: string, vouched: boolean) {
  const detail = vouched ? 'vouched for' : 'no longer vouched for';
  return command({
    name,
    takes: ['ID'],
    summary,
    details: 'Before an error redirects a person to a client that is not vouched for, a page asks for confirmation.',
    async run({ args: [client_id = ''], shell }) {
      await withSchema(shell, async (database) => {
        const recorded = byCommand({ event: 'client_changed', client_id, detail });
        if (!(await vouch(database, client_id, vouched, recorded))) await requireClient(database, client_id);
      });
      return { text: `The client "${client_id}" is ${detail}.`, json: { client_id, vouched } };
    },
  });
}

export const vouchForClient = vouchCommand(
  'client vouch',
  'Mark a client that a user registered as vouched for.',
  true,
);
export const unvouchForClient = vouchCommand('client unvouch', 'Remove the vouched-for mark of a client.', false);
