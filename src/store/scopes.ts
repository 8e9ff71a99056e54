import { type Database, rows, sql } from '../postgres/database.ts';
import type { ScopeCatalogue } from '../protocol/scope.ts';

const listScopesStatement = sql(
  'list_scopes',
  `select name, group_name, sentence, coalesce(changes, name ~ ':write$') as changes
   from scopes
   order by position`,
);

/** Milliseconds for which the catalogue is cached; only migrations and seeds change it. */
const cacheTime = 5000;

const catalogues = new WeakMap<Database, { catalogue: Promise<ScopeCatalogue>; readAt: number }>();

export function findScopeCatalogue(database: Database): Promise<ScopeCatalogue> {
  const known = catalogues.get(database);
  if (known && performance.now() - known.readAt < cacheTime) return known.catalogue;
  const catalogue: Promise<ScopeCatalogue> = rows(database, listScopesStatement);
  catalogues.set(database, { catalogue, readAt: performance.now() });
  catalogue.catch(() => catalogues.delete(database));
  return catalogue;
}
