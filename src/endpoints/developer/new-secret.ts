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
 * A new secret is shown once and stored only as a digest. It is derived from a ticket, a random number in the form that
 * requests it, and from a key of this server; the ticket alone does not reveal it. A form that is sent twice has the same
 * ticket, so it makes one secret.
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

/** Stores the ticket in a cookie for five minutes; the page that shows the secret derives it from there. */
export function storeTicket({ deps, res }: PageContext, client_id: string, ticket: string): void {
  res.cookie(cookieName, ticket, { ...attributes(deps.config, client_id), maxAge: 300_000, encode: String });
}

/** The secret of the ticket in the cookie, which is then deleted; undefined when it is not a secret of the application. */
export function takeNewSecret({ deps, req, res }: PageContext, application: DeveloperApplication): string | undefined {
  const { config, sessionSecrets } = deps;
  const { client_id } = application;
  const ticket = readCookie(req, cookieName);
  if (ticket === undefined || !ticketSyntax.test(ticket)) return undefined;
  const derived = sessionSecrets.map((key) => secretOf(key, client_id, ticket));
  const secret = derived.find((one) => isRegisteredSecret(application, one));
  if (secret !== undefined) res.clearCookie(cookieName, attributes(config, client_id));
  return secret;
}

export function isRegisteredSecret({ secrets_sha256 }: DeveloperApplication, client_secret: string): boolean {
  return secrets_sha256.some((digest) => digest.equals(digestOf(client_secret)));
}

function secretOf(key: string, client_id: string, ticket: string): string {
  const bits = createHmac('sha256', key).update(`client_secret\n${client_id}\n${ticket}`).digest();
  return createSecret('client_secret', bits);
}

/** The path keeps the tickets of two applications apart. */
function attributes({ base, secure }: Deps['config'], client_id: string) {
  return { httpOnly: true, sameSite: 'lax', secure, path: `${base}${consolePath(client_id)}/secrets` } as const;
}
