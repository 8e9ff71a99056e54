import { createHash } from 'node:crypto';
import type { Identity, IdentityOfUser } from '../../people/providers/identities.sql.ts';
import type { IdentityRow } from './account.view.ts';

/** Names an identity in a form. */
export function handleOf({ issuer, subject }: Identity): string {
  return createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('hex')
    .slice(0, 32);
}

export function identityRow(identity: IdentityOfUser): IdentityRow {
  const { title, label, linked_at, last_used_at } = identity;
  return {
    identity: handleOf(identity),
    title: title ?? undefined,
    label: label ?? undefined,
    linked_at,
    last_used_at: last_used_at ?? undefined,
  };
}
