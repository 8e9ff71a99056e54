import { createHmac, randomBytes } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { readCookie } from '../../pages/cookies.ts';
import type { PageContext } from '../../pages/page-context.ts';
import type { Parameters } from '../../protocol/parameters.ts';
import { createSecret, digestOf } from '../../protocol/secrets.ts';
import type { DeveloperApplication } from '../../store/clients.ts';
import { consolePath } from './path.ts';

const cookieName = 'new-secret';
const ticketSyntax = /^[\w-]{43}$/;

/**
 * A secret is shown on a page that a reload must not make again, and is kept nowhere. So it is made of a ticket, a random
 * number in the form that asks for it, and of a key that only this server has: neither says anything without the other.
 * A button that is pressed twice sends the same ticket twice, which makes the same secret, once.
 */
export function issueTicket(): string {
  return randomBytes(32).toString('base64url');
}

export function ticketIn({ ticket }: Parameters): string | undefined {
  return typeof ticket === 'string' && ticketSyntax.test(ticket) ? ticket : undefined;
}

export function secretOfTicket({ sessionSecrets }: Deps, client_id: string, ticket: string): string {
  return secretOf(sessionSecrets[0] ?? '', client_id, ticket);
}

/** The ticket waits in the developer's own browser, for minutes, until the page that shows the secret is opened. */
export function keepForShowing({ deps, res }: PageContext, client_id: string, ticket: string): void {
  res.cookie(cookieName, ticket, { ...attributes(deps.config, client_id), maxAge: 300_000, encode: String });
}

/** The secret that was just made for this application in this browser, once; undefined when it is not a live one. */
export function takeNewSecret({ deps, req, res }: PageContext, application: DeveloperApplication): string | undefined {
  const { config, sessionSecrets } = deps;
  const { client_id } = application;
  const ticket = readCookie(req, cookieName);
  if (ticket === undefined || !ticketSyntax.test(ticket)) return undefined;
  const proposals = sessionSecrets.map((key) => secretOf(key, client_id, ticket));
  const secret = proposals.find((proposal) => isLiveSecret(application, proposal));
  if (secret !== undefined) res.clearCookie(cookieName, attributes(config, client_id));
  return secret;
}

export function isLiveSecret({ secrets_sha256 }: DeveloperApplication, client_secret: string): boolean {
  return secrets_sha256.some((digest) => digest.equals(digestOf(client_secret)));
}

function secretOf(key: string, client_id: string, ticket: string): string {
  const bits = createHmac('sha256', key).update(`client_secret\n${client_id}\n${ticket}`).digest();
  return createSecret('client_secret', bits);
}

/** Two applications whose secrets are made at the same moment do not take each other's place. */
function attributes({ base, secure }: Deps['config'], client_id: string) {
  return { httpOnly: true, sameSite: 'lax', secure, path: `${base}${consolePath(client_id)}/secrets` } as const;
}
