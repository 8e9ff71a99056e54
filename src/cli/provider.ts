import type { RecordedEvent } from '../audit/audit.sql.ts';
import {
  disableProvider,
  enableProvider,
  type ListedProvider,
  listProviders,
} from '../people/providers/providers.sql.ts';
import type { Database } from '../postgres/database.ts';
import { byCommand } from './audit.ts';
import { command } from './command.ts';
import { formatCell, formatTable } from './format.ts';
import { withSchema } from './with-database.ts';

export const listAllProviders = command({
  name: 'provider list',
  summary: 'List the providers at which people can sign in.',
  details: 'They are registered with SQL: select register_provider(…).',
  async run({ shell }) {
    const { issuer: own } = shell.config();
    const listed = (await withSchema(shell, listProviders)).map((provider) => ({
      ...pick(provider),
      logout_uri: provider.kind === 'openid' ? `${own}/login/provider/${provider.name}/logout` : null,
      revoke_subject_uri: provider.global_token_revocation ? `${own}/revoke-subject` : null,
    }));
    const rows = listed.map(({ logout_uri, revoke_subject_uri, ...row }) => row);
    const addresses = listed.flatMap(({ name, logout_uri, revoke_subject_uri }) => [
      ...(logout_uri ? [`Enter at ${name} as the back-channel logout URI: ${logout_uri}`] : []),
      ...(revoke_subject_uri ? [`Enter at ${name} for Global Token Revocation: ${revoke_subject_uri}`] : []),
    ]);
    const text = [formatTable(rows, 'There are no providers.'), addresses.map(formatCell).join('\n')];
    return { text: text.join('\n\n').trimEnd(), json: listed };
  },
});

function pick(provider: ListedProvider) {
  const { name, kind, issuer, client_id, people, on_logout, global_token_revocation, identities, disabled_at } =
    provider;
  return { name, kind, issuer, client_id, people, on_logout, global_token_revocation, identities, disabled_at };
}

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
