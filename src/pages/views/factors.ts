import type { PasskeyOptions } from '../../grants/passkeys.ts';
import type { CodeProblem } from '../../grants/second-factor.ts';
import type { AccountProblem } from './account.ts';
import type { FormProblem, Viewer } from './parts.ts';

/** Why a code, or another form about the second factor, is not accepted. */
export type FactorProblem =
  | FormProblem
  | CodeProblem
  | AccountProblem
  | 'changed_meanwhile'
  | 'factor_demanded'
  | 'passkey_refused';

/** What a page that shows its form again says. */
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
}

interface TicketForm {
  action: string;
  csrf: string;
  ticket: string;
}

interface Problem {
  problem?: { name: FactorProblem; wait_minutes?: number | undefined } | undefined;
}

export interface FactorViews {
  /** In the middle of a sign-in: nobody is signed in yet. Posts `code`, and `trust`. */
  'second-step': TicketForm &
    Problem & {
      has_app: boolean;
      has_recovery_codes: boolean;
      trusted_days: number;
      /** If one of the person's passkeys works here; posts what it answers. */
      passkey: PasskeyOptions | undefined;
    };
  /** Posts `code`. `asked_by`: in the middle of a sign-in. Where an application asks, the person may post `decline`. */
  'factor-setup': TicketForm &
    Problem &
    AppToSetUp & { viewer?: Viewer | undefined; asked_by?: 'operator' | 'application' | undefined };
  /** Shown once. `next` goes on with the sign-in, or back to the account. */
  'recovery-codes': {
    viewer?: Viewer | undefined;
    csrf?: string | undefined;
    username: string;
    codes: readonly string[];
    next: TicketForm | { href: string };
  };
}
