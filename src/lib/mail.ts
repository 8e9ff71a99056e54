/** The kinds of mails in the queue. `forgotten` has no person yet: a name was typed, which may be nobody's. */
export type MailKind =
  | 'forgotten'
  | 'confirm_address'
  | 'address_changing'
  | 'notice'
  | 'sign_up'
  | OperatorsMailKind
  | 'address_replaced';

/** Mails that an operator orders, and is told of if they cannot be sent. */
export const operatorsMails = ['reset_link', 'invitation'] as const;
export type OperatorsMailKind = (typeof operatorsMails)[number];

/** Mails that anybody can have sent to an address of their choice, about which nothing is known. */
export const mailsToAnybody: readonly MailKind[] = ['sign_up', 'confirm_address'];

/** What the person has to know. Each has texts `mail.<name>.subject` and `mail.<name>.text`. */
export type MailSubject =
  | 'reset'
  | 'no_password'
  | 'confirm_address'
  | 'address_changing'
  | 'address_replaced'
  | 'sign_up'
  | 'invitation'
  | 'account_exists'
  | 'test'
  | Notice;

/** What a person is told, so that they can undo it. */
export type Notice =
  | 'password_changed'
  | 'password_set'
  | 'new_browser'
  | 'way_in_added'
  | 'factor_changed'
  | 'factor_reset'
  | 'wrong_codes'
  | 'application_allowed';

/** What a link in a mail is called; texts `mail.<name>`. */
export type MailButton = 'set_password' | 'confirm' | 'not_me' | 'make_account' | 'sign_in';

/** A mail that can be written in a language and sent. */
export interface PreparedMail {
  readonly to: string;
  readonly language: string;
  readonly subject: MailSubject;
  /** what its text names */
  readonly names: Readonly<Record<string, string>>;
  readonly link?: { readonly url: string; readonly button: MailButton };
}

export interface WrittenMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}
