import type { Database } from '../postgres/database.ts';
import {
  type Client,
  disableClient as disable,
  enableClient as enable,
  findAnyClient,
  listClients as list,
  vouchForClient as vouch,
} from '../store/clients.ts';
import { record } from './audit.ts';
import { command } from './command.ts';
import { migrationRule, withSchema } from './connect.ts';
import { listOptions, readLimit, wayOn } from './list.ts';
import { facts, table } from './print.ts';

/** Everything but the digests of the secrets, which are nobody's business. */
export function face({ secrets_sha256, ...client }: Client) {
  return { ...client, public: secrets_sha256.length === 0, valid_secrets: secrets_sha256.length };
}

const unknown = (client_id: string) => new Error(`There is no client "${client_id}".`);

export async function demandClient(database: Database, client_id: string): Promise<Client> {
  const client = await findAnyClient(database, client_id);
  if (!client) throw unknown(client_id);
  return client;
}

export const listClients = command({
  name: 'client list',
  summary: 'List the applications, by ID.',
  details: migrationRule,
  options: listOptions('ID'),
  async run({ options, config }) {
    const most = readLimit('client list', options.limit);
    const { rows: found, next } = await withSchema(config(), (database) => list(database, options.after ?? '', most));
    const clients = found.map(face);
    const rows = clients.map(({ client_id, name, site_domain, scopes, disabled_at, vouched, ...client }) => {
      const type = client.resource_server ? 'resource server' : client.public ? 'public' : 'confidential';
      return { client_id, name, site_domain, type, state: disabled_at ? 'disabled' : 'active', vouched, scopes };
    });
    return { text: table(rows, 'No client is registered.') + wayOn(next), json: clients };
  },
});

export const showClient = command({
  name: 'client show',
  takes: ['ID'],
  summary: 'Show all about an application but its secrets.',
  details: migrationRule,
  options: {},
  async run({ words: [client_id = ''], config }) {
    const client = face(await withSchema(config(), (database) => demandClient(database, client_id)));
    const scope_reasons = Object.entries(client.scope_reasons).map(([scope, reason]) => `${scope}: ${reason}`);
    return { text: facts({ ...client, scope_reasons }), json: client };
  },
});

export const disableClient = command({
  name: 'client disable',
  takes: ['ID'],
  summary: 'Turn an application away; its tokens end at once.',
  details: migrationRule,
  options: {},
  async run({ words: [client_id = ''], config }) {
    await withSchema(config(), async (database) => {
      if (!(await disable(database, client_id))) throw unknown(client_id);
      await record(database, { event: 'client_disabled', client_id });
    });
    return { text: `Disabled the client "${client_id}".`, json: { client_id, disabled: true } };
  },
});

export const enableClient = command({
  name: 'client enable',
  takes: ['ID'],
  summary: 'Let an application in again.',
  details: migrationRule,
  options: {},
  async run({ words: [client_id = ''], config }) {
    await withSchema(config(), async (database) => {
      if (!(await enable(database, client_id, true))) throw unknown(client_id);
      await record(database, { event: 'client_enabled', client_id });
    });
    return { text: `Enabled the client "${client_id}".`, json: { client_id, disabled: false } };
  },
});

/** Both set one flag. */
function vouching(name: string, summary: string, vouched: boolean) {
  const detail = vouched ? 'vouched for' : 'no longer vouched for';
  return command({
    name,
    takes: ['ID'],
    summary,
    details: `Where nobody vouches for an application, a page stands before an error that sends a person there.

${migrationRule}`,
    options: {},
    async run({ words: [client_id = ''], config }) {
      await withSchema(config(), async (database) => {
        if (!(await vouch(database, client_id, vouched))) throw unknown(client_id);
        await record(database, { event: 'client_changed', client_id, detail });
      });
      return { text: `The client "${client_id}" is ${detail}.`, json: { client_id, vouched } };
    },
  });
}

export const vouchForClient = vouching('client vouch', 'Vouch for an application that somebody else registered.', true);
export const unvouchForClient = vouching('client unvouch', 'Vouch for an application no longer.', false);
