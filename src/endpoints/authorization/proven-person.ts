import type { Account } from '../../grants/password-check.ts';
import type { Proof } from '../../pages/session.ts';
import type { LoginProblem } from '../../pages/views/views.ts';

/** What is proved about a person, and of which account. */
export interface ProvenPerson extends Proof {
  readonly account: Account;
}

/** What the sign-in page shows after a step that proved nothing. */
export interface FailedStep {
  status: number;
  username?: string;
  problem: LoginProblem;
  wait_minutes?: number;
}
