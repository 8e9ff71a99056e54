import { banSite as ban, listBannedSites, unbanSite as unban } from '../clients/banned-sites.sql.ts';
import { mayBeBanned } from '../lib/site.ts';
import { byCommand } from './audit.ts';
import { command, UsageError } from './command.ts';
import { formatTable, listOptions, nextPageHint, readLimit } from './format.ts';
import { withSchema } from './with-database.ts';

export const listSites = command({
  name: 'site list',
  summary: 'List the banned sites.',
  options: listOptions('SITE'),
  async run({ options, shell }) {
    const limit = readLimit('site list', options.limit);
    const { rows, next } = await withSchema(shell, (database) => listBannedSites(database, options.after ?? '', limit));
    const shown = rows.map(({ site_domain, banned_at }) => ({ site_domain, banned_at }));
    return { text: formatTable(shown, 'No sites are banned.') + nextPageHint(next), json: shown };
  },
});

export const banSite = command({
  name: 'site ban',
  takes: ['SITE'],
  summary: 'Ban a site and its subdomains: their applications are disabled, and none can be registered.',
  details: 'Applications that you vouch for stay enabled, and a seed can register more.',
  async run({ args: [site = ''], shell }) {
    if (!mayBeBanned(site))
      throw new UsageError('site ban: SITE is not a host name in lower case such as printer.example');
    const { disabled } = await withSchema(shell, (database) =>
      ban(database, site, byCommand({ event: 'site_banned', detail: site })),
    );
    const text = `Banned the site ${site}. Applications that were disabled: ${disabled}.`;
    return { text, json: { site_domain: site, disabled } };
  },
});

export const unbanSite = command({
  name: 'site unban',
  takes: ['SITE'],
  summary:
    'Let applications of a banned site be registered again. The owners of those that it disabled can enable them.',
  async run({ args: [site = ''], shell }) {
    const isDone = await withSchema(shell, (database) =>
      unban(database, site, byCommand({ event: 'site_unbanned', detail: site })),
    );
    if (!isDone) throw new Error(`The site "${site}" is not banned.`);
    return { text: `The site ${site} is no longer banned.`, json: { site_domain: site, banned: false } };
  },
});
