import type { DeveloperApplication } from '../../clients/clients.sql.ts';
import type { Deps } from '../../deps.ts';
import { readCookie } from '../../web/cookies.ts';
import type { PageContext } from '../../web/page-context.ts';
import { consolePath } from './path.ts';
import { isRegisteredSecret, isTicket, secretBy } from './secret-ticket.ts';

const cookieName = 'new-secret';

/** Stores the ticket in a cookie for five minutes; the page that shows the secret derives it from there. */
export function storeTicket({ deps, res }: PageContext, client_id: string, ticket: string): void {
  res.cookie(cookieName, ticket, { ...attributes(deps.config, client_id), maxAge: 300_000, encode: String });
}

/** Returns the secret of the ticket in the cookie, which is then deleted; undefined when it is not a secret of the application. */
export function takeNewSecret({ deps, req, res }: PageContext, application: DeveloperApplication): string | undefined {
  const { config, sessionSecrets } = deps;
  const { client_id } = application;
  const ticket = readCookie(req, cookieName);
  if (ticket === undefined || !isTicket(ticket)) return undefined;
  const derived = sessionSecrets.map((key) => secretBy(key, client_id, ticket));
  const secret = derived.find((one) => isRegisteredSecret(application, one));
  if (secret !== undefined) res.clearCookie(cookieName, attributes(config, client_id));
  return secret;
}

/** Returns the attributes of the cookie; its path keeps the tickets of two applications apart. */
function attributes({ base, secure }: Deps['config'], client_id: string) {
  return { httpOnly: true, sameSite: 'lax', secure, path: `${base}${consolePath(client_id)}/secrets` } as const;
}
