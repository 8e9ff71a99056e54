import { findApplications } from '../registration/found-applications.sql.ts';
import { withoutDigests } from './client.ts';
import { command } from './command.ts';
import { formatTable, readLimit } from './format.ts';
import { findNamedUser } from './named-user.ts';
import { withSchema } from './with-database.ts';

/** More of it finds nothing that less of it does not. */
const maxTyped = 253;

export const findClients = command({
  name: 'client find',
  takes: ['TEXT'],
  summary: 'Find clients by the beginning of their id or name, the end of their site, or their owner.',
  details: 'The text is compared literally; there are no wildcards.',
  options: { limit: { type: 'string', value: 'N', help: 'maximum number of clients (default 50)' } },
  async run({ args: [typed = ''], options, shell }) {
    const limit = readLimit('client find', options.limit ?? '50');
    const text = typed.trim().slice(0, maxTyped);
    const found = await withSchema(shell, async (database) => {
      if (text === '') return [];
      const owner = await findNamedUser(database, text);
      return findApplications(database, text, owner?.user_id, limit + 1);
    });
    const clients = found.slice(0, limit).map(withoutDigests);
    const rows = clients.map(({ client_id, name, site_domain, disabled_at, last_used_at }) => {
      return { client_id, name, site_domain, state: disabled_at ? 'disabled' : 'active', last_used_at };
    });
    const hint = found.length > limit ? '\n\nThere are more: enter more of the name.' : '';
    return { text: formatTable(rows, 'No clients were found.') + hint, json: clients };
  },
});
