import { type Database, rows, sql } from '../postgres/database.ts';
import type { ScopeCatalogue } from '../protocol/scope.ts';

const listScopesStatement = sql(
  'list_scopes',
  `select name, group_name, sentence, coalesce(changes, name ~ ':write$') as changes
   from scopes
   order by position`,
);

/** The catalogue changes with a migration or a seed, not with a request: read again after this many milliseconds. */
const freshness = 5000;

const catalogues = new WeakMap<Database, { catalogue: Promise<ScopeCatalogue>; readAt: number }>();

export function findScopeCatalogue(database: Database): Promise<ScopeCatalogue> {
  const known = catalogues.get(database);
  if (known && performance.now() - known.readAt < freshness) return known.catalogue;
  const catalogue: Promise<ScopeCatalogue> = rows(database, listScopesStatement);
  catalogues.set(database, { catalogue, readAt: performance.now() });
  catalogue.catch(() => catalogues.delete(database));
  return catalogue;
}
