import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../deps.ts';
import type { AuthorizationRequest } from '../oauth/authorization-request.ts';

const length = 22;

/** The name of one consent form: a random half, and one that says for whom and what the form was shown. */
export function issueTicket(deps: Deps, request: AuthorizationRequest, user_id: number): string {
  const random = randomBytes(16).toString('base64url');
  return random + proofOf(deps.sessionSecrets[0] ?? '', random, request, user_id);
}

/**
 * A registration can change while somebody reads the form. What they decide counts only for what they saw: the same
 * application, addresses and permissions, or they are asked again.
 */
export function isTicketFor(deps: Deps, ticket: string, request: AuthorizationRequest, user_id: number): boolean {
  const given = Buffer.from(ticket.slice(length));
  return deps.sessionSecrets.some((secret) => {
    const proof = Buffer.from(proofOf(secret, ticket.slice(0, length), request, user_id));
    return given.length === proof.length && timingSafeEqual(given, proof);
  });
}

function proofOf(secret: string, random: string, { client, scopes, target }: AuthorizationRequest, user_id: number) {
  const { client_id, name, site_domain, redirect_uris, required_scopes } = client;
  const seen = [user_id, client_id, name, site_domain, redirect_uris, required_scopes, scopes, target.redirect_uri];
  const proof = createHmac('sha256', secret)
    .update(JSON.stringify(['consent', random, ...seen]))
    .digest('base64url');
  return proof.slice(0, length);
}
