import type { ShownClient } from './views/parts.ts';

type ClientRow = Pick<ShownClient, 'client_id' | 'name' | 'site_domain' | 'created_at' | 'vouched'> & {
  homepage_uri: string | null;
  logo_uri: string | null;
  policy_uri: string | null;
  tos_uri: string | null;
};

/**
 * The part of a client's row that templates may show. The logo of a client that no administrator vouches for is not loaded:
 * it would tell a stranger who looks at the page [7591 §5].
 */
export function shownClient(client: ClientRow): ShownClient {
  const { client_id, name, site_domain, created_at, vouched } = client;
  const links = {
    homepage_uri: client.homepage_uri ?? undefined,
    logo_uri: (vouched && client.logo_uri) || undefined,
    policy_uri: client.policy_uri ?? undefined,
    tos_uri: client.tos_uri ?? undefined,
  };
  return { client_id, name, site_domain, created_at, vouched, ...links };
}
