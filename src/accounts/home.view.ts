import type { Visitor } from '../web/views/parts.ts';

declare module '../web/views/views.ts' {
  interface Views {
    home: Visitor & {
      /** Whether strangers can create an account. */
      offers_sign_up: boolean;
    };
  }
}
