import type { Config } from '../config/config.ts';
import type { Deps } from '../deps.ts';
import { type Finding, finding } from '../lib/finding.ts';
import { findMetadataProblem, type MetadataProblem } from '../people/providers/provider-documents.ts';
import { openProviderSecret } from '../people/providers/provider-secrets.ts';
import { talkTo } from '../people/providers/provider-sign-in.ts';
import { type ListedProvider, listProviders } from '../people/providers/providers.sql.ts';

type ProviderDeps = Pick<Deps, 'config' | 'database' | 'sessionSecrets'>;

/** The providers at which people can sign in: what they publish now, and whether their client secret can be read. */
export async function providerFindings(deps: ProviderDeps): Promise<Finding[]> {
  const providers = await listProviders(deps.database);
  const enabled = providers.filter(({ disabled_at }) => disabled_at === null);
  const found = await Promise.all(enabled.map((provider) => findingsOf(deps, provider)));
  return [...unknownPlaces(deps.config, providers), ...found.flat()];
}

/** Whose second factor would count if people could sign in there: a typing error, mostly. */
function unknownPlaces({ two_factors_elsewhere, website }: Config, providers: readonly ListedProvider[]): Finding[] {
  const known = [...(website ? ['website:'] : []), ...providers.map(({ name }) => `provider:${name}:`)];
  const unknown = [...two_factors_elsewhere].filter((entry) => !known.some((place) => entry.startsWith(place)));
  return unknown.map((entry) =>
    finding('warning', 'provider_unknown', {
      what: 'TWO_FACTORS_ELSEWHERE names a place where nobody signs in',
      value: entry,
      change: entry.startsWith('website:') ? 'SIGN_IN_URL=…' : 'the name of a provider, see latchkey provider list',
    }),
  );
}

async function findingsOf(deps: ProviderDeps, provider: ListedProvider): Promise<Finding[]> {
  const { name, issuer, kind } = provider;
  const found: Finding[] = [];
  if (openProviderSecret(deps.sessionSecrets, provider) === 'unreadable') {
    found.push(
      finding('error', 'provider_secret_unreadable', {
        what: 'nobody can sign in at a provider, because its client secret is encrypted with another SESSION_SECRET',
        value: name,
        change: `the previous secret at the end of SESSION_SECRET, or select register_provider(name => '${name}', …, client_secret => …)`,
      }),
    );
  }
  // GitHub publishes nothing
  if (kind === 'github') return found;
  const problem = await talkTo(deps, provider, (fetch) => findMetadataProblem(deps, provider, fetch));
  return problem ? [...found, describe(problem, { name, issuer })] : found;
}

function describe({ kind, reason, hosts = [] }: MetadataProblem, { name, issuer }: { name: string; issuer: string }) {
  const registration = `select register_provider(name => '${name}', …`;
  if (kind === 'moved') {
    return finding('warning', 'provider_moved', {
      what: 'a provider has moved an endpoint to another host; sign-ins go to the previous endpoint, and stop within seven days',
      value: `${name}: ${reason}`,
      change: `if the provider says so, too: ${registration}, endpoint_hosts => array['${hosts.join("', '")}'])`,
    });
  }
  if (kind === 'wrong') {
    return finding('error', 'provider_metadata_wrong', {
      what: 'the metadata of a provider is not used',
      value: `${name}, issuer ${issuer}: ${reason}`,
      change: `${registration}, issuer => …) with exactly the issuer that the provider names`,
    });
  }
  return finding('warning', 'provider_unreachable', {
    what: 'the metadata of a provider cannot be fetched, as seen from here',
    value: `${name}, issuer ${issuer}: ${reason}`,
    change: `the network between this server and the provider; or latchkey provider disable ${name}`,
  });
}
