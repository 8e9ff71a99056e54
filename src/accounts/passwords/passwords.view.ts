import type { ClientOnTheWay, FormProblem, Visitor } from '../../web/views/parts.ts';
import type { AccountProblem } from '../profile/account.view.ts';

declare module '../../web/views/views.ts' {
  interface Views {
    'forgot-password': Visitor & {
      action: string;
      csrf: string;
      client?: ClientOnTheWay | undefined;
      /** Whether the form was sent; a mail is then in the queue if there is anybody to whom it can go. */
      sent: boolean;
      typed: string;
      support?: string | undefined;
      /** The sign-in page. */
      back: string;
      problem?: FormProblem | 'too_many_attempts' | undefined;
      wait_minutes?: number | undefined;
    };
    'reset-password': Visitor & {
      action: string;
      csrf: string;
      /** The secret of the link. */
      link: string;
      username: string;
      client?: ClientOnTheWay | undefined;
      /** The sign-in page. */
      back: string;
      problem?: AccountProblem | undefined;
    };
  }
}
