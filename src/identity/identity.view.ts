/** Problems of a sign-in elsewhere; each has a text `stopped.<name>`. */
export type StoppedSignIn =
  | 'sign_in_lost'
  | 'cancelled'
  | 'provider_away'
  | 'provider_wrong'
  | 'provider_gone'
  | 'not_confirmed'
  | 'ended_there'
  | 'no_account'
  | 'address_taken'
  | 'foreign_domain'
  | 'account_disabled'
  | 'identity_taken'
  | 'connect_lost';

declare module '../web/views/views.ts' {
  interface Views {
    /** The page on which a sign-in at another server ends that has not led to a sign-in here. */
    'sign-in-stopped': {
      problem: StoppedSignIn;
      /** The title of the other server. */
      provider: string;
      retry: { href: string; label: 'stopped.back_to_sign_in' | 'back.account' };
      request_id: string;
    };
    /** The page in which a form waits; `kept` is what was typed into it, sealed. */
    'session-ended': { action: string; kept: string; sign_in_href: string };
  }
}
