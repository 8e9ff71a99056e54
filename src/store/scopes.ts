import { type Database, rows, sql } from '../postgres/database.ts';
import { keptFor } from '../postgres/kept.ts';
import type { ScopeCatalogue } from '../protocol/scope.ts';

const listScopesStatement = sql(
  'list_scopes',
  `select name, group_name, sentence, sentences, coalesce(changes, name ~ ':write$') as changes, acr, max_age
   from scopes
   order by position`,
);

/** Only migrations and seeds change it. */
const catalogue = keptFor<ScopeCatalogue>(5000);

export function findScopeCatalogue(database: Database): Promise<ScopeCatalogue> {
  return catalogue(database, () => rows(database, listScopesStatement));
}
