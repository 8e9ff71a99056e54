import type { Visitor } from './parts.ts';

/** Every view and its data, which its template sees as `data`: each module declares its own, beside what builds the data. */
export interface Views {
  message: Visitor & {
    message: MessageName;
    /** the address of `address_taken`, and the account that cannot have it */
    address?: string | undefined;
    username?: string | undefined;
    /** what helps further */
    more?: { href: string; label: 'message.registration_off.how' | 'message.address_taken.sign_in' };
    back: { href: string; label: BackLabel };
  };
}
export type ViewName = keyof Views;

/** A page with one message; texts `message.<name>.title` and `message.<name>.text`. */
export type MessageName =
  | 'registration_off'
  | 'no_access'
  | 'account_deleted'
  | 'link_over'
  | 'password_reset'
  | 'address_taken'
  | 'other_account'
  | 'secured'
  | 'secured_without_way_in'
  | 'signed_up'
  | ElsewhereProblem;

/** Problems of a sign-in at another site. */
export type ElsewhereProblem =
  | 'elsewhere_unknown'
  | 'elsewhere_over'
  | 'elsewhere_invalid'
  | 'elsewhere_stale'
  | 'elsewhere_uncertain'
  | 'elsewhere_failed'
  | 'elsewhere_denied'
  | 'elsewhere_of_another_source'
  | 'elsewhere_disabled';

export type BackLabel =
  | 'back.sign_in'
  | 'back.new_link'
  | 'back.home'
  | 'back.account'
  | 'back.other_address'
  | 'back.applications'
  | 'back.again'
  | 'back.go_on';
