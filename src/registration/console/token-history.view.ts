import type { CredentialKind } from '../../lib/secrets.ts';

/** What can happen to a token; each has a text `event.<name>`. */
export type TokenEvent =
  | 'issued'
  | 'code_redeemed'
  | 'refreshed'
  | 'replaced'
  | 'reused'
  | 'family_reused'
  | 'code_replayed'
  | 'verifier_wrong'
  | 'leaked'
  | 'revoked'
  | 'revoked_by_user'
  | 'revoked_by_operator'
  | 'revoked_by_client'
  | 'client_disabled'
  | 'user_disabled'
  | 'permission_removed'
  | 'scope_unregistered'
  | 'expired'
  | 'alive';

/** `unknown`: it does not exist, or belongs to another application. A developer must not be able to tell which. */
export type TokenHistory =
  | { kind: 'unknown' }
  | { kind: 'malformed' }
  /** A secret, but none that has a history. */
  | { kind: 'client_secret' }
  | { kind: CredentialKind; alive: boolean; ends_at: Date; events: { at: Date; event: TokenEvent }[] };
