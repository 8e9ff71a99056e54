import type { Config } from '../config/config.ts';
import { openProviderSecret } from '../people/providers/provider-secrets.ts';
import type { Provider } from '../people/providers/providers.sql.ts';
import type { Database } from '../postgres/database.ts';
import type { SeedChange } from '../postgres/seeds.ts';
import { findSessionSecrets } from '../postgres/settings.sql.ts';

/**
 * Leaves out the unchanged secrets of providers: a secret is stored encrypted, so the database cannot compare it with the one in the
 * seed.
 */
export const withoutSameSecrets =
  (config: Config, database: Database) =>
  (changes: readonly SeedChange[]): Promise<SeedChange[]> => {
    const compared = changes.map(async (change) => {
      const { client_secret, ...others } = change.changes;
      const isSame = client_secret !== undefined && (await hasSameSecret(config, database, change));
      return isSame ? { ...change, changes: others } : change;
    });
    return Promise.all(compared);
  };

async function hasSameSecret(
  config: Config,
  database: Database,
  { kind, earlier, present }: SeedChange,
): Promise<boolean> {
  const sealed = earlier?.['sealed_client_secret'];
  if (kind !== 'provider' || typeof sealed !== 'string') return false;
  const provider = { ...earlier, sealed_client_secret: Buffer.from(sealed.slice(2), 'hex') } as unknown as Provider;
  const secrets = await findSessionSecrets(config, database);
  return openProviderSecret(secrets, provider) === present?.['client_secret'];
}
