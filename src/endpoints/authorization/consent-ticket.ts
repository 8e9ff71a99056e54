import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { AuthorizationRequest } from '../../grants/authorization.ts';
import { asksWhoItIs } from '../../protocol/prompt.ts';

const length = 22;

/** Seconds for which a form may lie open that stands for a password: who comes back later is asked for it again. */
const freshness = 600;

const now = () => Math.floor(Date.now() / 1000);

/** What a form was shown for. */
export interface ShownForm {
  request: AuthorizationRequest;
  user_id: number;
  /** the request as it came, with all that it demands */
  query: string;
}

/** The name of one consent form: a half with the time and chance in it, and one that says for whom and what the form was shown. */
export function issueTicket({ sessionSecrets }: Deps, form: ShownForm): string {
  const name = randomBytes(16);
  name.writeUInt32BE(now());
  const half = name.toString('base64url');
  return half + proofOf(sessionSecrets[0] ?? '', half, form);
}

/**
 * A registration can change while somebody reads the form. What they decide counts only for what they saw: the same
 * request, application, addresses and permissions, or they are asked again.
 */
export function isTicketFor({ sessionSecrets }: Deps, ticket: string, form: ShownForm): boolean {
  const [half, given] = [ticket.slice(0, length), Buffer.from(ticket.slice(length))];
  const isOurs = sessionSecrets.some((secret) => {
    const proof = Buffer.from(proofOf(secret, half, form));
    return given.length === proof.length && timingSafeEqual(given, proof);
  });
  if (!isOurs || !asksWhoItIs(form.request.prompt)) return isOurs;
  return Buffer.from(half, 'base64url').readUInt32BE() + freshness > now();
}

function proofOf(secret: string, half: string, { request, user_id, query }: ShownForm): string {
  const { client, scopes, target } = request;
  const { client_id, name, site_domain, redirect_uris, required_scopes } = client;
  const seen = [user_id, client_id, name, site_domain, redirect_uris, required_scopes, scopes, target.redirect_uri];
  const proof = createHmac('sha256', secret)
    .update(JSON.stringify(['consent', half, query, ...seen]))
    .digest('base64url');
  return proof.slice(0, length);
}
