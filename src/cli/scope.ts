import {
  describeScope as describe,
  findScopeCatalogue,
  findScopeUses,
  registerNewScope,
  deleteScope as remove,
} from '../catalogue/scopes.sql.ts';
import { ownScopes } from '../lib/profile.ts';
import type { Permission } from '../lib/scope.ts';
import { languages } from '../web/language.ts';
import { byCommand } from './audit.ts';
import { command, UsageError } from './command.ts';
import { formatTable } from './format.ts';
import { withNewSchema, withSchema } from './with-database.ts';

export const listScopes = command({
  name: 'scope list',
  summary: 'List the scopes, and the sentences that people read about them.',
  async run({ shell }) {
    const scopes = (await withSchema(shell, (database) => findScopeCatalogue(database))).map(
      ({ group_name: group, ...scope }) => ({
        ...scope,
        group,
      }),
    );
    const rows = scopes.map(({ name, group, changes, sentence, sentences }) => {
      return { name, group, changes, sentence, languages: Object.keys(sentences) };
    });
    return { text: formatTable(rows, 'There are no scopes.'), json: scopes };
  },
});

export const createScope = command({
  name: 'scope create',
  takes: ['NAME'],
  summary: 'Create a scope that clients can then be registered for.',
  options: {
    sentence: {
      type: 'string',
      required: true,
      value: 'TEXT',
      help: 'what people read about what it allows',
    },
    group: { type: 'string', value: 'NAME', help: 'the group that stands for it and other scopes (default: none)' },
    changes: { type: 'boolean', help: 'allows changes, not only reading (always so for names that end in :write)' },
  },
  async run({ args: [name = ''], options, shell }) {
    const { sentence, group = null, changes } = options;
    const scope = { name, sentence, group_name: group, changes: changes || null };
    await withNewSchema(shell, async (database) => {
      const recorded = byCommand({ event: 'scope_registered', detail: name });
      if (!(await registerNewScope(database, scope, recorded))) throw new Error(`There is already a scope "${name}".`);
    });
    return { text: `Created the scope "${name}".`, json: { name, group: group ?? name, sentence } };
  },
});

export const describeScope = command({
  name: 'scope describe',
  takes: ['NAME'],
  summary: 'Set what people read about a scope or a group of scopes.',
  details: `Without --lang it is for all whose language has no sentence of its own. Never give a name a wider meaning: people who allowed it
before are not asked again.`,
  options: {
    sentence: { type: 'string', required: true, value: 'TEXT', help: 'what people read' },
    lang: { type: 'string', value: 'LANG', help: `one of ${languages.map(({ language }) => language).join(', ')}` },
    group: { type: 'boolean', help: 'NAME is the name of a group, although a scope has it, too' },
  },
  async run({ args: [name = ''], options, shell }) {
    const { sentence, lang: language, group } = options;
    if (language !== undefined && !languages.some((one) => one.language === language)) {
      throw new UsageError('scope describe: no page is in the language of --lang');
    }
    await withSchema(shell, async (database) => {
      const text = { name, ...(language === undefined ? { sentence } : { sentences: { [language]: sentence } }) };
      const recorded = byCommand({ event: 'scope_changed', detail: name });
      const isScope = !group && (await describe(database, 'scope', text, recorded));
      if (!isScope && !(await describe(database, 'group', text, recorded))) throw unknownScope(name);
    });
    return { text: `Described "${name}".`, json: { name, language: language ?? null, sentence } };
  },
});

const unknownScope = (name: Permission['name']) => new Error(`There is no scope "${name}".`);

export const deleteScope = command({
  name: 'scope delete',
  takes: ['NAME'],
  summary: 'Delete a scope that no client, resource, claim or choice uses, nor the server itself.',
  details:
    'All permissions that people gave for the scope are withdrawn. This cannot be undone: people are asked again for a later scope with the same name.',
  async run({ args: [name = ''], shell }) {
    await withSchema(shell, async (database) => {
      if (await remove(database, name, byCommand({ event: 'scope_deleted', detail: name }))) return;
      if (ownScopes.includes(name))
        throw new Error(`The scope "${name}" is for the profiles that this server shows, so it cannot be deleted.`);
      const uses = await findScopeUses(database, name);
      if (uses.length === 0) throw unknownScope(name);
      const users = uses.map((use) => `the ${use.kind} "${use.name}"`).join(', ');
      throw new Error(`The scope "${name}" is in use: remove it from ${users} first.`);
    });
    return { text: `Deleted the scope "${name}".`, json: { name, deleted: true } };
  },
});
