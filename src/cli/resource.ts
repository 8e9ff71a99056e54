import {
  findResource,
  listResources as list,
  registerNewResource,
  deleteResource as remove,
  changeResource as update,
} from '../catalogue/resources.sql.ts';
import type { TokenFormatName } from '../lib/resource.ts';
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
    requireFormat('resource create', token_format);
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

function requireFormat(name: string, format: string): asserts format is TokenFormatName {
  if (format !== 'opaque' && format !== 'jwt') throw new UsageError(`${name}: --token-format is opaque or jwt`);
}

export const updateResource = command({
  name: 'resource update',
  takes: ['URL'],
  summary: 'Change a resource. What is not named stays as it is.',
  details: `Existing tokens get added scopes only if the person has already allowed them for this resource, and lose removed scopes at
once; other servers accept those in a JWT for ten minutes at most.
Without a client that may introspect tokens: --client ''.`,
  options: {
    scope: {
      type: 'string',
      multiple: true,
      value: 'SCOPE',
      help: 'scope that it knows; replaces all others (repeatable)',
    },
    client: { type: 'string', value: 'ID', help: 'the client that may introspect tokens for the resource' },
    'token-format': { type: 'string', value: 'FORMAT', help: 'opaque or jwt, for new tokens' },
  },
  async run({ args: [resource = ''], options, shell }) {
    const { scope, client, 'token-format': format } = options;
    if (scope.length === 0 && client === undefined && format === undefined) {
      throw new UsageError('resource update: an option that names the change is missing');
    }
    if (format !== undefined) requireFormat('resource update', format);
    return withSchema(shell, async (database) => {
      const found = await findResource(database, resource);
      if (!found) throw new Error(`There is no resource "${resource}".`);
      const change = {
        resource,
        scopes: scope.length === 0 ? found.scopes : scope.flatMap(splitScope),
        client_id: client === undefined ? found.client_id : client || null,
        token_format: format ?? found.token_format,
      };
      const recorded = byCommand({ event: 'resource_changed', detail: resource });
      const done = await update(database, change, recorded, found);
      if (!done) {
        const reason = found.disabled_at ? 'A seed has disabled' : 'Somebody else has just changed';
        throw new Error(`${reason} the resource "${resource}": nothing was changed.`);
      }
      const text = done === 'same' ? 'There was nothing to change.' : `Changed the resource "${resource}".`;
      return { text, json: change };
    });
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
