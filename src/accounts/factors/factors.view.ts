import type { ClientOnTheWay, ShownProof, Viewer } from '../../web/views/parts.ts';
import type { PasskeysSection } from '../passkeys/account-passkeys.view.ts';
import type { PasskeyOptions } from '../passkeys/passkeys.ts';
import type { AccountNotice, AccountProblem, IdentityRow, SignedIn } from '../profile/account.view.ts';

/** Says why a code, or another form about the second factor, is not accepted. */
export type FactorProblem = AccountProblem | 'changed_meanwhile' | 'factor_demanded' | 'passkey_refused';

/** What a page says when it shows its form again. */
export interface FactorRefusal {
  status: number;
  name: FactorProblem;
  wait_minutes?: number;
}

/** What the person scans, or types, into the app. */
export interface AppToSetUp {
  username: string;
  secret: string;
  /** A square of dark modules, as the path of an SVG. */
  picture: { size: number; path: string };
  /** What the picture says, as a link for the phone that shows the page. */
  uri: string;
}

interface TicketForm {
  action: string;
  csrf: string;
  ticket: string;
}

interface Problem {
  problem?: { name: FactorProblem; wait_minutes?: number | undefined } | undefined;
}

declare module '../../web/views/views.ts' {
  interface Views {
    /** Asks for the second factor in the middle of a sign-in: nobody is signed in yet. Posts `code`, and `trust`. */
    'second-step': TicketForm &
      Problem & {
        username: string;
        has_app: boolean;
        has_recovery_codes: boolean;
        trusted_days: number;
        /** Present if one of the person's passkeys works here; the form posts the answer of the passkey. */
        passkey: PasskeyOptions | undefined;
        client?: ClientOnTheWay | undefined;
      };
    /**
     * Posts `code`. `asked_by`: who demands the factor in the middle of a sign-in. Where an application asks, the person may post
     * `decline`.
     */
    'factor-setup': TicketForm &
      Problem &
      AppToSetUp & {
        viewer?: Viewer | undefined;
        asked_by?: 'operator' | 'application' | undefined;
        client?: ClientOnTheWay | undefined;
        /** Whether the app takes the place of another. */
        is_on?: boolean | undefined;
      };
    /** Shows the codes once. `next` goes on with the sign-in, or back to the account. */
    'recovery-codes': {
      viewer?: Viewer | undefined;
      csrf?: string | undefined;
      username: string;
      codes: readonly string[];
      next: TicketForm | { href: string };
    };
    /** How the person signs in. */
    'account-security': SignedIn & {
      /** What the form for a new password asks for as proof. */
      proof: ShownProof;
      /** Undefined for somebody who has no password here. */
      password: { action: string } | undefined;
      /** Posts `codes`, `remove`, or neither to set up an app. */
      factor: {
        action: string;
        /** Whether the person has a password here, or a factor from earlier; other people are protected where they sign in. */
        is_offered: boolean;
        is_on: boolean;
        has_app: boolean;
        is_demanded: boolean;
        recovery_codes: number;
        proof: ShownProof;
      };
      /** Absent where browsers make no passkeys: at an IP address. */
      passkeys?: PasskeysSection | undefined;
      identities: IdentityRow[];
      /** Posts `identity`. */
      unlink_action: string;
      /** Servers that the person can connect. */
      connect: { title: string; href: string }[];
      notice?: AccountNotice | undefined;
      problem?:
        | { form: 'password' | 'identities' | 'factor'; name: FactorProblem; wait_minutes?: number | undefined }
        | undefined;
    };
  }
}
