import type { ClientProfile } from './views/parts.ts';

type ClientRow = Pick<ClientProfile, 'client_id' | 'name' | 'site_domain' | 'created_at'> & {
  homepage_uri: string | null;
  logo_uri: string | null;
};

/** The part of a client's row that templates may show. */
export function clientProfile({
  client_id,
  name,
  site_domain,
  homepage_uri,
  logo_uri,
  created_at,
}: ClientRow): ClientProfile {
  const links = { homepage_uri: homepage_uri ?? undefined, logo_uri: logo_uri ?? undefined };
  return { client_id, name, site_domain, created_at, ...links };
}
