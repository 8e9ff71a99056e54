import { createHmac } from 'node:crypto';
import { findScopeCatalogue } from '../catalogue/scopes.sql.ts';
import { registerClient } from '../clients/client-registration.sql.ts';
import type { Deps } from '../deps.ts';
import { createSecret } from '../lib/secrets.ts';
import { albumsScope, demoClient, enableDemoClient } from './demo.sql.ts';

/** The registration of the playground as a client. */
export interface PlaygroundClient {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
  scopes: string[];
}

/** The scopes that the playground requests as far as they are known here, each with its members. */
export const requestedScopes: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', ['user:name', 'user:email']],
  ['user:write', ['user:write']],
  ['repo', ['repo:read', 'repo:write']],
  [albumsScope, [albumsScope]],
]);

/** Returns the demo's confidential client. Its secret is derived from the session secret, which all processes of the server know. */
export async function playgroundClient({ config, database, sessionSecrets }: Deps): Promise<PlaygroundClient> {
  const known = (await findScopeCatalogue(database)).flatMap(({ name, group_name }) => [name, group_name]);
  const bits = createHmac('sha256', sessionSecrets[0] ?? '')
    .update('playground client_secret')
    .digest();
  return {
    client_id: demoClient,
    client_secret: createSecret('client_secret', bits),
    redirect_uri: `${config.issuer}/playground/callback`,
    // scopes that this server does not need itself may have been deleted, and only the demo's seed has albums
    scopes: [...requestedScopes.keys()].filter((scope) => known.includes(scope)),
  };
}

/** Runs at every start of the demo. */
export async function registerPlayground(deps: Deps): Promise<void> {
  const { config, database, log } = deps;
  if (!config.demo) return;
  const { client_id, client_secret, redirect_uri, scopes } = await playgroundClient(deps);
  await registerClient(database, {
    client_id,
    client_secret,
    name: 'Playground',
    site_domain: siteDomainOf(config.issuer),
    redirect_uris: [redirect_uri],
    scopes,
    required_scopes: ['user:name'],
    homepage_uri: `${config.issuer}/playground`,
  });
  const isEnabled = await enableDemoClient(database);
  if (!isEnabled) log.warn(`The playground is disabled: latchkey client enable ${client_id} enables it.`);
}

/** The host of the issuer; localhost for loopback addresses. */
function siteDomainOf(issuer: string): string {
  const { hostname } = new URL(issuer);
  return /\.[a-z][a-z0-9-]*$/.test(hostname) ? hostname : 'localhost';
}
