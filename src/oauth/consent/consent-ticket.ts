import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import { asksForNewSignIn } from '../../lib/prompt.ts';
import type { AuthorizationRequest } from '../authorize/authorization-request.ts';
import { asksNobody, decisionsIn } from './remembered-grant.ts';

/** Characters of each half of a ticket: 16 bytes in base64url. */
const halfLength = 22;

/** Seconds for which a ticket replaces the password that a request demands; after that the person enters it again. */
const passwordTtl = 600;

const now = () => Math.floor(Date.now() / 1000);

/** What a consent form showed, and to whom. */
export interface ShownForm {
  request: AuthorizationRequest;
  user_id: number;
  /** the query of the authorization request, see carriedQuery */
  query: string;
}

/**
 * Identifies one consent form. The first half is the time and 12 random bytes, the second an HMAC of what the form shows.
 * A form that is shown again keeps the time of its earlier ticket, so that sending it does not prolong the password.
 */
export function issueTicket({ sessionSecrets }: Deps, form: ShownForm, earlier?: string): string {
  const bytes = randomBytes(16);
  bytes.writeUInt32BE(earlier === undefined ? now() : timeOf(earlier));
  const id = bytes.toString('base64url');
  return id + hmacOf(sessionSecrets[0] ?? '', id, form);
}

/**
 * Whether the ticket was issued for this form. A registration can change while a person reads the form; a decision counts
 * only if the request, the application, its redirection URIs, its permissions and where they apply are the same that the person saw.
 */
export function isTicketFor({ sessionSecrets }: Deps, ticket: string, form: ShownForm): boolean {
  const id = idOf(ticket);
  const received = Buffer.from(ticket.slice(halfLength));
  const isGenuine = sessionSecrets.some((secret) => {
    const expected = Buffer.from(hmacOf(secret, id, form));
    return received.length === expected.length && timingSafeEqual(received, expected);
  });
  if (!isGenuine || !asksForNewSignIn(form.request)) return isGenuine;
  // a ticket of the future shows that the clock of an instance was put back
  return Math.abs(now() - timeOf(ticket)) < passwordTtl;
}

const idOf = (ticket: string) => ticket.slice(0, halfLength);
const timeOf = (ticket: string) => Buffer.from(idOf(ticket), 'base64url').readUInt32BE();

function hmacOf(secret: string, id: string, { request, user_id, query }: ShownForm): string {
  const { client, choices, target, gives_username } = request;
  const { client_id, name, site_domain, redirect_uris, required_scopes } = client;
  // scopes with their resources: a request that names no resource may mean another resource meanwhile
  const permissions = decisionsIn(request);
  const seen = [client_id, name, site_domain, redirect_uris, required_scopes, permissions, target.redirect_uri];
  const asked = choices.length > 0 ? [choices, asksNobody(request)] : [];
  const shown = [user_id, ...seen, gives_username, ...asked];
  const hmac = createHmac('sha256', secret)
    .update(JSON.stringify(['consent', id, query, ...shown]))
    .digest('base64url');
  return hmac.slice(0, halfLength);
}
