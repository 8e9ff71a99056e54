import type { LoginProblem } from './sign-in.view.ts';

/** What the sign-in page shows after a step that proved nothing. */
export interface FailedStep {
  status: number;
  username?: string;
  problem: LoginProblem;
  wait_minutes?: number;
}
