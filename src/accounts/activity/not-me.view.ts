import type { ShownProof, Visitor } from '../../web/views/parts.ts';
import type { AccountProblem, ActivityRow } from '../profile/account.view.ts';
import type { NewFactor } from './secured-accounts.sql.ts';

declare module '../../web/views/views.ts' {
  interface Views {
    'not-me': Visitor & {
      action: string;
      csrf: string;
      /** The secret of the link of a mail. */
      link?: string | undefined;
      /** What is undone, where there is no link: the form posts what proves the person. */
      event?: ActivityRow | undefined;
      /** When what the mail told of happened. */
      at?: Date | undefined;
      proof?: ShownProof | undefined;
      /** Where somebody who does not know the password gets a link to a new one. */
      forgot_href?: string | undefined;
      username: string;
      /** Whether the person then sets a new password. */
      has_password: boolean;
      /** The address that the account keeps or gets back. */
      address?: string | undefined;
      /** Whether that is the address of the account. */
      keeps_address?: boolean | undefined;
      /** A second factor from then or later that stays, unless the person chooses to remove it and posts `password`. */
      new_factor?: NewFactor | undefined;
      /** Whether an authenticator app from then or later is removed without a question. */
      loses_app?: boolean | undefined;
      /** What was chosen for that factor in a form that is shown again. */
      second_factor?: string | undefined;
      problem?: { name: AccountProblem; wait_minutes?: number | undefined } | undefined;
    };
  }
}
