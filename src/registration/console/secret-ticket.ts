import { createHmac, randomBytes } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { Parameters } from '../../lib/parameters.ts';
import { createSecret, digestOf } from '../../lib/secrets.ts';

const ticketSyntax = /^[\w-]{43}$/;

/**
 * A new secret is shown once and stored only as a digest. It is derived from a ticket, a random number in the form that
 * requests it, and from a key of this server; the ticket alone does not reveal it. A form that is sent twice has the same
 * ticket, so it makes one secret.
 */
export function issueTicket(): string {
  return randomBytes(32).toString('base64url');
}

export const isTicket = (text: string): boolean => ticketSyntax.test(text);

export function ticketIn({ ticket }: Parameters): string | undefined {
  return typeof ticket === 'string' && isTicket(ticket) ? ticket : undefined;
}

export function secretOfTicket({ sessionSecrets }: Deps, client_id: string, ticket: string): string {
  return secretBy(sessionSecrets[0] ?? '', client_id, ticket);
}

/** Returns the secret that a key of this server derives from a ticket. */
export function secretBy(key: string, client_id: string, ticket: string): string {
  const bits = createHmac('sha256', key).update(`client_secret\n${client_id}\n${ticket}`).digest();
  return createSecret('client_secret', bits);
}

export function isRegisteredSecret(
  { secrets_sha256 }: { secrets_sha256: readonly Buffer[] },
  client_secret: string,
): boolean {
  return secrets_sha256.some((digest) => digest.equals(digestOf(client_secret)));
}
