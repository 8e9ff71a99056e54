import type { ClientFace } from './views/parts.ts';

type Registered = Pick<ClientFace, 'client_id' | 'name' | 'site_domain' | 'created_at'> & {
  homepage_uri: string | null;
  logo_uri: string | null;
};

/** What the pages tell about an application; nothing else of its row reaches a template. */
export function faceOf({ client_id, name, site_domain, homepage_uri, logo_uri, created_at }: Registered): ClientFace {
  const links = { homepage_uri: homepage_uri ?? undefined, logo_uri: logo_uri ?? undefined };
  return { client_id, name, site_domain, created_at, ...links };
}
