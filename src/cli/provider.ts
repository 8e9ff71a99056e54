import type { RecordedEvent } from '../audit/audit.sql.ts';
import { disableProvider, enableProvider, listProviders } from '../people/providers/providers.sql.ts';
import type { Database } from '../postgres/database.ts';
import { byCommand } from './audit.ts';
import { command } from './command.ts';
import { formatTable } from './format.ts';
import { withSchema } from './with-database.ts';

export const listAllProviders = command({
  name: 'provider list',
  summary: 'List the providers at which people can sign in.',
  details: 'They are registered with SQL: select register_provider(…).',
  async run({ shell }) {
    const all = await withSchema(shell, listProviders);
    const listed = all.map(({ name, issuer, client_id, people, on_logout, identities, disabled_at }) => {
      return { name, issuer, client_id, people, on_logout, identities, disabled_at };
    });
    return { text: formatTable(listed, 'There are no providers.'), json: listed };
  },
});

interface Switch {
  verb: 'disable' | 'enable';
  summary: string;
  details: string;
  change(database: Database, name: string, recorded: RecordedEvent): Promise<boolean>;
}

const switchProvider = ({ verb, summary, details, change }: Switch) =>
  command({
    name: `provider ${verb}`,
    takes: ['NAME'],
    summary,
    details,
    async run({ args: [name = ''], shell }) {
      const isChanged = await withSchema(shell, async (database) => {
        if (await change(database, name, byCommand({ event: `provider_${verb}d`, detail: name }))) return true;
        const isKnown = (await listProviders(database)).some((provider) => provider.name === name);
        if (!isKnown) throw new Error(`There is no provider "${name}".`);
        return false;
      });
      const done = `${verb === 'disable' ? 'Disabled' : 'Enabled'} the provider ${name}.`;
      return {
        text: isChanged ? done : `The provider ${name} is ${verb}d already: nothing was changed.`,
        json: { name },
      };
    },
  });

export const disableOneProvider = switchProvider({
  verb: 'disable',
  summary: 'Disable sign-in at a provider.',
  details: 'Sign-ins that have begun are not completed. Sessions, applications and linked identities stay.',
  change: disableProvider,
});

export const enableOneProvider = switchProvider({
  verb: 'enable',
  summary: 'Enable sign-in at a disabled provider.',
  details: 'Linked identities count again.',
  change: enableProvider,
});
