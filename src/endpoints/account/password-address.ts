import type { RequestHandler } from 'express';
import type { Deps } from '../../deps.ts';
import { redirectWithin } from '../../http/answers.ts';

/** Where password managers look for the form that changes a password [A Well-Known URL for Changing Passwords]. */
export const showPasswordForm =
  ({ config }: Deps): RequestHandler =>
  (_req, res) =>
    redirectWithin(res, config, '/account#password', 303);
