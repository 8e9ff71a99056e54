import { listResources as list, registerNewResource, deleteResource as remove } from '../catalogue/resources.sql.ts';
import { splitScope } from '../lib/scope.ts';
import { byCommand } from './audit.ts';
import { command, UsageError } from './command.ts';
import { formatTable, listOptions, nextPageHint, readLimit } from './format.ts';
import { withNewSchema, withSchema } from './with-database.ts';

export const listAllResources = command({
  name: 'resource list',
  summary: 'List the resources of other servers, for which clients can request tokens.',
  options: listOptions('URL'),
  async run({ options, shell }) {
    const limit = readLimit('resource list', options.limit);
    const { rows, next } = await withSchema(shell, (database) => list(database, options.after ?? '', limit));
    const shown = rows.map(({ resource, token_format, client_id, scopes, disabled }) => ({
      resource: disabled ? `${resource} (disabled)` : resource,
      token_format,
      client_id,
      scopes,
    }));
    return { text: formatTable(shown, 'No resources are registered.') + nextPageHint(next), json: rows };
  },
});

export const createResource = command({
  name: 'resource create',
  takes: ['URL'],
  summary: 'Register a resource of another server.',
  options: {
    scope: { type: 'string', required: true, multiple: true, value: 'SCOPE', help: 'scope that it knows (repeatable)' },
    client: { type: 'string', value: 'ID', help: 'the client that may introspect tokens for the resource' },
    'token-format': { type: 'string', value: 'FORMAT', help: 'opaque (the default) or jwt' },
  },
  async run({ args: [url = ''], options, shell }) {
    const { client: client_id = null, 'token-format': token_format = 'opaque' } = options;
    if (token_format !== 'opaque' && token_format !== 'jwt') {
      throw new UsageError('resource create: --token-format is opaque or jwt');
    }
    const scopes = options.scope.flatMap(splitScope);
    const resource = await withNewSchema(shell, async (database) => {
      const registration = { resource: url, scopes, client_id, token_format } as const;
      const registered = await registerNewResource(database, registration, byCommand({ event: 'resource_registered' }));
      if (registered === undefined) throw new Error(`There is already a resource "${url}".`);
      return registered;
    });
    return { text: `Registered the resource "${resource}".`, json: { resource, scopes, client_id, token_format } };
  },
});

export const deleteResource = command({
  name: 'resource delete',
  takes: ['URL'],
  summary: 'Delete a resource. Its tokens stop working.',
  details: 'Other servers accept a JWT until it expires, ten minutes at most.',
  async run({ args: [resource = ''], shell }) {
    await withSchema(shell, async (database) => {
      const isDeleted = await remove(database, resource, byCommand({ event: 'resource_deleted', detail: resource }));
      if (!isDeleted) throw new Error(`There is no resource "${resource}".`);
    });
    return { text: `Deleted the resource "${resource}".`, json: { resource, deleted: true } };
  },
});
