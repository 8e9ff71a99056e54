import type { Visitor } from '../web/views/parts.ts';

declare module '../web/views/views.ts' {
  interface Views {
    home: Visitor & {
      /** Whether strangers can create an account. */
      offers_sign_up: boolean;
      /** What the script asks of a password manager that can make a passkey by itself; the person can add a passkey or decline. */
      offer?: { action: string; new_href: string; options: object } | undefined;
      notice?: 'passkey_saved' | undefined;
    };
  }
}
