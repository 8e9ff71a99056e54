import type { PasswordProblem } from '../../lib/password-rules.ts';
import type { ClientOnTheWay, FormProblem, Visitor } from '../../web/views/parts.ts';

export type SignUpProblem =
  | FormProblem
  | 'username_malformed'
  | 'username_reserved'
  | 'username_taken'
  | PasswordProblem
  | 'too_busy';

declare module '../../web/views/views.ts' {
  interface Views {
    'sign-up': Visitor & {
      action: string;
      csrf: string;
      client?: ClientOnTheWay | undefined;
      /** Whether a mail is in the queue. */
      sent: boolean;
      typed: string;
      /** The sign-in page. */
      back: string;
      problem?: FormProblem | 'email_invalid' | 'too_many_attempts' | undefined;
      wait_minutes?: number | undefined;
    };
    'finish-sign-up': Visitor & {
      action: string;
      csrf: string;
      /** The secret of the link. */
      link: string;
      /** The address that the link has proved. */
      address: string;
      username: string;
      client?: ClientOnTheWay | undefined;
      /** The sign-in page. */
      back: string;
      problem?: SignUpProblem | undefined;
    };
  }
}
