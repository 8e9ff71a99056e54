import type { ClientProfile } from './views/parts.ts';

type ClientRow = Pick<ClientProfile, 'client_id' | 'name' | 'site_domain' | 'created_at' | 'vouched'> & {
  homepage_uri: string | null;
  logo_uri: string | null;
};

/**
 * The part of a client's row that templates may show. The logo of a client that no administrator vouches for is not loaded:
 * it would tell a stranger who looks at the page [7591 §5].
 */
export function clientProfile({
  client_id,
  name,
  site_domain,
  homepage_uri,
  logo_uri,
  created_at,
  vouched,
}: ClientRow): ClientProfile {
  const links = { homepage_uri: homepage_uri ?? undefined, logo_uri: (vouched && logo_uri) || undefined };
  return { client_id, name, site_domain, created_at, vouched, ...links };
}
