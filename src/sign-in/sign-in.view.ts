import type { Signals } from '../accounts/passkeys/account-passkeys.view.ts';
import type { FormProblem, ShownClient, Viewer, Visitor } from '../web/views/parts.ts';

/** Problems of a sign-in; each has a text `problem.<name>`. */
export type LoginProblem =
  | FormProblem
  | 'wrong_credentials'
  | 'passkey_refused'
  | 'too_many_attempts'
  | 'too_busy'
  | 'session_ended'
  | 'sign_in_over'
  | 'cookies_missing'
  | 'other_host';

/** What the sign-in page shows after a step that proved nothing. */
export interface FailedStep {
  status: number;
  username?: string;
  problem: LoginProblem;
  wait_minutes?: number;
  signals?: Signals | undefined;
}

declare module '../web/views/views.ts' {
  interface Views {
    login: {
      action: string;
      csrf: string;
      username: string;
      client?: Pick<ShownClient, 'name' | 'site_domain' | 'vouched'> | undefined;
      /** Whether the person is signed in, but the application demands the password. */
      again?: boolean | undefined;
      /** Whether the person is signed in, but with fewer factors than the application demands. */
      step_up?: boolean | undefined;
      /** The signed-in account, with which the person may continue: the form posts `continue`. */
      account?: Viewer | undefined;
      /** Whether there is a form for username and password. */
      has_passwords: boolean;
      /** What the script hands to the browser for a sign-in with a passkey. */
      passkey?: object | undefined;
      signals?: Signals | undefined;
      /** The address where people sign up. */
      sign_up?: string | undefined;
      /** The address where a forgotten password can be replaced; without it, `support` is whom to ask. */
      forgot?: string | undefined;
      support?: string | undefined;
      /** The host of the provider's own login page: the form posts `website`. */
      website?: string | undefined;
      problem?: LoginProblem | undefined;
      /** The wait after too many attempts. */
      wait_minutes?: number | undefined;
      /** Other servers at which people can sign in; each button posts `provider`. */
      providers: { name: string; title: string }[];
    };
    /** `website`: where the person may still be signed in. */
    'signed-out': Visitor & { website?: { href: string; host: string } | undefined };
  }
}
