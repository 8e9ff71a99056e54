import type { Visitor } from '../web/views/parts.ts';
import type { AccountSummary } from './home.sql.ts';

declare module '../web/views/views.ts' {
  interface Views {
    home: Visitor & {
      /** Whether strangers can create an account. */
      offers_sign_up: boolean;
      /** What the script asks of a password manager that can make a passkey by itself; the person can add a passkey or decline. */
      offer?: { action: string; new_href: string; options: object } | undefined;
      notice?: 'passkey_saved' | undefined;
      /** What the account of the person has. `second_factor` is undefined where it is set up at another site. */
      state?: (AccountSummary & { second_factor: boolean | undefined }) | undefined;
    };
  }
}
