import type { ShownPasskey } from './passkeys.sql.ts';

export type PasskeyNotice =
  | 'passkey_added'
  | 'passkey_renamed'
  | 'passkey_removed'
  | 'password_removed'
  | 'password_set';

export type PasskeyProblem =
  | 'passkey_not_added'
  | 'passkey_name_missing'
  | 'last_passkey'
  | 'only_factor'
  | 'only_factor_demanded'
  | 'no_passkey';

export interface PasskeyRow extends ShownPasskey {
  href: string;
  /** The only host at which it works, if that is not this one. */
  other_host?: string | undefined;
}

/** What the script tells the password manager, by the method of PublicKeyCredential [WebAuthn §5.1.10]. */
export type Signals = Readonly<Record<string, object>>;

/** The section of the account page. */
export interface PasskeysSection {
  /** Whether the person signs in elsewhere, or this server has no passkeys. */
  is_elsewhere: boolean;
  signals?: Signals | undefined;
  rows: PasskeyRow[];
  is_full: boolean;
  new_href: string;
  new_key_href: string;
  /** Removes the password. Absent unless the person has one and could do without it. */
  remove_password_href?: string | undefined;
  /** Sets a password for a person who has none. */
  set_password_href?: string | undefined;
}
