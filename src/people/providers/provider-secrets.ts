import type { Deps } from '../../deps.ts';
import { seal, unseal } from '../../lib/sealing.ts';
import {
  findSignInPage,
  listOfferedProviders,
  listProvidersWithSecret,
  type OfferedProvider,
  type Provider,
  type SignInPage,
  sealProviderSecret,
} from './providers.sql.ts';

// The secrets by which this server authenticates at providers. They are sent as they are, so a digest would not do: they are
// encrypted, with a key that is not in the database.

type SecretDeps = Pick<Deps, 'database' | 'sessionSecrets'>;

/**
 * The purpose of sealing: a secret that was sealed for one provider cannot be put into the row of another provider, to which it would
 * then be sent.
 */
function purposeOf({ name, issuer, client_id }: Provider): string {
  return JSON.stringify(['client secret at a provider', name, issuer, client_id]);
}

/** Opens the secret; 'unreadable' if it was sealed with a key that this instance does not have. */
export function openProviderSecret(secrets: readonly string[], provider: Provider): string | undefined | 'unreadable' {
  const { client_secret, sealed_client_secret } = provider;
  if (sealed_client_secret === null) return client_secret ?? undefined;
  return unseal(secrets, purposeOf(provider), sealed_client_secret)?.toString() ?? 'unreadable';
}

/** Encrypts the secrets that were just registered, and encrypts anew those that an earlier SESSION_SECRET protects. */
export async function sealProviderSecrets({ database, sessionSecrets }: SecretDeps): Promise<void> {
  for (const provider of await listProvidersWithSecret(database)) {
    await sealOne({ database, sessionSecrets }, provider);
  }
}

async function sealOne({ database, sessionSecrets }: SecretDeps, provider: Provider): Promise<void> {
  const { sealed_client_secret } = provider;
  const [newest = ''] = sessionSecrets;
  if (sealed_client_secret && unseal([newest], purposeOf(provider), sealed_client_secret)) return;
  const secret = openProviderSecret(sessionSecrets, provider);
  if (secret === undefined || (sealed_client_secret && secret === 'unreadable')) return;
  await sealProviderSecret(database, provider, seal(newest, purposeOf(provider), Buffer.from(secret)));
}

/** Returns the providers that the sign-in page offers. The first request after a registration with SQL encrypts the secret. */
export async function offeredProviders(deps: SecretDeps): Promise<OfferedProvider[]> {
  return sealOffered(deps, await listOfferedProviders(deps.database));
}

/** Returns the providers that the sign-in page offers, with the client for which it is opened. */
export async function offeredAtSignIn(deps: SecretDeps, client_id: string | null): Promise<SignInPage> {
  const page = await findSignInPage(deps.database, client_id);
  await sealOffered(deps, page.providers);
  return page;
}

async function sealOffered(deps: SecretDeps, offered: OfferedProvider[]): Promise<OfferedProvider[]> {
  if (offered.some(({ is_unsealed }) => is_unsealed)) await sealProviderSecrets(deps);
  return offered;
}
