import { createHmac } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { createSecret } from '../protocol/secrets.ts';
import { registerClient } from '../store/client-registration.ts';
import { demoClient, registerDemoClient } from '../store/demo.ts';

/** What an application keeps about itself. */
export interface PlaygroundClient {
  client_id: string;
  client_secret: string;
  redirect_uri: string;
}

/** The names under which it asks, and the members each stands for: an application knows the permissions it uses. */
export const permissionsAsked: ReadonlyMap<string, readonly string[]> = new Map([
  ['user', ['user:name', 'user:email']],
  ['user:write', ['user:write']],
  ['repo', ['repo:read', 'repo:write']],
]);

/** A confidential client. Its secret follows from the session secret, so that all processes know it and nobody else. */
export function playgroundClient({ config, sessionSecrets }: Deps): PlaygroundClient {
  const bits = createHmac('sha256', sessionSecrets[0] ?? '')
    .update('playground client_secret')
    .digest();
  return {
    client_id: demoClient,
    client_secret: createSecret('client_secret', bits),
    redirect_uri: `${config.issuer}/playground/callback`,
  };
}

/** At every start of the demo, and never without it. */
export async function registerPlayground(deps: Deps): Promise<void> {
  const { config, database } = deps;
  if (!config.demo) return;
  const { client_id, client_secret, redirect_uri } = playgroundClient(deps);
  await registerClient(database, {
    client_id,
    client_secret,
    name: 'Playground',
    site_domain: siteDomainOf(config.issuer),
    redirect_uris: [redirect_uri],
    scopes: [...permissionsAsked.keys()],
    required_scopes: ['user:name'],
    homepage_uri: `${config.issuer}/playground`,
  });
  await registerDemoClient(database);
}

/** A host that is a domain stands for itself; the loopback addresses are all registered as localhost. */
function siteDomainOf(issuer: string): string {
  const { hostname } = new URL(issuer);
  return /\.[a-z][a-z0-9-]*$/.test(hostname) ? hostname : 'localhost';
}
